"""Reads and writes rooms and their events as rows of the database."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert, select, update

from connectk.play.events import Event as MatchEvent
from connectk.play.match import Match, TimeControl
from connectk.rooms.events import ROOM_EVENT_NAMES, Event, event_from, facts_of
from connectk.rooms.protocols import RoomChange
from connectk.rooms.room import Room, RoomSetup
from connectk.rules import Variant
from connectk.storage.tables import events, match_from, matches, recorded_from, room_events, rooms


def insert_room(connection: Connection, room: Room) -> None:
    row = {"code": room.code, "created": room.created, "setup": _setup_document(room.setup)}
    connection.execute(insert(rooms), row | {"closed": False, "changed": room.created})


def _setup_document(setup: RoomSetup) -> dict[str, Any]:
    values = {name: getattr(setup, name) for name in RoomSetup.__slots__}
    return values | {"variant": str(setup.variant), "control": [setup.control.seconds, setup.control.increment]}


def room_from(row: Any) -> Room:
    values = dict(row.setup)
    values["variant"] = Variant.parse(values["variant"])
    values["control"] = TimeControl(*values["control"])
    values["openings"] = tuple(map(tuple, values["openings"]))
    values["teams"] = tuple(values.get("teams", ()))  # rooms of older versions have none
    return Room.new(row.code, RoomSetup(**values), row.created)


def insert_event(connection: Connection, change: RoomChange) -> None:
    """Insert an event. This fails if the event's number is taken, because the number is part of the primary key."""
    event, after = change.event, change.after
    row = {
        "room": after.code,
        "seq": after.seq,
        "kind": ROOM_EVENT_NAMES[type(event)],
        "at": event.at,
        "facts": facts_of(event),
    }
    connection.execute(insert(room_events), row)
    state = {"closed": after.closed, "changed": event.at}
    connection.execute(update(rooms).where(rooms.c.code == after.code).values(**state))


def event_from_row(row: Any) -> Event:
    return event_from(row.kind, row.at, row.facts)


def load(connection: Connection, code: str) -> tuple[Room, list[Event]] | None:
    row = connection.execute(select(rooms).where(rooms.c.code == code)).first()
    return None if row is None else (room_from(row), events_after(connection, code, 0))


def events_after(connection: Connection, code: str, seq: int) -> list[Event]:
    found = select(room_events).where(room_events.c.room == code, room_events.c.seq > seq)
    return [event_from_row(row) for row in connection.execute(found.order_by(room_events.c.seq))]


def open_codes(connection: Connection) -> list[str]:
    return list(connection.execute(select(rooms.c.code).where(~rooms.c.closed)).scalars())


def matches_of(connection: Connection, ids: list[str]) -> dict[str, Match]:
    """The current state of these matches, by id. Two queries read all of them."""
    made = {row.id: match_from(row) for row in connection.execute(select(matches).where(matches.c.id.in_(ids)))}
    happened: dict[str, list[MatchEvent]] = {match_id: [] for match_id in made}
    for row in connection.execute(select(events).where(events.c.match.in_(ids)).order_by(events.c.match, events.c.seq)):
        if row.match in happened:
            happened[row.match].append(recorded_from(row).event)
    return {match_id: match.after_all(happened[match_id]) for match_id, match in made.items()}
