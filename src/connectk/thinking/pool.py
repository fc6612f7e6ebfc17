"""A few processes that think for the server, and who gets one of them next."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple

from cachetools import LRUCache

from connectk.thinking.process import ThinkingProcess
from connectk.thinking.queue import MAX_REMEMBERED, Asker, FairTurns


class Answer(NamedTuple):
    """What was worked out, and how long that took once its turn had come."""

    value: Any
    seconds: float


class ThinkingPool:
    """A few processes, a thread that waits for each, and a fair queue before them."""

    def __init__(
        self,
        count: int,
        most_each: int = 8,
        most_address: int = 64,
        make: Callable[[], ThinkingProcess] = ThinkingProcess,
    ) -> None:
        self.turns = FairTurns(count, most_each, most_address)
        self._idle = [make() for _ in range(count)]
        self._all = tuple(self._idle)
        self._threads = ThreadPoolExecutor(count, "thinking")
        self._usual_seconds: LRUCache[object, float] = LRUCache(MAX_REMEMBERED)  # by kind of work
        self._homes: LRUCache[str, ThinkingProcess] = LRUCache(MAX_REMEMBERED)  # where the player of a match is kept

    async def think(self, asker: Asker, job: str, arguments: tuple[Any, ...], seconds: float) -> Answer:
        """The answer of a job of `jobs.py`; when the one who waits is cancelled, the job is stopped."""
        kind = (job, arguments[0]) if job == "choose" else job
        async with self.turns.turn(asker, min(seconds, self._usual_seconds.get(kind, seconds))):
            process = self._process_for(asker.who)
            began = time.monotonic()
            try:
                return Answer(await self._work(process, job, arguments, seconds), time.monotonic() - began)
            finally:
                self._idle.append(process)
                self._learn(kind, time.monotonic() - began)

    async def _work(self, process: ThinkingProcess, job: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        loop = asyncio.get_running_loop()
        process.begin()
        answer = loop.run_in_executor(self._threads, process.work, job, arguments, seconds)
        try:
            return await asyncio.shield(answer)
        except asyncio.CancelledError:
            process.stop()
            while not answer.done():  # however often it is cancelled: a process still at work is nobody else's
                with suppress(asyncio.CancelledError):
                    await asyncio.wait({answer})
            answer.exception()
            raise

    def _process_for(self, who: str) -> ThinkingProcess:
        """Where this one's player is kept, if that process is idle; else any, which then keeps it."""
        home = self._homes.get(who)
        process = home if home in self._idle else self._idle[-1]
        self._idle.remove(process)
        self._homes[who] = process
        return process

    def _learn(self, kind: object, seconds: float) -> None:
        self._usual_seconds[kind] = (self._usual_seconds.get(kind, seconds) + seconds) / 2

    def close(self) -> None:
        for process in self._all:
            process.close()
        self._threads.shutdown()
        for process in self._all:
            process.end()
