"""The two sides, and the ways in which a game ends on or off the board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from connectk.texts import load_texts


class Side(Enum):
    """One of the two players. FIRST drops the first disc of a game."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Side:
        return Side.SECOND if self is Side.FIRST else Side.FIRST

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game on the board: a winner or, if `winner` is None, a draw."""

    winner: Side | None

    @property
    def is_draw(self) -> bool:
        return self.winner is None

    def __str__(self) -> str:
        return load_texts("en")(f"outcome.{self.winner or 'draw'}")


DRAW = Outcome(winner=None)


class EndReason(Enum):
    """Why a game ended."""

    LINE = "line"
    FULL = "full"
    RESIGNED = "resigned"
    AGREED = "agreed"
    TIME = "time"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Result:
    """The winner of a game and the reason. The reason may also be an ending off the board, such as a resignation."""

    winner: Side | None
    reason: EndReason

    @classmethod
    def of(cls, outcome: Outcome) -> Result:
        """The result of a game that ended on the board."""
        return cls(outcome.winner, EndReason.FULL if outcome.is_draw else EndReason.LINE)
