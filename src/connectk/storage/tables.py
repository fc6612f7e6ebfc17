"""The tables of the database, and the functions that write matches and events to rows and read them back.

The table of events has the whole history of a match. The table of drops has only the discs that are on its board now.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    bindparam,
    delete,
    insert,
    select,
    update,
)

from connectk.notation.start import parse_start, write_start
from connectk.play.events import MATCH_EVENT_NAMES, Event, event_from, facts_of
from connectk.play.match import Match, MatchSetup, Seat, TimeControl
from connectk.play.protocols import Change, RecordedEvent
from connectk.rules import Variant

metadata = MetaData()


def _event_columns(owner: Column[str]) -> list[Column[Any]]:
    """The columns of a table of events. The match or room and the event's number form the key, so no two of its events
    have the same number."""
    return [
        owner,
        Column("seq", Integer, primary_key=True),
        Column("kind", String(20), nullable=False),
        Column("at", Float, nullable=False),
        Column("facts", JSON, nullable=False),
    ]


matches = Table(
    "matches",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", Float, nullable=False),
    Column("setup", JSON, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("attended", Boolean, nullable=False),  # whether a clock or a computer player needs a driver
    Column("ended", Boolean, nullable=False),
    Column("changed", Float, nullable=False),
    Column("deadline", Float),  # when the side to move runs out of time
    Index("matches_by_state", "ended", "public", "changed"),
)
HAS_DEADLINE = matches.c.deadline.is_not(None)
Index("matches_by_deadline", matches.c.deadline, postgresql_where=HAS_DEADLINE, sqlite_where=HAS_DEADLINE)
Index("matches_by_change", matches.c.changed)

events = Table(
    "events",
    metadata,
    *_event_columns(Column("match", String(32), ForeignKey("matches.id"), primary_key=True)),
    Column("key", String(80)),
    UniqueConstraint("match", "key", name="one_event_for_each_key"),
)

# The key is (match, ply), so two drops for one ply cannot both exist.
drops = Table(
    "drops",
    metadata,
    Column("match", String(32), ForeignKey("matches.id"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("column", Integer, nullable=False),
    Column("at", Float, nullable=False),
)

# A room is stored as its events, like a match; no round can be paired twice.
rooms = Table(
    "rooms",
    metadata,
    Column("code", String(12), primary_key=True),
    Column("created", Float, nullable=False),
    Column("setup", JSON, nullable=False),
    Column("closed", Boolean, nullable=False),
    Column("changed", Float, nullable=False),
    Index("rooms_by_state", "closed", "changed"),
)
room_events = Table(
    "room_events",
    metadata,
    *_event_columns(Column("room", String(12), ForeignKey("rooms.code"), primary_key=True)),
)

# An administrator's orders to the running server: addresses to block, matches to end.
orders = Table(
    "orders",
    metadata,
    Column("kind", String(10), primary_key=True),
    Column("value", String(100), primary_key=True),
)


def match_row(match: Match) -> dict[str, Any]:
    setup = match.setup
    attended = setup.control is not None or any(seat.player for seat in match.seats)
    return {
        "id": match.id,
        "created": match.created,
        "setup": _setup_document(setup),
        "public": setup.public,
        "attended": attended,
        "ended": match.result is not None,
        "changed": match.turn_began,
        "deadline": match.deadline,
    }


def _setup_document(setup: MatchSetup) -> dict[str, Any]:
    control = setup.control
    return {
        "variant": str(setup.start.variant),
        "start": write_start(setup.start),
        "first": _seat_document(setup.first),
        "second": _seat_document(setup.second),
        "control": control and [control.seconds, control.increment],
        "invitation": setup.invitation,
        "previous": setup.previous,
        **({"room": setup.room} if setup.room else {}),
        **({"swap": True} if setup.swap else {}),
        **({"swap_discs": setup.swap_discs} if setup.swap_discs > 1 else {}),
        **({"strangers": True} if setup.strangers else {}),
    }


def _seat_document(seat: Seat) -> dict[str, str | None]:
    return {"name": seat.name, "player": seat.player, "holder": seat.holder}


def match_from(row: Any) -> Match:
    document = row.setup
    setup = MatchSetup(
        start=parse_start(document["start"], Variant.parse(document["variant"])),
        first=Seat(**document["first"]),
        second=Seat(**document["second"]),
        public=row.public,
        control=document["control"] and TimeControl(*document["control"]),
        invitation=document["invitation"],
        previous=document["previous"],
        room=document.get("room"),
        swap=document.get("swap", False),
        swap_discs=document.get("swap_discs", 1),
        strangers=document.get("strangers", False),
    )
    return Match.new(row.id, setup, row.created)


def event_row(match_id: str, seq: int, recorded: RecordedEvent) -> dict[str, Any]:
    event = recorded.event
    return {
        "match": match_id,
        "seq": seq,
        "kind": MATCH_EVENT_NAMES[type(event)],
        "at": event.at,
        "facts": facts_of(event),
        "key": recorded.key,
    }


def recorded_from(row: Any) -> RecordedEvent:
    event: Event = event_from(row.kind, row.at, row.facts)
    return RecordedEvent(event, row.key)


def drop_rows(before: Match, after: Match) -> list[dict[str, Any]]:
    """A row for each disc that an event has put on the board."""
    return [drop_row(after, ply) for ply in range(before.ply, after.ply)]


def drop_row(match: Match, ply: int) -> dict[str, Any]:
    return {"match": match.id, "ply": ply, "column": match.moves[ply - match.setup.start.ply], "at": match.turn_began}


def change_of_state(change: Change) -> dict[str, Any]:
    after = change.after
    return {
        "match_id": after.id,
        "has_ended": after.result is not None,
        "changed_at": change.recorded.event.at,
        "next_deadline": after.deadline,
    }


def delete_untouched(connection: Connection, columns: Sequence[Column[str]], before: float, limit: int) -> list[str]:
    """Delete at most `limit` matches or rooms that have not changed since the time `before`. Returns their ids.

    Rows that another transaction is changing are skipped. `columns` names the id column of each table, the table of
    matches or rooms last.
    """
    own = columns[-1]
    old = select(own).where(own.table.c.changed < before).limit(limit).with_for_update(skip_locked=True)
    names = list(connection.execute(old).scalars())
    for column in columns if names else ():
        connection.execute(delete(column.table).where(column.in_(names)))
    return names


MIN_BATCH_ROWS, MAX_BATCH_ROWS = 8, 128  # the rows of one statement; older SQLite takes 999 values in a statement
NEW_STATE = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"))
    .values(
        ended=bindparam("has_ended"), changed=bindparam("changed_at"), deadline=bindparam("next_deadline", type_=Float)
    )
)


class BatchStatement(NamedTuple):
    """An SQL statement for SQLite that writes up to `MAX_BATCH_ROWS` rows at once.

    Few statements are faster than many, because the driver releases Python's lock for each and must wait to get it
    back.
    """

    sql: str  # with {} in place of the rows
    names: Sequence[str]

    @classmethod
    def insert_into(cls, table: Table) -> BatchStatement:
        names = [column.name for column in table.columns]
        columns = ", ".join(f'"{name}"' for name in names)
        return cls(f"INSERT INTO {table.name} ({columns}) VALUES {{}}", names)

    def run(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write the rows in batches. The sizes of batches are powers of two, so that only a few statements have to be
        cached. Fewer than `MIN_BATCH_ROWS` rows are written one by one, which is faster."""
        values = [tuple(row[name] for name in self.names) for row in rows]
        while len(values) >= MIN_BATCH_ROWS:
            size = min(1 << (len(values).bit_length() - 1), MAX_BATCH_ROWS)
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


INSERT_STATEMENTS = {table: BatchStatement.insert_into(table) for table in (events, drops)}
STATE_UPDATE = BatchStatement(
    """
    WITH new (match, ended, changed, deadline) AS (VALUES {})
    UPDATE matches SET (ended, changed, deadline) = (SELECT ended, changed, deadline FROM new WHERE match = matches.id)
    WHERE id IN (SELECT match FROM new)
    """,
    ("match_id", "has_ended", "changed_at", "next_deadline"),
)


def add(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert any number of rows into the table of events or of drops."""
    if connection.dialect.name == "sqlite":
        INSERT_STATEMENTS[table].run(connection, [_stored(row) for row in rows])
    elif rows:
        connection.execute(insert(table), rows)


def set_state(connection: Connection, changes: Sequence[Change]) -> None:
    """Write the new state of each match into its row. If a match has several changes, its last change is written."""
    rows = list({change.after.id: change_of_state(change) for change in changes}.values())
    if connection.dialect.name == "sqlite":
        STATE_UPDATE.run(connection, rows)
    elif rows:
        connection.execute(NEW_STATE, rows)


def _stored(row: dict[str, Any]) -> dict[str, Any]:
    """The row as SQLite stores it, with the facts of an event as JSON text."""
    return row | {"facts": json.dumps(row["facts"])} if "facts" in row else row
