"""Decide, store, tell: how a match changes, and how a room does."""

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
    """A match or a room in memory. Whoever changes it holds the lock; whoever reads its events holds the other one."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    pending: ChangeT | None = None  # on its way into the store
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)
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
    """Accepts what the rules allow, stores it, and only then tells. An event enters memory in one place, `add_stored`,
    whoever has stored it and however we hear of it: that is why each is told once, and in order."""

    def __init__(self, store: Shareable) -> None:
        self._shareable = store
        self._under_way = BackgroundTasks(on_failure=lambda error: None)  # whoever asked is told

    @abstractmethod
    async def _append(self, change: ChangeT) -> None:
        """Store a change; `Conflict` where something else has its number."""

    @abstractmethod
    async def _events_after(self, live: LiveT) -> Sequence[EventT]: ...

    @abstractmethod
    def _is_pending(self, live: LiveT, event: EventT) -> bool:
        """Whether the next event is the one that we are storing."""

    @abstractmethod
    def _add_own(self, live: LiveT, change: ChangeT) -> None:
        """Add what we have stored, and tell."""

    @abstractmethod
    def _add_foreign(self, live: LiveT, event: EventT) -> None:
        """Add what another process has stored, and tell."""

    async def finish_even_if_cancelled(self, work: Coroutine[Any, Any, T]) -> T:
        """Finished even when the one who asked has left: what is stored is always told."""
        return await asyncio.shield(self._under_way.spawn(work))

    async def finish(self) -> None:
        """Wait for what is under way: what has been stored is told, however soon the process ends."""
        await self._under_way.finish()

    async def decide_and_store(
        self, live: LiveT, decide: Callable[[LiveT], Awaitable[ChangeT | None]]
    ) -> ChangeT | None:
        """What was stored; None where it is so already."""
        return await self.finish_even_if_cancelled(self._decide_and_store(live, decide))

    async def _decide_and_store(
        self, live: LiveT, decide: Callable[[LiveT], Awaitable[ChangeT | None]]
    ) -> ChangeT | None:
        """Decide on what we know; look again when another process was quicker."""
        async with live.lock:
            for _ in range(MAX_DECIDE_ATTEMPTS):
                seq = live.seq
                try:
                    change = await decide(live)
                except ConnectkError:
                    await self.refresh(live)
                    if live.seq == seq:
                        raise
                    continue  # it was refused on an old board
                if change is None or await self._store_change(live, change):
                    return change
        raise Busy

    async def _store_change(self, live: LiveT, change: ChangeT) -> bool:
        """Whether it was stored, and not something else under its number."""
        live.pending = change
        try:
            await self._append(change)
            if live.pending:  # else a reader has already found it in the store
                self._settle(live, change)
        except Conflict:
            await self.catch_up(live)  # finds our own, where the database went away after it had committed
        finally:
            is_stored, live.pending = live.pending is None, None
        return is_stored

    def _settle(self, live: LiveT, change: ChangeT) -> None:
        live.pending = None
        self._add_own(live, change)

    def add_stored(self, live: LiveT, event: EventT) -> None:
        """The next event, which is stored."""
        if live.pending and self._is_pending(live, event):
            self._settle(live, live.pending)
        else:
            self._add_foreign(live, event)

    async def refresh(self, live: LiveT) -> None:
        """Bring it up to date where another process may have changed it."""
        if self._shareable.is_shared:
            await self.catch_up(live)

    async def catch_up(self, live: LiveT) -> None:
        """Add what another process has stored. However many ask at once, all share the next read that begins."""
        if live.next_read is None:
            live.next_read = self._under_way.spawn(self._read(live))
        await asyncio.shield(live.next_read)

    async def _read(self, live: LiveT) -> None:
        async with live.reading:
            live.next_read = None  # who asks from now on may know of something newer
            seq = live.seq
            for number, event in enumerate(await self._events_after(live), start=seq + 1):
                if number == live.seq + 1:  # while we read, someone in this process may have added some of them
                    self.add_stored(live, event)
