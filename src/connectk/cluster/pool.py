"""Where work is done: here, in processes or threads of this machine, or on a Dask cluster; always by futures."""

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

MAX_ATTEMPTS = 3  # of a task whose workers die, each with several; then it is the task that kills them
TASKS_PER_WORKER = 2  # tasks handed out for each worker: the next one is there when one ends
STOP_POLL_SECONDS = 0.1  # how soon a stop is seen


class Task(NamedTuple):
    """A call that another process can make: a function of a module, and values that travel."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    note: Any = None  # stays here


Running = dict[Future[Any], tuple[Task, int]]  # and which try it is


class Pool:
    """Makes calls somewhere, by an `Executor`."""

    def __init__(self, executor: Executor, workers: int) -> None:
        self._executor, self._workers = executor, workers

    @property
    def workers(self) -> int:
        """How many calls are made at the same time."""
        return self._workers

    def submit(self, task: Task) -> Future[Any]:
        return self._executor.submit(task.function, *task.arguments)

    def worker_died(self, error: BaseException) -> bool:
        """Whether a call failed with its worker, so that another may make it."""
        return False

    def pool_lost(self, error: BaseException) -> PoolLost | None:
        """What to say when the error means that nobody is left to work."""
        return PoolLost("") if isinstance(error, BrokenProcessPool) else None

    def maintain(self) -> None:
        """See to it that there is somebody to work; called all the time while calls are under way."""

    def require_visible(self, path: str) -> None:
        """Refuse a path that some worker does not see."""

    def run(self, tasks: Iterator[Task | None], watch: Watch | None = None) -> Iterator[tuple[Task, Any]]:
        """Each task with its result, as they end. Tasks are taken when there is room for them, so later tasks may learn
        from the results of earlier ones; a None among them says that the next may take a while to come. A stop leaves
        those under way."""
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
        except (OSError, RuntimeError) as error:  # a submit that finds nobody
            if lost := self.pool_lost(error):
                raise lost from error
            raise
        finally:
            for future in running:
                future.cancel()

    def _room(self) -> int:
        return TASKS_PER_WORKER * self.workers

    def _fill(self, running: Running, tasks: Iterator[Task | None]) -> bool:
        """Hand out tasks while there is room; false when there are no more."""
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
    """Calls made at once by whoever submits them: for one process, which needs nothing else."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _SerialPool(Pool):
    """No call is made before the one before it has been looked at."""

    def _room(self) -> int:
        return 1


@contextmanager
def open_pool(cluster: str | None = None, jobs: int | None = None, *, threads: bool = False) -> Iterator[Pool]:
    """Workers: those of a cluster (`local:4`, `tcp://head:8786`), or so many jobs here, all cores unless told.

    `threads` is for work that the core does with the interpreter released; other work gets processes.
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
    """Nothing is begun that nobody waits for; processes in the middle of a task are ended."""
    try:
        yield executor
    finally:
        for worker in list(getattr(executor, "_processes", None) or {}):
            executor._processes[worker].kill()  # type: ignore[attr-defined]
        executor.shutdown(wait=True, cancel_futures=True)


class _WorkerProcess(SpawnProcess):
    """Does not hear Ctrl-C until `init_worker`: one that is still starting would answer with a traceback."""

    def start(self) -> None:
        with blocking_signals_in_children("SIGINT"):
            super().start()


class _WorkerContext(SpawnContext):
    Process = _WorkerProcess


WORKER_CONTEXT = _WorkerContext()  # how processes that work are started


def init_worker() -> None:
    """Of a worker's process: leave Ctrl-C to the main process, and end when that is gone, even if it was killed."""
    ignore_signals("SIGINT")
    end_with_parent()
