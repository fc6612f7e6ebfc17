"""A backup is complete, shows a single moment, and can be restored into the other kind of database."""

import asyncio
import gzip
import json
from dataclasses import replace

import pytest

from connectk.play.protocols import LocalFeed
from connectk.play.service import MatchService
from connectk.rules import Side
from connectk.storage.backup import BadBackup, check_backup, read_backup, write_backup
from connectk.storage.database import BadDatabase, lock_sqlite_file, open_database, parse_url, prepare_database
from connectk.storage.openings import counted_matches, opening_counts
from connectk.storage.profiles import by_id, create
from connectk.storage.store import SqlMatchStore
from connectk.storage.stranger_tables import STRANGER_TABLES
from connectk.strangers.profile import Profile
from tests.storage.test_store import SETUP


async def _play(database: str, matches: int) -> list[str]:
    """Play several matches at once, so that their writes are committed together."""
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
    """A backup of either kind of database is restored into a new SQLite file with every match and every event."""
    ids = await _play(database, 20)
    file, other = tmp_path / "backup.gz", f"sqlite:///{tmp_path}/other.db"
    prepare_database(other)

    empty = ("rooms", "room_events", "devices", "encounters", "mutes", "profiles", "reports")
    counts = {"matches": 20, "events": 40, "drops": 40} | dict.fromkeys(empty, 0)
    assert write_backup(open_database(database), file) == counts
    assert read_backup(open_database(other), file) == counts

    assert await _load(other, ids) == await _load(database, ids)
    with pytest.raises(BadBackup, match="already holds matches"):
        read_backup(open_database(other), file)


@pytest.mark.parametrize("spoil", ["cut", "end", "nonsense", "other", "event", "board", "name"])
@pytest.mark.anyio
async def test_a_damaged_backup_restores_nothing(tmp_path, spoil):
    url, empty = f"sqlite:///{tmp_path}/a.db", f"sqlite:///{tmp_path}/b.db"
    prepare_database(url)
    prepare_database(empty)
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
    lock = lock_sqlite_file(url)
    with pytest.raises(BadDatabase, match="Another server"):
        lock_sqlite_file(url)
    lock.close()
    lock_sqlite_file(url).close()


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "nonsense://", "://"])
def test_other_databases_are_refused_in_a_sentence(url):
    with pytest.raises(BadDatabase):
        parse_url(url)


def rewritten(file, change):
    """The backup, with the setups of its matches changed."""
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    for line in lines:
        if isinstance(line, list) and line[0] == "matches":
            change(line[1]["setup"])
    file.write_bytes(gzip.compress(b"\n".join(json.dumps(line).encode() for line in lines) + b"\n"))


@pytest.mark.anyio
@pytest.mark.parametrize("player", ["./evil.sh", "evil.py", "engine:1s,threads=64"])
async def test_a_backup_never_names_a_program(tmp_path, player):
    url, empty, file = f"sqlite:///{tmp_path}/a.db", f"sqlite:///{tmp_path}/b.db", tmp_path / "backup.gz"
    prepare_database(url).close()
    prepare_database(empty).close()
    await _play(url, 1)
    write_backup(open_database(url), file)
    rewritten(file, lambda setup: setup["second"].update(player=player))
    with pytest.raises(BadBackup):
        read_backup(open_database(empty), file)


@pytest.mark.anyio
async def test_a_backup_is_bounded_before_it_is_read(tmp_path):
    """A backup with a board above the limit, a too long row or no end is refused before it is unpacked."""
    url, empty, file = f"sqlite:///{tmp_path}/a.db", f"sqlite:///{tmp_path}/b.db", tmp_path / "backup.gz"
    prepare_database(url).close()
    prepare_database(empty).close()
    await _play(url, 1)
    write_backup(open_database(url), file)
    rewritten(file, lambda setup: setup.update(variant="1000000x1000000x4"))
    with pytest.raises(BadBackup, match="10,000 cells"):
        read_backup(open_database(empty), file)
    head = b'{"format": "connectk-backup", "version": 1}\n'
    for bomb in (b'["drops", ' + b" " * 5_000_000, b'["drops", {}]\n' * 400_000, b"[" * 100_000):
        file.write_bytes(gzip.compress(head + bomb))
        with pytest.raises(BadBackup):
            check_backup(file)


def test_the_most_regular_backup_is_no_bomb(tmp_path):
    """A backup of very many equal discs is accepted, although it compresses extremely well."""
    file = tmp_path / "backup.gz"
    rows = [["drops", {"match": "0" * 32, "ply": ply, "column": 3, "at": 1.0}] for ply in range(100_000)]
    lines = [{"format": "connectk-backup", "version": 1}, *rows, {"rows": {"drops": len(rows)}}]
    file.write_bytes(gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))
    check_backup(file)


def test_a_profile_of_an_older_backup_has_no_opponents_yet(tmp_path):
    """Older backups do not have the number of a profile's opponents."""
    url, file = f"sqlite:///{tmp_path}/a.db", tmp_path / "backup.gz"
    prepare_database(url).close()
    ann = Profile("ann", "Ann", opponents=7)
    with open_database(url).begin() as connection:
        create(connection, ann, "secret")
    write_backup(open_database(url), file)
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    (row,) = [line[1] for line in lines if isinstance(line, list) and line[0] == "profiles"]
    assert row.pop("opponents") == 7
    file.write_bytes(gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))
    other = f"sqlite:///{tmp_path}/b.db"
    prepare_database(other).close()
    read_backup(open_database(other), file)
    with open_database(other).connect() as connection:
        assert by_id(connection, ["ann"])["ann"] == replace(ann, opponents=0)


@pytest.mark.anyio
async def test_old_databases_and_backups_are_read(tmp_path):
    """Old databases and backups can be read. In them, a starting board is an object of columns counted from 0."""
    url, other, file = f"sqlite:///{tmp_path}/a.db", f"sqlite:///{tmp_path}/b.db", tmp_path / "backup.gz"
    prepare_database(url).close()
    prepare_database(other).close()
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
        later = opening_counts, counted_matches, *STRANGER_TABLES
        for table in ("orders", "room_events", "rooms", *(one.name for one in later)):
            connection.exec_driver_sql(f"DROP TABLE {table}")
    prepare_database(url).close()
    assert await _load(url, ids) == now
