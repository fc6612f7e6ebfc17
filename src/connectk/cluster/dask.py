"""A pool on Dask distributed. It starts local workers, or uses the workers of a running scheduler."""

from __future__ import annotations

import logging
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from connectk import __version__
from connectk.cluster.files import is_url
from connectk.cluster.pool import Pool
from connectk.errors import BadCluster, MissingExtra, PoolLost

SCHEDULER_TIMEOUT_SECONDS = 20
FIRST_WORKER_TIMEOUT_SECONDS = 120  # a cluster's job queue may be slow
WORKER_COUNT_MAX_AGE_SECONDS = 5
NOISY_LOGGERS = ("distributed", "tornado", "asyncio")  # asyncio logs tasks that Dask has abandoned
MAX_WORKER_DEATHS = 3  # the limit for one task with local workers


class DaskPool(Pool):
    """Sends tasks to a scheduler, which assigns them to workers and reassigns them when a worker dies."""

    def __init__(self, client: Any, address: str) -> None:
        super().__init__(_ClientExecutor(client), 1)
        self._client, self._address = client, address
        self._ours = len(client.cluster.workers) if client.cluster is not None else 0
        self._counted = -1e9
        self._dead: set[object] = set()  # the local workers that were dead at the last count

    @property
    def workers(self) -> int:
        """The number of threads of all current workers; workers may join and leave."""
        if time.monotonic() - self._counted > WORKER_COUNT_MAX_AGE_SECONDS:
            try:
                self._workers = max(1, self._count())
            except Exception as error:
                raise PoolLost(self._address) from error
            self._counted = time.monotonic()
        return self._workers

    def _count(self) -> int:
        count: int = sum(self._client.nthreads().values())
        if count < self._ours:
            self._replace_dead(self._client.cluster)
        return count

    def _replace_dead(self, cluster: Any) -> None:
        """Restart local workers that died while they started. Dask does not restart these."""
        dead = {name: nanny for name, nanny in list(cluster.workers.items()) if not nanny.is_alive()}
        for name in dead.keys() & self._dead:
            self._client.loop.add_callback(dead[name].close)
            cluster.workers.pop(name, None)
        self._dead = set(dead)
        cluster.scale(self._ours)

    def maintain(self) -> None:
        _ = self.workers

    def worker_died(self, error: BaseException) -> bool:
        """Whether the worker died during the task or before its result was fetched."""
        from distributed import KilledWorker

        return isinstance(error, KilledWorker | CancelledError)

    def pool_lost(self, error: BaseException) -> PoolLost | None:
        """The error to raise if the scheduler is gone. The client itself may not have noticed this yet."""
        from distributed.comm import CommClosedError

        is_lost = isinstance(error, CommClosedError) or self._client.status != "running"
        return PoolLost(self._address) if is_lost else None

    def require_visible(self, path: str) -> None:
        if not is_url(path) and path != "-" and not all(self._client.run(_path_exists, path).values()):
            raise BadCluster("error.BadCluster.unseen", self._address, path=path)


class _ClientExecutor(Executor):
    """Replaces Dask's `get_executor`, whose futures may never end if a worker dies with the result.

    Here such a call fails with `CancelledError`, so that the pool repeats it.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        task = self._client.submit(fn, *args, pure=False, **kwargs)
        future.add_done_callback(lambda done: self._forget(task))
        task.add_done_callback(lambda done: self._client.loop.add_callback(self._pass_on, task, future))
        return future

    async def _pass_on(self, task: Any, future: Future[Any]) -> None:
        try:
            result = await self._result(task)
        except BaseException as error:
            if future.set_running_or_notify_cancel():
                future.set_exception(error)
        else:
            if future.set_running_or_notify_cancel():
                future.set_result(result)

    async def _result(self, task: Any) -> Any:
        if task.status == "error":
            return await self._client.gather(task, asynchronous=True)  # raises what the task raised
        if task.status == "finished":
            answer = await self._client.scheduler.gather(keys=[task.key])
            if answer["status"] == "OK":
                return answer["data"][task.key]
        raise CancelledError

    def _forget(self, task: Any) -> None:
        async def cancel() -> None:
            with suppress(Exception):  # the result is no longer needed
                await self._client.cancel([task], asynchronous=True)

        self._client.loop.add_callback(cancel)


def _path_exists(path: str) -> bool:
    return Path(path).exists()


@contextmanager
def open_cluster(address: str) -> Iterator[DaskPool]:
    """Open a pool for an address. `local:4` starts four local workers. Any other address is the address of a running
    scheduler."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise MissingExtra("clusters", "cluster") from None
    kind, _, rest = address.partition(":")
    if kind == "local":
        with _local(address, rest) as cluster, _client(cluster, address) as pool:
            yield pool
    elif "://" in address:
        with _client(address, address) as pool:
            yield pool
    else:
        raise BadCluster("error.BadCluster.address", address)


@contextmanager
def _local(address: str, count: str) -> Iterator[Any]:
    """Local workers with one thread each, and Dask's dashboard if it is installed."""
    import dask
    from distributed import LocalCluster

    if not (count.isascii() and count.isdigit() and 0 < int(count) <= 1024):
        raise BadCluster("error.BadCluster.address", address)
    with dask.config.set({"distributed.scheduler.allowed-failures": MAX_WORKER_DEATHS}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Dask warns if the dashboard's port is in use
        cluster = LocalCluster(
            n_workers=int(count),
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:8787",
            silence_logs=logging.CRITICAL,
            preload=[__name__],
            memory_limit=0,  # Dask would pause a worker with a large table forever
        )
        with cluster:
            yield cluster


def dask_setup(worker: object) -> None:
    """Make a local worker ignore Ctrl-C, because the command itself stops its workers. Dask calls this function in each
    worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _client(where: Any, address: str) -> Iterator[DaskPool]:
    from distributed import Client

    _silence_logs()
    try:
        client = Client(where, timeout=SCHEDULER_TIMEOUT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise BadCluster("error.BadCluster.unreachable", address) from error
    try:
        _require_ready(client, address)
        yield DaskPool(client, address)
    finally:
        client.close(timeout=2)


def _silence_logs() -> None:
    """Hide the log messages of Dask, because connectk reports errors itself. Some loggers of Dask have their own
    levels."""
    known = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in NOISY_LOGGERS]
    for name in {*known, *NOISY_LOGGERS}:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _require_ready(client: Any, address: str) -> None:
    """Wait for a worker, and check that all workers run this version of connectk."""
    try:
        client.wait_for_workers(1, timeout=FIRST_WORKER_TIMEOUT_SECONDS)
    except TimeoutError:
        raise BadCluster("error.BadCluster.empty", address) from None
    try:
        versions = set(client.run(version).values())
    except Exception as error:
        raise BadCluster("error.BadCluster.stranger", address, version=__version__) from error
    if versions != {__version__}:
        raise BadCluster("error.BadCluster.stranger", address, version=__version__)


def version() -> str:
    """Runs in a worker: returns the worker's version of connectk."""
    return __version__
