"""Requests that used to cause a server error are refused. An error becomes one log line without a secret."""

import json
import re
import sqlite3
import uuid
from contextlib import closing

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from connectk.server import monitoring
from tests.server.clients import ME, Socket, bearer, drop, make
from tests.server.hostile.conftest import plays_on, words
from tests.server.serving import Client, serving, settings_for
from tests.server.test_admin import wait_for


def test_an_origin_that_is_no_address_is_foreign(attacked):
    for origin in ("http://[", "http://[::1", "\\"):
        answer = attacked.post("/api/matches", json={}, headers={"Origin": origin})
        assert words(answer)["reason"] == "foreign_origin"
        match_id = make(attacked, public=True)["match"]["id"]
        with pytest.raises(InvalidStatus) as refused, attacked.socket(match_id, origin=origin):
            pass
        assert refused.value.response.status_code == 403


@pytest.mark.parametrize("field", ["name", "player"])
def test_half_a_letter_is_refused(attacked, field):
    body = json.dumps({"first": {"kind": "player", "player": "level:1"} | {field: "\ud800"}})
    answer = attacked.post("/api/matches", content=body, headers={"content-type": "application/json"})
    words(answer)


def test_half_a_letter_in_a_secret_opens_nothing(attacked):
    made = make(attacked, second={"kind": "invited"})
    body = '{"invitation": "\\udfff"}'
    address = f"/api/matches/{made['match']['id']}/join"
    words(attacked.post(address, content=body, headers={"content-type": "application/json"}))
    with attacked.socket(made["match"]["id"]) as socket:
        socket.send('{"type": "hello", "secret": "\\ud800"}')
        assert json.loads(socket.recv())["type"] == "refused"


ODD_IDS = ["%00", "%00" * 32, "a%00b", "x" * 5000, "%ff", "A" * 32, "' OR 1=1--"]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_an_id_that_is_none_is_not_looked_for(kind, tmp_path, request):
    """An invalid match id is not looked up, because PostgreSQL fails on an id with a NUL."""
    url = request.getfixturevalue("postgres").create(uuid.uuid4().hex) if kind == "postgresql" else None
    settings = settings_for(tmp_path, **({"database": url} if url else {}))
    with serving(settings) as client:
        for odd in ODD_IDS:
            assert client.get(f"/api/matches/{odd}").status_code == 404
            assert client.post(f"/api/matches/{odd}/drops", json={"column": 0, "ply": 0}).status_code == 404
        assert plays_on(client)


@pytest.mark.parametrize("lost", ["matches.db", "matches.db-wal"])
def test_a_database_file_that_was_deleted_stops_the_acknowledging(tmp_path, lost):
    """If the SQLite file is deleted, the server refuses drops and is not ready, because SQLite would go on writing to
    the deleted file. Once the file is back, the game goes on."""
    with serving(settings_for(tmp_path)) as client:
        made = make(client)
        match_id, secret = made["match"]["id"], made["secret"]
        assert drop(client, match_id, secret, 3, 0).status_code == 201
        (tmp_path / lost).rename(tmp_path / "elsewhere")
        for _ in range(2):
            refused = drop(client, match_id, secret, 3, 1)
            assert (refused.status_code, refused.json()["reason"]) == (503, "not_stored")
        assert client.get("/readyz").status_code == 503
        (tmp_path / "elsewhere").rename(tmp_path / lost)
        assert drop(client, match_id, secret, 3, 1).status_code == 201


def test_another_database_in_its_place_is_not_written(tmp_path):
    with serving(settings_for(tmp_path)) as client:
        made = make(client)
        file = tmp_path / "matches.db"
        file.rename(tmp_path / "elsewhere")
        file.write_bytes((tmp_path / "elsewhere").read_bytes())
        assert drop(client, made["match"]["id"], made["secret"], 3, 0).json()["reason"] == "not_stored"
        (tmp_path / "elsewhere").rename(file)


SPOILED_DATABASES = [
    ("UPDATE events SET kind = 'nonsense'", 1),
    ("UPDATE events SET facts = '{}'", 1),
    ("UPDATE matches SET setup = '{}'", 0),
    ("UPDATE matches SET setup = '[1]'", 0),
    ("UPDATE matches SET setup = json_set(setup, '$.variant', '1x1x1')", 1),
]


@pytest.mark.parametrize(("spoil", "discs"), SPOILED_DATABASES)
def test_a_row_that_makes_no_sense_hurts_its_own_match_only(tmp_path, spoil, discs):
    """An invalid row in the database, perhaps from a backup, makes only its own match unusable and causes no server
    error."""
    settings = settings_for(tmp_path)
    with serving(settings) as client:
        made = make(client, clock={"seconds": 600})
        for ply in range(discs):
            drop(client, made["match"]["id"], made["secret"], 3, ply)
    with closing(sqlite3.connect(tmp_path / "matches.db")) as connection, connection:
        connection.execute(spoil)
    with serving(settings) as client:
        address = f"/api/matches/{made['match']['id']}"
        answer = client.get(address, headers=bearer(made["secret"]))
        assert (answer.status_code, answer.json()["reason"]) == (409, "damaged")
        assert plays_on(client)


@pytest.fixture
def failing(tmp_path, monkeypatch):
    """A server that raises an error when a match is requested, while a secret is in memory."""
    with serving(settings_for(tmp_path)) as client:

        async def fail(match_id, secret):
            raise ValueError(f"the secret is {secret}")

        monkeypatch.setattr(client.host.service, "admit", fail)
        yield client


@pytest.mark.parametrize("style", ["text", "json"])
@pytest.mark.parametrize("level", ["debug", "info", "error"])
def test_a_failure_is_one_line_without_a_secret(failing, style, level, capfd):
    monitoring.configure_logging(style, level)
    capfd.readouterr()
    answer = failing.get(f"/api/matches/{'a' * 32}", headers=bearer("my-own-secret-of-all"))
    written = capfd.readouterr().err
    assert answer.status_code == 500
    assert answer.json()["reason"] == "failed"
    assert "my-own-secret-of-all" not in written + answer.text
    lines = [line for line in written.splitlines() if "request_failed" in line]
    assert len(lines) == 1
    assert "ValueError at hostile/test_failures.py" in lines[0]
    assert "Traceback" not in written
    monitoring.configure_logging("text", "error")


def test_a_way_in_that_fails_leaves_nobody_behind(client, monkeypatch):
    """If the database fails while a subscriber joins an audience, the subscriber is removed again."""

    async def fail(match_id):
        raise RuntimeError

    monkeypatch.setattr(client.host.audiences, "_catch_up", fail)
    made = make(client, first=ME, second=ME)
    with Socket(client, made["match"]["id"], made["secret"]) as socket, pytest.raises(ConnectionClosed):
        socket.receive_until_closed()
    wait_for(lambda: len(client.host.audiences) == 0)


def test_a_socket_that_fails_is_one_line(client, monkeypatch, capfd):
    """An error of a socket is one log line without a secret, like an error of a request."""
    monitoring.configure_logging("text", "error")
    made = make(client, first=ME, second=ME)
    with Socket(client, made["match"]["id"], made["secret"]) as socket:

        async def fail(match_id):
            raise ValueError(f"the secret is {made['secret']}")

        monkeypatch.setattr(client.host.service, "get", fail)
        capfd.readouterr()
        socket.send({"type": "drop", "column": 3, "ply": 0, "id": 1})
        with pytest.raises(ConnectionClosed):
            socket.receive_until_closed()
    written = capfd.readouterr().err
    assert "socket_failed" in written
    assert "ValueError at hostile/test_failures.py" in written
    assert made["secret"] not in written


def test_a_database_that_fails_tells_no_secret(tmp_path, capfd, monkeypatch):
    """If the store fails, the drop is refused with a sentence, and the failure is logged once and reported at
    `/readyz`. With everything logged, no log line contains a secret."""
    from sqlalchemy.exc import OperationalError

    with serving(settings_for(tmp_path, log_level="debug")) as client:
        made = make(client, first=ME, second=ME)

        def full(works):
            raise OperationalError("INSERT", {"holder": made["secret"]}, Exception("database or disk is full"))

        before = store_failures(client)
        monkeypatch.setattr(client.host.store._writer, "_commit_all", full)
        refused = drop(client, made["match"]["id"], made["secret"], 3, 0)
        assert (refused.status_code, refused.json()["reason"]) == (503, "not_stored")
        assert client.get("/readyz").status_code == 503
        assert store_failures(client) == before + 1
        monkeypatch.undo()
        assert drop(client, made["match"]["id"], made["secret"], 3, 0).status_code == 201
        assert client.get("/readyz").status_code == 200
    written = capfd.readouterr().err
    assert "disk is full" in written
    assert made["secret"] not in written
    assert made["invitation"] not in written


def store_failures(client: Client) -> float:
    """The number of failed writes of all servers in this process."""
    text = client.get("/metrics").text
    return float(re.search(r"^connectk_store_failures_total (.*)$", text, re.M)[1])
