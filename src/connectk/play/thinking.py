"""Thinking in processes of its own: bounded in time, stopped when nobody waits, and fair to all who ask."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any

from connectk.play.refusals import Busy, ThinkingFailed, Timeout

GRACE = 2.0  # seconds that a thinker may take to notice that its time is over


class FairTurns:
    """Lets a few work at once; those who wait are served in rounds, one of each asker at a time."""

    def __init__(self, slots: int, most_each: int = 8, most: int = 1000) -> None:
        self._free, self._most_each, self._most = slots, most_each, most
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        return sum(len(queue) for queue in self._waiting.values())

    @asynccontextmanager
    async def turn(self, asker: str) -> AsyncIterator[None]:
        await self._wait(asker)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, asker: str) -> None:
        if self._free:
            self._free -= 1
            return
        queue = self._waiting.get(asker, deque())
        if len(queue) >= self._most_each or self.waiting >= self._most:
            raise Busy
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(asker, queue).append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            self._leave(asker, mine)
            raise

    def _leave(self, asker: str, mine: asyncio.Future[None]) -> None:
        queue = self._waiting.get(asker)
        if queue and mine in queue:
            queue.remove(mine)
            if not queue:
                del self._waiting[asker]
        elif mine.done() and not mine.cancelled():
            self._pass_on()  # the turn had just come

    def _pass_on(self) -> None:
        if not self._waiting:
            self._free += 1
            return
        asker, queue = self._waiting.popitem(last=False)
        queue.popleft().set_result(None)
        if queue:
            self._waiting[asker] = queue  # to the back of the round


class ThinkingProcess:
    """One process that does one job at a time; it is made when first needed, and again after it has died."""

    def __init__(self) -> None:
        self._process: Any = None
        self._pipe: Connection | None = None
        self._sending = threading.Lock()

    def work(self, job: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        """Blocks until the answer comes; the process is ended when it does not come in time."""
        pipe = self._start()
        try:
            with self._sending:
                pipe.send((job, arguments, seconds))
            if not pipe.poll(seconds + GRACE):
                raise Timeout
            succeeded, answer = pipe.recv()
        except (Timeout, EOFError, OSError) as error:
            self.end()
            raise error if isinstance(error, Timeout) else ThinkingFailed from error
        if succeeded:
            return answer
        raise answer

    def stop(self) -> None:
        """Ask the job to come to an end."""
        with self._sending, suppress(OSError):
            if self._pipe:
                self._pipe.send(None)

    def end(self) -> None:
        if self._process:
            self._process.kill()
            self._process.join()
        if self._pipe:
            self._pipe.close()
        self._process = self._pipe = None

    def _start(self) -> Connection:
        if self._pipe and self._process.is_alive():
            return self._pipe
        self.end()
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs,), daemon=True, name="thinker")
        self._process.start()
        theirs.close()
        return self._pipe


class Thinkers:
    """A few processes, a thread that waits for each, and a fair queue before them."""

    def __init__(self, count: int, most_each: int = 8) -> None:
        self.turns = FairTurns(count, most_each)
        self._idle = [ThinkingProcess() for _ in range(count)]
        self._all = tuple(self._idle)
        self._threads = ThreadPoolExecutor(count, "thinker")

    async def think(self, asker: str, job: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        """The answer of a job of `jobs.py`; when the one who waits is cancelled, the job is stopped."""
        async with self.turns.turn(asker):
            thinker = self._idle.pop()
            loop = asyncio.get_running_loop()
            answer = loop.run_in_executor(self._threads, thinker.work, job, arguments, seconds)
            try:
                return await asyncio.shield(answer)
            except asyncio.CancelledError:
                thinker.stop()
                with suppress(Exception):
                    await answer
                raise
            finally:
                self._idle.append(thinker)

    def close(self) -> None:
        for thinker in self._all:
            thinker.end()
        self._threads.shutdown(wait=False)


def serve(pipe: Connection) -> None:
    """A thinker's life: this thread hears, another one thinks."""
    import signal

    from connectk.play.jobs import JOBS

    for number in (signal.SIGINT, signal.SIGTERM):  # these are for the server, which ends us when it has finished
        signal.signal(number, signal.SIG_IGN)
    stop = threading.Event()

    def think(job: str, arguments: tuple[Any, ...], seconds: float, stop: threading.Event) -> None:
        try:
            answer = True, JOBS[job](*arguments, seconds=seconds, stop=stop)
        except Exception as error:
            answer = False, error
        with suppress(OSError):
            pipe.send(answer)

    with suppress(EOFError, OSError):
        while True:
            message = pipe.recv()
            if message is None:
                stop.set()
            else:
                stop = threading.Event()
                threading.Thread(target=think, args=(*message, stop), daemon=True).start()
