"""The lists and orders of an administrator. They go only through the database, so nobody can use them over the
network."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, delete, func, insert, select

from connectk.errors import LocalizedError
from connectk.storage.tables import drops, matches, orders, rooms

BLOCK_ADDRESS, END_MATCH, CLOSE_ROOM, EVICT_ROOM = "block", "end", "close", "forget"


class BadOrder(LocalizedError):
    """An order for something that does not exist, or for an invalid address."""


class MatchOverview(NamedTuple):
    """The facts about an open match that an administrator sees."""

    id: str
    variant: str
    first: str
    second: str
    discs: int
    changed: float


def open_matches(database: Engine, limit: int) -> list[MatchOverview]:
    """At most `limit` open matches, the most recently changed first."""
    discs = select(func.count()).where(drops.c.match == matches.c.id).scalar_subquery()
    found = (
        select(matches, discs.label("discs")).where(~matches.c.ended).order_by(matches.c.changed.desc()).limit(limit)
    )
    with database.connect() as connection:
        return [_overview(row) for row in connection.execute(found.limit(limit))]


def _overview(row: Any) -> MatchOverview:
    first, second = (_name(row.setup[side]) for side in ("first", "second"))
    return MatchOverview(row.id, row.setup["variant"], first, second, row.discs, row.changed)


class RoomOverview(NamedTuple):
    """The facts about an open room that an administrator sees."""

    code: str
    title: str
    changed: float


def open_rooms(database: Engine, limit: int) -> list[RoomOverview]:
    """At most `limit` open rooms, the most recently changed first."""
    found = select(rooms).where(~rooms.c.closed).order_by(rooms.c.changed.desc()).limit(limit)
    with database.connect() as connection:
        return [RoomOverview(row.code, row.setup["title"], row.changed) for row in connection.execute(found)]


def _name(seat: dict[str, str | None]) -> str:
    return seat["player"] or seat["name"] or "a person"


def end_match(database: Engine, match: str) -> None:
    """Order the server to end an open match as a draw."""
    with database.begin() as connection:
        if not connection.execute(select(matches.c.id).where(matches.c.id == match, ~matches.c.ended)).first():
            raise BadOrder("error.BadOrder.no_match", match=match[:100])
        add_order(connection, END_MATCH, match)


def close_room(database: Engine, code: str) -> None:
    """Order the server to close an open room."""
    with database.begin() as connection:
        if not connection.execute(select(rooms.c.code).where(rooms.c.code == code, ~rooms.c.closed)).first():
            raise BadOrder("error.BadOrder.no_room", code=code[:100])
        add_order(connection, CLOSE_ROOM, code)


def block_address(database: Engine, address: str) -> None:
    with database.begin() as connection:
        add_order(connection, BLOCK_ADDRESS, parse_address(address))


def unblock_address(database: Engine, address: str) -> None:
    with database.begin() as connection:
        if not _remove(connection, BLOCK_ADDRESS, parse_address(address)):
            raise BadOrder("error.BadOrder.not_blocked", address=address)


def remove_order(database: Engine, kind: str, value: str) -> None:
    """Remove an order that the server has carried out."""
    with database.begin() as connection:
        _remove(connection, kind, value)


def parse_address(text: str) -> str:
    """Check an IPv4 or IPv6 address and return it in its standard form."""
    try:
        return str(ip_address(text.strip()))
    except ValueError as error:
        raise BadOrder("error.BadOrder.address", address=text[:100]) from error


def add_order(connection: Connection, kind: str, value: str) -> None:
    """Add an order. A running server carries it out within seconds. Adding the same order twice has no further
    effect."""
    _remove(connection, kind, value)
    connection.execute(insert(orders), {"kind": kind, "value": value})


def _remove(connection: Connection, kind: str, value: str) -> bool:
    """Remove an order. Returns False if there was none."""
    return connection.execute(delete(orders).where(orders.c.kind == kind, orders.c.value == value)).rowcount > 0


def orders_of(connection: Connection, kind: str) -> list[str]:
    return list(connection.execute(select(orders.c.value).where(orders.c.kind == kind)).scalars())
