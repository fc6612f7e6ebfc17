"""Stopping long work and reporting its progress: the same arguments for the solver, players, reviews and books.

A function that may take long has two arguments. `stop` cancels it: a `threading.Event`, a `StopFlag`, or a callable
that returns whether to stop. `progress` is called with a `Report`, at most about ten times a second. A player has a
`Clock` instead, which takes the same `stop`. An iterator such as `referee.judge_many` has no `stop`: the caller stops
iterating. Internal functions may take one `Watch` made of both, or `stop` alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from connectk import _native

POLL_SECONDS = 0.01  # between checks for a stop; a search ends a few milliseconds later
REPORT_INTERVAL_SECONDS = 0.1

StopFlag = _native.StopFlag  # like a threading.Event, but the core reads it without the interpreter
Answer = TypeVar("Answer")


class StopEvent(Protocol):
    """An object with `is_set`, such as a `threading.Event`."""

    def is_set(self) -> bool: ...


Stop = StopEvent | Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Report:
    """The progress of the work: `done` of `total` parts, if it has parts, the positions searched so far, and the rows
    written. Work with several stages names the current one in `stage`; each stage counts its own parts and seconds.

    During a search, lower <= score <= upper, and it currently looks `depth` discs ahead.
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
    """A stop that is set once the time is up, or earlier if `stop` is."""
    until = time.monotonic() + seconds
    return lambda: time.monotonic() >= until or (stop is not None and is_stop_requested(stop))


def is_stop_requested(stop: Stop) -> bool:
    """Whether `stop` is set."""
    return stop() if callable(stop) else stop.is_set()


def in_stage(stage: str, progress: Progress | None) -> Progress | None:
    """Tags each report with this stage."""
    return None if progress is None else lambda report: progress(replace(report, stage=stage))


class Watch:
    """The stop and the progress callback of one call."""

    def __init__(self, stop: Stop | None = None, progress: Progress | None = None) -> None:
        self._stop = stop
        self._progress = progress
        self._started = self._reported = time.monotonic()
        self._nodes_before = 0
        self.stopped = False
        self.interrupted = False  # by Ctrl-C

    def should_stop(self) -> bool:
        """Whether a stop was requested; once true it stays true."""
        if not self.stopped and self._stop is not None:
            self.stopped = is_stop_requested(self._stop)
        return self.stopped

    def report(self, done: int, total: int | None = None, nodes: int = 0, rows: int = 0) -> None:
        """Call the progress callback."""
        if self._progress is not None:
            self._progress(Report(done, total, nodes, time.monotonic() - self._started, rows=rows))

    def report_throttled(self, done: int, total: int | None = None, nodes: int = 0) -> None:
        """The same, at most once per interval, and when the last part is done."""
        now = time.monotonic()
        if self._progress is not None and (now - self._reported >= REPORT_INTERVAL_SECONDS or done == total):
            self._reported = now
            self.report(done, total, nodes)

    def run(self, work: Work[Answer]) -> Answer:
        """Run work of the core in another thread, and poll for a stop or Ctrl-C in this one."""
        flag, state = StopFlag(), _native.Progress()
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="connectk-search") as pool:
            running = pool.submit(work, flag, state)
            try:
                while not wait([running], timeout=POLL_SECONDS).done:
                    if self.should_stop():
                        flag.set()
                    self._report_search(state)
            except KeyboardInterrupt:
                self.stopped = self.interrupted = True
            finally:
                flag.set()  # also if the callback raised: the executor waits for the work to end
            answer = running.result()
        self._nodes_before += state.nodes
        return answer

    def _report_search(self, state: _native.Progress) -> None:
        now = time.monotonic()
        if self._progress is None or now - self._reported < REPORT_INTERVAL_SECONDS:
            return
        self._reported = now
        nodes, seconds = self._nodes_before + state.nodes, now - self._started
        self._progress(Report(0, None, nodes, seconds, state.lower, state.upper, state.depth))
