"""Tests several servers on one PostgreSQL. The database may hang, and the servers' clocks may differ."""

import os
import signal
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from connectk.play.clock import ClockReading, SharedClock
from connectk.storage import postgres as limits
from connectk.storage import writer
from tests.server.clients import INVITED, Socket, drop, look, make, make_for_two
from tests.server.serving import Client, ServerProcess, process_tree, serving, settings_for
from tests.server.slowness import slowness
from tests.storage.postgres import ThrowawayPostgres


@contextmanager
def standing_still(database: ThrowawayPostgres) -> Iterator[None]:
    """Stops every process of the database for a while, as if its machine hung."""
    stopped = process_tree(database.pid)
    for process in stopped:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in stopped:
            os.kill(process, signal.SIGCONT)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the time limits so short that a test can wait for them."""
    monkeypatch.setattr(limits, "MAX_CONNECTION_USE_SECONDS", 1.0)
    monkeypatch.setitem(limits.NETWORK_LIMITS, "connect_timeout", 2)
    monkeypatch.setattr(writer, "RECONNECT_TIMEOUT_SECONDS", 1.0)
    monkeypatch.setattr(writer, "MAX_QUEUED_SECONDS", 2.0)


@pytest.fixture
def client(impatient, postgres, tmp_path) -> Iterator[Client]:
    with serving(settings_for(tmp_path, database=postgres.create(uuid.uuid4().hex))) as client:
        yield client


def test_a_database_that_stands_still_makes_a_server_unready(client, postgres):
    """While the database hangs, the server reports that it is not ready and still answers each request."""
    assert client.get("/readyz").status_code == 200
    with standing_still(postgres):
        assert [client.get("/readyz").status_code for _ in range(3)] == [503] * 3
    while client.get("/readyz").status_code != 200:
        time.sleep(0.05)


def test_what_a_database_that_stands_still_cannot_store_is_refused(client, postgres):
    """While the database hangs, a drop and a new match are refused with a sentence. Afterwards the same drop is played
    once."""
    match_id, alice, _ = make_for_two(client)
    order = {"type": "drop", "id": 1, "column": 3, "ply": 0, "key": "first"}
    with Socket(client, match_id, alice) as socket:
        assert socket.ask({"type": "ping", "id": 0})[0]["type"] == "pong"  # the server has accepted its hello
        with standing_still(postgres):
            assert client.get(f"/api/matches/{match_id}").json()["reason"] == "not_stored"
            refused = socket.ask(order)[0]
            assert (refused["type"], refused["reason"]) == ("refused", "not_stored")
        while (answer := socket.ask(order)[0])["type"] == "refused":
            assert answer["reason"] == "not_stored"
        assert answer["type"] == "done"
    assert look(client, match_id, alice)["moves"] == [3]


def test_a_clock_that_is_ahead_ends_no_game(postgres):
    """If one of two servers has a clock that is ninety seconds ahead, a minute still takes a minute on both."""
    database = postgres.create(uuid.uuid4().hex)
    servers = [ServerProcess(database, plain=True), ServerProcess(database, program="tests.server.clock_ahead")]
    try:
        for here, there in (servers, servers[::-1]):
            made = make(here.client, clock={"seconds": 60}, second=INVITED)
            match_id = made["match"]["id"]
            joined = here.client.post(f"/api/matches/{match_id}/join", json={"invitation": made["invitation"]})
            assert drop(here.client, match_id, made["secret"], 3, 0).status_code == 201
            assert drop(there.client, match_id, joined.json()["secret"], 3, 1).status_code == 201
            with Socket(there.client, match_id, made["secret"]) as socket:
                times = socket.welcome["match"]["state"]["clock"]
                assert look(here.client, match_id, made["secret"])["state"]["result"] is None
                assert min(times["first"], times["second"]) > 0
    finally:
        for server in servers:
            server.stop()


def test_a_shared_clock_follows_what_a_reading_proves():
    """The shared clock ignores a difference that is smaller than the duration of the reading, which may have caused
    it."""
    clock = SharedClock()
    offset = clock() - time.monotonic()
    assert clock.correct(ClockReading(took=0.1, offset=offset + 0.05)) == 0
    assert clock.correct(ClockReading(took=0.001, offset=offset - 90)) == pytest.approx(-90, abs=0.01)
    assert abs(time.time() - 90 - clock()) < 5


@pytest.mark.deep
def test_readiness_is_answered_within_a_second(client, postgres):
    slow = slowness()
    with standing_still(postgres):
        for _ in range(4):
            began = time.monotonic()
            assert client.get("/readyz").status_code == 503
            assert time.monotonic() - began < slow
