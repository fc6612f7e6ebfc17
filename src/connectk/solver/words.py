"""Scores in words."""

from __future__ import annotations

from connectk.rules import Variant
from connectk.solver.solution import Goal, discs_to_win

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
