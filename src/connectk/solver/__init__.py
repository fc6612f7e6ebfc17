"""Exact scores of positions, from the side to move: see `solve`, `score_columns` and `Solver`.

>>> from connectk import Position, solve
>>> solve(Position.start()).best_columns
(3,)
"""

from __future__ import annotations

from connectk.rules import Position
from connectk.solver.book import OpeningBook
from connectk.solver.solution import Goal, Result, Solution, Source
from connectk.solver.solver import Found, SearchInterrupted, Solver
from connectk.watch import Progress, Report, Stop

__all__ = [
    "Found",
    "Goal",
    "OpeningBook",
    "Report",
    "Result",
    "SearchInterrupted",
    "Solution",
    "Solver",
    "Source",
    "score_columns",
    "solve",
]


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
    """What this position is worth under perfect play, with the best columns and a line; see `Solver.solve`."""
    solver = Solver(position.variant, threads=threads, table_mb=table_mb, book=book)
    return solver.solve(position, goal=goal, stop=stop, progress=progress)


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
    solver = Solver(position.variant, threads=threads, table_mb=table_mb, book=book)
    return solver.score_columns(position, goal=goal, stop=stop, progress=progress)
