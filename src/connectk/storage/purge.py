"""Forgetting matches to which nothing has happened for long."""

from __future__ import annotations

from sqlalchemy import Connection, Engine, delete, select

from connectk.storage.tables import drops, events, matches

AT_ONCE = 200  # matches in one transaction, so that drops need not wait long


def purge(engine: Engine, before: float) -> int:
    """All matches that nobody has touched since; how many there were."""
    count = 0
    while True:
        with engine.begin() as connection:
            deleted = delete_old(connection, before, AT_ONCE)
        if not deleted:
            return count
        count += len(deleted)


def delete_old(connection: Connection, before: float, limit: int) -> list[str]:
    """Some of them, with all that happened to them; one in which someone drops at this moment stays."""
    old = select(matches.c.id).where(matches.c.changed < before).limit(limit).with_for_update(skip_locked=True)
    ids = list(connection.execute(old).scalars())
    if ids:
        for column in (drops.c.match, events.c.match, matches.c.id):
            connection.execute(delete(column.table).where(column.in_(ids)))
    return ids
