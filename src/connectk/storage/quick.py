"""Drops, as almost all changes are, by one statement on PostgreSQL; and many rows by few ready statements on SQLite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple, TypeGuard

from sqlalchemy import Connection, Float, Table, bindparam, insert, text, update

from connectk.play.events import Dropped
from connectk.play.protocols import Change
from connectk.storage import tables
from connectk.storage.feed import CHANNEL, messages_of
from connectk.storage.tables import drops, events, matches

FEW, MOST_ROWS = 8, 128  # rows of one statement; older SQLite takes 999 values in one
NEW_STATE = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"))
    .values(
        ended=bindparam("has_ended"), changed=bindparam("changed_at"), deadline=bindparam("next_deadline", type_=Float)
    )
)
# One round trip, and its end is the commit. The events come first and in the order given, so of two processes that want
# one number the slower waits at the first one.
DROP_ALL = text("""
    WITH happened AS (
        INSERT INTO events (match, seq, kind, at, facts, key)
        SELECT * FROM unnest(
            CAST(:matches AS text[]), CAST(:seqs AS int[]), CAST(:kinds AS text[]),
            CAST(:ats AS float8[]), CAST(:facts AS json[]), CAST(:keys AS text[])
        )
        RETURNING match
    ), dropped AS (
        INSERT INTO drops (match, ply, "column", at)
        SELECT * FROM unnest(
            CAST(:matches AS text[]), CAST(:plies AS int[]), CAST(:columns AS int[]), CAST(:ats AS float8[])
        )
        WHERE (SELECT count(*) FROM happened) > 0
    ), changed AS (
        UPDATE matches SET ended = new.ended, changed = new.changed, deadline = new.deadline
        FROM unnest(
            CAST(:matches AS text[]), CAST(:ended AS bool[]), CAST(:ats AS float8[]), CAST(:deadlines AS float8[])
        ) AS new (id, ended, changed, deadline)
        WHERE matches.id = new.id AND (SELECT count(*) FROM happened) > 0
    )
    SELECT pg_notify(:channel, news) FROM unnest(CAST(:news AS text[])) AS news
""")


class Ready(NamedTuple):
    """A statement for many rows as SQLite reads it, worked out once. It takes up to `MOST_ROWS` at a time: at each
    statement the driver lets go of the interpreter, and then waits for its turn."""

    sql: str  # with the rows left out
    names: Sequence[str]

    @classmethod
    def into(cls, table: Table) -> Ready:
        names = [column.name for column in table.columns]
        columns = ", ".join(f'"{name}"' for name in names)
        return cls(f"INSERT INTO {table.name} ({columns}) VALUES {{}}", names)

    def run(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """By powers of two, so that there are few statements to keep ready; a few rows one by one, which is quicker."""
        values = [tuple(row[name] for name in self.names) for row in rows]
        while len(values) >= FEW:
            size = min(1 << (len(values).bit_length() - 1), MOST_ROWS)
            connection.exec_driver_sql(self._for(size), tuple(chain.from_iterable(values[:size])))
            del values[:size]
        if values:
            connection.exec_driver_sql(self._for(1), values)

    def _for(self, rows: int) -> str:
        return _with_rows(self.sql, rows, len(self.names))


@cache
def _with_rows(sql: str, rows: int, columns: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return sql.format(", ".join([row] * rows))


READY = {table: Ready.into(table) for table in (events, drops)}
STATE = Ready(
    """
    WITH new (match, ended, changed, deadline) AS (VALUES {})
    UPDATE matches SET (ended, changed, deadline) = (SELECT ended, changed, deadline FROM new WHERE match = matches.id)
    WHERE id IN (SELECT match FROM new)
    """,
    ("match_id", "has_ended", "changed_at", "next_deadline"),
)


def add(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Events or drops, any number of them."""
    if connection.dialect.name == "sqlite":
        READY[table].run(connection, [_stored(row) for row in rows])
    elif rows:
        connection.execute(insert(table), rows)


def set_state(connection: Connection, changes: Sequence[Change]) -> None:
    """What is kept of a match's state; of several changes of one match the last counts."""
    rows = list({change.after.id: tables.change_of_state(change) for change in changes}.values())
    if connection.dialect.name == "sqlite":
        STATE.run(connection, rows)
    elif rows:
        connection.execute(NEW_STATE, rows)


def are_drops(works: Sequence[object]) -> TypeGuard[Sequence[Change]]:
    return all(isinstance(work, Change) and isinstance(work.recorded.event, Dropped) for work in works)


def tell_postgresql(connection: Connection, changes: Sequence[Change]) -> None:
    """A list for each column of the tables."""
    happened = _happened(changes)
    values = {
        "matches": [row["match"] for row in happened],
        "seqs": [row["seq"] for row in happened],
        "kinds": [row["kind"] for row in happened],
        "ats": [row["at"] for row in happened],
        "facts": [row["facts"] for row in happened],
        "keys": [row["key"] for row in happened],
        "plies": [change.before.ply for change in changes],
        "columns": [change.after.moves[-1] for change in changes],
        "ended": [change.after.result is not None for change in changes],
        "deadlines": [change.after.deadline for change in changes],
        "channel": CHANNEL,
        "news": messages_of(changes),
    }
    connection.execute(DROP_ALL, values)


def _happened(changes: Sequence[Change]) -> list[dict[str, Any]]:
    return [_stored(tables.event_row(change.after.id, change.after.seq, change.recorded)) for change in changes]


def _stored(row: dict[str, Any]) -> dict[str, Any]:
    """Facts as the text that is stored."""
    return row | {"facts": json.dumps(row["facts"])} if "facts" in row else row
