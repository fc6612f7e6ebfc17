"""Opens a database by its URL and migrates its tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DatabaseError

from connectk.errors import LocalizedError
from connectk.storage import postgres
from connectk.system import lock

MIGRATIONS_FOLDER = Path(__file__).parent / "migrations"
DAMAGED_DATABASE_MESSAGES = ("malformed", "not a database", "corrupt")
MAX_WAL_PAGES = 4000  # pages of 4 KiB in the write-ahead log before a checkpoint copies them into the database
MIGRATION_LOCK = 0x636F6E6E  # an arbitrary number, the same in every process


class BadDatabase(LocalizedError):
    """A database that cannot be used."""


def parse_url(url: str) -> URL:
    """Parse the URL of a SQLite file or a PostgreSQL database; a plain path means a SQLite file."""
    try:
        parsed = make_url(url if "://" in url else f"sqlite:///{url}")
    except ArgumentError as error:
        raise BadDatabase("error.BadDatabase.not_one") from error
    kind = parsed.get_backend_name()
    if kind == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    if kind != "sqlite" or not parsed.database or parsed.database == ":memory:":
        raise BadDatabase("error.BadDatabase.kind")
    return parsed


def is_sqlite(url: str) -> bool:
    return parse_url(url).get_backend_name() == "sqlite"


def open_database(url: str, serving: bool = False) -> Engine:
    """Open the database. Every commit is durable. With `serving`, PostgreSQL must answer within a few seconds."""
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite":
        Path(parsed.database or "").parent.mkdir(parents=True, exist_ok=True)
        # LIFO: the connection used last has the warmest page cache.
        database = create_engine(
            parsed,
            hide_parameters=True,
            pool_use_lifo=True,
            connect_args={"check_same_thread": False, "timeout": 30},
        )
        event.listen(database, "connect", _make_durable)
        return database
    options = {"options": postgres.statement_options(parsed)} if serving else {}
    database = create_engine(
        parsed,
        hide_parameters=True,
        pool_size=6,
        pool_use_lifo=True,
        connect_args={**postgres.NETWORK_LIMITS, **options},
    )
    if serving:
        postgres.ConnectionCutter(database)
    return database


def _make_durable(connection: Any, _record: object) -> None:
    """Configure a connection to SQLite.

    WAL lets others read during a write, and FULL writes every commit to the disk. Checkpoints are rarer than by
    default, because a checkpoint delays the commit that causes it.
    """
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"wal_autocheckpoint={MAX_WAL_PAGES}"):
        connection.execute(f"PRAGMA {pragma}")


def prepare_database(url: str) -> IO[str] | None:
    """Lock the database, create or update its tables, and return the open lock file. A server keeps this file open
    until the server ends."""
    with _database_errors():
        lock = lock_sqlite_file(url)
        database = open_database(url)
        migrate_database(database)
        database.dispose()
    return lock


@contextmanager
def existing_database(url: str) -> Iterator[Engine]:
    """Open a database that already has our tables. It creates nothing, and every database error becomes a
    `BadDatabase`."""
    parsed = parse_url(url)
    with _database_errors():
        if parsed.get_backend_name() == "sqlite" and not _sqlite_file_has_matches(parsed.database or ""):
            raise BadDatabase("error.BadDatabase.no_matches", database=parsed.database)
        database = open_database(url)
        try:
            if not inspect(database).has_table("matches"):
                raise BadDatabase("error.BadDatabase.no_matches", database=parsed.database)
            yield database
        finally:
            database.dispose()


def _sqlite_file_has_matches(file: str) -> bool:
    """Whether a SQLite file has our tables. The file is opened read-only, because it may belong to another program."""
    if not Path(file).exists():
        raise BadDatabase("error.BadDatabase.missing", database=file)
    with closing(sqlite3.connect(f"{Path(file).absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'matches'").fetchone() is not None


@contextmanager
def _database_errors() -> Iterator[None]:
    """Turns the errors of a database driver into a `BadDatabase`."""
    try:
        yield
    except (DatabaseError, sqlite3.DatabaseError) as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        damaged = any(word in reason for word in DAMAGED_DATABASE_MESSAGES)
        raise BadDatabase(f"error.BadDatabase.{'damaged' if damaged else 'unusable'}", reason=reason) from error
    except OSError as error:
        raise BadDatabase("error.BadDatabase.unusable", reason=error) from error


def migrate_database(database: Engine) -> None:
    """Create the tables or bring them up to date. If several processes start at once, one process does this and the
    others wait."""
    with database.begin() as connection:
        if database.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
        _upgrade(connection)


def _upgrade(connection: Connection) -> None:
    from alembic import command  # slow to import, and most processes of a server never need it
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS_FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise BadDatabase("error.BadDatabase.newer") from error


def lock_sqlite_file(url: str) -> IO[str] | None:
    """Lock a SQLite file, so that only one process serves it. Returns the lock file. The lock lasts while the lock file
    is open."""
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite":
        return None
    Path(parsed.database or "").parent.mkdir(parents=True, exist_ok=True)
    file = Path(f"{parsed.database}.lock").open("w", encoding="utf-8")  # noqa: SIM115 - it stays open
    if not lock(file.fileno()):
        file.close()
        raise BadDatabase("error.BadDatabase.in_use", file=parsed.database)
    return file
