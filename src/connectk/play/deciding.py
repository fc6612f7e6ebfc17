"""How a match or a room changes: decide, store, publish."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from connectk.aio import BackgroundTasks
from connectk.errors import ConnectkError
from connectk.play.protocols import Conflict
from connectk.play.refusals import Busy

MAX_DECIDE_ATTEMPTS = 20
T = TypeVar("T")
ChangeT = TypeVar("ChangeT")
EventT = TypeVar("EventT")


@dataclass(eq=False, slots=True, weakref_slot=True, kw_only=True)
class Live(Generic[ChangeT]):
    """A match or a room in memory. `lock` is held while changing it, `read_lock` while reading its events."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    pending: ChangeT | None = None  # being written to the store
    read_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    next_read: asyncio.Task[None] | None = None

    @property
    def seq(self) -> int:
        """The number of its last event."""
        raise NotImplementedError


LiveT = TypeVar("LiveT", bound=Live[Any])


class Shareable(Protocol):
    @property
    def is_shared(self) -> bool: ...


class Decider(ABC, Generic[LiveT, ChangeT, EventT]):
    """Accepts a change that the rules allow, stores it, and then publishes it. Every event enters memory through
    `add_stored`, whichever process has stored it, so each is published once and in order."""

    def __init__(self, store: Shareable) -> None:
        self._shareable = store
        self._tasks = BackgroundTasks(on_failure=lambda error: None)  # the caller gets the exception

    @abstractmethod
    async def _append(self, change: ChangeT) -> None:
        """Store a change; raises `Conflict` if its number is taken."""

    @abstractmethod
    async def _events_after(self, live: LiveT) -> Sequence[EventT]: ...

    @abstractmethod
    def _is_pending(self, live: LiveT, event: EventT) -> bool:
        """Whether this event is the pending change of this process."""

    @abstractmethod
    def _add_own(self, live: LiveT, change: ChangeT) -> None:
        """Add a change stored by this process, and publish it."""

    @abstractmethod
    def _add_foreign(self, live: LiveT, event: EventT) -> None:
        """Add an event stored by another process, and publish it."""

    async def finish_even_if_cancelled(self, work: Coroutine[Any, Any, T]) -> T:
        """Run to the end even if the caller is cancelled, so that a stored event is always published."""
        return await asyncio.shield(self._tasks.spawn(work))

    async def finish(self) -> None:
        """Wait for all running changes, so that stored events are published before the process ends."""
        await self._tasks.finish()

    async def decide_and_store(
        self, live: LiveT, decide: Callable[[LiveT], Awaitable[ChangeT | None]]
    ) -> ChangeT | None:
        """The stored change; None if nothing had to change."""
        return await self.finish_even_if_cancelled(self._decide_and_store(live, decide))

    async def _decide_and_store(
        self, live: LiveT, decide: Callable[[LiveT], Awaitable[ChangeT | None]]
    ) -> ChangeT | None:
        """Decide on the state in memory; refresh and retry if another process was faster."""
        async with live.lock:
            for _ in range(MAX_DECIDE_ATTEMPTS):
                seq = live.seq
                try:
                    change = await decide(live)
                except ConnectkError:
                    await self.refresh(live)
                    if live.seq == seq:
                        raise
                    continue  # refused on an outdated board
                if change is None or await self._store_change(live, change):
                    return change
        raise Busy

    async def _store_change(self, live: LiveT, change: ChangeT) -> bool:
        """Whether it was stored; False if another event took its number."""
        live.pending = change
        try:
            await self._append(change)
            if live.pending:  # else `catch_up` has already read it from the store
                self._complete_own(live, change)
        except Conflict:
            await self.catch_up(live)  # also finds our own change if the connection was lost after its commit
        finally:
            is_stored, live.pending = live.pending is None, None
        return is_stored

    def _complete_own(self, live: LiveT, change: ChangeT) -> None:
        live.pending = None
        self._add_own(live, change)

    def add_stored(self, live: LiveT, event: EventT) -> None:
        """Add the next stored event."""
        if live.pending and self._is_pending(live, event):
            self._complete_own(live, live.pending)
        else:
            self._add_foreign(live, event)

    async def refresh(self, live: LiveT) -> None:
        """Catch up if other processes may have changed it."""
        if self._shareable.is_shared:
            await self.catch_up(live)

    async def catch_up(self, live: LiveT) -> None:
        """Add the events stored by other processes. Concurrent callers share the next read."""
        if live.next_read is None:
            live.next_read = self._tasks.spawn(self._read(live))
        await asyncio.shield(live.next_read)

    async def _read(self, live: LiveT) -> None:
        async with live.read_lock:
            live.next_read = None  # a later caller may need newer events
            seq = live.seq
            for number, event in enumerate(await self._events_after(live), start=seq + 1):
                if number == live.seq + 1:  # some may have been added during the read
                    self.add_stored(live, event)
