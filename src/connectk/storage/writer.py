"""A thread that writes to the database. All jobs that arrive during one transaction are committed together in the next
transaction."""

from __future__ import annotations

import asyncio
import errno
import os
import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from tenacity import Retrying, retry_if_exception, stop_after_delay

from connectk.aio import retrying_in_thread
from connectk.play.protocols import StoreConflict
from connectk.play.refusals import NotStored

MAX_BATCH_JOBS = 256
MAX_QUEUED_SECONDS = 10.0  # a job that has waited longer is refused, because the database does not answer
RECONNECT_TIMEOUT_SECONDS = 10.0  # for a lost database connection


class Job(NamedTuple):
    """One piece of work to write, and the future that its caller waits for."""

    sort_key: str  # jobs are written in the order of this key, so that two processes cannot deadlock
    work: object
    waiter: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop
    submitted: float  # by the monotonic clock


Commit = Callable[[Sequence[object]], None]
OnFailure = Callable[[Exception], None]


class GroupWriter:
    """Commits many jobs in one transaction, and resolves their futures after the commit."""

    def __init__(self, commit: Commit, on_commit: Callable[[int, float], None], on_failure: OnFailure) -> None:
        self._commit_all, self._on_commit, self._on_failure = commit, on_commit, on_failure
        self.failed_at: float | None = None  # by the monotonic clock; None if the last write succeeded
        self._waiting = 0
        self._retrying = retrying_while_disconnected()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    @property
    def is_busy(self) -> bool:
        """Whether a job is waiting to be committed."""
        return self._waiting > 0

    async def submit(self, sort_key: str, work: object) -> None:
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[None] = loop.create_future()
        self._waiting += 1
        try:
            self._jobs.put(Job(sort_key, work, waiter, loop, time.monotonic()))
            await waiter
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Write all submitted jobs, then end the thread."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            batch, going = self._next_batch()
            oldest = time.monotonic() - MAX_QUEUED_SECONDS
            _resolve_all([job for job in batch if job.submitted < oldest], NotStored())
            if timely := [job for job in batch if job.submitted >= oldest]:
                self._process(sorted(timely, key=lambda job: job.sort_key))

    def _next_batch(self) -> tuple[list[Job], bool]:
        """Wait for a job, and return it together with the other waiting jobs. The second value is False if the writer
        must stop after them."""
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
            # One job's number is already taken. Committing the jobs one by one finds that job.
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
                _resolve_all([job], StoreConflict())
            except Exception as error:
                self._fail([job], error)
            else:
                _resolve_all([job], None)

    def _fail(self, batch: list[Job], error: Exception) -> None:
        """Report an error, such as a full disk, and fail all jobs of this batch. Nothing of the batch is stored."""
        self.failed_at = time.monotonic()
        with suppress(Exception):  # a callback that raises must not end the writer
            self._on_failure(error)
        _resolve_all(batch, NotStored() if isinstance(error, SQLAlchemyError | OSError) else error)

    def _commit(self, batch: list[Job]) -> None:
        """Commit a batch in one transaction, and try again if the connection is lost.

        If it was lost just after the commit, the second try fails because the event's number is taken. The caller then
        finds the stored event.
        """
        began = time.monotonic()
        self._retrying(self._commit_all, [job.work for job in batch])
        self.failed_at = None
        with suppress(Exception):  # the jobs are stored even if the callback raises
            self._on_commit(len(batch), time.monotonic() - began)


def retrying_while_disconnected() -> Retrying:
    """A function that repeats a call, in the calling thread, while the connection to the database is lost."""
    stop = stop_after_delay(RECONNECT_TIMEOUT_SECONDS)
    return retrying_in_thread(first_seconds=0.1, max_seconds=0.5, retry=retry_if_exception(is_disconnected), stop=stop)


def is_disconnected(error: BaseException) -> bool:
    """Whether this error means that the connection was lost, or that the database is starting or stopping."""
    if not isinstance(error, DBAPIError) or isinstance(error, IntegrityError):
        return False
    return error.connection_invalidated or "connection" in str(error.orig).lower()


def _resolve_all(batch: list[Job], error: Exception | None) -> None:
    """Resolve the futures of a batch. Each event loop gets a single call."""
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


class SqliteFile:
    """Checks that the file of an open SQLite database still exists. SQLite keeps writing to a deleted file, and
    everything written there is lost when the server stops. This class never opens the file, because closing it would
    release SQLite's locks."""

    def __init__(self, path: Path) -> None:
        self._path, self._log = path, Path(f"{path}-wal")
        self._known: tuple[int, int] | None = None

    def check(self) -> None:
        """Raise `OSError` if the database was deleted, moved or replaced."""
        found = self._path.stat()
        if not found.st_nlink or (self._known or _identity(found)) != _identity(found):
            raise FileNotFoundError(errno.ENOENT, "the database was replaced", str(self._path))
        self._known = _identity(found)

    def check_log(self) -> None:
        """Raise `OSError` if the write-ahead log is missing. This log must exist during a transaction."""
        self._log.stat()


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino
