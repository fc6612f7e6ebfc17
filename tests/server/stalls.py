"""Whether a server's loop was ever busy with one thing for so long that nobody else was served."""

import asyncio
import gc
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

# Seconds of processor time. A borrowed machine may be taken away for some tenths of a second, and a thread's clock
# runs on meanwhile; on a quiet machine of one's own, CONNECTK_TEST_STALL=0.1 finds smaller ones.
MOST = float(os.environ.get("CONNECTK_TEST_STALL", "1"))
TICK = 0.005
OnStall = Callable[[float, list[str]], None]


class StallWatch:
    """Looks at the loop's own processor time whenever it can; on a busy machine that does not grow by waiting.

    Collecting garbage is not counted: here it goes through all that the tests hold, which no server does.
    """

    def __init__(self, loop: Any, on_stall: OnStall = lambda seconds, where: None, most: float = MOST) -> None:
        self._most = most
        self.longest = 0.0
        self.where: list[str] = []
        self._on_stall = on_stall
        self._collecting = self._began = 0.0
        self._thread: int | None = None
        self._seen: list[str] = []
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
            if stall > self.longest:
                self.longest, self.where = stall, self._seen
            self._on_stall(stall, self._seen)

    def _look(self) -> None:
        """Where the loop is while it does not tick, for whoever has to find out why."""
        while not self._task.done():
            time.sleep(self._most / 5)
            if time.monotonic() - self._ticked > self._most / 2:
                stack = traceback.StackSummary.extract(self._frames(), limit=10, lookup_lines=False)
                self._seen.append(" < ".join(f"{one.name} {one.filename}:{one.lineno}" for one in stack))

    def _frames(self) -> Iterator[tuple[FrameType, int]]:
        """Without collecting garbage meanwhile: until Python 3.12 that may stop all threads for good."""
        gc.disable()
        frame = sys._current_frames().get(self._thread or 0)
        gc.enable()
        return traceback.walk_stack(frame) if frame else iter(())

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
