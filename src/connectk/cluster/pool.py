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

MAX_TASK_ATTEMPTS = 3  # if workers crash so often, the task itself is assumed to be the cause
TASKS_PER_WORKER = 2  # one running and one queued, so that no worker is idle
STOP_POLL_SECONDS = 0.1


class Task(NamedTuple):
    """A call for a worker: a module-level function and picklable arguments."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    note: Any = None  # for the caller; not sent to the worker


Running = dict[Future[Any], tuple[Task, int]]  # the task and its attempt


class Pool:
    """Runs tasks on an `Executor`. If a worker crashes, it runs the task again."""

    def __init__(self, executor: Executor, workers: int) -> None:
        self._executor, self._workers = executor, workers

    @property
    def workers(self) -> int:
        """The number of tasks that run at the same time."""
        return self._workers

    def submit(self, task: Task) -> Future[Any]:
        return self._executor.submit(task.function, *task.arguments)

    def worker_died(self, error: BaseException) -> bool:
        """Whether a task failed because its worker crashed. Such a task can be repeated."""
        return False

    def pool_lost(self, error: BaseException) -> PoolLost | None:
        """The error to raise if the whole pool is gone; None if it is not."""
        return PoolLost("") if isinstance(error, BrokenProcessPool) else None

    def maintain(self) -> None:
        """Replace crashed workers. This is called regularly while tasks run."""

    def require_visible(self, path: str) -> None:
        """Raise `BadCluster` if a worker cannot access a path."""

    def run(self, tasks: Iterator[Task | None], watch: Watch | None = None) -> Iterator[tuple[Task, Any]]:
        """Yields each task with its result as soon as the task ends. A stop abandons running tasks.

        Tasks are taken from the iterator one by one, so later tasks may depend on earlier results. If the iterator
        yields None, the next task is not ready yet.
        """
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
        """Submit tasks while the workers have room for more. Returns False if there are no more tasks."""
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
            if tries >= MAX_TASK_ATTEMPTS:
                raise PoisonTask from error
            running[self.submit(task)] = task, tries + 1
            return
        yield task, result


class _InlineExecutor(Executor):
    """Runs each call in the calling thread, before `submit` returns."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _SerialPool(Pool):
    """Runs one task at a time. It submits the next task only after it has yielded the previous result."""

    def _room(self) -> int:
        return 1


@contextmanager
def open_pool(cluster: str | None = None, jobs: int | None = None, *, threads: bool = False) -> Iterator[Pool]:
    """Open a pool on a cluster (`local:4`, `tcp://head:8786`) or of `jobs` local workers, by default one per core.

    The workers are processes or, with `threads`, threads. Threads suit tasks that release the GIL in the core.
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
    """On exit, cancel queued tasks and kill the worker processes."""
    try:
        yield executor
    finally:
        for worker in list(getattr(executor, "_processes", None) or {}):
            executor._processes[worker].kill()  # type: ignore[attr-defined]
        executor.shutdown(wait=True, cancel_futures=True)


class _WorkerProcess(SpawnProcess):
    """A process that blocks Ctrl-C until `init_worker` has run. Without this, a starting process would print a
    traceback on Ctrl-C."""

    def start(self) -> None:
        with blocking_signals_in_children("SIGINT"):
            super().start()


class _WorkerContext(SpawnContext):
    Process = _WorkerProcess


WORKER_CONTEXT = _WorkerContext()  # the multiprocessing context of worker processes


def init_worker() -> None:
    """Prepare a worker process. It ignores Ctrl-C, and it ends when its parent process is gone, even if the parent was
    killed."""
    ignore_signals("SIGINT")
    end_with_parent()
