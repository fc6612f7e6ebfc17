"""The match store on SQLite or PostgreSQL."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, delete, insert, select, text, update

from connectk.play.match import Match
from connectk.play.protocols import Change, Made, Recorded
from connectk.rooms.events import Event as RoomEvent
from connectk.rooms.protocols import NewRoom, RoomChange
from connectk.rooms.room import Room
from connectk.storage import admin, quick, rooms, tables
from connectk.storage.feed import CHANNEL, gone_messages, messages_of, room_messages
from connectk.storage.tables import drops, events, matches
from connectk.storage.writer import GroupWriter, retrying_while_disconnected

READER_THREADS = 4
UNREADY_SECONDS = 30.0  # after a failed write
PURGE_BATCH_MATCHES = 200  # purged in one transaction, so that drops need not wait long
# Opening moves stored in one transaction. SQLite releases the interpreter lock after each row and waits for it again
# while another thread replays a long match: two rows for each of two hundred moves delayed all other drops.
MOVES_BATCH_SIZE = 20
T = TypeVar("T")
NOTIFY = text("SELECT pg_notify(:channel, news) FROM unnest(CAST(:news AS text[])) AS news")


@dataclass(slots=True)
class Purge:
    """A job to delete old matches; `ids` are those deleted."""

    before: float
    limit: int
    ids: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class MovesBatch:
    """A batch of the opening moves of a match. Before its last batch the match is stored as private and ended, and its
    id is not published."""

    made: Made
    first: int
    end: int


class SqlMatchStore:
    """Reads in a few threads, writes in one; a write is durable when its method returns."""

    def __init__(
        self,
        database: Engine,
        on_commit: Callable[[int, float], None] = lambda jobs, seconds: None,
        on_failure: Callable[[Exception], None] = lambda error: None,
    ) -> None:
        self.database = database
        self._reading = database.execution_options(isolation_level="AUTOCOMMIT")
        self._readers = ThreadPoolExecutor(READER_THREADS, "reader")
        self._retrying = retrying_while_disconnected()
        self._writer = GroupWriter(self._commit, on_commit, on_failure)

    @property
    def is_shared(self) -> bool:
        return self.database.dialect.name == "postgresql"

    async def create(self, made: Made) -> None:
        """Many opening moves are stored in several transactions, so that other drops do not wait for all of them."""
        if len(made.opening) <= MOVES_BATCH_SIZE:
            await self._writer.submit(made.match.id, made)
            return
        for first in range(0, len(made.opening), MOVES_BATCH_SIZE):
            end = min(first + MOVES_BATCH_SIZE, len(made.opening))
            await self._writer.submit(made.match.id, MovesBatch(made, first, end))

    async def append(self, change: Change) -> None:
        await self._writer.submit(change.after.id, change)

    def _commit(self, works: Sequence[object]) -> None:
        """Commit all in one transaction, durable on return."""
        if self.is_shared and quick.all_drops(works):
            with self._reading.connect() as connection:
                quick.insert_drops(connection, works)
        else:
            with self.database.begin() as connection:
                self._write(connection, works)

    def _write(self, connection: Connection, works: Sequence[object]) -> None:
        """New matches first, then all changes with one statement per table."""
        changes = [work for work in works if isinstance(work, Change)]
        for work in works:
            if isinstance(work, Purge):
                work.ids = delete_old(connection, work.before, work.limit)
            elif isinstance(work, Made):
                _insert_match(connection, work)
            elif isinstance(work, MovesBatch):
                _insert_moves_batch(connection, work)
            elif isinstance(work, Change) and work.rematch:
                _insert_match(connection, work.rematch)
            elif isinstance(work, NewRoom):
                rooms.insert_room(connection, work.room)
            elif isinstance(work, RoomChange):
                for made in work.matches:
                    _insert_match(connection, made)
                rooms.insert_event(connection, work)
        if changes:
            _insert_changes(connection, changes)
        if self.is_shared:
            # PostgreSQL notifies the listeners if and when this commits.
            news = messages_of(changes) + room_messages(work.after for work in works if isinstance(work, RoomChange))
            connection.execute(NOTIFY, {"channel": CHANNEL, "news": news})

    async def load(self, match_id: str, limit: int | None = None) -> tuple[Match, list[Recorded]] | None:
        def read(connection: Connection) -> tuple[Match, list[Recorded]] | None:
            row = connection.execute(select(matches).where(matches.c.id == match_id)).first()
            return None if row is None else (tables.match_from(row), _events_after(connection, match_id, 0, limit))

        return await self._read(read)

    async def events_after(self, match_id: str, seq: int, limit: int | None = None) -> list[Recorded]:
        return await self._read(lambda connection: _events_after(connection, match_id, seq, limit))

    async def public_matches(self, limit: int) -> list[str]:
        return await self._ids(limit, matches.c.public)

    async def open_matches(self, since: float, until: float, limit: int) -> list[str]:
        return await self._ids(limit, matches.c.attended & matches.c.changed.between(since, until))

    async def overdue_matches(self, before: float, limit: int) -> list[str]:
        return await self._ids(limit, matches.c.deadline < before)

    async def create_room(self, made: NewRoom) -> None:
        await self._writer.submit(made.room.code, made)

    async def append_room(self, change: RoomChange) -> None:
        await self._writer.submit(change.after.code, change)

    async def load_room(self, code: str) -> tuple[Room, list[RoomEvent]] | None:
        return await self._read(lambda connection: rooms.load(connection, code))

    async def room_events_after(self, code: str, seq: int) -> list[RoomEvent]:
        return await self._read(lambda connection: rooms.events_after(connection, code, seq))

    async def matches_of(self, ids: list[str]) -> dict[str, Match]:
        """The current state of many matches."""
        return await self._read(lambda connection: rooms.matches_of(connection, ids))

    async def open_rooms(self) -> list[str]:
        return await self._read(rooms.open_codes)

    async def orders(self, kind: str) -> list[str]:
        """The administrator's orders of this kind."""
        return await self._read(lambda connection: admin.orders_of(connection, kind))

    async def forget_order(self, kind: str, value: str) -> None:
        await asyncio.to_thread(admin.remove_order, self.database, kind, value)

    async def purge(self, before: float, limit: int) -> list[str]:
        purge = Purge(before, limit)
        await self._writer.submit("", purge)
        return purge.ids

    async def _ids(self, limit: int, which: Any) -> list[str]:
        found = select(matches.c.id).where(~matches.c.ended, which).order_by(matches.c.changed.desc()).limit(limit)
        return await self._read(lambda connection: list(connection.execute(found).scalars()))

    async def is_ready(self) -> bool:
        """Whether the database answers. False for a while after a failed write, then the next write may be tried."""
        failed = self._writer.failed_at
        if failed is not None and time.monotonic() - failed < UNREADY_SECONDS:
            return False

        def ask() -> bool:
            with self._reading.connect() as connection:
                return connection.execute(text("SELECT 1")).scalar() == 1

        return await asyncio.to_thread(ask)

    async def close(self) -> None:
        await asyncio.to_thread(self._writer.close)
        self._readers.shutdown()
        self.database.dispose()

    async def _read(self, query: Callable[[Connection], T]) -> T:
        """Run a query in a thread, with retries after a lost connection."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._retrying, self._read_now, query)

    def _read_now(self, query: Callable[[Connection], T]) -> T:
        with self._reading.connect() as connection:
            return query(connection)


def _insert_match(connection: Connection, made: Made) -> None:
    match, after = made.match, made.after
    connection.execute(
        insert(matches), tables.match_row(match) | {"ended": after.result is not None, "deadline": after.deadline}
    )
    if made.opening:
        events_of = [tables.event_row(match.id, seq, recorded) for seq, recorded in enumerate(made.opening, start=1)]
        tables.add(connection, events, events_of)
        tables.add(connection, drops, tables.drop_rows(match, after))


def _insert_moves_batch(connection: Connection, batch: MovesBatch) -> None:
    match, after, opening = batch.made.match, batch.made.after, batch.made.opening
    if batch.first == 0:
        connection.execute(insert(matches), tables.match_row(match) | {"ended": True, "public": False})
    numbers = range(batch.first, batch.end)
    tables.add(connection, events, [tables.event_row(match.id, n + 1, opening[n]) for n in numbers])
    tables.add(connection, drops, [tables.drop_row(after, match.ply + n) for n in numbers])
    if batch.end == len(opening):
        state = {"ended": after.result is not None, "public": match.setup.public, "deadline": after.deadline}
        connection.execute(update(matches).where(matches.c.id == match.id).values(**state))


def _insert_changes(connection: Connection, changes: list[Change]) -> None:
    tables.add(connection, events, [tables.event_row(c.after.id, c.after.seq, c.recorded) for c in changes])
    tables.add(connection, drops, [row for change in changes for row in tables.drop_rows(change.before, change.after)])
    for change in changes:
        if change.after.ply < change.before.ply:
            match, ply = change.after.id, change.after.ply
            connection.execute(delete(drops).where(drops.c.match == match, drops.c.ply >= ply))
    tables.set_state(connection, changes)


def _events_after(connection: Connection, match_id: str, seq: int, limit: int | None) -> list[Recorded]:
    found = select(events).where(events.c.match == match_id, events.c.seq > seq).order_by(events.c.seq).limit(limit)
    return [tables.recorded_from(row) for row in connection.execute(found)]


def purge(database: Engine, before: float) -> int:
    """Delete all matches without an event since then; returns their number."""
    count = 0
    while True:
        with database.begin() as connection:
            deleted = delete_old(connection, before, PURGE_BATCH_MATCHES)
        if not deleted:
            return count
        count += len(deleted)


def delete_old(connection: Connection, before: float, limit: int) -> list[str]:
    """Delete some matches and rooms; returns the ids of the matches."""
    ids = tables.delete_untouched(connection, (drops.c.match, events.c.match, matches.c.id), before, limit)
    if ids and connection.dialect.name == "postgresql":
        connection.execute(NOTIFY, {"channel": CHANNEL, "news": gone_messages(ids)})
    tables.delete_untouched(connection, (tables.room_events.c.room, tables.rooms.c.code), before, limit)
    return ids
