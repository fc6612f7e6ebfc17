"""Detects a task that blocks a server's event loop for so long that other clients must wait."""

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

# Seconds of processor time. A virtual machine may stand still for some tenths of a second while a thread's clock goes
# on. On a quiet machine without this effect, CONNECTK_TEST_STALL=0.1 finds shorter stalls.
MAX_STALL_SECONDS = float(os.environ.get("CONNECTK_TEST_STALL", "1"))
TICK_SECONDS = 0.005
OnStall = Callable[[float, list[str]], None]


class StallWatch:
    """Measures the processor time between two ticks of the event loop, which does not grow on a busy machine.

    Garbage collection is not counted, because here it scans the objects of all tests, which a real server does not
    have.
    """

    def __init__(
        self, loop: Any, on_stall: OnStall = lambda seconds, where: None, max_seconds: float = MAX_STALL_SECONDS
    ) -> None:
        self._max_seconds = max_seconds
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
            await asyncio.sleep(TICK_SECONDS)
            stall = self._busy() - before
            if stall > self.longest:
                self.longest, self.where = stall, self._seen
            self._on_stall(stall, self._seen)

    def _look(self) -> None:
        """Records the stack of the event loop's thread while the loop does not tick."""
        while not self._task.done():
            time.sleep(self._max_seconds / 5)
            if time.monotonic() - self._ticked > self._max_seconds / 2:
                stack = traceback.StackSummary.extract(self._frames(), limit=10, lookup_lines=False)
                self._seen.append(" < ".join(f"{one.name} {one.filename}:{one.lineno}" for one in stack))

    def _frames(self) -> Iterator[tuple[FrameType, int]]:
        """The stack of the event loop's thread. Garbage collection is off meanwhile, to avoid a deadlock before Python
        3.12."""
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
