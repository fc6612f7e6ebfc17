"""What the solver found out about a position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from connectk.rules import Position, Variant

Goal = Literal["score", "result"]
Result = Literal["win", "draw", "loss"]
Source = Literal["book", "search", "rules"]


@dataclass(frozen=True)
class Solution:
    """Everything is seen from the side to move; columns count from 0.

    `nodes` and `seconds` are what the score took; the best columns and the line come after it. `source` says where the
    score is from: the opening book, a search, or the rules alone when the game is over.
    """

    position: Position
    goal: Goal
    lower: int
    upper: int
    best_columns: tuple[int, ...]
    line: tuple[int, ...]
    nodes: int
    seconds: float
    source: Source

    @property
    def score(self) -> int | None:
        """The exact score; None when the search was stopped, or asked only for the result."""
        known = self.lower == self.upper and (self.goal == "score" or self.lower == 0)
        return self.lower if known else None

    @property
    def result(self) -> Result | None:
        """Whether the side to move wins, draws or loses; None when the search was stopped too early to tell."""
        if self.lower > 0:
            return "win"
        if self.upper < 0:
            return "loss"
        return "draw" if self.lower == self.upper else None

    @property
    def plies(self) -> int | None:
        """How many more discs are dropped when both sides play their best."""
        if self.score is None:
            return None
        return plies_to_end(self.position.variant, self.position.ply, self.score)


def win_score(variant: Variant, last_disc: int) -> int:
    """The score of winning with the `last_disc`-th disc of the game."""
    return (variant.cells + 2 - last_disc) // 2


def plies_to_end(variant: Variant, ply: int, score: int) -> int:
    """How many discs after `ply` a game of this score ends."""
    if score == 0:
        return variant.cells - ply
    last_disc = variant.cells + 2 - 2 * abs(score)
    winner_moves_next = score > 0
    if (last_disc - ply) % 2 != winner_moves_next:  # the other of the two discs that score the same is the loser's
        last_disc -= 1
    return last_disc - ply


def discs_to_win(variant: Variant, ply: int, score: int) -> int:
    """How many discs the winner still drops, as moves are counted in chess problems: a win in 1 is the next drop."""
    return (plies_to_end(variant, ply, score) + 1) // 2


def score_when_over(position: Position) -> int:
    """The score of a finished game for the side whose turn it would be."""
    assert position.outcome is not None
    return -win_score(position.variant, position.ply) if position.outcome.winner is not None else 0
