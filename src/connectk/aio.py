"""Background tasks, and retries with exponential backoff."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from tenacity import AsyncRetrying, Retrying

T = TypeVar("T")


class BackgroundTasks:
    """Coroutines that run beside the caller. Holds references, because asyncio only has weak ones to running tasks."""

    def __init__(self, on_failure: Callable[[Exception], object] | None = None) -> None:
        """`on_failure` is called with every exception; without it the event loop's exception handler logs them."""
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
        """Wait until every task has ended, including those that start meanwhile."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def cancel(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def close(self) -> None:
        """Cancel every task and wait until it has ended."""
        self.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def retrying(*errors: type[Exception], first_seconds: float, max_seconds: float, **options: Any) -> AsyncRetrying:
    """Repeats a coroutine function while it raises one of these errors: `await retrying(OSError, ...)(connect, url)`.
    `options` are those of tenacity: `sleep`, `stop`, or `retry` for a condition finer than a class of errors."""
    from tenacity import AsyncRetrying

    return AsyncRetrying(**_backoff(errors, first_seconds, max_seconds) | options)


def retrying_in_thread(*errors: type[Exception], first_seconds: float, max_seconds: float, **options: Any) -> Retrying:
    """The same for a plain function that blocks its thread. `sleep=tenacity.sleep_using_event(stop)` and
    `stop=tenacity.stop_when_event_set(stop)` end it early."""
    from tenacity import Retrying

    return Retrying(**_backoff(errors, first_seconds, max_seconds) | options)


def _backoff(errors: tuple[type[Exception], ...], first_seconds: float, max_seconds: float) -> dict[str, Any]:
    """The range of the delay doubles up to its limit. Its random part spreads clients that lost the same server."""
    from tenacity import retry_if_exception_type, wait_random_exponential

    wait = wait_random_exponential(multiplier=first_seconds, max=max_seconds, min=first_seconds / 2)
    return {"retry": retry_if_exception_type(errors), "wait": wait, "reraise": True}
