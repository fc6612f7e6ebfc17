"""The queue in front of the worker processes. Requests of people run before demos. Among them, clients that have used
little run first."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import NamedTuple

from cachetools import LRUCache

from connectk.play.refusals import Busy

MAX_TRACKED_CLIENTS = 5000  # the number of clients whose usage is remembered


class Requester(NamedTuple):
    """The client for which a job runs.

    `address` is its network address, which is hard to forge. `client_id` names its match, or is the address for a
    request outside a match. `demo` makes the job run last, because nobody waits for a demo's move.
    """

    address: str
    client_id: str = ""
    demo: bool = False


@dataclass(eq=False, slots=True)
class WaitingRequest:
    """A request that waits in the queue, and the expected duration of its work in seconds."""

    requester: Requester
    seconds: float
    slot: asyncio.Future[None]


class UsageLedger:
    """The seconds of work that each client has used. A pause gives no advantage.

    After a pause, a client counts as having used at least as much as the most recently served client.
    """

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
    """Lets only a limited number of requests run at once.

    The next request is chosen by these criteria in order: people before demos, the address that has used least, the
    client that has used least, the shortest work.
    """

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
    async def slot(self, requester: Requester, seconds: float = 1.0, is_next_part: bool = False) -> AsyncIterator[None]:
        """Wait until work of about `seconds` may run. Afterwards its real duration is charged to the requester."""
        await self._acquire(requester, seconds, is_next_part)
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

    async def _acquire(self, requester: Requester, seconds: float, is_next_part: bool = False) -> None:
        if self._free:
            self._free -= 1
            return
        if not is_next_part and not self._has_room(requester):
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
