"""Solves one position for hours: saves what it has found to a file, and continues from there."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from connectk.errors import FileNotWritable
from connectk.rules import Position
from connectk.solver.book import OpeningBook
from connectk.solver.checkpoint import Checkpoint, SavedSearch, saved_position_limit
from connectk.solver.solution import Found, Goal, Solution
from connectk.solver.solver import Solver
from connectk.watch import Report, Stop

RATE_WINDOW_SECONDS = 10.0  # the rate is that of the last seconds
ColumnBounds = tuple[tuple[int, int] | None, ...]


@dataclass(frozen=True, slots=True)
class SearchStatus:
    """The progress of a long search. The score of the position is from `lower` to `upper`, and `columns` are the bounds
    of each column's score for the side to move; None for a full column.

    `nodes` and `seconds` are those of all runs. `table_fill` is the part of the table that is in use.
    `saved_seconds_ago` is None until something is saved, and `save_error` says why the latest save failed. A search
    that is split has finished `tasks` tasks in this run.
    """

    lower: int
    upper: int
    columns: ColumnBounds
    nodes: int
    nodes_per_second: float
    seconds: float
    table_fill: float
    table_bytes: int
    saved_seconds_ago: float | None = None
    save_error: FileNotWritable | None = None
    tasks: int | None = None

    @property
    def settled_columns(self) -> int:
        """How many columns have an exact score, or cannot be better than what is known of the position."""
        return sum(known is not None and (known[0] == known[1] or known[1] <= self.lower) for known in self.columns)


StatusCallback = Callable[[SearchStatus], object]


class LongSearch:
    """A search of one position with a checkpoint. Use it in a `with` block, whose end saves the search.

    If a file exists at `path`, the search continues from it. A search that was killed loses what it has found since the
    file was written last, one to four minutes before, and what is quickly found again.
    """

    def __init__(
        self,
        position: Position,
        path: Path,
        *,
        goal: Goal = "score",
        threads: int = 1,
        table_mb: float | None = None,
        book: bool | OpeningBook = True,
        progress: StatusCallback | None = None,
    ) -> None:
        self.position = position
        self._goal = goal
        self._solver = Solver(position.variant, threads=threads, table_mb=table_mb, book=book)
        self._progress = progress
        self._checkpoint = Checkpoint(path, position)
        try:
            saved = self._checkpoint.load()
        except BaseException:
            self._checkpoint.close()
            raise
        self._solver.allow_readers()
        self._solver.load_positions(saved.positions)
        self._clock = SearchClock(saved.nodes, saved.seconds)

    def __enter__(self) -> LongSearch:
        return self

    def __exit__(self, *exception: object) -> None:
        try:
            self.save()
        finally:
            self._checkpoint.close()

    def solve(self, stop: Stop | None = None) -> Solution:
        """The score or the result, as `Solver.solve`. If the search is stopped, the bounds that are known."""
        solution = self._solver.solve(self.position, goal=self._goal, stop=stop, progress=self._on_report)
        self._clock.finish(solution.nodes)
        return solution

    def find_columns(self, stop: Stop | None = None) -> tuple[Found | None, ...]:
        """The score or the result of each column, as `Solver.find_columns`."""
        columns = self._solver.find_columns(self.position, goal=self._goal, stop=stop, progress=self._on_report)
        self._clock.finish(sum(found.nodes for found in columns if found))
        return columns

    def status(self) -> SearchStatus:
        """What is known now. May be called while the search runs."""
        columns = column_bounds(self.position, self._solver)
        lower, upper = joined_bounds(self._solver.recorded_bounds(self.position), columns)
        return SearchStatus(
            lower,
            upper,
            columns,
            self._clock.nodes,
            self._clock.nodes_per_second,
            self._clock.seconds,
            self._solver.table_fill,
            self._solver.table_bytes,
            self._checkpoint.seconds_since_save,
            self._checkpoint.error,
        )

    def save(self) -> None:
        """Write the checkpoint."""
        self._checkpoint.save(self._found_so_far())

    def _found_so_far(self) -> SavedSearch:
        positions = self._solver.save_positions(saved_position_limit(self._solver.table_bytes))
        return SavedSearch(self._clock.nodes, self._clock.seconds, positions=positions)

    def _on_report(self, report: Report) -> None:
        self._clock.update(report.nodes)
        self._checkpoint.save_if_due(self._found_so_far)
        if self._progress is not None:
            self._progress(self.status())


class SearchClock:
    """Counts the nodes and the seconds of all runs of a search."""

    def __init__(self, nodes: int, seconds: float) -> None:
        self._nodes_before, self._seconds_before = nodes, seconds
        self._nodes_now = 0  # of the call that is running
        self._started = time.monotonic()
        self._recent = deque([(self._started, nodes)])

    @property
    def nodes(self) -> int:
        return self._nodes_before + self._nodes_now

    @property
    def seconds(self) -> float:
        return self._seconds_before + time.monotonic() - self._started

    @property
    def nodes_per_second(self) -> float:
        (since, before), (now, after) = self._recent[0], self._recent[-1]
        return (after - before) / (now - since) if now > since else 0.0

    def update(self, nodes: int) -> None:
        """Set the number of nodes of the call that is running."""
        self._nodes_now = nodes
        now = time.monotonic()
        self._recent.append((now, self.nodes))
        while len(self._recent) > 2 and self._recent[1][0] <= now - RATE_WINDOW_SECONDS:
            self._recent.popleft()

    def finish(self, nodes: int) -> None:
        """Add the nodes of a call that has ended."""
        self._nodes_before += nodes
        self._nodes_now = 0


def column_bounds(position: Position, solver: Solver) -> ColumnBounds:
    """What the solver's table knows of each column, for the side to move; None for a full column."""
    legal = set(position.legal_columns)
    known = [
        solver.recorded_bounds(position.drop(column)) if column in legal else None
        for column in range(position.variant.width)
    ]
    return tuple(bounds and (-bounds[1], -bounds[0]) for bounds in known)


def joined_bounds(own: tuple[int, int], columns: Sequence[tuple[int, int] | None]) -> tuple[int, int]:
    """The bounds of a position, given what is known of itself and of its columns."""
    open_columns = [known for known in columns if known is not None]
    if not open_columns:
        return own
    best = max(lower for lower, _ in open_columns), max(upper for _, upper in open_columns)
    return max(own[0], best[0]), min(own[1], best[1])
