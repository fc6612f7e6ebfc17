"""Tests that background tasks are kept, reported and ended, and that failed calls are retried after growing delays."""

import asyncio
import gc
import threading

import pytest
import tenacity

from connectk.aio import BackgroundTasks, repeat, retrying, retrying_in_thread

pytestmark = pytest.mark.anyio


class Flaky:
    """Fails this many times, and then answers."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    def __call__(self) -> str:
        self.failures -= 1
        if self.failures >= 0:
            raise ConnectionError
        return "answer"

    async def soon(self) -> str:
        return self()


async def test_a_background_task_is_referenced_until_it_ends():
    tasks, ended = BackgroundTasks(), asyncio.Event()

    async def work():
        await asyncio.sleep(0.01)
        ended.set()

    tasks.spawn(work())
    gc.collect()
    await tasks.finish()
    assert ended.is_set()
    assert len(tasks) == 0


async def test_finish_waits_for_tasks_that_start_meanwhile():
    tasks, done = BackgroundTasks(), []

    async def work(number):
        await asyncio.sleep(0)
        if number:
            tasks.spawn(work(number - 1))
        done.append(number)

    tasks.spawn(work(3))
    await tasks.finish()
    assert done == [3, 2, 1, 0]


async def test_close_cancels_every_task_and_waits_for_it():
    tasks, ended = BackgroundTasks(), []

    async def work():
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append(True)

    for _ in range(3):
        tasks.spawn(work())
    await asyncio.sleep(0)
    await tasks.close()
    assert ended == [True] * 3


async def test_a_failure_is_reported_but_a_cancellation_is_not():
    failures = []
    tasks = BackgroundTasks(failures.append)
    tasks.spawn(Flaky(1).soon())
    tasks.spawn(asyncio.sleep(60)).cancel()
    await tasks.finish()
    assert [type(failure) for failure in failures] == [ConnectionError]


async def test_without_a_callback_a_failure_goes_to_the_loops_handler():
    reported = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: reported.append(context["exception"]))
    tasks = BackgroundTasks()
    tasks.spawn(Flaky(1).soon())
    await tasks.finish()
    assert [type(failure) for failure in reported] == [ConnectionError]


async def test_repeated_work_goes_on_after_a_failure():
    """If one call of repeated work fails, the failure is reported and the next call is made as usual."""
    failures, answers, flaky = [], [], Flaky(2)
    tasks, enough = BackgroundTasks(), asyncio.Event()

    async def work():
        answers.append(flaky())
        if len(answers) == 3:
            enough.set()

    tasks.spawn(repeat(work, 0.0, failures.append))
    await asyncio.wait_for(enough.wait(), 60)
    await tasks.close()
    assert answers[:3] == ["answer"] * 3
    assert [type(failure) for failure in failures] == [ConnectionError] * 2


async def test_delays_grow_to_their_limit_with_jitter():
    delays = []

    async def sleep(seconds):
        delays.append(seconds)

    again = retrying(ConnectionError, first_seconds=0.2, max_seconds=5.0, sleep=sleep)
    assert await again(Flaky(200).soon) == "answer"
    bounds = [(0.1, min(5.0, 0.2 * 2**n)) for n in range(200)]
    assert all(least <= delay <= most for delay, (least, most) in zip(delays, bounds, strict=True))
    assert len(set(delays[10:])) > 100
    assert max(delays) > 4.0


async def test_another_error_is_raised_at_once():
    with pytest.raises(ConnectionError):
        await retrying(ValueError, first_seconds=9.0, max_seconds=9.0)(Flaky(1).soon)


def test_a_thread_waits_the_same_way_and_can_be_stopped():
    stop, slept = threading.Event(), []
    again = retrying_in_thread(ConnectionError, first_seconds=0.2, max_seconds=5.0, sleep=slept.append)
    assert again(Flaky(3)) == "answer"
    assert len(slept) == 3
    stop.set()
    stopped = tenacity.stop_when_event_set(stop)
    with pytest.raises(ConnectionError):
        retrying_in_thread(ConnectionError, first_seconds=9.0, max_seconds=9.0, stop=stopped)(Flaky(1))
