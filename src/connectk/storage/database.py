"""Opening a database by its URL, and migrating its tables."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DatabaseError

from connectk.errors import LocalizedError
from connectk.system import lock

MIGRATIONS = Path(__file__).parent / "migrations"
DAMAGED = ("malformed", "not a database", "corrupt")
MAX_WAL_PAGES = 4000  # of 4 KiB, before a checkpoint copies them into the database
MIGRATION_LOCK = 0x636F6E6E  # any number, the same in every process


class BadDatabase(LocalizedError):
    """A database that cannot be used."""


def parse_url(url: str) -> URL:
    """SQLite by file, or PostgreSQL; a plain path is a SQLite file."""
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


def open_database(url: str) -> Engine:
    """Open the database; its commits are durable."""
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
    return create_engine(
        parsed, hide_parameters=True, pool_size=6, pool_use_lifo=True, connect_args={"connect_timeout": 5}
    )


def _make_durable(connection: Any, _record: object) -> None:
    """WAL allows reads during a write; FULL syncs the disk at every commit. Checkpoints are rarer than by default,
    because the commit that triggers one waits for it."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"wal_autocheckpoint={MAX_WAL_PAGES}"):
        connection.execute(f"PRAGMA {pragma}")


def prepare(url: str) -> IO[str] | None:
    """Lock, open and migrate the database before a server starts; the caller keeps the lock file open."""
    try:
        lock = claim(url)
        database = open_database(url)
        migrate(database)
        database.dispose()
    except DatabaseError as error:
        reason = str(error.orig or error).strip().splitlines()[0]
        damaged = any(word in reason for word in DAMAGED)
        raise BadDatabase(f"error.BadDatabase.{'damaged' if damaged else 'unusable'}", reason=reason) from error
    except OSError as error:
        raise BadDatabase("error.BadDatabase.unusable", reason=error) from error
    return lock


def migrate(database: Engine) -> None:
    """Migrate the tables; of several processes one does it and the others wait."""
    with database.begin() as connection:
        if database.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
        _upgrade(connection)


def _upgrade(connection: Connection) -> None:
    from alembic import command  # slow to import, and most processes of a server never need it
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise BadDatabase("error.BadDatabase.newer") from error


def claim(url: str) -> IO[str] | None:
    """Lock a SQLite file, so that only one process serves it; the caller keeps the returned file open."""
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite":
        return None
    Path(parsed.database or "").parent.mkdir(parents=True, exist_ok=True)
    file = Path(f"{parsed.database}.lock").open("w", encoding="utf-8")  # noqa: SIM115 - it stays open
    if not lock(file.fileno()):
        file.close()
        raise BadDatabase("error.BadDatabase.in_use", file=parsed.database)
    return file
