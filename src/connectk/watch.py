"""Stopping long work and hearing how far it is: one way for the solver, the players, reviews, books and all else.

Whatever may take long has two arguments. `stop` says that no more is wanted: a `threading.Event`, a `StopFlag`, or
anything callable. `progress` is called with a `Report`, at most some ten times a second. A player has its `Clock`
instead, which takes the same `stop`, and one column to tell. An iterator such as `referee.judge_many` has no `stop`: it
is stopped by not asking for more. What only connectk itself calls, such as `Pool.run` and `SolverPool.answers`, may
take one `Watch` made of the two, or `stop` alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from connectk import _native

POLL_SECONDS = 0.01  # how soon a stop is seen; a search ends a few milliseconds later
REPORT_INTERVAL_SECONDS = 0.1

StopFlag = _native.StopFlag  # like a threading.Event, and the core sees it without asking Python
Answer = TypeVar("Answer")


class StopEvent(Protocol):
    """Anything that can say stop, such as a `threading.Event`."""

    def is_set(self) -> bool: ...


Stop = StopEvent | Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Report:
    """Where the work stands: `done` of `total` parts, where it has parts, the positions searched so far, and the rows
    that were written. Work of several stages names the one it is at, and counts the parts and seconds of each anew.

    Of a search that is under way, lower <= score <= upper, and the question it is at looks `depth` discs ahead.
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
    """A stop that says so when the time is up, or sooner when `stop` does."""
    until = time.monotonic() + seconds
    return lambda: time.monotonic() >= until or (stop is not None and is_stop_requested(stop))


def is_stop_requested(stop: Stop) -> bool:
    """Whether no more is wanted."""
    return stop() if callable(stop) else stop.is_set()


def in_stage(stage: str, progress: Progress | None) -> Progress | None:
    """Whoever hears of the whole work, as those who do one stage of it tell them."""
    return None if progress is None else lambda report: progress(replace(report, stage=stage))


class Watch:
    """What may stop the work of one call, and who wants to hear of it."""

    def __init__(self, stop: Stop | None = None, progress: Progress | None = None) -> None:
        self._stop = stop
        self._progress = progress
        self._started = self._reported = time.monotonic()
        self._nodes_before = 0
        self.stopped = False  # no more is wanted
        self.interrupted = False  # because of Ctrl-C

    def should_stop(self) -> bool:
        """Whether the caller wants no more; once true it stays true."""
        if not self.stopped and self._stop is not None:
            self.stopped = is_stop_requested(self._stop)
        return self.stopped

    def report(self, done: int, total: int | None = None, nodes: int = 0, rows: int = 0) -> None:
        """Say that so many parts are done."""
        if self._progress is not None:
            self._progress(Report(done, total, nodes, time.monotonic() - self._started, rows=rows))

    def report_throttled(self, done: int, total: int | None = None, nodes: int = 0) -> None:
        """The same, when it was long enough ago or the last part is done."""
        now = time.monotonic()
        if self._progress is not None and (now - self._reported >= REPORT_INTERVAL_SECONDS or done == total):
            self._reported = now
            self.report(done, total, nodes)

    def run(self, work: Work[Answer]) -> Answer:
        """The core's work in a thread of its own, while this one listens; a stop or Ctrl-C ends it early."""
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
                flag.set()  # also when the callback failed: the pool waits for the work to end
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
