"""Exact scores of positions for the side to move: `solve`, `solve_many`, `score_columns` and the class `Solver`.

>>> from connectk import Position, solve
>>> solve(Position.start()).best_columns
(3,)
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable

from connectk.rules import CLASSIC, Position, Variant
from connectk.solver.batch_solver import ManyInterrupted, position_of, solve_each, solve_many
from connectk.solver.book import OpeningBook, load_book
from connectk.solver.one_move import TieBreak, best_column, bounds, score_move
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
    "TieBreak",
    "best_column",
    "bounds",
    "load_book",
    "score_columns",
    "score_move",
    "solve",
    "solve_each",
    "solve_many",
]

MAX_CACHED_SOLVERS = 8  # per thread, one for each board and options
MAX_CACHED_TABLE_BYTES = 64 << 20  # a solver with a larger table is not cached


def solve(
    position: Position | str,
    *,
    variant: Variant = CLASSIC,
    goal: Goal = "score",
    threads: int = 1,
    table_mb: float | None = None,
    book: bool | OpeningBook = True,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Solve a position under perfect play. The best columns and the line of play are computed when they are first used;
    see `Solver.solve`.

    A string is either moves of `variant`, such as "4455", or a board, such as "4xo.5x".
    """
    if isinstance(position, str):
        position = position_of(position, variant)
    solver = _cache.solver(position.variant, threads, table_mb, book)
    try:
        return solver.answer(position, goal, stop, progress, True)
    finally:
        if solver.table_bytes > MAX_CACHED_TABLE_BYTES:
            _cache.release(solver)


def score_columns(
    position: Position | str,
    *,
    variant: Variant = CLASSIC,
    goal: Goal = "score",
    threads: int = 1,
    table_mb: float | None = None,
    book: bool | OpeningBook = True,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[int | None, ...]:
    """The exact score of each column; None for a full column. See `Solver.score_columns`.

    A string is either moves of `variant` or a board, as in `solve`.
    """
    if isinstance(position, str):
        position = position_of(position, variant)
    solver = _cache.solver(position.variant, threads, table_mb, book)
    solver.clear_table()
    try:
        return solver.score_columns(position, goal=goal, stop=stop, progress=progress)
    finally:
        if solver.table_bytes > MAX_CACHED_TABLE_BYTES:
            _cache.release(solver)


class _ThreadSolverCache(threading.local):
    """Keeps the solvers of one thread from one call to the next. It takes longer to create a solver than to do a short
    search."""

    def __init__(self) -> None:
        self._solvers: dict[object, Solver] = {}
        self._last: tuple[object, ...] = (None,) * 4  # the previous call's arguments, and its solver
        self._last_solver: Solver | None = None
        self._large: Callable[[], Solver | None] = lambda: None  # a weak reference

    def solver(self, variant: Variant, threads: int, table_mb: float | None, book: bool | OpeningBook) -> Solver:
        """Return a cached solver or a new one. The table of a cached solver holds results of earlier calls.

        If the arguments are the same objects as in the last call, the last solver is returned without computing a hash.
        """
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
        """Remember this solver, which has a large table, and empty the table of the previously remembered one."""
        before = self._large()
        if before is not None and before is not solver:
            before.clear_table()
        self._large = weakref.ref(solver)
        self._solvers = {key: kept for key, kept in self._solvers.items() if kept is not solver}
        self._last, self._last_solver = (None,) * 4, None


_cache = _ThreadSolverCache()
