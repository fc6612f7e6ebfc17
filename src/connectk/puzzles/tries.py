"""What the solver says of a drop, for someone who learns: the best one, or what it leaves behind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from connectk.rules import Position
from connectk.solver import Solver
from connectk.texts import Texts


class Kind(StrEnum):
    """From the best to the worst."""

    BEST = "best"
    SLOWER = "slower"  # still wins, but another drop is sooner
    SHORTER = "shorter"  # loses anyway, but another drop holds out longer
    MISSES_WIN = "misses_win"  # a win became a draw
    LOSES_WIN = "loses_win"  # a win became a loss
    LOSES_DRAW = "loses_draw"  # a draw became a loss


@dataclass(frozen=True, slots=True)
class Judgement:
    """One drop beside the best ones."""

    column: int
    kind: Kind
    best: tuple[int, ...]

    @property
    def keeps_result(self) -> bool:
        return self.kind in (Kind.BEST, Kind.SLOWER, Kind.SHORTER)

    def words(self, texts: Texts) -> str:
        """In a sentence: 'Column 3 still wins, but column 5 is sooner.'"""
        return texts(f"learn.verdict.{self.kind}", column=self.column + 1, best=self.best[0] + 1)


def judge(position: Position, column: int, solver: Solver) -> Judgement:
    """The drop into this column, which must be open."""
    return judge_by(column, solver.score_columns(position))


def judge_by(column: int, scores: tuple[int | None, ...]) -> Judgement:
    known = {other: score for other, score in enumerate(scores) if score is not None}
    score, top = known[column], max(known.values())
    best = tuple(other for other, one in known.items() if one == top)
    return Judgement(column, _kind(score, top), best)


def _kind(score: int, top: int) -> Kind:
    if score == top:
        return Kind.BEST
    if score > 0:
        return Kind.SLOWER
    if top < 0:
        return Kind.SHORTER
    if top == 0:
        return Kind.LOSES_DRAW
    return Kind.MISSES_WIN if score == 0 else Kind.LOSES_WIN
