"""Runs background tasks, repeats work at intervals, and retries calls with exponential backoff."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from tenacity import AsyncRetrying, Retrying

T = TypeVar("T")


class BackgroundTasks:
    """Coroutines that run beside the caller. This object keeps the tasks, because asyncio itself has only weak
    references to them."""

    def __init__(self, on_failure: Callable[[Exception], object] | None = None) -> None:
        """`on_failure` is called with every exception. Without it, exceptions go to the handler of the event loop."""
        self._on_failure = on_failure
        self._tasks: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if not isinstance(error, Exception):
            return
        if self._on_failure:
            self._on_failure(error)
        else:
            task.get_loop().call_exception_handler({"message": "background task failed", "exception": error})

    async def finish(self) -> None:
        """Wait until every task has ended, including tasks that start during the wait."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def cancel(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def close(self) -> None:
        """Cancel every task and wait until all tasks have ended."""
        self.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def repeat(
    work: Callable[[], Awaitable[object]], interval_seconds: float, on_failure: Callable[[Exception], object]
) -> None:
    """Call `work` repeatedly, with a pause after each call, until cancelled. If a call fails, `on_failure` gets the
    exception, and the calls continue."""
    while True:
        try:
            await work()
        except Exception as error:
            on_failure(error)
        await asyncio.sleep(interval_seconds)


def retrying(*errors: type[Exception], first_seconds: float, max_seconds: float, **options: Any) -> AsyncRetrying:
    """Repeats a coroutine function as long as it raises one of these errors: `await retrying(OSError, ...)(work)`.

    `options` are options of tenacity: `sleep`, `stop`, or `retry` for a more precise condition than the class of an
    error.
    """
    from tenacity import AsyncRetrying

    return AsyncRetrying(**_backoff(errors, first_seconds, max_seconds) | options)


def retrying_in_thread(*errors: type[Exception], first_seconds: float, max_seconds: float, **options: Any) -> Retrying:
    """Does the same as `retrying` for a plain function that blocks its thread.

    With `sleep=tenacity.sleep_using_event(event)` and `stop=tenacity.stop_when_event_set(event)`, setting the event
    ends the retries early.
    """
    from tenacity import Retrying

    return Retrying(**_backoff(errors, first_seconds, max_seconds) | options)


def _backoff(errors: tuple[type[Exception], ...], first_seconds: float, max_seconds: float) -> dict[str, Any]:
    """Options of tenacity for random delays, so that clients that lost the same server do not all return at once.

    The range of the delay doubles after each attempt, up to a limit.
    """
    from tenacity import retry_if_exception_type, wait_random_exponential

    wait = wait_random_exponential(multiplier=first_seconds, max=max_seconds, min=first_seconds / 2)
    return {"retry": retry_if_exception_type(errors), "wait": wait, "reraise": True}
