"""The administrator's view and orders, through the database: they cannot be given over the network."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, delete, func, insert, select

from connectk.storage.tables import drops, matches, orders, rooms

BLOCK, END, CLOSE = "block", "end", "close"


class MatchOverview(NamedTuple):
    """An open match."""

    id: str
    variant: str
    first: str
    second: str
    discs: int
    changed: float


def open_matches(database: Engine, limit: int) -> list[MatchOverview]:
    """The most recently changed first."""
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
    """An open room."""

    code: str
    title: str
    changed: float


def open_rooms(database: Engine, limit: int) -> list[RoomOverview]:
    """The most recently changed first."""
    found = select(rooms).where(~rooms.c.closed).order_by(rooms.c.changed.desc()).limit(limit)
    with database.connect() as connection:
        return [RoomOverview(row.code, row.setup["title"], row.changed) for row in connection.execute(found)]


def _name(seat: dict[str, str | None]) -> str:
    return seat["player"] or seat["name"] or "a person"


def add_order(database: Engine, kind: str, value: str) -> None:
    """Add an order, which the server reads within seconds; adding it twice has no further effect."""
    with database.begin() as connection:
        _remove(connection, kind, value)
        connection.execute(insert(orders), {"kind": kind, "value": value})


def remove_order(database: Engine, kind: str, value: str) -> None:
    with database.begin() as connection:
        _remove(connection, kind, value)


def _remove(connection: Connection, kind: str, value: str) -> None:
    connection.execute(delete(orders).where(orders.c.kind == kind, orders.c.value == value))


def orders_of(connection: Connection, kind: str) -> list[str]:
    return list(connection.execute(select(orders.c.value).where(orders.c.kind == kind)).scalars())
