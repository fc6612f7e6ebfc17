"""Tests that the stall watch finds a task that blocks a server's event loop, and reports nothing else."""

import asyncio
import gc
import time

import pytest

from tests.server.stalls import StallWatch

MAX_STALL_SECONDS = 0.5


def busy_in_python() -> None:
    until = time.thread_time() + 1.5 * MAX_STALL_SECONDS
    while time.thread_time() < until:
        pass


def busy_in_c() -> None:
    """Compute for a while without releasing the interpreter."""
    until = time.thread_time() + 1.5 * MAX_STALL_SECONDS
    numbers = list(range(1_000_000))
    while time.thread_time() < until:
        numbers.sort(key=int.__neg__)


def collects_garbage() -> None:
    """Run a garbage collection that takes as long as the work of the other functions."""
    gc.callbacks.append(work := lambda phase, _: busy_in_python() if phase == "start" else None)
    gc.collect()
    gc.callbacks.remove(work)


@pytest.mark.anyio
@pytest.mark.parametrize(("work", "counts"), [(busy_in_python, True), (busy_in_c, True), (collects_garbage, False)])
async def test_a_busy_loop_is_seen(work, counts):
    watch = StallWatch(asyncio.get_running_loop(), max_seconds=MAX_STALL_SECONDS)
    await asyncio.sleep(0.05)
    work()
    await asyncio.sleep(0.05)
    watch.stop()
    assert (watch.longest > MAX_STALL_SECONDS) == counts
