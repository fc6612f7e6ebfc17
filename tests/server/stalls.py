"""How long a server's loop was busy with one thing: nobody else is served meanwhile."""

import asyncio
import gc
import threading
import time
from collections.abc import Callable
from typing import Any

MOST = 0.1  # seconds of processor time
TICK = 0.005


class StallWatch:
    """Looks at the loop's own processor time whenever it can; on a busy machine that does not grow by waiting.

    Collecting garbage is not counted: here it goes through all that the tests hold, which no server does.
    """

    def __init__(self, loop: Any, on_stall: Callable[[float], None] = lambda seconds: None) -> None:
        self.longest = 0.0
        self._on_stall = on_stall
        self._collecting = self._began = 0.0
        self._thread: int | None = None
        gc.callbacks.append(self._collects)
        self._task = asyncio.run_coroutine_threadsafe(self._watch(), loop)

    async def _watch(self) -> None:
        self._thread = threading.get_ident()
        while True:
            before = self._busy()
            await asyncio.sleep(TICK)
            stall = self._busy() - before
            self.longest = max(self.longest, stall)
            self._on_stall(stall)

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
