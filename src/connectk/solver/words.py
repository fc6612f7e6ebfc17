"""Scores in words."""

from __future__ import annotations

from dataclasses import dataclass

from connectk.rules import Variant
from connectk.solver.solution import Goal, discs_to_win
from connectk.texts import Texts

RESULTS = {1: "wins", 0: "draw", -1: "loses"}


def score_in_words(score: int, variant: Variant, ply: int, goal: Goal = "score") -> str:
    """What a score means for the side to move: "wins in 12 discs", "draw", "loses in 5"."""
    if goal == "result" or score == 0:
        return RESULTS[(score > 0) - (score < 0)]
    discs = discs_to_win(variant, ply, score)
    return f"wins in {discs} disc{'s' if discs > 1 else ''}" if score > 0 else f"loses in {discs}"


def bounds_in_words(lower: int, upper: int) -> str:
    """What is known of a score when a search was stopped."""
    if lower > 0:
        return f"wins; the score is between {lower} and {upper}"
    if upper < 0:
        return f"loses; the score is between {lower} and {upper}"
    return f"not known; the score is between {lower} and {upper}"


@dataclass(frozen=True, slots=True)
class Worth:
    """What a column is worth to the side to move: it `wins` or `loses` in `count` discs of the winner, is a `draw`, or
    is `about` an estimated score from -1 to 1."""

    kind: str
    count: int = 0
    score: float = 0.0

    @classmethod
    def of(cls, score: int, variant: Variant, ply: int) -> Worth:
        """That of an exact score."""
        if score == 0:
            return cls("draw")
        return cls("wins" if score > 0 else "loses", discs_to_win(variant, ply, score))

    @property
    def is_proven(self) -> bool:
        return self.kind != "about"

    def say(self, texts: Texts) -> str:
        """In a player's language: wins in 5."""
        if self.kind == "about":
            return texts("worth.about", score=f"{self.score:+.2f}")
        return texts("worth.draw") if self.kind == "draw" else texts(f"worth.{self.kind}_in", count=self.count)
