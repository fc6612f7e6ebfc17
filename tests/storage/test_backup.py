"""Backups: whole, of one moment, and readable by the other kind of database."""

import gzip

import pytest

from connectk.play.protocols import LocalFeed
from connectk.play.service import MatchService
from connectk.rules import Side
from connectk.storage.backup import BadBackup, read_backup, write_backup
from connectk.storage.database import BadDatabase, claim, open_database, parse_url, prepare
from connectk.storage.store import SqlMatchStore
from tests.storage.test_store import SETUP


async def _play(database: str, matches: int) -> list[str]:
    store = SqlMatchStore(open_database(database))
    service = MatchService(store, LocalFeed())
    made = [await service.create(SETUP, [2], {Side.FIRST}) for _ in range(matches)]
    for entry in made:
        await service.drop(entry.match.id, Side.SECOND, 2, 3)
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

    assert write_backup(open_database(database), file) == {"matches": 20, "events": 40, "drops": 40}
    assert read_backup(open_database(other), file) == {"matches": 20, "events": 40, "drops": 40}

    assert await _load(other, ids) == await _load(database, ids)
    with pytest.raises(BadBackup, match="already holds matches"):
        read_backup(open_database(other), file)


@pytest.mark.parametrize("spoil", ["cut", "end", "nonsense", "other"])
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
