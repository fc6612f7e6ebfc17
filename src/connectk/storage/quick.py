"""Drops, as almost all changes are: by one statement on PostgreSQL, and by ready ones on SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from sqlalchemy import Connection, Float, bindparam, insert, text, update
from sqlalchemy.dialects import sqlite

from connectk.play.events import Dropped
from connectk.play.protocols import Change
from connectk.storage import tables
from connectk.storage.feed import CHANNEL, messages_of
from connectk.storage.tables import drops, events, matches

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
    """A statement as SQLite reads it, worked out once: to do that for every drop takes longer than to write it."""

    sql: str
    names: Sequence[str]

    @classmethod
    def made_of(cls, statement: Any, columns: Iterable[str] | None = None) -> Ready:
        compiled = statement.compile(dialect=sqlite.dialect(paramstyle="qmark"), column_keys=columns)
        return cls(str(compiled), compiled.positiontup)

    def run(self, connection: Connection, rows: Iterable[Mapping[str, Any]]) -> None:
        connection.exec_driver_sql(self.sql, [tuple(row[name] for name in self.names) for row in rows])


EVENT = Ready.made_of(insert(events), events.c.keys())
DROP = Ready.made_of(insert(drops), drops.c.keys())
STATE = Ready.made_of(NEW_STATE)


def are_drops(works: Sequence[object]) -> TypeGuard[Sequence[Change]]:
    return all(isinstance(work, Change) and isinstance(work.recorded.event, Dropped) for work in works)


def tell_sqlite(connection: Connection, changes: Sequence[Change]) -> None:
    EVENT.run(connection, _happened(changes))
    DROP.run(connection, [tables.drop_row(change.after, change.before.ply) for change in changes])
    STATE.run(connection, map(tables.change_of_state, changes))


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
    """The rows of the events, with their facts as the text that is stored."""
    rows = [tables.event_row(change.after.id, change.after.seq, change.recorded) for change in changes]
    return [{**row, "facts": json.dumps(row["facts"])} for row in rows]
