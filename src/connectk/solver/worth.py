"""The worth of a column in words: a win, a draw, a loss or an estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from connectk.rules import Variant
from connectk.solver.solution import discs_to_win
from connectk.texts import Texts

WorthKind = Literal["wins", "draw", "loses", "about"]


@dataclass(frozen=True, slots=True)
class Worth:
    """The worth of a column to the side to move.

    If `kind` is `wins` or `loses`, `count` is the number of discs that the winner still drops. If `kind` is `about`,
    `score` is an estimate from -1 to 1. The fourth kind is `draw`.
    """

    kind: WorthKind
    count: int = 0
    score: float = 0.0

    @classmethod
    def of(cls, score: int, variant: Variant, ply: int) -> Worth:
        """The worth of an exact score."""
        if score == 0:
            return cls("draw")
        return cls("wins" if score > 0 else "loses", discs_to_win(variant, ply, score))

    @property
    def is_proven(self) -> bool:
        return self.kind != "about"

    def say(self, texts: Texts) -> str:
        """The worth in the language of `texts`, such as 'wins in 5'."""
        if self.kind == "about":
            return texts("worth.about", score=f"{self.score:+.2f}")
        return texts("worth.draw") if self.kind == "draw" else texts(f"worth.{self.kind}_in", count=self.count)
