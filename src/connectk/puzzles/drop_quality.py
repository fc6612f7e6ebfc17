"""Grades a learner's drop with the solver: it is a best drop, or the grade tells what it gives away."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from connectk.rules import Position
from connectk.solver import Solver
from connectk.texts import Texts


class DropQuality(StrEnum):
    """The quality of a drop. The values are ordered from the best to the worst."""

    BEST = "best"
    SLOWER = "slower"  # still wins, but another drop is sooner
    SHORTER = "shorter"  # loses anyway, but another drop holds out longer
    MISSES_WIN = "misses_win"  # a win became a draw
    LOSES_WIN = "loses_win"  # a win became a loss
    LOSES_DRAW = "loses_draw"  # a draw became a loss


@dataclass(frozen=True, slots=True)
class DropJudgement:
    """The quality of one drop, and the best columns."""

    column: int
    quality: DropQuality
    best: tuple[int, ...]

    @property
    def keeps_result(self) -> bool:
        return self.quality in (DropQuality.BEST, DropQuality.SLOWER, DropQuality.SHORTER)

    def describe(self, texts: Texts) -> str:
        """A sentence such as 'Column 3 still wins, but column 5 is sooner.'"""
        return texts(f"learn.verdict.{self.quality}", column=self.column + 1, best=self.best[0] + 1)


def judge_drop(position: Position, column: int, solver: Solver) -> DropJudgement:
    """Judge a drop into a column that takes a disc."""
    return judge_drop_by_scores(column, solver.score_columns(position))


def judge_drop_by_scores(column: int, scores: tuple[int | None, ...]) -> DropJudgement:
    known = {other: score for other, score in enumerate(scores) if score is not None}
    score, top = known[column], max(known.values())
    best = tuple(other for other, one in known.items() if one == top)
    return DropJudgement(column, _quality(score, top), best)


def _quality(score: int, top: int) -> DropQuality:
    if score == top:
        return DropQuality.BEST
    if score > 0:
        return DropQuality.SLOWER
    if top < 0:
        return DropQuality.SHORTER
    if top == 0:
        return DropQuality.LOSES_DRAW
    return DropQuality.MISSES_WIN if score == 0 else DropQuality.LOSES_WIN
