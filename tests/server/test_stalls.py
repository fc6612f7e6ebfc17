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
@pytest.mark.parametrize(("times", "counts"), [(1, False), (2, True)])
async def test_what_comes_once_and_is_not_seen_may_be_the_machine(times, counts):
    """As when all of it stands still for a moment, and the loop's clock runs on."""
    watch = StallWatch(asyncio.get_running_loop())
    for _ in range(times):
        await asyncio.sleep(0.05)
        watch._collecting -= 2 * MOST
    await asyncio.sleep(0.05)
    watch.stop()
    assert (watch.longest > MOST) == counts


@pytest.mark.parametrize(
    ("seen", "ours"),
    [([], False), ([IN_LOOP] * 6, False), ([IN_CODE, IN_LOOP], False), ([IN_CODE] * 2, True), ([IN_TIMER], False)],
)
def test_what_the_system_does_in_its_name_is_not_ours(seen, ours):
    assert is_ours(seen) == ours
