"""The queue before the processes: people before demos, and whoever has had the least first."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import NamedTuple

from cachetools import LRUCache

from connectk.play.refusals import Busy

MAX_REMEMBERED = 5000  # askers whose usage is remembered


class Asker(NamedTuple):
    """Who wants something worked out. An address is what nobody can invent many of; `who` is a match, or the address
    itself for one who asks beside a match. A demo, in which no person waits, comes last."""

    address: str
    who: str = ""
    demo: bool = False


@dataclass(eq=False, slots=True)
class Waiting:
    """One who waits for a turn, and how long the work is likely to take."""

    asker: Asker
    seconds: float
    turn: asyncio.Future[None]


class UsageLedger:
    """Seconds of work each asker has used, in virtual time: whoever was idle starts level with whoever is served now,
    so that idle time earns no credit."""

    def __init__(self) -> None:
        self._used: LRUCache[str, float] = LRUCache(MAX_REMEMBERED)
        self._now = 0.0

    def used_by(self, name: str) -> float:
        return max(self._used.get(name, 0.0), self._now)

    def serve(self, name: str) -> None:
        self._now = self.used_by(name)

    def charge(self, name: str, seconds: float) -> None:
        self._used[name] = self.used_by(name) + seconds


class FairTurns:
    """Lets a few work at once. Of those who wait, people come before demos, then the address that has had the least,
    then the match that has had the least, then the shortest work."""

    def __init__(self, slots: int, most_each: int = 8, most_address: int = 64, most: int = 1000) -> None:
        self._free, self._most_each, self._most_address, self._most = slots, most_each, most_address, most
        self._waiting: list[Waiting] = []
        self._addresses, self._whos = UsageLedger(), UsageLedger()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @asynccontextmanager
    async def turn(self, asker: Asker, seconds: float = 1.0) -> AsyncIterator[None]:
        """A turn for work that is likely to take so long; what it really took counts against the asker."""
        await self._wait(asker, seconds)
        began = time.monotonic()
        self._charge(asker, seconds)
        try:
            yield
        finally:
            self._charge(asker, time.monotonic() - began - seconds)
            self._pass_on()

    def _charge(self, asker: Asker, seconds: float) -> None:
        self._addresses.charge(asker.address, seconds)
        self._whos.charge(asker.who, seconds)

    async def _wait(self, asker: Asker, seconds: float) -> None:
        if self._free:
            self._free -= 1
            return
        if not self._has_room(asker):
            raise Busy
        mine = Waiting(asker, seconds, asyncio.get_running_loop().create_future())
        self._waiting.append(mine)
        try:
            await mine.turn
        except asyncio.CancelledError:
            self._leave(mine)
            raise

    def _has_room(self, asker: Asker) -> bool:
        same_address = [one for one in self._waiting if one.asker.address == asker.address]
        same = sum(one.asker.who == asker.who for one in same_address)
        return same < self._most_each and len(same_address) < self._most_address and self.waiting < self._most

    def _leave(self, mine: Waiting) -> None:
        if mine in self._waiting:
            self._waiting.remove(mine)
        elif mine.turn.done() and not mine.turn.cancelled():
            self._pass_on()  # the turn had just come

    def _pass_on(self) -> None:
        still_here = [one for one in self._waiting if not one.turn.done()]  # who has just left has not heard of it yet
        if not still_here:
            self._free += 1
            return
        chosen = min(still_here, key=self._rank)
        self._waiting.remove(chosen)
        self._addresses.serve(chosen.asker.address)
        self._whos.serve(chosen.asker.who)
        chosen.turn.set_result(None)

    def _rank(self, one: Waiting) -> tuple[bool, float, float, float]:
        asker = one.asker
        return asker.demo, self._addresses.used_by(asker.address), self._whos.used_by(asker.who), one.seconds
