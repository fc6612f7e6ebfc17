"""The watch over a server's loop sees what keeps it busy, and nothing else."""

import asyncio
import time

import pytest

from tests.server.stalls import MOST, StallWatch, is_ours

IN_LOOP = "run /lib/python3.11/asyncio/runners.py:118 < asyncio_run uvicorn/_compat.py:30"
IN_TIMER = "_set_result_unless_cancelled /lib/python3.11/asyncio/futures.py:315 < run asyncio/runners.py:118"
IN_CODE = "drop connectk/play/service.py:145 < run /lib/python3.11/asyncio/runners.py:118"


def busy_in_python() -> None:
    until = time.thread_time() + 2 * MOST
    while time.thread_time() < until:
        pass


def busy_in_c() -> None:
    """Without letting go of the interpreter."""
    until = time.thread_time() + 2 * MOST
    numbers = list(range(1_000_000))
    while time.thread_time() < until:
        numbers.sort(key=int.__neg__)


@pytest.mark.anyio
@pytest.mark.parametrize("work", [busy_in_python, busy_in_c])
async def test_a_busy_loop_is_seen(work):
    watch = StallWatch(asyncio.get_running_loop())
    for _ in range(2):
        await asyncio.sleep(0.05)
        work()
    await asyncio.sleep(0.05)
    watch.stop()
    assert watch.longest > MOST


@pytest.mark.anyio
async def test_a_clock_that_runs_on_while_the_machine_stands_still_is_no_stall():
    watch = StallWatch(asyncio.get_running_loop())
    for _ in range(2):
        await asyncio.sleep(0.05)
        watch._collecting -= 2 * MOST
    await asyncio.sleep(0.05)
    watch.stop()
    assert watch.longest < MOST


@pytest.mark.parametrize(
    ("seen", "ours"),
    [([], False), ([IN_LOOP, IN_TIMER], False), ([IN_CODE, IN_LOOP], False), ([IN_CODE] * 2, True)],
)
def test_what_is_ours_is_seen_more_than_once(seen, ours):
    """At once, or when it comes again."""
    suspects: set[str] = set()
    assert is_ours(seen, suspects) == ours
    assert is_ours([IN_CODE], suspects) == (IN_CODE in seen)
