"""How long a server's loop was busy with one thing: nobody else is served meanwhile."""

import asyncio
import time
from typing import Any

MOST = 0.1  # seconds of processor time
TICK = 0.005


class StallWatch:
    """Looks at the loop's own processor time whenever it can; on a busy machine that does not grow by waiting."""

    def __init__(self, loop: Any) -> None:
        self.longest = 0.0
        self._task = asyncio.run_coroutine_threadsafe(self._watch(), loop)

    async def _watch(self) -> None:
        while True:
            before = time.thread_time()
            await asyncio.sleep(TICK)
            self.longest = max(self.longest, time.thread_time() - before)

    def stop(self) -> None:
        self._task.cancel()
