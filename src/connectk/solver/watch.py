"""Running the core's search where it can be watched and stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol

from connectk import _native
from connectk.rules import Variant

POLL_SECONDS = 0.01  # how soon a stop is seen; a search ends a few milliseconds later
REPORT_SECONDS = 0.1


class StopEvent(Protocol):
    """Anything that can say stop, such as a `threading.Event`."""

    def is_set(self) -> bool: ...


Stop = StopEvent | Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Report:
    """Where a search stands: lower <= score <= upper, and how many discs ahead the question under way reaches."""

    lower: int
    upper: int
    nodes: int
    depth: int
    seconds: float


ProgressCallback = Callable[[Report], object]
Search = Callable[[_native.StopFlag, _native.Progress], _native.Bounds]


class Watch:
    """What may interrupt the searches of one call, and who wants to hear of them."""

    def __init__(self, stop: Stop | None = None, progress: ProgressCallback | None = None) -> None:
        self._stop = stop
        self._progress = progress
        self._started = time.monotonic()
        self._reported = self._started
        self._nodes_before = 0
        self.stopped = False  # no more is wanted
        self.interrupted = False  # because of Ctrl-C

    def should_stop(self) -> bool:
        """Whether the caller wants no more; once true it stays true."""
        if not self.stopped and self._stop is not None:
            self.stopped = self._stop() if callable(self._stop) else self._stop.is_set()
        return self.stopped

    def run(self, search: Search, variant: Variant, ply: int) -> _native.Bounds:
        """The search in its own thread, while this one listens; a stop or Ctrl-C gives the bounds known by then."""
        flag, state = _native.StopFlag(), _native.Progress()
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="connectk-search") as pool:
            running = pool.submit(search, flag, state)
            try:
                while not wait([running], timeout=POLL_SECONDS).done:
                    if self.should_stop():
                        flag.raise_()
                    self._tell(state, variant, ply)
            except KeyboardInterrupt:
                self.stopped = self.interrupted = True
            finally:
                flag.raise_()  # also when the callback failed: the pool waits for the search to end
            found = running.result()
        self._nodes_before += found.nodes
        return found

    def _tell(self, state: _native.Progress, variant: Variant, ply: int) -> None:
        now = time.monotonic()
        if self._progress is not None and now - self._reported >= REPORT_SECONDS:
            self._reported = now
            self._progress(_report(state, variant, ply, self._nodes_before, now - self._started))


def _report(state: _native.Progress, variant: Variant, ply: int, nodes_before: int, seconds: float) -> Report:
    # 'Is the score at least t' is a question about games that end by a certain disc.
    question = abs(state.target) if state.target > 0 else abs(state.target - 1)
    depth = min(variant.cells, variant.cells + 2 - 2 * question) - ply
    return Report(state.lower, state.upper, nodes_before + state.nodes, max(depth, 0), seconds)
