"""The commands that work on a server's database: backup, restore, purge and admin."""

import gzip
import sqlite3

import pytest

from connectk.play.protocols import LocalFeed
from connectk.play.service import MatchService
from connectk.rules import Side
from connectk.storage.admin import BLOCK_ADDRESS, END_MATCH, orders_of
from connectk.storage.database import open_database, prepare_database
from connectk.storage.store import SqlMatchStore
from tests.storage.test_store import SETUP
from tests.terminal.command import run_in_process

DATABASE_COMMANDS = [
    ["backup", "matches.gz"],
    ["purge", "--older-than", "9d"],
    ["admin", "list"],
    ["admin", "end", "abc"],
    ["admin", "close-room", "ABC346"],
    ["admin", "delete-room", "ABC346", "--yes"],
    ["admin", "delete-member", "ABC346", "Ann", "--yes"],
    ["admin", "block", "192.0.2.7"],
    ["admin", "unblock", "192.0.2.7"],
]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONNECTK_LANGUAGE", "en")


@pytest.mark.parametrize("command", DATABASE_COMMANDS, ids=" ".join)
def test_a_database_that_is_not_there_is_said_in_a_sentence_and_not_created(command, tmp_path):
    done = run_in_process(*command, "--database", "sqlite:///mistyped.db")
    assert done.returncode == 2
    assert done.stderr.startswith("connectk: There is no database mistyped.db.")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", DATABASE_COMMANDS, ids=" ".join)
def test_the_database_of_another_program_is_refused_and_left_as_it_is(command, tmp_path):
    with sqlite3.connect("other.db") as other:
        other.execute("CREATE TABLE songs (title TEXT)")
    other.close()
    before = (tmp_path / "other.db").read_bytes()

    done = run_in_process(*command, "--database", "other.db")
    assert (done.returncode, done.stderr) == (2, "connectk: other.db is not a database of connectk.\n")
    assert (tmp_path / "other.db").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["other.db"]


def test_a_backup_that_cannot_be_read_creates_no_database(tmp_path):
    done = run_in_process("restore", "missing.gz", "--database", "new.db")
    assert (done.returncode, done.stderr) == (2, "connectk: missing.gz cannot be read: there is no such file.\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content",
    [b"", b"a song", gzip.compress(b"a song"), gzip.compress(b'["a song"]')],
    ids=["empty", "text", "compressed", "list"],  # compressed data contains the time, and ids must not change
)
def test_a_file_of_another_kind_is_no_backup(content, tmp_path):
    (tmp_path / "song").write_bytes(content)
    done = run_in_process("restore", "song", "--database", "new.db")
    assert (done.returncode, done.stderr) == (2, "connectk: song is not a backup that this version reads.\n")
    assert not (tmp_path / "new.db").exists()


@pytest.mark.anyio
async def test_orders_are_given_only_about_what_is_there():
    """An administrator's order for an unknown match, room or address is refused, because it could never be carried
    out."""
    prepare_database("sqlite:///games.db").close()
    database = open_database("games.db")
    store = SqlMatchStore(database)
    made = await MatchService(store, LocalFeed()).create(SETUP, [2], {Side.FIRST})
    await store.close()

    def admin(*words: str) -> str:
        return run_in_process("admin", *words, "--database", "games.db").stderr

    assert admin("end", "abc") == "connectk: There is no open match abc; connectk admin list shows them.\n"
    assert admin("close-room", "abc") == "connectk: There is no open room ABC; connectk admin list shows them.\n"
    assert admin("delete-room", "abc") == "connectk: There is no room ABC.\n"
    assert admin("delete-member", "abc", "Ann") == "connectk: There is no room ABC.\n"
    assert admin("block", "notanaddress") == "connectk: notanaddress is not an address, such as 192.0.2.7.\n"
    assert admin("unblock", "192.0.2.7") == "connectk: 192.0.2.7 is not blocked.\n"
    assert admin("end", made.match.id) == admin("block", "192.0.2.7") == ""
    with database.connect() as connection:
        assert orders_of(connection, END_MATCH) == [made.match.id]
        assert orders_of(connection, BLOCK_ADDRESS) == ["192.0.2.7"]
    assert admin("unblock", "192.0.2.7") == ""
