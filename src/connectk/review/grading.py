"""Summarizes how well a player has played in one game or in several games: the accuracy, missed wins and blocks, and
blunders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from connectk.review.messages import ReviewAnswer
from connectk.rules import Side


@dataclass(frozen=True, slots=True)
class PlayGrade:
    """The quality of somebody's play. `moves` counts the moves in which the player had a choice.

    Only these moves count for the accuracy. If there are none, the accuracy is None.
    """

    games: int = 0
    moves: int = 0
    accuracy: float | None = None
    missed_wins: int = 0
    missed_blocks: int = 0
    blunders: int = 0  # other than missed wins and blocks

    @property
    def serious_mistakes(self) -> int:
        """The number of moves that every attentive player would call a blunder."""
        return self.missed_wins + self.missed_blocks + self.blunders


def grade_side(review: ReviewAnswer, side: Side) -> PlayGrade:
    """The grade of one side of a reviewed game."""
    name: Literal["first", "second"] = "first" if side is Side.FIRST else "second"
    labels = Counter(move["label"] for move in review["moves"] if move["side"] == name)
    return PlayGrade(
        1,
        review["marks"][name]["count"],
        review["accuracy"][name],
        labels["missed_win"],
        labels["missed_block"],
        labels["blunder"],
    )


def sum_grades(grades: Iterable[PlayGrade]) -> PlayGrade:
    """The grade over several games. Each move has the same weight in the accuracy."""
    each = list(grades)
    moves = sum(grade.moves for grade in each)
    marks = sum((grade.accuracy or 0.0) * grade.moves for grade in each)
    return PlayGrade(
        sum(grade.games for grade in each),
        moves,
        marks / moves if moves else None,
        sum(grade.missed_wins for grade in each),
        sum(grade.missed_blocks for grade in each),
        sum(grade.blunders for grade in each),
    )
