"""Backups: whole, of one moment, and readable by the other kind of database."""

import asyncio
import gzip
import json

import pytest

from connectk.play.protocols import LocalFeed
from connectk.play.service import MatchService
from connectk.rules import Side
from connectk.storage.backup import BadBackup, read_backup, write_backup
from connectk.storage.database import BadDatabase, claim, open_database, parse_url, prepare
from connectk.storage.store import SqlMatchStore
from tests.storage.test_store import SETUP


async def _play(database: str, matches: int) -> list[str]:
    """All at once, so that a disk is waited for once and not for each."""
    store = SqlMatchStore(open_database(database))
    service = MatchService(store, LocalFeed())
    made = await asyncio.gather(*(service.create(SETUP, [2], {Side.FIRST}) for _ in range(matches)))
    await asyncio.gather(*(service.drop(entry.match.id, Side.SECOND, 2, 3) for entry in made))
    await store.close()
    return [entry.match.id for entry in made]


async def _load(database: str, ids: list[str]) -> list[object]:
    store = SqlMatchStore(open_database(database))
    found = [await store.load(match_id) for match_id in ids]
    await store.close()
    return found


@pytest.mark.anyio
async def test_a_backup_is_restored_into_another_database(database, tmp_path):
    """From either kind into a new SQLite file: every match with every event."""
    ids = await _play(database, 20)
    file, other = tmp_path / "backup.gz", f"sqlite:///{tmp_path}/other.db"
    prepare(other)

    counts = {"matches": 20, "events": 40, "drops": 40, "rooms": 0, "room_events": 0}
    assert write_backup(open_database(database), file) == counts
    assert read_backup(open_database(other), file) == counts

    assert await _load(other, ids) == await _load(database, ids)
    with pytest.raises(BadBackup, match="already holds matches"):
        read_backup(open_database(other), file)


@pytest.mark.parametrize("spoil", ["cut", "end", "nonsense", "other", "event", "board", "name"])
@pytest.mark.anyio
async def test_a_damaged_backup_restores_nothing(tmp_path, spoil):
    url, empty = f"sqlite:///{tmp_path}/a.db", f"sqlite:///{tmp_path}/b.db"
    prepare(url)
    prepare(empty)
    await _play(url, 3)
    file = tmp_path / "backup.gz"
    write_backup(open_database(url), file)
    text = gzip.decompress(file.read_bytes())
    spoiled = {
        "cut": file.read_bytes()[:-20],
        "end": gzip.compress(text[: text.rindex(b"{")]),
        "nonsense": b"hello",
        "other": gzip.compress(b'{"format": "something"}\n'),
        "event": gzip.compress(text.replace(b'"dropped"', b'"stolen"')),
        "board": gzip.compress(text.replace(b'"variant":"', b'"variant":"x')),
        "name": gzip.compress(text.replace(b'"name":"', b'"name":"' + b"x" * 100)),
    }
    file.write_bytes(spoiled[spoil])

    with pytest.raises(BadBackup):
        read_backup(open_database(empty), file)
    file.write_bytes(gzip.compress(text))
    assert read_backup(open_database(empty), file)["matches"] == 3


def test_only_one_server_has_a_sqlite_file(tmp_path):
    url = f"sqlite:///{tmp_path}/m.db"
    lock = claim(url)
    with pytest.raises(BadDatabase, match="Another server"):
        claim(url)
    lock.close()
    claim(url).close()


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "nonsense://", "://"])
def test_other_databases_are_refused_in_a_sentence(url):
    with pytest.raises(BadDatabase):
        parse_url(url)


def rewritten(file, change):
    """The backup, as someone has changed the set-up of its matches."""
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    for line in lines:
        if isinstance(line, list) and line[0] == "matches":
            change(line[1]["setup"])
    file.write_bytes(gzip.compress(b"\n".join(json.dumps(line).encode() for line in lines) + b"\n"))


@pytest.mark.anyio
@pytest.mark.parametrize("player", ["./evil.sh", "evil.py", "engine:1s,threads=64"])
async def test_a_backup_never_names_a_program(tmp_path, player):
    url, empty, file = f"sqlite:///{tmp_path}/a.db", f"sqlite:///{tmp_path}/b.db", tmp_path / "backup.gz"
    prepare(url).close()
    prepare(empty).close()
    await _play(url, 1)
    write_backup(open_database(url), file)
    rewritten(file, lambda setup: setup["second"].update(player=player))
    with pytest.raises(BadBackup):
        read_backup(open_database(empty), file)


@pytest.mark.anyio
async def test_old_databases_and_backups_are_read(tmp_path):
    """They wrote a set-up board as an object of columns, counted from 0."""
    url, other, file = f"sqlite:///{tmp_path}/a.db", f"sqlite:///{tmp_path}/b.db", tmp_path / "backup.gz"
    prepare(url).close()
    prepare(other).close()
    ids = await _play(url, 2)
    now = await _load(url, ids)
    write_backup(open_database(url), file)
    rewritten(file, lambda setup: setup.update(start={"0": "x", "1": "o"}))
    read_backup(open_database(other), file)
    assert await _load(other, ids) == now
    with open_database(url).begin() as connection:
        old = """json_set(setup, '$.start', json('{"0": "x", "1": "o"}'))"""
        connection.exec_driver_sql(f"UPDATE matches SET setup = {old}")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0002'")
        for table in ("orders", "room_events", "rooms"):
            connection.exec_driver_sql(f"DROP TABLE {table}")
    prepare(url).close()
    assert await _load(url, ids) == now
