"""Writes and reads backups of all matches and rooms. The format is the same for SQLite and PostgreSQL.

A backup is a gzipped text file: a header, one line [table, {...}] for each row, and at the end the number of rows in
each table."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

from sqlalchemy import Connection, Engine, func, insert, select

from connectk.errors import ConnectkError, LocalizedError
from connectk.files import open_to_write
from connectk.notation.start import start_from_columns
from connectk.play.ruling import check_name
from connectk.rooms.events import Event as RoomEvent
from connectk.rooms.events import Joined, Renamed
from connectk.rooms.names import clean_name
from connectk.rules import Variant
from connectk.storage import rooms as room_rows
from connectk.storage import tables
from connectk.storage.encounters import encounter_from
from connectk.storage.profiles import profile_from
from connectk.storage.stranger_tables import devices, encounters, mutes, profiles, reports
from connectk.storage.tables import drops, events, matches, metadata, room_events, rooms
from connectk.thinking.jobs import check_player

BACKUP_FORMAT, BACKUP_VERSION = "connectk-backup", 1
INSERT_BATCH_ROWS = 1000
MAX_BOARD_CELLS = 10_000  # the default limit of a server
MAX_ROW_BYTES = 4 * 2**20
# The largest factor by which a backup may grow when it is unpacked. The rows that we write grow by at most 32.
UNPACKED_BYTES_AT_LEAST, MAX_UNPACKED_RATIO = 2**20, 200
# Parents come first. A backup leaves out an administrator's orders and data that lasts only for minutes.
# The values of columns that older backups do not have.
LATER_COLUMNS: dict[str, dict[str, Any]] = {
    "profiles": {"opponents": 0},
    "encounters": {"places": None, "opponent_of_first": None, "opponent_of_second": None},
}
BACKUP_TABLES = (matches, events, drops, rooms, room_events, profiles, devices, encounters, mutes, reports)


class BadBackup(LocalizedError):
    """A backup that cannot be written or cannot be read."""


def write_backup(database: Engine, path: Path) -> dict[str, int]:
    """Write all matches, rooms and profiles as they are at one moment. This also works while a server runs.

    Returns the number of rows of each table. The file appears only when it is complete.
    """
    counts: Counter[str] = Counter({table.name: 0 for table in BACKUP_TABLES})
    with (
        database.connect() as connection,
        open_to_write(path) as raw,
        gzip.open(raw, "wt", encoding="utf-8") as file,
    ):
        _line(file, {"format": BACKUP_FORMAT, "version": BACKUP_VERSION})
        for name, row in _rows(connection):
            _line(file, [name, row])
            counts[name] += 1
        _line(file, {"rows": counts})
    return dict(counts)


def _line(file: IO[str], value: Any) -> None:
    file.write(json.dumps(value, separators=(",", ":")) + "\n")


def _rows(connection: Connection) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields all rows as they are at one moment. If a row refers to another row, that other row comes first."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")
    else:
        connection = connection.execution_options(isolation_level="REPEATABLE READ", stream_results=True)
    for table in BACKUP_TABLES:
        for row in connection.execute(select(table).order_by(*table.primary_key)).mappings():
            yield table.name, dict(row)


def check_backup(path: Path, max_board_cells: int = MAX_BOARD_CELLS) -> None:
    """Raise `BadBackup` if the file is not a complete backup."""
    for _ in _batches(path, max_board_cells):
        pass


def read_backup(database: Engine, path: Path, max_board_cells: int = MAX_BOARD_CELLS) -> dict[str, int]:
    """Restore a backup into an empty database in one transaction. Returns the number of rows of each table."""
    counts: Counter[str] = Counter({table.name: 0 for table in BACKUP_TABLES})
    with database.begin() as connection:
        if connection.execute(select(func.count()).select_from(matches)).scalar():
            raise BadBackup("error.BadBackup.not_empty")
        for name, rows in _batches(path, max_board_cells):
            connection.execute(insert(metadata.tables[name]), rows)
            counts[name] += len(rows)
    return dict(counts)


def _batches(path: Path, max_board_cells: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yields the rows in batches, each for one table. Raises at the end if the number of rows is wrong."""
    counts: Counter[str] = Counter()
    waiting: list[dict[str, Any]] = []
    current = ""
    for name, row in _read(path, counts, max_board_cells):
        if waiting and (name != current or len(waiting) == INSERT_BATCH_ROWS):
            yield current, waiting
            waiting = []
        current = name
        waiting.append(row)
    if waiting:
        yield current, waiting


def _read(path: Path, counts: Counter[str], max_board_cells: int) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        lines = _lines(path)
        head = _head(lines)
        if not isinstance(head, dict) or (head.get("format"), head.get("version")) != (BACKUP_FORMAT, BACKUP_VERSION):
            raise BadBackup("error.BadBackup.format", path=path)
        for line in lines:
            value = json.loads(line)
            if isinstance(value, dict):
                _check_end(path, value, counts)
                return
            counts[value[0]] += 1
            yield value[0], _checked(value[0], value[1], max_board_cells)
    except BadBackup:
        raise
    except (
        OSError,
        EOFError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
        ConnectkError,
    ) as error:
        raise BadBackup(
            "error.unreadable", file=path, why=(getattr(error, "strerror", None) or str(error)).rstrip(".")
        ) from error
    raise BadBackup("error.BadBackup.cut", path=path)


def _head(lines: Iterator[bytes]) -> Any:
    """The header of a backup. None if the file is of another kind."""
    try:
        return json.loads(next(lines, b"null"))
    except (gzip.BadGzipFile, ValueError, RecursionError):
        return None


def _lines(path: Path) -> Iterator[bytes]:
    """Yields the unpacked lines one by one. Raises if a line or the whole file is larger than in any backup that we
    write."""
    left = UNPACKED_BYTES_AT_LEAST + MAX_UNPACKED_RATIO * path.stat().st_size
    with gzip.open(path, "rb") as file:
        while line := file.readline(MAX_ROW_BYTES + 1):
            left -= len(line)
            if len(line) > MAX_ROW_BYTES or left < 0:
                raise BadBackup("error.BadBackup.unpacked", path=path)
            yield line


def _checked(name: str, row: dict[str, Any], max_board_cells: int) -> dict[str, Any]:
    """Returns the row if it is valid, and raises otherwise. An altered backup must do no harm. For example, the player
    of a seat must be one that a server offers, and never a program."""
    table = metadata.tables[name]
    row = {**LATER_COLUMNS.get(name, {}), **row}
    if set(row) != {column.name for column in table.columns}:
        raise ValueError("a row has other columns")
    if name in ("matches", "rooms"):
        _check_board(Variant.parse(row["setup"]["variant"]), max_board_cells)
    if name == "matches":
        if isinstance(row["setup"]["start"], dict):  # the format of older databases
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
    elif name == "profiles":
        check_name(profile_from(SimpleNamespace(**row)).name)
    elif name == "encounters":
        encounter_from(SimpleNamespace(**row))
    return row


def _check_board(variant: Variant, max_board_cells: int) -> None:
    if variant.cells > max_board_cells:
        raise BadBackup("error.BadBackup.board", variant=variant, most=f"{max_board_cells:,}")


def _check_room_event(event: RoomEvent) -> None:
    if isinstance(event, Joined | Renamed):
        clean_name(event.name)
    if isinstance(event, Joined) and event.player is not None:
        check_player(event.player)


def _check_end(path: Path, end: dict[str, Any], counts: Counter[str]) -> None:
    if Counter(end["rows"]) != counts:
        raise BadBackup("error.BadBackup.lacks", path=path)
