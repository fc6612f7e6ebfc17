"""Changes a match or a room in three steps: decide on the change, store it, publish it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from connectk.aio import BackgroundTasks
from connectk.errors import ConnectkError
from connectk.play.protocols import StoreConflict
from connectk.play.refusals import Busy

MAX_DECIDE_ATTEMPTS = 20
T = TypeVar("T")
ChangeT = TypeVar("ChangeT")
EventT = TypeVar("EventT")


@dataclass(eq=False, slots=True, weakref_slot=True, kw_only=True)
class LiveEvents(Generic[ChangeT]):
    """A match or a room in memory. `lock` is held during a change, and `read_lock` while its events are read."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    pending: ChangeT | None = None  # the change that is being written to the store
    read_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    next_read: asyncio.Task[None] | None = None

    @property
    def seq(self) -> int:
        """The number of the last event."""
        raise NotImplementedError


LiveT = TypeVar("LiveT", bound=LiveEvents[Any])


class MaybeSharedStore(Protocol):
    @property
    def is_shared(self) -> bool: ...


class Decider(ABC, Generic[LiveT, ChangeT, EventT]):
    """Decides on a change by the rules, stores it, and then publishes it.

    An event is added to memory only after it has been stored, so that every event is published once and in order.
    """

    def __init__(self, store: MaybeSharedStore) -> None:
        self._store_kind = store
        self._tasks = BackgroundTasks(on_failure=lambda error: None)  # the caller gets the exception

    @abstractmethod
    async def _append(self, change: ChangeT) -> None:
        """Store a change. Raises `StoreConflict` if the event's number is taken."""

    @abstractmethod
    async def _events_after(self, live: LiveT) -> Sequence[EventT]: ...

    @abstractmethod
    def _is_pending(self, live: LiveT, event: EventT) -> bool:
        """Whether this process is writing this event to the store at the moment."""

    @abstractmethod
    def _add_own(self, live: LiveT, change: ChangeT) -> None:
        """Add a change that this process has stored, and publish it."""

    @abstractmethod
    def _add_foreign(self, live: LiveT, event: EventT) -> None:
        """Add an event that another process has stored, and publish it."""

    async def finish_even_if_cancelled(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` to its end even if the caller is cancelled, because a stored change must also be published."""
        return await asyncio.shield(self._tasks.spawn(work))

    async def finish(self) -> None:
        """Wait for all running changes, so that stored events are published before the process ends."""
        await self._tasks.finish()

    async def decide_and_store(
        self, live: LiveT, decide: Callable[[LiveT], Awaitable[ChangeT | None]]
    ) -> ChangeT | None:
        """Decide on a change and store it. Returns the stored change, or None if no change is needed."""
        return await self.finish_even_if_cancelled(self._decide_and_store(live, decide))

    async def _decide_and_store(
        self, live: LiveT, decide: Callable[[LiveT], Awaitable[ChangeT | None]]
    ) -> ChangeT | None:
        """Decide by the state in memory. If another process changes the state meanwhile, decide again."""
        async with live.lock:
            for _ in range(MAX_DECIDE_ATTEMPTS):
                seq = live.seq
                try:
                    change = await decide(live)
                except ConnectkError:
                    await self.refresh(live)
                    if live.seq == seq:
                        raise
                    continue  # the refusal was about an outdated state
                if change is None or await self._store_change(live, change):
                    return change
        raise Busy

    async def _store_change(self, live: LiveT, change: ChangeT) -> bool:
        """Store a change. Returns False if another event has taken the event's number."""
        live.pending = change
        try:
            await self._append(change)
            if live.pending:  # otherwise `catch_up` has already read the change from the store
                self._complete_own(live, change)
        except StoreConflict:
            await self.catch_up(live)  # also finds our own change if the connection was lost after its commit
        finally:
            is_stored, live.pending = live.pending is None, None
        return is_stored

    def _complete_own(self, live: LiveT, change: ChangeT) -> None:
        live.pending = None
        self._add_own(live, change)

    def add_stored(self, live: LiveT, event: EventT) -> None:
        """Add the next event that was read from the store."""
        if live.pending and self._is_pending(live, event):
            self._complete_own(live, live.pending)
        else:
            self._add_foreign(live, event)

    async def refresh(self, live: LiveT) -> None:
        """Read new events from the store, if other processes may have changed this match or room."""
        if self._store_kind.is_shared:
            await self.catch_up(live)

    async def catch_up(self, live: LiveT) -> None:
        """Read the events that other processes have stored, and add them to memory. Concurrent callers share one
        read."""
        if live.next_read is None:
            live.next_read = self._tasks.spawn(self._read(live))
        await asyncio.shield(live.next_read)

    async def _read(self, live: LiveT) -> None:
        async with live.read_lock:
            live.next_read = None  # a later caller may need newer events
            seq = live.seq
            for number, event in enumerate(await self._events_after(live), start=seq + 1):
                if number == live.seq + 1:  # some events may have been added during the read
                    self.add_stored(live, event)
