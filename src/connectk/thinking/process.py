"""A process that does one job at a time: bounded in time and memory, and stopped when nobody waits for it."""

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
from connectk.system import end_with_parent, give_memory_back, ignore_signals, kept_from_children

START_TIMEOUT_SECONDS = 60.0  # on a busy machine
NICE = 5  # steps by which thinking stands back on a busy machine
FOR_THE_SERVER = "SIGINT", "SIGTERM"  # signals that a thinker leaves to it: the server ends it when it has finished
GRACE_SECONDS = 2.0  # that a thinker may take to notice that its time is over


class ThinkingProcess:
    """One process that does one job at a time; it is made when first needed, and again after it has died."""

    def __init__(
        self, jobs: str = "connectk.thinking.jobs", megabytes: int | None = None, heeds_stop: bool = True
    ) -> None:
        """It does the `JOBS` of that module in so much memory; those that do not heed `stop` end with the process."""
        self._jobs, self._megabytes, self._heeds_stop = jobs, megabytes, heeds_stop
        self._process: Any = None
        self._pipe: Connection | None = None
        self._sending = threading.Lock()
        self._sent = self._unwanted = self._doomed = self._closed = False

    def begin(self) -> None:
        """Called before each job, where `stop` may be called as well."""
        self._sent = self._unwanted = False

    def work(self, job: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        """Blocks until the answer comes; the process is ended when it does not come in time."""
        try:
            pipe = self._start()
            with self._sending:
                if self._unwanted:
                    raise ThinkingFailed
                pipe.send((job, arguments, seconds))
                self._sent = True
            if not pipe.poll(seconds + GRACE_SECONDS):
                raise Timeout
            succeeded, answer = pipe.recv()
        except (Timeout, EOFError, OSError) as error:
            self.end()
            raise error if isinstance(error, Timeout) else ThinkingFailed from error
        if succeeded:
            return answer
        raise answer

    def stop(self) -> None:
        """Ask the job to come to an end; one that has not been sent yet never is."""
        with self._sending, suppress(OSError):
            self._unwanted = True
            if not self._heeds_stop and self._process:
                self._doomed = True  # it may look alive for a moment yet
                self._process.kill()
            elif self._pipe and self._sent:
                self._pipe.send(None)

    def close(self) -> None:
        """For good: who waits in `work` hears that the process is gone, and only then are its things put away."""
        with self._sending:
            self._closed = True
            if self._process:
                self._process.kill()

    def end(self) -> None:
        """Called by who waits in `work`, or when nobody does."""
        with self._sending:
            process, self._process = self._process, None
            pipe, self._pipe = self._pipe, None
            self._doomed = False
        if process:
            process.kill()
            process.join()
        if pipe:
            pipe.close()

    def _start(self) -> Connection:
        if self._pipe and not self._doomed and self._process.is_alive():
            return self._pipe
        self.end()
        pipe = self._launch()
        if not pipe.poll(START_TIMEOUT_SECONDS):
            raise EOFError
        pipe.recv()  # it is ready; how long that took is not the job's time
        return pipe

    def _launch(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        with self._sending, kept_from_children(*FOR_THE_SERVER):
            if self._closed:
                raise ThinkingFailed
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=serve, args=(theirs, self._jobs, self._megabytes), daemon=True)
            self._process.start()
        theirs.close()
        return self._pipe


def serve(pipe: Connection, jobs: str, megabytes: int | None) -> None:
    """A process's life: this thread hears, another one works."""
    ignore_signals(*FOR_THE_SERVER)
    end_with_parent()
    give_memory_back()
    module = importlib.import_module(jobs)
    _yield_to_others()
    if megabytes:
        _limit_memory(megabytes)
    pipe.send("ready")
    stop = threading.Event()

    def think(job: str, arguments: tuple[Any, ...], seconds: float, stop: threading.Event) -> None:
        try:
            answer = True, module.JOBS[job](*arguments, seconds=seconds, stop=stop)
        except (MemoryError, RecursionError):
            answer = False, TooMuch()
        except Exception as error:
            answer = False, error
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


def _yield_to_others() -> None:
    """Where the system can: the server itself, which only passes drops on, comes first."""
    if hasattr(os, "nice"):
        os.nice(NICE)


def _limit_memory(megabytes: int) -> None:
    """Where the system can: what asks for more is refused, and nobody else is short of it."""
    try:
        import resource
    except ImportError:
        return
    mapped = Path("/proc/self/statm")
    used = int(mapped.read_text("ascii").split()[0]) * resource.getpagesize() if mapped.exists() else 2**30
    with suppress(ValueError, OSError):  # macOS takes no such limit
        resource.setrlimit(resource.RLIMIT_AS, (used + megabytes * 2**20, resource.getrlimit(resource.RLIMIT_AS)[1]))
