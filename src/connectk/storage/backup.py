"""Backups of all matches and rooms in one file, for SQLite and PostgreSQL alike.

A gzipped file of lines: a header, then one row per line as [table, {...}], then the number of rows of each table.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

from sqlalchemy import Connection, Engine, func, insert, select

from connectk.errors import ConnectkError, LocalizedError
from connectk.notation.start import start_from_columns
from connectk.play.ruling import check_name
from connectk.rooms.events import Event as RoomEvent
from connectk.rooms.events import Joined, Renamed
from connectk.rooms.ruling import clean_name
from connectk.storage import rooms as room_rows
from connectk.storage import tables
from connectk.storage.tables import drops, events, matches, metadata, room_events, rooms
from connectk.thinking.jobs import check_player

FORMAT, VERSION = "connectk-backup", 1
INSERT_BATCH_ROWS = 1000
# Parents first; an administrator's orders are not part of a backup.
BACKUP_TABLES = (matches, events, drops, rooms, room_events)


class BadBackup(LocalizedError):
    """A backup that cannot be written or read back."""


def write_backup(database: Engine, path: Path) -> dict[str, int]:
    """Write a consistent snapshot while the server runs; the file appears once it is complete."""
    partial = path.with_name(f"{path.name}.partial")
    counts: Counter[str] = Counter({table.name: 0 for table in BACKUP_TABLES})
    with database.connect() as connection, partial.open("wb") as raw:
        with gzip.open(raw, "wt", encoding="utf-8") as file:
            _line(file, {"format": FORMAT, "version": VERSION})
            for name, row in _rows(connection):
                _line(file, [name, row])
                counts[name] += 1
            _line(file, {"rows": counts})
        os.fsync(raw.fileno())
    partial.replace(path)
    return dict(counts)


def _line(file: IO[str], value: Any) -> None:
    file.write(json.dumps(value, separators=(",", ":")) + "\n")


def _rows(connection: Connection) -> Iterator[tuple[str, dict[str, Any]]]:
    """All rows in one transaction, parents before their children."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")
    else:
        connection = connection.execution_options(isolation_level="REPEATABLE READ", stream_results=True)
    for table in BACKUP_TABLES:
        for row in connection.execute(select(table).order_by(*table.primary_key)).mappings():
            yield table.name, dict(row)


def read_backup(database: Engine, path: Path) -> dict[str, int]:
    """Restore into an empty database, in one transaction."""
    counts: Counter[str] = Counter({table.name: 0 for table in BACKUP_TABLES})
    with database.begin() as connection:
        if connection.execute(select(func.count()).select_from(matches)).scalar():
            raise BadBackup("error.BadBackup.not_empty")
        for name, rows in _batches(path):
            connection.execute(insert(metadata.tables[name]), rows)
            counts[name] += len(rows)
    return dict(counts)


def _batches(path: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The rows in batches of one table each; raises at the end if the counts do not match."""
    counts: Counter[str] = Counter()
    waiting: list[dict[str, Any]] = []
    current = ""
    for name, row in _read(path, counts):
        if waiting and (name != current or len(waiting) == INSERT_BATCH_ROWS):
            yield current, waiting
            waiting = []
        current = name
        waiting.append(row)
    if waiting:
        yield current, waiting


def _read(path: Path, counts: Counter[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            head = json.loads(file.readline())
            if not isinstance(head, dict) or (head.get("format"), head.get("version")) != (FORMAT, VERSION):
                raise BadBackup("error.BadBackup.format", path=path)
            for line in file:
                value = json.loads(line)
                if isinstance(value, dict):
                    _check_end(path, value, counts)
                    return
                counts[value[0]] += 1
                yield value[0], _checked(value[0], value[1])
    except BadBackup:
        raise
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, IndexError, ConnectkError) as error:
        raise BadBackup("error.unreadable", file=path, why=str(error).rstrip(".")) from error
    raise BadBackup("error.BadBackup.cut", path=path)


def _checked(name: str, row: dict[str, Any]) -> dict[str, Any]:
    """The row, validated. An altered file must not be able to do harm: a seat may only name a player that the server
    offers, never a program."""
    table = metadata.tables[name]
    if set(row) != {column.name for column in table.columns}:
        raise ValueError("a row has other columns")
    if name == "matches":
        if isinstance(row["setup"]["start"], dict):  # as databases wrote it before
            row["setup"]["start"] = start_from_columns(row["setup"]["start"])
        for side in ("first", "second"):
            player, name_shown = row["setup"][side]["player"], row["setup"][side]["name"]
            if player is not None:
                check_player(player)
            if name_shown != player:
                check_name(name_shown)
        tables.match_from(SimpleNamespace(**row))
    elif name == "events":
        tables.recorded_from(SimpleNamespace(**row))
    elif name == "rooms":
        room_rows.room_from(SimpleNamespace(**row))
    elif name == "room_events":
        _check_room_event(room_rows.event_from_row(SimpleNamespace(**row)))
    return row


def _check_room_event(event: RoomEvent) -> None:
    if isinstance(event, Joined | Renamed):
        clean_name(event.name)
    if isinstance(event, Joined) and event.player is not None:
        check_player(event.player)


def _check_end(path: Path, end: dict[str, Any], counts: Counter[str]) -> None:
    if Counter(end["rows"]) != counts:
        raise BadBackup("error.BadBackup.lacks", path=path)
