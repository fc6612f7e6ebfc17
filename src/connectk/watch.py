"""Stops long work and reports its progress; the solver, players, reviews and books use the same arguments for this.

`stop` cancels the work: a `threading.Event`, a `StopFlag`, or a callable that returns whether to stop. `progress` is
called with a `Report`, at most about ten times a second. A player has a `Clock` instead, which also has a `stop`. An
iterator such as `referee.judge_many` has no `stop`, because the caller can stop iterating. An internal function may
take a `Watch`, which holds both arguments, or `stop` alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from connectk import _native

STOP_POLL_INTERVAL_SECONDS = 0.01  # between checks for a stop; a search ends a few milliseconds later
PROGRESS_INTERVAL_SECONDS = 0.1

StopFlag = _native.StopFlag  # like a threading.Event, but the core reads it without the interpreter
Answer = TypeVar("Answer")


class StopEvent(Protocol):
    """An object with a method `is_set`, such as a `threading.Event`."""

    def is_set(self) -> bool: ...


Stop = StopEvent | Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Report:
    """The progress of some work.

    If the work has parts, `done` of `total` parts are finished. `nodes` is the number of positions searched so far, and
    `rows` is the number of rows written. If the work has several stages, `stage` is the current one; each stage counts
    its own parts and seconds. During a search, lower <= score <= upper, and the search currently looks `depth` discs
    ahead.
    """

    done: int = 0
    total: int | None = None
    nodes: int = 0
    seconds: float = 0.0
    lower: int = 0
    upper: int = 0
    depth: int = 0
    rows: int = 0
    stage: str = ""


Progress = Callable[[Report], object]
Work = Callable[[StopFlag, _native.Progress], Answer]


def stop_after(seconds: float, stop: Stop | None = None) -> Callable[[], bool]:
    """Returns a `stop` function. It returns True when the time is up or when the given `stop` is set."""
    until = time.monotonic() + seconds
    return lambda: time.monotonic() >= until or (stop is not None and is_stop_requested(stop))


def is_stop_requested(stop: Stop) -> bool:
    """Whether `stop` is set or returns True."""
    return stop() if callable(stop) else stop.is_set()


def in_stage(stage: str, progress: Progress | None) -> Progress | None:
    """A progress callback that sets the stage of each report and passes the report to `progress`."""
    return None if progress is None else lambda report: progress(replace(report, stage=stage))


class Watch:
    """Holds the `stop` and the `progress` argument of one call."""

    def __init__(self, stop: Stop | None = None, progress: Progress | None = None) -> None:
        self._stop = stop
        self._progress = progress
        self._started = self._reported = time.monotonic()
        self._nodes_before = 0
        self.stopped = False
        self.interrupted = False  # by Ctrl-C

    def should_stop(self) -> bool:
        """Whether the work should stop. Once the answer is True, it stays True."""
        if not self.stopped and self._stop is not None:
            self.stopped = is_stop_requested(self._stop)
        return self.stopped

    def report(self, done: int, total: int | None = None, nodes: int = 0, rows: int = 0) -> None:
        """Call the progress callback."""
        if self._progress is not None:
            self._progress(Report(done, total, nodes, time.monotonic() - self._started, rows=rows))

    def report_throttled(self, done: int, total: int | None = None, nodes: int = 0) -> None:
        """Call the progress callback at most once per `PROGRESS_INTERVAL_SECONDS`. It is always called when the last
        part is done."""
        now = time.monotonic()
        if self._progress is not None and (now - self._reported >= PROGRESS_INTERVAL_SECONDS or done == total):
            self._reported = now
            self.report(done, total, nodes)

    def run(self, work: Work[Answer]) -> Answer:
        """Run work of the core in another thread. Meanwhile the calling thread checks regularly for a stop or
        Ctrl-C."""
        flag, state, running = StopFlag(), _native.Progress(), None
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="connectk-search") as pool:
            try:
                running = pool.submit(work, flag, state)
                while not wait([running], timeout=STOP_POLL_INTERVAL_SECONDS).done:
                    if self.should_stop():
                        flag.set()
                    self._report_search(state)
            except KeyboardInterrupt:
                self.stopped = self.interrupted = True
                if running is None:  # while the thread was starting
                    raise
            finally:
                flag.set()  # also if a callback raised, because the executor waits for the work to end
            answer = running.result()
        self._nodes_before += state.nodes
        return answer

    def _report_search(self, state: _native.Progress) -> None:
        now = time.monotonic()
        if self._progress is None or now - self._reported < PROGRESS_INTERVAL_SECONDS:
            return
        self._reported = now
        nodes, seconds = self._nodes_before + state.nodes, now - self._started
        self._progress(Report(0, None, nodes, seconds, state.lower, state.upper, state.depth))
