"""Thinking in processes of its own: bounded in time, stopped when nobody waits, and fair to all who ask."""

from __future__ import annotations

import asyncio
import importlib
import multiprocessing
import os
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from connectk.play.refusals import Busy, ThinkingFailed, Timeout, TooMuch
from connectk.system import end_with_parent, give_memory_back, ignore_signals, kept_from_children

MOST_SHARES = 5000  # names that are remembered
STARTING = 60.0  # seconds for a process to start, on a busy machine
NICE = 5  # steps by which thinking stands back on a busy machine
FOR_THE_SERVER = "SIGINT", "SIGTERM"  # signals that a thinker leaves to it: the server ends it when it has finished
GRACE = 2.0  # seconds that a thinker may take to notice that its time is over


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


class Shares:
    """How much each has had, counted as if everyone who was away had kept up with those who are served now."""

    def __init__(self) -> None:
        self._had: OrderedDict[str, float] = OrderedDict()
        self._now = 0.0

    def of(self, name: str) -> float:
        return max(self._had.get(name, 0.0), self._now)

    def serve(self, name: str) -> None:
        self._now = self.of(name)

    def add(self, name: str, seconds: float) -> None:
        self._had[name] = self.of(name) + seconds
        self._had.move_to_end(name)
        if len(self._had) > MOST_SHARES:
            self._had.popitem(last=False)


class FairTurns:
    """Lets a few work at once. Of those who wait, people come before demos, then the address that has had the least,
    then the match that has had the least, then the shortest work."""

    def __init__(self, slots: int, most_each: int = 8, most_address: int = 64, most: int = 1000) -> None:
        self._free, self._most_each, self._most_address, self._most = slots, most_each, most_address, most
        self._waiting: list[Waiting] = []
        self._addresses, self._whos = Shares(), Shares()

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
        self._addresses.add(asker.address, seconds)
        self._whos.add(asker.who, seconds)

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
        return asker.demo, self._addresses.of(asker.address), self._whos.of(asker.who), one.seconds


class ThinkingProcess:
    """One process that does one job at a time; it is made when first needed, and again after it has died."""

    def __init__(self, jobs: str = "connectk.play.jobs", megabytes: int | None = None, heeds_stop: bool = True) -> None:
        """It does the `JOBS` of that module in so much memory; those that do not heed `stop` end with the process."""
        self._jobs, self._megabytes, self._heeds_stop = jobs, megabytes, heeds_stop
        self._process: Any = None
        self._pipe: Connection | None = None
        self._sending = threading.Lock()
        self._sent = self._unwanted = self._doomed = self._closed = False

    def begin(self) -> None:
        """Called before each job, where `stop` may be called as well."""
        self._sent = self._unwanted = False

    def work(self, job: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        """Blocks until the answer comes; the process is ended when it does not come in time."""
        try:
            pipe = self._start()
            with self._sending:
                if self._unwanted:
                    raise ThinkingFailed
                pipe.send((job, arguments, seconds))
                self._sent = True
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
        """Ask the job to come to an end; one that has not been sent yet never is."""
        with self._sending, suppress(OSError):
            self._unwanted = True
            if not self._heeds_stop and self._process:
                self._doomed = True  # it may look alive for a moment yet
                self._process.kill()
            elif self._pipe and self._sent:
                self._pipe.send(None)

    def close(self) -> None:
        """For good: who waits in `work` hears that the process is gone, and only then are its things put away."""
        with self._sending:
            self._closed = True
            if self._process:
                self._process.kill()

    def end(self) -> None:
        """Called by who waits in `work`, or when nobody does."""
        with self._sending:
            process, self._process = self._process, None
            pipe, self._pipe = self._pipe, None
            self._doomed = False
        if process:
            process.kill()
            process.join()
        if pipe:
            pipe.close()

    def _start(self) -> Connection:
        if self._pipe and not self._doomed and self._process.is_alive():
            return self._pipe
        self.end()
        pipe = self._launch()
        if not pipe.poll(STARTING):
            raise EOFError
        pipe.recv()  # it is ready; how long that took is not the job's time
        return pipe

    def _launch(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        with self._sending, kept_from_children(*FOR_THE_SERVER):
            if self._closed:
                raise ThinkingFailed
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=serve, args=(theirs, self._jobs, self._megabytes), daemon=True)
            self._process.start()
        theirs.close()
        return self._pipe


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
        self._usual: OrderedDict[object, float] = OrderedDict()  # seconds that work of a kind takes
        self._homes: OrderedDict[str, ThinkingProcess] = OrderedDict()  # where the player of a match is kept

    async def think(self, asker: Asker, job: str, arguments: tuple[Any, ...], seconds: float) -> Answer:
        """The answer of a job of `jobs.py`; when the one who waits is cancelled, the job is stopped."""
        kind = (job, arguments[0]) if job == "choose" else job
        async with self.turns.turn(asker, min(seconds, self._usual.get(kind, seconds))):
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
        home = self._homes.pop(who, None)
        process = home if home in self._idle else self._idle[-1]
        self._idle.remove(process)
        self._homes[who] = process
        if len(self._homes) > MOST_SHARES:
            self._homes.popitem(last=False)
        return process

    def _learn(self, kind: object, seconds: float) -> None:
        self._usual[kind] = (self._usual.pop(kind, seconds) + seconds) / 2
        if len(self._usual) > MOST_SHARES:
            self._usual.popitem(last=False)

    def close(self) -> None:
        for process in self._all:
            process.close()
        self._threads.shutdown()
        for process in self._all:
            process.end()


def serve(pipe: Connection, jobs: str, megabytes: int | None) -> None:
    """A process's life: this thread hears, another one works."""
    ignore_signals(*FOR_THE_SERVER)
    end_with_parent()
    give_memory_back()
    module = importlib.import_module(jobs)
    _yield_to_others()
    if megabytes:
        _limit_memory(megabytes)
    pipe.send("ready")
    stop = threading.Event()

    def think(job: str, arguments: tuple[Any, ...], seconds: float, stop: threading.Event) -> None:
        try:
            answer = True, module.JOBS[job](*arguments, seconds=seconds, stop=stop)
        except (MemoryError, RecursionError):
            answer = False, TooMuch()
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


def _yield_to_others() -> None:
    """Where the system can: the server itself, which only passes drops on, comes first."""
    if hasattr(os, "nice"):
        os.nice(NICE)


def _limit_memory(megabytes: int) -> None:
    """Where the system can: what asks for more is refused, and nobody else is short of it."""
    try:
        import resource
    except ImportError:
        return
    mapped = Path("/proc/self/statm")
    used = int(mapped.read_text("ascii").split()[0]) * resource.getpagesize() if mapped.exists() else 2**30
    with suppress(ValueError, OSError):  # macOS takes no such limit
        resource.setrlimit(resource.RLIMIT_AS, (used + megabytes * 2**20, resource.getrlimit(resource.RLIMIT_AS)[1]))
