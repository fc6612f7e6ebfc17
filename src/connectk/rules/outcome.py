"""The two sides, how a game ends on the board, and how it may end away from it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from connectk.texts import load_texts


class Side(Enum):
    """A player: the first drops the first disc."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Side:
        return Side.SECOND if self is Side.FIRST else Side.FIRST

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended; no winner means a draw."""

    winner: Side | None

    @property
    def is_draw(self) -> bool:
        return self.winner is None

    def __str__(self) -> str:
        return load_texts("en")(f"outcome.{self.winner or 'draw'}")


DRAW = Outcome(winner=None)


class EndReason(Enum):
    """What ended a game."""

    LINE = "line"
    FULL = "full"
    RESIGNED = "resigned"
    AGREED = "agreed"
    TIME = "time"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Result:
    """Who won and why: the board's own outcome, or what the board alone cannot tell."""

    winner: Side | None
    reason: EndReason

    @classmethod
    def of(cls, outcome: Outcome) -> Result:
        return cls(outcome.winner, EndReason.FULL if outcome.is_draw else EndReason.LINE)
