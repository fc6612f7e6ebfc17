"""The match store on SQLite or PostgreSQL."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Engine, delete, insert, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from connectk.errors import ConnectkError
from connectk.play.clock import ClockReading
from connectk.play.match import Match
from connectk.play.protocols import Change, NewMatch, RecordedEvent, StoreConflict
from connectk.play.refusals import DatabaseUnavailable, NotStored
from connectk.rooms.events import Event as RoomEvent
from connectk.rooms.protocols import NewRoom, RoomChange
from connectk.rooms.room import Room
from connectk.storage import admin, drop_insert, encounters, openings, rooms, stranger_tables, tables
from connectk.storage.notices import NOTIFY_STATEMENT, notice_columns, notices_of, notify_deleted, room_notices
from connectk.storage.tables import drops, events, matches
from connectk.storage.writer import GroupWriter, SqliteFile, retrying_while_disconnected

READER_THREADS = 4
UNREADY_AFTER_FAILURE_SECONDS = 30.0  # for this time after a failed write, `is_ready` is False
READ_TIMEOUT_SECONDS = 15.0  # for a read with its retries
READY_PROBE_TIMEOUT_SECONDS = 0.8  # a database that is ready answers within this time
CLOCK_SAMPLES = 5
MAX_DEADLOCK_ATTEMPTS = 4
PURGE_BATCH_MATCHES = 200  # purged in one transaction, so that drops need not wait long
# The opening moves stored in one transaction. SQLite's driver releases the interpreter lock after each row, and then
# waits for the lock if another thread replays a long match: two hundred moves in one transaction delayed all drops.
MOVES_BATCH_SIZE = 20
T = TypeVar("T")
DATABASE_TIME = text("SELECT extract(epoch FROM clock_timestamp())")


@dataclass(slots=True)
class Purge:
    """A request to delete old matches or old rooms. After the deletion, `ids` has the ids of the deleted matches or the
    codes of the deleted rooms."""

    before: float
    limit: int
    of_rooms: bool = False
    ids: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Transaction:
    """Statements that read and write in one transaction. `run` may raise a refusal only before its first write, because
    SQLite stores it together with other work."""

    run: Callable[[Connection], Any]
    value: Any = None
    refusal: ConnectkError | None = None

    def execute(self, connection: Connection) -> None:
        self.refusal = None
        try:
            self.value = self.run(connection)
        except ConnectkError as refusal:
            self.refusal = refusal

    def result(self) -> Any:
        if self.refusal:
            raise self.refusal
        return self.value


@dataclass(frozen=True, slots=True)
class MovesBatch:
    """Some of the opening moves of a new match. Until the last of them is stored, the match counts as ended and nobody
    knows its id."""

    made: NewMatch
    first: int
    end: int


class SqlMatchStore:
    """Stores matches and rooms. A few threads read and one thread writes. When a method that writes returns, the write
    is durable."""

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
        self._probe: asyncio.Future[bool] | None = None
        self._file = SqliteFile(Path(database.url.database or "")) if not self.is_shared else None

    @property
    def is_shared(self) -> bool:
        return self.database.dialect.name == "postgresql"

    async def create(self, made: NewMatch) -> None:
        """Store a new match. Many opening moves are stored in several transactions, so that other matches are not
        delayed."""
        if len(made.opening) <= MOVES_BATCH_SIZE:
            await self._writer.submit(made.match.id, made)
            return
        for first in range(0, len(made.opening), MOVES_BATCH_SIZE):
            end = min(first + MOVES_BATCH_SIZE, len(made.opening))
            await self._writer.submit(made.match.id, MovesBatch(made, first, end))

    async def append(self, change: Change) -> None:
        await self._writer.submit(change.after.id, change)

    def _commit(self, works: Sequence[object]) -> None:
        """Store all these works in one transaction. They are durable when this returns."""
        if self.is_shared and drop_insert.all_drops(works):
            with self._reading.connect() as connection:
                drop_insert.insert_drops(connection, works)
        else:
            with self.database.begin() as connection:
                self._write(connection, works)
                if self._file:
                    self._file.check_log()
                    self._file.check()  # before the commit, because a write into a deleted file would be lost

    def _write(self, connection: Connection, works: Sequence[object]) -> None:
        """Write new matches first. Then write all changes, with one statement for each table."""
        changes = [work for work in works if isinstance(work, Change)]
        for work in works:
            if isinstance(work, Purge):
                delete_batch = delete_old_rooms if work.of_rooms else delete_old
                work.ids = delete_batch(connection, work.before, work.limit)
            elif isinstance(work, NewMatch):
                insert_match(connection, work)
            elif isinstance(work, MovesBatch):
                _insert_moves_batch(connection, work)
            elif isinstance(work, Change) and work.rematch:
                insert_match(connection, work.rematch)
                if work.before.setup.strangers:
                    encounters.insert_rematch(connection, work.rematch.match, work.before)
            elif isinstance(work, Transaction):
                work.execute(connection)
            elif isinstance(work, NewRoom):
                rooms.insert_room(connection, work.room)
            elif isinstance(work, RoomChange):
                for made in work.matches:
                    insert_match(connection, made)
                rooms.insert_event(connection, work)
        if changes:
            _insert_changes(connection, changes)
        if self.is_shared:
            # PostgreSQL notifies the listeners when the transaction commits.
            notices = notices_of(changes) + room_notices(work.after for work in works if isinstance(work, RoomChange))
            connection.execute(NOTIFY_STATEMENT, notice_columns(notices))

    async def transact(self, run: Callable[[Connection], T]) -> T:
        """Read and write in one transaction. Raises `StoreConflict` if a key is taken.

        On PostgreSQL this uses a connection of its own, so that drops are not delayed while it waits for locked rows.
        """
        work = Transaction(run)
        if self.is_shared:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._readers, self._retrying, self._transact_now, work)
        else:
            await self._writer.submit("", work)
        return cast("T", work.result())

    def _transact_now(self, work: Transaction) -> None:
        for attempt in range(MAX_DEADLOCK_ATTEMPTS):
            try:
                with self.database.begin() as connection:
                    work.execute(connection)
                return
            except IntegrityError as error:
                raise StoreConflict from error
            except OperationalError as error:
                if error.connection_invalidated:
                    raise
                if attempt + 1 == MAX_DEADLOCK_ATTEMPTS:
                    raise NotStored from error

    async def query(self, run: Callable[[Connection], T]) -> T:
        """Read without a transaction."""
        return await self._read(run)

    async def load(self, match_id: str, limit: int | None = None) -> tuple[Match, list[RecordedEvent]] | None:
        def read(connection: Connection) -> tuple[Match, list[RecordedEvent]] | None:
            row = connection.execute(select(matches).where(matches.c.id == match_id)).first()
            return None if row is None else (tables.match_from(row), _events_after(connection, match_id, 0, limit))

        return await self._read(read)

    async def events_after(self, match_id: str, seq: int, limit: int | None = None) -> list[RecordedEvent]:
        return await self._read(lambda connection: _events_after(connection, match_id, seq, limit))

    async def public_matches(self, limit: int) -> list[str]:
        """Ids of open public matches, the most recently played first. Matches of strangers come before all others."""
        return await self._ids(limit, matches.c.public, encounters.is_encounter(matches.c.id).desc())

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
        """The current state of these matches, by id."""
        return await self._read(lambda connection: rooms.matches_of(connection, ids))

    async def open_rooms(self) -> list[str]:
        return await self._read(rooms.open_codes)

    async def orders(self, kind: str) -> list[str]:
        """The administrator's orders of this kind."""
        return await self._read(lambda connection: admin.orders_of(connection, kind))

    async def forget_order(self, kind: str, value: str) -> None:
        await asyncio.to_thread(admin.remove_order, self.database, kind, value)

    async def purge(self, before: float, limit: int) -> list[str]:
        return await self._purge(Purge(before, limit))

    async def purge_rooms(self, before: float, limit: int) -> list[str]:
        """Delete at most `limit` rooms that have not changed since the time `before`, and return their codes. Their
        games are matches and are not deleted."""
        return await self._purge(Purge(before, limit, of_rooms=True))

    async def _purge(self, purge: Purge) -> list[str]:
        await self._writer.submit("", purge)
        return purge.ids

    async def _ids(self, limit: int, which: Any, *first: Any) -> list[str]:
        order = *first, matches.c.changed.desc()
        found = select(matches.c.id).where(~matches.c.ended, which).order_by(*order).limit(limit)
        return await self._read(lambda connection: list(connection.execute(found).scalars()))

    def is_writing(self) -> bool:
        """Whether the store is writing something."""
        return self._writer.is_busy

    async def is_ready(self) -> bool:
        """Whether the database answers within a second and can be written to. After a failed write the result is False
        for `UNREADY_AFTER_FAILURE_SECONDS`, or until a later write succeeds."""
        failed = self._writer.failed_at
        if failed is not None and time.monotonic() - failed < UNREADY_AFTER_FAILURE_SECONDS:
            return False
        if self._probe is None or self._probe.done():  # one probe at a time, because a probe occupies a thread
            self._probe = asyncio.ensure_future(asyncio.to_thread(self._answers))
        done, _ = await asyncio.wait({self._probe}, timeout=READY_PROBE_TIMEOUT_SECONDS)
        return bool(done) and self._probe.result()

    def _answers(self) -> bool:
        try:
            if self._file:
                self._file.check()
            with self._reading.connect() as connection:
                return connection.execute(text("SELECT 1")).scalar() == 1
        except (SQLAlchemyError, OSError):
            return False

    async def clock(self) -> ClockReading:
        """Read the database's clock a few times and return the fastest reading."""
        return await self._read(lambda connection: min(_clock_reading(connection) for _ in range(CLOCK_SAMPLES)))

    async def close(self) -> None:
        await asyncio.to_thread(self._writer.close)
        self._readers.shutdown()
        self.database.dispose()

    async def _read(self, query: Callable[[Connection], T]) -> T:
        """Run a query in a thread. If the connection is lost, run the query again."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(READ_TIMEOUT_SECONDS):  # also bounds the wait for a thread
                return await loop.run_in_executor(self._readers, self._retrying, self._read_now, query)
        except (DBAPIError, PoolTimeout, TimeoutError) as error:
            raise DatabaseUnavailable from error

    def _read_now(self, query: Callable[[Connection], T]) -> T:
        with self._reading.connect() as connection:
            return query(connection)


def _clock_reading(connection: Connection) -> ClockReading:
    before = time.monotonic()
    at = connection.execute(DATABASE_TIME).scalar_one()
    after = time.monotonic()
    return ClockReading(after - before, float(at) - (before + after) / 2)


def insert_match(connection: Connection, made: NewMatch) -> None:
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


def _events_after(connection: Connection, match_id: str, seq: int, limit: int | None) -> list[RecordedEvent]:
    found = select(events).where(events.c.match == match_id, events.c.seq > seq).order_by(events.c.seq).limit(limit)
    return [tables.recorded_from(row) for row in connection.execute(found)]


def purge(database: Engine, before: float) -> int:
    """Delete all matches and rooms that have not changed since the time `before`. Returns the number of matches."""
    count = 0
    while True:
        with database.begin() as connection:
            deleted = delete_old(connection, before, PURGE_BATCH_MATCHES)
        if not deleted:
            return count
        count += len(deleted)


def delete_old(connection: Connection, before: float, limit: int) -> list[str]:
    """Delete at most `limit` old matches and at most `limit` old rooms. Returns the ids of the matches."""
    owned = stranger_tables.encounters.c.match, openings.counted_matches.c.match
    columns = drops.c.match, events.c.match, *owned, matches.c.id
    ids = tables.delete_untouched(connection, columns, before, limit)
    openings.delete_old_counts(connection, before)
    notify_deleted(connection, ids)
    delete_old_rooms(connection, before, limit)
    return ids


def delete_old_rooms(connection: Connection, before: float, limit: int) -> list[str]:
    """Delete at most `limit` old rooms. Returns their codes."""
    columns = tables.room_events.c.room, tables.rooms.c.code
    codes = tables.delete_untouched(connection, columns, before, limit)
    notify_deleted(connection, codes)
    return codes
