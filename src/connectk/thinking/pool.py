"""A pool of worker processes for the server's analysis and computer players, behind a fair queue."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple

from cachetools import LRUCache

from connectk.thinking.process import ThinkingProcess
from connectk.thinking.queue import MAX_TRACKED_CLIENTS, FairQueue, Requester


class Answer(NamedTuple):
    """The return value of a job, and how many seconds the job ran."""

    value: Any
    seconds: float


class ThinkingPool:
    """A fixed number of worker processes behind a fair queue. One thread for each process waits for the answers of that
    process."""

    def __init__(
        self,
        count: int,
        max_per_client: int = 8,
        max_waiting_per_address: int = 64,
        make: Callable[[], ThinkingProcess] = ThinkingProcess,
    ) -> None:
        self.queue = FairQueue(count, max_per_client, max_waiting_per_address)
        self._idle = [make() for _ in range(count)]
        self._all = tuple(self._idle)
        self._threads = ThreadPoolExecutor(count, "thinking")
        self._typical_seconds: LRUCache[object, float] = LRUCache(MAX_TRACKED_CLIENTS)  # by kind of job
        self._last_process: LRUCache[str, ThinkingProcess] = LRUCache(MAX_TRACKED_CLIENTS)  # by client

    async def think(
        self, requester: Requester, job: str, arguments: tuple[Any, ...], seconds: float, is_next_part: bool = False
    ) -> Answer:
        """Run a job of `jobs.py`. If the caller is cancelled, the job is stopped.

        If the queue is full, the job is refused, unless `is_next_part` says that earlier parts of the same work have
        run.
        """
        kind = (job, arguments[0]) if job == "choose" else job
        async with self.queue.slot(requester, min(seconds, self._typical_seconds.get(kind, seconds)), is_next_part):
            process = self._process_for(requester.client_id)
            began = time.monotonic()
            try:
                return Answer(await self._run(process, job, arguments, seconds), time.monotonic() - began)
            finally:
                self._idle.append(process)
                self._record_duration(kind, time.monotonic() - began)

    async def _run(self, process: ThinkingProcess, job: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        loop = asyncio.get_running_loop()
        process.prepare_job()
        answer = loop.run_in_executor(self._threads, process.run_job, job, arguments, seconds)
        try:
            return await asyncio.shield(answer)
        except asyncio.CancelledError:
            process.stop()
            while not answer.done():  # a process must not be reused while its job still runs, even if cancelled again
                with suppress(asyncio.CancelledError):
                    await asyncio.wait({answer})
            answer.exception()
            raise

    def _process_for(self, client_id: str) -> ThinkingProcess:
        """A process for this client: the one that last worked for it, whose cache may have the client's player, or any
        idle process."""
        last = self._last_process.get(client_id)
        process = last if last in self._idle else self._idle[-1]
        self._idle.remove(process)
        self._last_process[client_id] = process
        return process

    def _record_duration(self, kind: object, seconds: float) -> None:
        self._typical_seconds[kind] = (self._typical_seconds.get(kind, seconds) + seconds) / 2

    def close(self) -> None:
        for process in self._all:
            process.close()
        self._threads.shutdown()
        for process in self._all:
            process.end()
