"""Exact scores of positions, from the side to move: `solve` one, `solve_many`, `score_columns`, or keep a `Solver`.

>>> from connectk import Position, solve
>>> solve(Position.start()).best_columns
(3,)
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable

from connectk.rules import Position, Variant
from connectk.solver.book import OpeningBook
from connectk.solver.many import ManyInterrupted, solve_each, solve_many
from connectk.solver.solution import Found, Goal, ResultWord, Solution, Source
from connectk.solver.solver import SearchInterrupted, Solver
from connectk.watch import Progress, Report, Stop

__all__ = [
    "Found",
    "Goal",
    "ManyInterrupted",
    "OpeningBook",
    "Report",
    "ResultWord",
    "SearchInterrupted",
    "Solution",
    "Solver",
    "Source",
    "score_columns",
    "solve",
    "solve_each",
    "solve_many",
]

MAX_CACHED_SOLVERS = 8  # per thread, one for each board and options
MAX_CACHED_TABLE_BYTES = 64 << 20  # a solver with a larger table is not cached


def solve(
    position: Position,
    *,
    goal: Goal = "score",
    threads: int = 1,
    table_mb: float | None = None,
    book: bool | OpeningBook = True,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Solution:
    """What this position is worth under perfect play; best columns and a line when asked for. See `Solver.solve`."""
    solver = _cache.solver(position.variant, threads, table_mb, book)
    try:
        return solver.answer(position, goal, stop, progress, True)
    finally:
        if solver.table_bytes > MAX_CACHED_TABLE_BYTES:
            _cache.release(solver)


def score_columns(
    position: Position,
    *,
    goal: Goal = "score",
    threads: int = 1,
    table_mb: float | None = None,
    book: bool | OpeningBook = True,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[int | None, ...]:
    """One exact score for each column, None where no disc fits; see `Solver.score_columns`."""
    solver = _cache.solver(position.variant, threads, table_mb, book)
    solver.forget()
    try:
        return solver.score_columns(position, goal=goal, stop=stop, progress=progress)
    finally:
        if solver.table_bytes > MAX_CACHED_TABLE_BYTES:
            _cache.release(solver)


class _ThreadSolverCache(threading.local):
    """The solvers of a thread, cached between calls because creating one takes longer than a short search."""

    def __init__(self) -> None:
        self._solvers: dict[object, Solver] = {}
        self._last: tuple[object, ...] = (None,) * 4  # the previous call's arguments, and its solver
        self._last_solver: Solver | None = None
        self._large: Callable[[], Solver | None] = lambda: None  # a weak reference

    def solver(self, variant: Variant, threads: int, table_mb: float | None, book: bool | OpeningBook) -> Solver:
        """A cached or new solver; its table may hold old results. The fast path for the previous one avoids hashing."""
        last = self._last
        if variant is last[0] and threads is last[1] and table_mb is last[2] and book is last[3]:
            return self._last_solver  # type: ignore[return-value]
        key = (variant, threads, table_mb, book)
        solver = self._solvers.get(key)
        if solver is None:
            solver = Solver(variant, threads=threads, table_mb=table_mb, book=book)
            if len(self._solvers) >= MAX_CACHED_SOLVERS:
                self._solvers.clear()
            self._solvers[key] = solver
        self._last, self._last_solver = key, solver
        return solver

    def release(self, solver: Solver) -> None:
        """Evict a solver with a large table; the table is emptied once another large one is evicted."""
        before = self._large()
        if before is not None and before is not solver:
            before.forget()
        self._large = weakref.ref(solver)
        self._solvers = {key: kept for key, kept in self._solvers.items() if kept is not solver}
        self._last, self._last_solver = (None,) * 4, None


_cache = _ThreadSolverCache()
