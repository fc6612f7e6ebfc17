"""The fair queue in front of the processes: people before demos, then the client with the least usage."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import NamedTuple

from cachetools import LRUCache

from connectk.play.refusals import Busy

MAX_TRACKED_CLIENTS = 5000  # whose usage is remembered


class Requester(NamedTuple):
    """The client that a job is for. `address` is its network address, which is hard to forge; `client_id` is a match,
    or the address again for a request outside of a match. A demo, which no person waits for, comes last."""

    address: str
    client_id: str = ""
    demo: bool = False


@dataclass(eq=False, slots=True)
class WaitingRequest:
    """A request in the queue, and how long its work is likely to take."""

    requester: Requester
    seconds: float
    slot: asyncio.Future[None]


class UsageLedger:
    """Seconds of work used by each name, in virtual time: a name that was idle starts level with the one being served
    now, so that idle time earns no credit."""

    def __init__(self) -> None:
        self._used: LRUCache[str, float] = LRUCache(MAX_TRACKED_CLIENTS)
        self._now = 0.0

    def used_by(self, name: str) -> float:
        return max(self._used.get(name, 0.0), self._now)

    def serve(self, name: str) -> None:
        self._now = self.used_by(name)

    def charge(self, name: str, seconds: float) -> None:
        self._used[name] = self.used_by(name) + seconds


class FairQueue:
    """Limits how many requests run at once. The next one is chosen in this order: people before demos, the address
    with the least usage, the client with the least usage, the shortest work."""

    def __init__(
        self, slots: int, max_per_client: int = 8, max_waiting_per_address: int = 64, max_waiting: int = 1000
    ) -> None:
        self._free = slots
        self._max_per_client, self._max_per_address, self._max = max_per_client, max_waiting_per_address, max_waiting
        self._waiting: list[WaitingRequest] = []
        self._by_address, self._by_client = UsageLedger(), UsageLedger()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @asynccontextmanager
    async def slot(self, requester: Requester, seconds: float = 1.0) -> AsyncIterator[None]:
        """A slot for work that is likely to take so long; its true duration is charged to the requester."""
        await self._acquire(requester, seconds)
        began = time.monotonic()
        self._charge(requester, seconds)
        try:
            yield
        finally:
            self._charge(requester, time.monotonic() - began - seconds)
            self._release()

    def _charge(self, requester: Requester, seconds: float) -> None:
        self._by_address.charge(requester.address, seconds)
        self._by_client.charge(requester.client_id, seconds)

    async def _acquire(self, requester: Requester, seconds: float) -> None:
        if self._free:
            self._free -= 1
            return
        if not self._has_room(requester):
            raise Busy
        request = WaitingRequest(requester, seconds, asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        try:
            await request.slot
        except asyncio.CancelledError:
            self._withdraw(request)
            raise

    def _has_room(self, requester: Requester) -> bool:
        same_address = [one for one in self._waiting if one.requester.address == requester.address]
        same_client = sum(one.requester.client_id == requester.client_id for one in same_address)
        return (
            same_client < self._max_per_client
            and len(same_address) < self._max_per_address
            and self.waiting < self._max
        )

    def _withdraw(self, request: WaitingRequest) -> None:
        if request in self._waiting:
            self._waiting.remove(request)
        elif request.slot.done() and not request.slot.cancelled():
            self._release()  # the slot was assigned just before the cancellation

    def _release(self) -> None:
        candidates = [one for one in self._waiting if not one.slot.done()]  # a cancelled request may still be listed
        if not candidates:
            self._free += 1
            return
        chosen = min(candidates, key=self._rank)
        self._waiting.remove(chosen)
        self._by_address.serve(chosen.requester.address)
        self._by_client.serve(chosen.requester.client_id)
        chosen.slot.set_result(None)

    def _rank(self, request: WaitingRequest) -> tuple[bool, float, float, float]:
        requester = request.requester
        used_by_address = self._by_address.used_by(requester.address)
        used_by_client = self._by_client.used_by(requester.client_id)
        return requester.demo, used_by_address, used_by_client, request.seconds
