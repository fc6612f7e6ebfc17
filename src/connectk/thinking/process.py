"""A worker process that runs one job at a time with a time and a memory limit."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from connectk.play.refusals import ThinkingFailed, Timeout, TooMuch
from connectk.system import blocking_signals_in_children, end_with_parent, ignore_signals, tune_malloc

START_TIMEOUT_SECONDS = 60.0  # a busy machine may need that long
NICE_STEPS, LONG_NICE_STEPS = 5, 10  # how far the priority is below the server's, for short and for long jobs
SERVER_SIGNALS = "SIGINT", "SIGTERM"  # ignored by workers, which the server ends at the end of its shutdown
STOP_GRACE_SECONDS = 2.0  # the time after its deadline in which a job may still answer


class ThinkingProcess:
    """A worker process that runs one job at a time. It starts when it is first used. If it dies, it starts again."""

    def __init__(
        self,
        jobs: str = "connectk.thinking.jobs",
        max_memory_mb: int | None = None,
        honours_stop: bool = True,
        nice_steps: int = NICE_STEPS,
    ) -> None:
        """`jobs` is a module with `JOB_FUNCTIONS`. If its jobs ignore `stop`, the process is killed to stop a job."""
        self._jobs, self._max_memory_mb, self._honours_stop = jobs, max_memory_mb, honours_stop
        self._nice_steps = nice_steps
        self._process: Any = None
        self._pipe: Connection | None = None
        self._send_lock = threading.Lock()
        self._sent = self._cancelled = self._killed = self._closed = False

    def prepare_job(self) -> None:
        """Forget whether the last job was sent or stopped. Call this only in the thread that also calls `stop`."""
        self._sent = self._cancelled = False

    def run_job(self, job: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        """Send a job to the process and wait for its answer. A process that does not answer in time is killed."""
        try:
            pipe = self._start()
            with self._send_lock:
                if self._cancelled:
                    raise ThinkingFailed
                pipe.send((job, arguments, seconds))
                self._sent = True
            if not pipe.poll(seconds + STOP_GRACE_SECONDS):
                raise Timeout
            succeeded, answer = pipe.recv()
        except (Timeout, EOFError, OSError) as error:
            self.end()
            raise error if isinstance(error, Timeout) else ThinkingFailed from error
        if succeeded:
            return answer
        raise answer

    def stop(self) -> None:
        """Ask the process to stop its job. If the job has not been sent yet, `run_job` fails instead of sending it."""
        with self._send_lock, suppress(OSError):
            self._cancelled = True
            if not self._honours_stop and self._process:
                self._killed = True  # `is_alive` may still be true for a moment
                self._process.kill()
            elif self._pipe and self._sent:
                self._pipe.send(None)

    def close(self) -> None:
        """Kill the process and never start it again. A call of `run_job` that waits in another thread then fails."""
        with self._send_lock:
            self._closed = True
            if self._process:
                self._process.kill()

    def end(self) -> None:
        """Kill the process and close the pipe. This must not be called while `run_job` waits in another thread."""
        with self._send_lock:
            process, self._process = self._process, None
            pipe, self._pipe = self._pipe, None
            self._killed = False
        if process:
            process.kill()
            process.join()
        if pipe:
            pipe.close()

    def _start(self) -> Connection:
        if self._pipe and not self._killed and self._process.is_alive():
            return self._pipe
        self.end()
        pipe = self._launch()
        if not pipe.poll(START_TIMEOUT_SECONDS):
            raise EOFError
        pipe.recv()  # "ready": the start does not count against the job's time
        return pipe

    def _launch(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        with self._send_lock, blocking_signals_in_children(*SERVER_SIGNALS):
            if self._closed:
                raise ThinkingFailed
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(
                target=_serve_jobs, args=(theirs, self._jobs, self._max_memory_mb, self._nice_steps), daemon=True
            )
            self._process.start()
        theirs.close()
        return self._pipe


def _serve_jobs(pipe: Connection, jobs: str, max_memory_mb: int | None, nice_steps: int) -> None:
    """The main function of a worker process. One thread receives messages, and another thread runs the job."""
    ignore_signals(*SERVER_SIGNALS)
    end_with_parent()
    tune_malloc()
    module = importlib.import_module(jobs)
    _lower_priority(nice_steps)
    if max_memory_mb:
        _limit_memory(max_memory_mb)
    pipe.send("ready")
    stop = threading.Event()

    def think(job: str, arguments: tuple[Any, ...], seconds: float, stop: threading.Event) -> None:
        try:
            answer = True, module.JOB_FUNCTIONS[job](*arguments, seconds=seconds, stop=stop)
        except (MemoryError, RecursionError):
            answer = False, TooMuch()
        except Exception as error:
            # Without its traceback, because that has this function, and so would keep the arguments in memory.
            answer = False, error.with_traceback(None)
        with suppress(OSError):
            pipe.send(answer)

    with suppress(EOFError, OSError):
        while True:
            message = pipe.recv()
            if message is None:
                stop.set()
            else:
                stop = threading.Event()
                threading.Thread(target=think, args=(*message, stop), daemon=True).start()


def _lower_priority(nice_steps: int) -> None:
    """Lower the priority of this process if the system can do that, so that the server's own processes run first."""
    if hasattr(os, "nice"):
        os.nice(nice_steps)


def _limit_memory(max_memory_mb: int) -> None:
    """Limit the memory of this process, where the system supports it. An allocation above the limit raises
    `MemoryError`."""
    try:
        import resource
    except ImportError:
        return
    mapped = Path("/proc/self/statm")
    used = int(mapped.read_text("ascii").split()[0]) * resource.getpagesize() if mapped.exists() else 2**30
    with suppress(ValueError, OSError):  # not supported on macOS
        resource.setrlimit(
            resource.RLIMIT_AS, (used + max_memory_mb * 2**20, resource.getrlimit(resource.RLIMIT_AS)[1])
        )
