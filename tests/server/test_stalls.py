"""The watch over a server's loop sees what keeps it busy, and nothing else."""

import asyncio
import time

import pytest

from tests.server.stalls import MOST, StallWatch, is_ours

IN_LOOP = "run /lib/python3.11/asyncio/runners.py:118 < asyncio_run uvicorn/_compat.py:30"
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
    await asyncio.sleep(0.05)
    work()
    await asyncio.sleep(0.05)
    watch.stop()
    assert watch.longest > MOST


@pytest.mark.parametrize(
    ("seen", "ours"),
    [([], True), ([IN_LOOP], True), ([IN_LOOP] * 3, False), ([IN_CODE] * 3, True), ([IN_LOOP, IN_CODE, IN_LOOP], True)],
)
def test_what_the_system_does_in_its_name_is_not_ours(seen, ours):
    assert is_ours(seen) == ours
