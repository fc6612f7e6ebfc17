"""Deletes a room, or the games and the name of one of its members."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Engine, delete, select, update

from connectk.rooms.events import Left
from connectk.rooms.names import normalized
from connectk.rooms.protocols import RoomChange
from connectk.rooms.room import Room
from connectk.storage import rooms, tables
from connectk.storage.admin import EVICT_ROOM, BadOrder, add_order
from connectk.storage.notices import notify_deleted
from connectk.storage.openings import counted_matches
from connectk.storage.tables import drops, events, matches, room_events

BATCH_MATCHES = 200  # deleted in one transaction, so that drops need not wait long


class DeletionPlan(NamedTuple):
    """The things to delete: the numbers of the members, and the ids of the matches."""

    title: str
    members: tuple[int, ...]
    matches: tuple[str, ...]


def plan_room_deletion(database: Engine, code: str) -> DeletionPlan:
    with database.connect() as connection:
        return _all_of(connection, _room(connection, code))


def plan_member_deletion(database: Engine, code: str, name: str) -> DeletionPlan:
    with database.connect() as connection:
        return _of_member(connection, _room(connection, code), name)


def delete_room(database: Engine, code: str) -> None:
    """Delete a room and its games. A running server stops showing it within seconds."""
    _delete_matches(database, code, _all_of)
    with database.begin() as connection:
        _lock(connection, code)
        _delete_rows(connection, _all_of(connection, _room(connection, code)).matches)  # begun in the meantime
        connection.execute(delete(room_events).where(room_events.c.room == code))
        connection.execute(delete(tables.rooms).where(tables.rooms.c.code == code))
        _tell_servers(connection, code)


def delete_member(database: Engine, code: str, name: str) -> None:
    """Delete a member's games, replace the name by a number, and remove the member from an open room. The results stay,
    because the places of the other members depend on them."""
    _delete_matches(database, code, lambda connection, room: _of_member(connection, room, name))
    with database.begin() as connection:
        _lock(connection, code)
        room = _room(connection, code)
        found = _of_member(connection, room, name)
        _delete_rows(connection, found.matches)
        _replace_names(connection, code, found.members)
        for number in found.members:
            if not (room.closed or room.members[number - 1].left):
                left = Left(number, time.time())
                room = room.after(left)
                rooms.insert_event(connection, RoomChange(left, room))
        _tell_servers(connection, code)


def _delete_matches(database: Engine, code: str, chosen: Callable[[Connection, Room], DeletionPlan]) -> None:
    """Delete the matches that `chosen` returns, in batches."""
    with database.connect() as connection:
        ids = chosen(connection, _room(connection, code)).matches
    for first in range(0, len(ids), BATCH_MATCHES):
        with database.begin() as connection:
            _delete_rows(connection, ids[first : first + BATCH_MATCHES])


def _room(connection: Connection, code: str) -> Room:
    found = rooms.load(connection, code)
    if found is None:
        raise BadOrder("error.BadOrder.no_such_room", code=code[:100])
    room, happened = found
    for event in happened:
        room = room.after(event)
    return room


def _all_of(connection: Connection, room: Room) -> DeletionPlan:
    ids = [meeting.match for meeting in room.meetings if meeting.match]
    return DeletionPlan(room.setup.title, tuple(member.number for member in room.members), _stored(connection, ids))


def _of_member(connection: Connection, room: Room, name: str) -> DeletionPlan:
    """The plan for deleting all members with this name. A person who leaves and comes back counts as several
    members."""
    numbers = tuple(member.number for member in room.members if normalized(member.name) == normalized(name))
    if not numbers:
        raise BadOrder("error.BadOrder.no_member", code=room.code, name=name[:100])
    played = (meeting for meeting in room.meetings if not set(numbers).isdisjoint(meeting.members))
    return DeletionPlan(room.setup.title, numbers, _stored(connection, [m.match for m in played if m.match]))


def _stored(connection: Connection, ids: Sequence[str]) -> tuple[str, ...]:
    """The ids of those matches that still exist."""
    found: list[str] = []
    for first in range(0, len(ids), BATCH_MATCHES):
        batch = select(matches.c.id).where(matches.c.id.in_(ids[first : first + BATCH_MATCHES]))
        found += connection.execute(batch).scalars()
    return tuple(found)


def _lock(connection: Connection, code: str) -> None:
    """Prevent servers from changing the room until this transaction ends."""
    mine = tables.rooms.c.code == code
    connection.execute(select(tables.rooms.c.code).where(mine).with_for_update())  # not in SQLite
    connection.execute(update(tables.rooms).where(mine).values(closed=tables.rooms.c.closed))


def _delete_rows(connection: Connection, ids: Sequence[str]) -> None:
    """Delete matches with their events. If another transaction is changing a match, wait until it ends."""
    connection.execute(select(matches.c.id).where(matches.c.id.in_(ids)).with_for_update())
    for column in (drops.c.match, events.c.match, counted_matches.c.match, matches.c.id):
        connection.execute(delete(column.table).where(column.in_(ids)))
    notify_deleted(connection, ids)


def _replace_names(connection: Connection, code: str, numbers: Sequence[int]) -> None:
    """Replace the names of these members by their numbers, such as `#3`, in all events of the room, and delete the
    hashes of their secrets."""
    joined = 0
    named = select(room_events).where(room_events.c.room == code, room_events.c.kind.in_(("joined", "renamed")))
    for row in connection.execute(named.order_by(room_events.c.seq)).all():
        joined += row.kind == "joined"
        number = joined if row.kind == "joined" else row.facts["member"]
        if number in numbers:
            facts = row.facts | {"name": f"#{number}"} | ({"holder": None} if row.kind == "joined" else {})
            mine = (room_events.c.room == code) & (room_events.c.seq == row.seq)
            connection.execute(update(room_events).where(mine).values(facts=facts))


def _tell_servers(connection: Connection, code: str) -> None:
    """Let running servers know that the room has changed. With PostgreSQL this is a notification, and with SQLite an
    order."""
    notify_deleted(connection, [code])
    if connection.dialect.name == "sqlite":
        add_order(connection, EVICT_ROOM, code)
