"""How long a server's loop was busy with one thing: nobody else is served meanwhile."""

import asyncio
import gc
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

MOST = 0.1  # seconds of processor time
TICK = 0.005
WAITING = "/asyncio/"  # where the loop is while it runs nothing of ours


class StallWatch:
    """Looks at the loop's own processor time whenever it can; on a busy machine that does not grow by waiting.

    Collecting garbage is not counted: here it goes through all that the tests hold, which no server does. Nor is a
    stall in which the loop was hardly seen at work: while the whole machine stands still, a thread's clock may run on.
    What is ours is seen several times, or again at the same place if it is in C that lets nobody look.
    """

    def __init__(self, loop: Any, on_stall: Callable[[float, list[str]], None] = lambda seconds, where: None) -> None:
        self.longest = 0.0
        self.where: list[str] = []
        self._on_stall = on_stall
        self._collecting = self._began = 0.0
        self._thread: int | None = None
        self._seen: list[str] = []
        self._suspects: set[str] = set()
        self._ticked = time.monotonic()
        gc.callbacks.append(self._collects)
        self._task = asyncio.run_coroutine_threadsafe(self._watch(), loop)
        threading.Thread(target=self._look, daemon=True).start()

    async def _watch(self) -> None:
        self._thread = threading.get_ident()
        while True:
            before, self._ticked, self._seen = self._busy(), time.monotonic(), []
            await asyncio.sleep(TICK)
            stall = self._busy() - before
            if stall > MOST and not is_ours(self._seen, self._suspects):
                stall = 0.0
            if stall > self.longest:
                self.longest, self.where = stall, self._seen
            self._on_stall(stall, self._seen)

    def _look(self) -> None:
        """Where the loop is while it does not tick, for whoever has to find out why."""
        while not self._task.done():
            time.sleep(4 * TICK)
            frame = sys._current_frames().get(self._thread or 0)
            if frame and time.monotonic() - self._ticked > MOST / 2:
                stack = traceback.StackSummary.extract(traceback.walk_stack(frame), limit=10, lookup_lines=False)
                self._seen.append(" < ".join(f"{one.name} {one.filename}:{one.lineno}" for one in stack))

    def _busy(self) -> float:
        return time.thread_time() - self._collecting

    def _collects(self, phase: str, _: object) -> None:
        if threading.get_ident() != self._thread:
            return
        if phase == "start":
            self._began = time.thread_time()
        else:
            self._collecting += time.thread_time() - self._began

    def stop(self) -> None:
        self._task.cancel()
        gc.callbacks.remove(self._collects)


def is_ours(seen: list[str], suspects: set[str]) -> bool:
    """Whether the loop was seen at work twice while it did not tick, now or together with the times before."""
    places = [place for stack in seen if WAITING not in (place := stack.split(" < ")[0])]
    known = suspects.intersection(places)
    suspects.update(places)
    return len(places) > 1 or bool(known)
