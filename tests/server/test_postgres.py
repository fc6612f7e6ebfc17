"""Several workers share one PostgreSQL. Every client gets all news, even if a worker or the database dies."""

import asyncio
import json
import os
import signal
import time
import uuid
from contextlib import suppress
from functools import partial
from typing import Any

import httpx
import pytest
from sqlalchemy import update
from websockets.exceptions import WebSocketException

from connectk.storage.database import open_database
from connectk.storage.tables import matches
from tests.server.clients import INVITED, Socket, drop, look, make
from tests.server.load import LoadGenerator
from tests.server.serving import Client, ServerProcess, serving, settings_for, workers
from tests.server.test_admin import wait_for
from tests.server.test_kill import check_everything
from tests.server.test_operations import connectk
from tests.storage.conftest import postgres  # noqa: F401


@pytest.fixture(scope="module")
def cluster(postgres):  # noqa: F811
    """Two workers and their database."""
    database = postgres.create(uuid.uuid4().hex)
    server = ServerProcess(database, "--workers", "2")
    while len(workers(server)) < 2:  # it answers when the first one does
        time.sleep(0.05)
    yield postgres, database, server
    server.stop()


async def run_load(load: LoadGenerator, *troubles) -> None:
    """Let clients play, and cause these failures one after the other, each after a number of drops."""
    playing = asyncio.ensure_future(load.play())
    for trouble in (*troubles, lambda: None):
        before = load.acknowledged
        while load.acknowledged < before + 60 and not playing.done():
            await asyncio.sleep(0.02)
        await asyncio.to_thread(trouble)
    load.stop()
    await playing


def test_everyone_at_every_worker_hears_every_drop(cluster):
    """Twelve clients watch a match through two workers. Each of them receives every drop."""
    _, _, server = cluster
    made = make(server.client, second=INVITED, public=True)
    match_id = made["match"]["id"]
    bob = server.client.post(f"/api/matches/{match_id}/join", json={"invitation": made["invitation"]}).json()["secret"]
    watchers = [Socket(server.client, match_id, after=0) for _ in range(12)]

    for ply, column in enumerate([3, 3, 4, 4, 5, 5, 6]):
        assert drop(server.client, match_id, (made["secret"], bob)[ply % 2], column, ply).status_code == 201

    for watcher in watchers:
        messages = [watcher.receive() for _ in range(8)]
        assert [event["seq"] for event in messages] == list(range(1, 9))
        assert messages[-1]["state"]["result"]["winner"] == "first"
        watcher.close()
    assert len(set(workers(server))) == 2


def test_everyone_knows_who_is_there_at_every_worker(cluster):
    """Eight clients watch through two workers. Each of them is told that all eight are connected."""
    _, _, server = cluster
    match_id = make(server.client, public=True)["match"]["id"]
    watchers = [Socket(server.client, match_id) for _ in range(8)]
    for watcher in watchers:
        while (messages := json.loads(watcher.raw.recv(timeout=30)))["type"] != "presence" or messages["watching"] != 8:
            pass
    for watcher in watchers:
        watcher.close()


@pytest.mark.anyio
async def test_workers_are_killed_mid_game(cluster):
    """When one worker and then the other is killed, new ones start, and all clients resume after their last event."""
    _, database, server = cluster
    load = LoadGenerator(12, lambda: server.port)
    kills = [partial(os.kill, process, signal.SIGKILL) for process in workers(server)]

    await run_load(load, *kills)

    assert load.returns > 0
    assert check_everything(database, load) >= load.acknowledged >= 180


@pytest.mark.anyio
async def test_the_database_is_restarted_mid_game(cluster):
    """While the database restarts, drops wait or are sent again. None is lost or played twice."""
    server_of_rows, database, server = cluster
    load = LoadGenerator(12, lambda: server.port)

    def restart() -> None:
        server_of_rows.stop()
        server_of_rows.start()

    await run_load(load, restart)

    assert check_everything(database, load) >= load.acknowledged >= 120


def test_a_clock_runs_on_after_its_worker_has_died(cluster):
    """Of eight timed matches at two workers, all end on time although one worker dies."""
    _, _, server = cluster
    clients = [Client(server.port) for _ in range(8)]
    made = [make(client, clock={"seconds": 3}) for client in clients]
    for client, match in zip(clients, made, strict=True):
        assert drop(client, match["match"]["id"], match["secret"], 3, 0).status_code == 201
    os.kill(workers(server)[0], signal.SIGKILL)
    for match in made:
        with Client(server.port) as client:
            while (found := result_of(client, match)) is None:
                time.sleep(0.05)
        assert found == {"winner": "first", "reason": "time"}
    for client in clients:
        client.close()


def result_of(client: Client, made: dict[str, Any]) -> dict[str, str] | None:
    """The result of the match. None if the match has not ended or no server answers."""
    with suppress(httpx.TransportError):
        return look(client, made["match"]["id"], made["secret"])["state"]["result"]
    return None


def test_a_computer_player_goes_on_after_its_worker_has_died(cluster):
    """When a worker dies, another worker takes over its match with a computer player."""
    _, _, server = cluster
    player = {"kind": "player", "player": "engine:1s"}
    made = make(server.client, first=player, second=player, public=True)
    with Socket(server.client, made["match"]["id"], after=0) as socket:
        socket.receive()
    for worker in workers(server):
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
    for _ in range(200):
        with suppress(OSError, EOFError, WebSocketException), Socket(server.client, made["match"]["id"]) as socket:
            seq = socket.welcome["seq"]
            assert socket.receive(60)["seq"] == seq + 1
            return
        time.sleep(0.1)
    raise AssertionError("nobody went on")


def test_a_match_that_is_purged_is_gone_from_the_memory_of_every_server(postgres, tmp_path):  # noqa: F811
    """A match that an administrator purges disappears from the memory of both servers on its database."""
    database = postgres.create(uuid.uuid4().hex)
    settings = settings_for(tmp_path, database=database)
    with serving(settings) as here, serving(settings) as there:
        made = make(here)
        match_id, secret = made["match"]["id"], made["secret"]
        assert look(there, match_id, secret)["id"] == match_id
        assert all(client.host.service.live.in_memory(match_id) for client in (here, there))
        opened = open_database(database)
        with opened.begin() as connection:
            connection.execute(update(matches).values(changed=0.0))
        opened.dispose()

        assert connectk("purge", "--older-than", "1d", "--database", database).stdout == "deleted 1 match\n"

        wait_for(lambda: not any(client.host.service.live.in_memory(match_id) for client in (here, there)))
        for client in (here, there):
            assert drop(client, match_id, secret, 3, 0).status_code == 404
        assert here.host.limits.open_matches.total() == 0


def test_a_match_that_ends_in_another_server_no_longer_counts_as_open(postgres, tmp_path):  # noqa: F811
    """When a match ends on another server, the server that created it stops counting it for the address."""
    settings = settings_for(tmp_path, database=postgres.create(uuid.uuid4().hex))
    with serving(settings) as here, serving(settings) as there:
        made = make(here)
        assert here.host.limits.open_matches.total() == 1
        headers = {"authorization": f"Bearer {made['secret']}"}
        assert there.post(f"/api/matches/{made['match']['id']}/resign", headers=headers).status_code == 200
        wait_for(lambda: here.host.limits.open_matches.total() == 0)


def test_an_administrator_ends_a_match_that_another_server_has_in_memory(postgres, tmp_path):  # noqa: F811
    database = postgres.create(uuid.uuid4().hex)
    settings = settings_for(tmp_path, database=database)
    with serving(settings) as here, serving(settings) as there:
        made = make(here)
        match_id, secret = made["match"]["id"], made["secret"]
        with Socket(there, match_id, secret) as socket:
            assert connectk("admin", "end", match_id, "--database", database).returncode == 0
            assert socket.receive(60)["event"] == "ended"
        assert connectk("admin", "block", "127.0.0.1", "--database", database).returncode == 0
        for client in (here, there):
            wait_for(lambda client=client: client.get("/healthz").status_code == 403)
