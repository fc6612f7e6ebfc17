"""Tests that an administrator deletes a room, or one member's name and games, while servers run."""

import json
import time

import pytest
from sqlalchemy import select

from connectk.storage.database import open_database
from connectk.storage.tables import drops, events, matches, metadata, room_events, rooms
from tests.server.clients import drop, make
from tests.server.room_clients import enter, make_room
from tests.server.serving import ServerProcess, serving, settings_for
from tests.server.test_admin import wait_for
from tests.storage.conftest import postgres  # noqa: F401
from tests.terminal.command import run_in_process


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path, monkeypatch):
    monkeypatch.setenv("CONNECTK_LANGUAGE", "en")
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/m.db"
    return request.getfixturevalue("postgres").create(f"deletion_{time.time_ns()}")


def admin(database, *words, answers=""):
    return run_in_process("admin", *words, "--database", database, answers=answers)


def stored(database):
    """All rows of all tables, as one text."""
    opened = open_database(database)
    with opened.connect() as connection:
        rows = [tuple(row) for table in metadata.sorted_tables for row in connection.execute(select(table))]
    opened.dispose()
    return json.dumps(rows, default=str)


def count(database, *tables):
    opened = open_database(database)
    with opened.connect() as connection:
        found = [len(connection.execute(select(table)).all()) for table in tables]
    opened.dispose()
    return found


def begun(client):
    """A started round robin of three members: its code and the members' secrets."""
    code, secrets, _ = begun_by(client)
    return code, secrets


def begun_by(client):
    """A started round robin of three members: its code, the members' secrets and the host's secret."""
    code, host = make_room(client, title="Class 7B", format="round_robin")
    secrets = [enter(client, code, name)[1] for name in ("Ann", "Bob", "Cleo")]
    assert client.post(f"/api/rooms/{code}/begin", headers=bearer(host)).status_code == 200
    wait_for(lambda: look(client, code)["meetings"])
    return code, secrets, host


def bearer(secret):
    return {"authorization": f"Bearer {secret}"}


def look(client, code):
    return client.get(f"/api/rooms/{code}").json()["room"]


def test_a_room_is_deleted_with_its_games_and_names(database, tmp_path):
    with serving(settings_for(tmp_path, database=database)) as client:
        code, _ = begun(client)
        other = make(client)
        meeting = look(client, code)["meetings"][0]

        kept = admin(database, "delete-room", code, answers="no\n")
        assert (kept.returncode, kept.stdout) == (1, "")
        assert "Delete room " + code + " (Class 7B) with 3 members and 1 game?" in kept.stderr
        assert kept.stderr.endswith("Nothing was deleted.\n")
        assert look(client, code)["meetings"]

        done = admin(database, "delete-room", code.lower(), answers="y\n")
        assert (done.returncode, done.stdout) == (0, f"Deleted room {code} with 3 members and 1 game.\n")
        wait_for(lambda: client.get(f"/api/rooms/{code}").status_code == 404)
        wait_for(lambda: client.get(f"/api/matches/{meeting['match']}").status_code == 404)
        assert drop(client, other["match"]["id"], other["secret"], 3, 0).status_code == 201
        wait_for(lambda: '"forget"' not in stored(database))

    assert count(database, rooms, room_events, matches, events, drops) == [0, 0, 1, 1, 1]
    assert "Ann" not in stored(database)
    assert admin(database, "delete-room", code, "--yes").stderr == f"connectk: There is no room {code}.\n"


def test_a_member_is_deleted_with_their_games(database, tmp_path):
    """After a member is deleted, the other members play on. The room shows a number instead of the name, and the
    deleted member's secret is no longer valid."""
    with serving(settings_for(tmp_path, database=database)) as client:
        code, secrets = begun(client)
        meeting = look(client, code)["meetings"][0]
        number = meeting["first"]
        name = ("Ann", "Bob", "Cleo")[number - 1]

        assert admin(database, "delete-member", code, "Nobody", "--yes").stderr == (
            f"connectk: Nobody in room {code} is called Nobody.\n"
        )
        done = admin(database, "--json", "delete-member", code, name.upper(), "--yes")
        assert json.loads(done.stdout) == {"room": code, "members": [number], "matches": 1}

        wait_for(lambda: look(client, code)["members"][number - 1]["name"] == f"#{number}")
        wait_for(lambda: client.get(f"/api/matches/{meeting['match']}").status_code == 404)
        wait_for(lambda: len(look(client, code)["meetings"]) > 1)  # the other two are paired
        room = look(client, code)
        assert room["members"][number - 1]["left"]
        assert number not in (room["meetings"][-1]["first"], room["meetings"][-1]["second"])
        mine = client.get(f"/api/rooms/{code}", headers=bearer(secrets[number - 1])).json()
        assert mine["you"] is None

    assert name not in stored(database)


def delete(client, code, what, secret):
    return client.post(f"/api/rooms/{code}/{what}", headers=bearer(secret))


def test_a_host_deletes_one_member_and_then_the_room(database, tmp_path):
    """Only the host can delete a member's name and games, or the whole room."""
    with serving(settings_for(tmp_path, database=database)) as client:
        code, secrets, host = begun_by(client)
        meeting = look(client, code)["meetings"][0]
        number = meeting["first"]
        name = ("Ann", "Bob", "Cleo")[number - 1]
        for what in ("delete", f"members/{number}/delete"):
            assert delete(client, code, what, secrets[0]).json()["reason"] == "not_host"
        assert delete(client, code, "members/9/delete", host).json()["reason"] == "no_member"

        done = delete(client, code, f"members/{number}/delete", host)
        assert done.json() == {"room": code, "members": [number], "matches": 1}
        assert (
            look(client, code)["members"][number - 1] | {"name": f"#{number}", "left": True}
            == (look(client, code)["members"][number - 1])
        )
        assert client.get(f"/api/matches/{meeting['match']}").status_code == 404
        assert name not in stored(database)

        assert delete(client, code, "delete", host).json()["members"] == [1, 2, 3]
        assert client.get(f"/api/rooms/{code}").status_code == 404
        assert delete(client, code, "delete", host).json()["reason"] == "no_room"
    assert count(database, rooms, room_events, matches, events, drops) == [0, 0, 0, 0, 0]
    assert '"forget"' not in stored(database)


def test_every_server_forgets_a_deleted_room(postgres, tmp_path):  # noqa: F811
    database = postgres.create(f"deletion_{time.time_ns()}")
    settings = settings_for(tmp_path, database=database)
    with serving(settings) as here, serving(settings) as there:
        code, _ = begun(here)
        assert look(there, code)["members"]
        assert admin(database, "delete-room", code, "--yes").returncode == 0
        for client in (here, there):
            wait_for(lambda client=client: client.get(f"/api/rooms/{code}").status_code == 404)


def test_an_old_room_is_purged_by_default_and_its_games_are_kept(tmp_path):
    database = f"sqlite:///{tmp_path}/m.db"
    server = ServerProcess(database)
    old, _, host = begun_by(server.client)
    assert server.client.post(f"/api/rooms/{old}/close", headers=bearer(host)).status_code == 200
    new, _ = make_room(server.client)
    server.stop()
    opened = open_database(database)
    with opened.begin() as connection:
        for table in (rooms, matches):
            connection.execute(table.update().values(changed=time.time() - 401 * 86_400))
        connection.execute(rooms.update().where(rooms.c.code == new).values(changed=time.time() - 399 * 86_400))
    opened.dispose()

    again = ServerProcess(database)
    while not (purged := [line for line in again.lines if line["event"] == "rooms_purged"]):
        time.sleep(0.02)
    found = [again.client.get(f"/api/rooms/{code}").status_code for code in (old, new)]
    again.stop()
    assert [line["count"] for line in purged] == [1]
    assert found == [404, 200]
    assert count(database, rooms, matches) == [1, 1]
