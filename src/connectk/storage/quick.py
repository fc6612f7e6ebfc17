"""Drops, as almost all changes are, by one statement; and many rows of other changes by few on SQLite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple, TypeGuard

from sqlalchemy import Connection, Float, Table, bindparam, insert, text, update

from connectk.play.events import NAMES as KINDS
from connectk.play.events import Dropped, facts_of
from connectk.play.protocols import Change
from connectk.storage import tables
from connectk.storage.feed import CHANNEL, messages_of
from connectk.storage.tables import drops, events, matches

FEW, MOST_ROWS, MOST_DROPS = 8, 128, 64  # rows of one statement; older SQLite takes 999 values in one
NEW_STATE = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"))
    .values(
        ended=bindparam("has_ended"), changed=bindparam("changed_at"), deadline=bindparam("next_deadline", type_=Float)
    )
)
OF_DROP = ("match", "seq", "kind", "at", "facts", "key", "ply", "column", "ended", "deadline")
# One round trip, and its end is the commit. The events come first and in the order given, so of two processes that want
# one number the slower waits at the first one.
DROP_ALL = text("""
    WITH happened AS (
        INSERT INTO events (match, seq, kind, at, facts, key)
        SELECT * FROM unnest(
            CAST(:match AS text[]), CAST(:seq AS int[]), CAST(:kind AS text[]),
            CAST(:at AS float8[]), CAST(:facts AS json[]), CAST(:key AS text[])
        )
        RETURNING match
    ), dropped AS (
        INSERT INTO drops (match, ply, "column", at)
        SELECT * FROM unnest(
            CAST(:match AS text[]), CAST(:ply AS int[]), CAST(:column AS int[]), CAST(:at AS float8[])
        )
        WHERE (SELECT count(*) FROM happened) > 0
    ), changed AS (
        UPDATE matches SET ended = new.ended, changed = new.changed, deadline = new.deadline
        FROM unnest(
            CAST(:match AS text[]), CAST(:ended AS bool[]), CAST(:at AS float8[]), CAST(:deadline AS float8[])
        ) AS new (id, ended, changed, deadline)
        WHERE matches.id = new.id AND (SELECT count(*) FROM happened) > 0
    )
    SELECT pg_notify(:channel, news) FROM unnest(CAST(:news AS text[])) AS news
""")
# The same on SQLite, where a statement outside of a transaction is one. At every statement and every row of a result
# the driver lets go of the interpreter and waits until the loop lets it in again.
COLUMNS = ", ".join(f'"{name}"' for name in OF_DROP)
DROPPING = (
    f"CREATE TEMP VIEW dropping ({COLUMNS}) AS SELECT {', '.join(['NULL'] * len(OF_DROP))}",
    """
    CREATE TEMP TRIGGER drop_one INSTEAD OF INSERT ON dropping BEGIN
        INSERT INTO events (match, seq, kind, at, facts, key)
            VALUES (new.match, new.seq, new.kind, new.at, new.facts, new.key);
        INSERT INTO drops (match, ply, "column", at) VALUES (new.match, new.ply, new."column", new.at);
        UPDATE matches SET ended = new.ended, changed = new.at, deadline = new.deadline WHERE id = new.match;
    END
    """,
)


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
    """And no more of them than one statement takes."""
    return len(works) <= MOST_DROPS and all(
        isinstance(work, Change) and isinstance(work.recorded.event, Dropped) for work in works
    )


def drop_all(connection: Connection, changes: Sequence[Change]) -> None:
    """All of them, durable when this returns, on a connection that has begun nothing."""
    rows = [_drop_row(change) for change in changes]
    if connection.dialect.name == "postgresql":
        columns = dict(zip(OF_DROP, map(list, zip(*rows, strict=True)), strict=True))
        connection.execute(DROP_ALL, columns | {"channel": CHANNEL, "news": messages_of(changes)})
    else:
        _teach(connection)
        connection.exec_driver_sql(_dropping(len(rows)), tuple(chain.from_iterable(rows)))


def _teach(connection: Connection) -> None:
    """Each connection once. Not when it is opened: then there may be no tables yet, or they are just changed."""
    if "can_drop" not in connection.info:
        for statement in DROPPING:
            connection.exec_driver_sql(statement)
        connection.info["can_drop"] = True


@cache
def _dropping(rows: int) -> str:
    """Python's driver begins a transaction before what begins with INSERT, and not before this."""
    return _with_rows(
        f"WITH new ({COLUMNS}) AS (VALUES {{}}) INSERT INTO dropping SELECT * FROM new", rows, len(OF_DROP)
    )


def _drop_row(change: Change) -> tuple[Any, ...]:
    """In the order of `OF_DROP`."""
    event, key, before, after = change.recorded.event, change.recorded.key, change.before, change.after
    facts, ended = json.dumps(facts_of(event)), after.result is not None
    happened = after.id, after.seq, KINDS[Dropped], event.at, facts, key
    return (*happened, before.ply, after.moves[-1], ended, after.deadline)


def _stored(row: dict[str, Any]) -> dict[str, Any]:
    """Facts as the text that is stored."""
    return row | {"facts": json.dumps(row["facts"])} if "facts" in row else row
