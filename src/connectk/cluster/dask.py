"""A pool on Dask distributed: workers started here, or those of a scheduler that runs already."""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from connectk import __version__
from connectk.cluster.files import is_url
from connectk.cluster.pool import Pool
from connectk.errors import BadCluster, MissingExtra, PoolLost

CONNECT_SECONDS = 20
WORKERS_SECONDS = 120  # for the first worker: a queue may be slow
COUNT_SECONDS = 5  # how old the number of workers may be
ALLOWED_DEATHS = 10  # of workers under one task, where we start the scheduler


class DaskPool(Pool):
    """Calls go to a scheduler, which gives them to workers and to others when those die."""

    def __init__(self, client: Any, address: str) -> None:
        super().__init__(client.get_executor(pure=False), 1)
        self._client, self._address = client, address
        self._counted = -1e9

    @property
    def workers(self) -> int:
        """Threads of all workers; they come and go."""
        if time.monotonic() - self._counted > COUNT_SECONDS:
            try:
                self._workers = max(1, sum(self._client.nthreads().values()))
            except Exception as error:
                raise PoolLost(self._address) from error
            self._counted = time.monotonic()
        return self._workers

    def died(self, error: BaseException) -> bool:
        from distributed import KilledWorker

        return isinstance(error, KilledWorker)

    def lost(self, error: BaseException) -> PoolLost | None:
        gone = isinstance(error, CancelledError) or self._client.status not in ("running", "connecting")
        return PoolLost(self._address) if gone else None

    def require_visible(self, path: str) -> None:
        if not is_url(path) and path != "-" and not all(self._client.run(_is_there, path).values()):
            raise BadCluster("error.BadCluster.unseen", self._address, path=path)


def _is_there(path: str) -> bool:
    return Path(path).exists()


@contextmanager
def open_cluster(address: str) -> Iterator[DaskPool]:
    """The pool of `local:4`, or of a scheduler's address."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise MissingExtra("Clusters", "cluster") from None
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
    """Workers of one thread each on this machine, with Dask's dashboard where it is installed."""
    import dask
    from distributed import LocalCluster

    if not (count.isascii() and count.isdigit() and 0 < int(count) <= 1024):
        raise BadCluster("error.BadCluster.address", address)
    with dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_DEATHS}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a busy port of the dashboard
        cluster = LocalCluster(
            n_workers=int(count),
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:8787",
            silence_logs=logging.CRITICAL,
        )
        with cluster:
            yield cluster


@contextmanager
def _client(where: Any, address: str) -> Iterator[DaskPool]:
    from distributed import Client

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is said in our own words
    try:
        client = Client(where, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise BadCluster("error.BadCluster.unreachable", address) from error
    try:
        _require_ready(client, address)
        yield DaskPool(client, address)
    finally:
        client.close(timeout=2)


def _require_ready(client: Any, address: str) -> None:
    """There is a worker, and it has this connectk."""
    try:
        client.wait_for_workers(1, timeout=WORKERS_SECONDS)
    except TimeoutError:
        raise BadCluster("error.BadCluster.empty", address) from None
    try:
        versions = set(client.run(version).values())
    except Exception as error:
        raise BadCluster("error.BadCluster.stranger", address, version=__version__) from error
    if versions != {__version__}:
        raise BadCluster("error.BadCluster.stranger", address, version=__version__)


def version() -> str:
    """That of the connectk which a worker has."""
    return __version__
