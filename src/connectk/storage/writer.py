"""A writer thread with group commit: jobs that arrive during one transaction are committed together in the next."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from sqlalchemy.exc import DBAPIError, IntegrityError
from tenacity import Retrying, retry_if_exception, stop_after_delay

from connectk.aio import retrying_in_thread
from connectk.play.protocols import Conflict
from connectk.play.refusals import NotStored

MAX_BATCH_JOBS = 256
RECONNECT_TIMEOUT_SECONDS = 10.0  # for a lost database connection


class Job(NamedTuple):
    """Something to write, and the future of the waiting caller."""

    sort_key: str  # jobs are written in this order, so that two processes cannot deadlock
    work: object
    waiter: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop


Commit = Callable[[Sequence[object]], None]
OnFailure = Callable[[Exception], None]


class GroupWriter:
    """Commits many jobs in one transaction; each future is resolved after the commit."""

    def __init__(self, commit: Commit, on_commit: Callable[[int, float], None], on_failure: OnFailure) -> None:
        self._commit_all, self._on_commit, self._on_failure = commit, on_commit, on_failure
        self.failed_at: float | None = None  # since when nothing could be made durable, by the monotonic clock
        self._retrying = retrying_while_disconnected()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    async def submit(self, sort_key: str, work: object) -> None:
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[None] = loop.create_future()
        self._jobs.put(Job(sort_key, work, waiter, loop))
        await waiter

    def close(self) -> None:
        """Write what has been submitted, then stop."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            batch, going = self._next_batch()
            if batch:
                self._process(sorted(batch, key=lambda job: job.sort_key))

    def _next_batch(self) -> tuple[list[Job], bool]:
        """All waiting jobs, at least one; and whether to go on afterwards."""
        batch: list[Job] = []
        while len(batch) < MAX_BATCH_JOBS:
            try:
                job = self._jobs.get(block=not batch)
            except queue.Empty:
                break
            if job is None:
                return batch, False
            batch.append(job)
        return batch, True

    def _process(self, batch: list[Job]) -> None:
        try:
            self._commit(batch)
        except IntegrityError:
            # The number of one job is taken. Committing each alone finds out which.
            self._commit_individually(batch)
        except Exception as error:
            self._fail(batch, error)
        else:
            _resolve_all(batch, None)

    def _commit_individually(self, batch: list[Job]) -> None:
        for job in batch:
            try:
                self._commit([job])
            except IntegrityError:
                _resolve_all([job], Conflict())
            except Exception as error:
                self._fail([job], error)
            else:
                _resolve_all([job], None)

    def _fail(self, batch: list[Job], error: Exception) -> None:
        """Report an error, such as a full disk, and reject the waiting jobs; nothing has changed."""
        self.failed_at = time.monotonic()
        with suppress(Exception):  # a callback that raises must not end the writer
            self._on_failure(error)
        _resolve_all(batch, NotStored() if isinstance(error, DBAPIError) else error)

    def _commit(self, batch: list[Job]) -> None:
        """Commit in one transaction, with retries after a lost connection. If the lost commit had succeeded, the retry
        finds its number taken and the caller reads what is stored."""
        began = time.monotonic()
        self._retrying(self._commit_all, [job.work for job in batch])
        self.failed_at = None
        with suppress(Exception):  # it is stored even if the callback raises
            self._on_commit(len(batch), time.monotonic() - began)


def retrying_while_disconnected() -> Retrying:
    """Retries a call in a thread while the database connection is lost."""
    stop = stop_after_delay(RECONNECT_TIMEOUT_SECONDS)
    return retrying_in_thread(first_seconds=0.1, max_seconds=0.5, retry=retry_if_exception(is_disconnected), stop=stop)


def is_disconnected(error: BaseException) -> bool:
    """Whether the connection was lost, or the database is starting or stopping."""
    if not isinstance(error, DBAPIError) or isinstance(error, IntegrityError):
        return False
    return error.connection_invalidated or "connection" in str(error.orig).lower()


def _resolve_all(batch: list[Job], error: Exception | None) -> None:
    """Resolve the futures of a batch, with one call per event loop."""
    for loop in {job.loop for job in batch}:
        waiters = [job.waiter for job in batch if job.loop is loop]
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(_resolve, waiters, error)


def _resolve(waiters: list[asyncio.Future[None]], error: Exception | None) -> None:
    for waiter in waiters:
        if waiter.done():
            continue
        if error is None:
            waiter.set_result(None)
        else:
            waiter.set_exception(error)
