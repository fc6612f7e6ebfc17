"""Worker pools with one interface: in this process, in local threads or processes, or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, NamedTuple

from connectk.errors import PoisonTask, PoolLost
from connectk.system import blocking_signals_in_children, cores, end_with_parent, ignore_signals
from connectk.watch import Watch

MAX_ATTEMPTS = 3  # of a task whose worker crashes; after that the task itself is taken to be the cause
TASKS_PER_WORKER = 2  # one running and one queued, so that no worker is idle
STOP_POLL_SECONDS = 0.1


class Task(NamedTuple):
    """A call for a worker: a module-level function and picklable arguments."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    note: Any = None  # for the caller; not sent to the worker


Running = dict[Future[Any], tuple[Task, int]]  # the task and its attempt


class Pool:
    """Runs tasks on an `Executor`, with retries."""

    def __init__(self, executor: Executor, workers: int) -> None:
        self._executor, self._workers = executor, workers

    @property
    def workers(self) -> int:
        """How many tasks run at the same time."""
        return self._workers

    def submit(self, task: Task) -> Future[Any]:
        return self._executor.submit(task.function, *task.arguments)

    def worker_died(self, error: BaseException) -> bool:
        """Whether a task failed because its worker crashed, so that it can be retried."""
        return False

    def pool_lost(self, error: BaseException) -> PoolLost | None:
        """The error to raise if the whole pool is gone, else None."""
        return PoolLost("") if isinstance(error, BrokenProcessPool) else None

    def maintain(self) -> None:
        """Replace crashed workers; called regularly while tasks run."""

    def require_visible(self, path: str) -> None:
        """Raise `BadCluster` if a worker cannot access a path."""

    def run(self, tasks: Iterator[Task | None], watch: Watch | None = None) -> Iterator[tuple[Task, Any]]:
        """Each task with its result, in the order they end. Tasks are generated lazily, so later ones may depend on
        earlier results; a None means that the next one is not ready yet. A stop abandons running tasks."""
        running: Running = {}
        more = True
        try:
            while not (watch and watch.should_stop()):
                more = more and self._fill(running, tasks)
                if not running and not more:
                    return
                self.maintain()
                done, _ = wait(running, timeout=STOP_POLL_SECONDS, return_when=FIRST_COMPLETED)
                for future in done:
                    yield from self._take(future, running)
        except (OSError, RuntimeError) as error:  # submit failed
            if lost := self.pool_lost(error):
                raise lost from error
            raise
        finally:
            for future in running:
                future.cancel()

    def _room(self) -> int:
        return TASKS_PER_WORKER * self.workers

    def _fill(self, running: Running, tasks: Iterator[Task | None]) -> bool:
        """Submit tasks while there is room; false when there are no more."""
        while len(running) < self._room():
            try:
                task = next(tasks)
            except StopIteration:
                return False
            if task is None:
                break
            running[self.submit(task)] = task, 1
        return True

    def _take(self, future: Future[Any], running: Running) -> Iterator[tuple[Task, Any]]:
        task, tries = running.pop(future)
        try:
            result = future.result()
        except (CancelledError, Exception) as error:
            if lost := self.pool_lost(error):
                raise lost from error
            if not self.worker_died(error):
                raise
            if tries >= MAX_ATTEMPTS:
                raise PoisonTask from error
            running[self.submit(task)] = task, tries + 1
            return
        yield task, result


class _InlineExecutor(Executor):
    """Runs each call in `submit` itself, without threads or processes."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _SerialPool(Pool):
    """Submits a task only after the previous result was yielded."""

    def _room(self) -> int:
        return 1


@contextmanager
def open_pool(cluster: str | None = None, jobs: int | None = None, *, threads: bool = False) -> Iterator[Pool]:
    """A pool on a cluster (`local:4`, `tcp://head:8786`), or with `jobs` local workers, by default one per core.

    Pass `threads` if the tasks run in the core with the GIL released; otherwise the workers are processes.
    """
    jobs = jobs or cores()
    if cluster is not None:
        from connectk.cluster.dask import open_cluster

        with open_cluster(cluster) as pool:
            yield pool
    elif jobs == 1:
        yield _SerialPool(_InlineExecutor(), 1)
    elif threads:
        with _shut_down_after(ThreadPoolExecutor(jobs)) as executor:
            yield Pool(executor, jobs)
    else:
        with _shut_down_after(ProcessPoolExecutor(jobs, WORKER_CONTEXT, init_worker)) as executor:
            yield Pool(executor, jobs)


@contextmanager
def _shut_down_after(executor: Executor) -> Iterator[Executor]:
    """Cancel queued tasks and kill worker processes on exit."""
    try:
        yield executor
    finally:
        for worker in list(getattr(executor, "_processes", None) or {}):
            executor._processes[worker].kill()  # type: ignore[attr-defined]
        executor.shutdown(wait=True, cancel_futures=True)


class _WorkerProcess(SpawnProcess):
    """Ignores Ctrl-C until `init_worker`; during its start it would print a traceback."""

    def start(self) -> None:
        with blocking_signals_in_children("SIGINT"):
            super().start()


class _WorkerContext(SpawnContext):
    Process = _WorkerProcess


WORKER_CONTEXT = _WorkerContext()  # the multiprocessing context of worker processes


def init_worker() -> None:
    """In a worker process: ignore Ctrl-C, and exit when the parent process is gone, even if it was killed."""
    ignore_signals("SIGINT")
    end_with_parent()
