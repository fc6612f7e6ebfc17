"""Why a blunder lost what it lost: an explanation of the position after it, for those who ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from connectk.errors import UnsupportedVariant
from connectk.review.review import Label, Review
from connectk.solver import Solver
from connectk.texts import Texts
from connectk.why import Why, explain
from connectk.why.steps import in_language, why_facts

if TYPE_CHECKING:
    from connectk.why.messages import WhyAnswer


def explain_blunders(review: Review, seconds: float) -> dict[int, Why]:
    """By the number of the move, the position after each blunder; about so many seconds for each. None on a board that
    is too large to explain."""
    try:
        solver = Solver(review.game.variant)
    except UnsupportedVariant:
        return {}
    blunders = [move for move in review.moves if move.label is Label.BLUNDER]
    return {move.number: explain(move.after_position, seconds=seconds, solver=solver) for move in blunders}


def whys_to_json(whys: Mapping[int, Why], texts: Texts) -> dict[str, WhyAnswer]:
    """As the server answers `/api/why`, by the number of the move."""
    return {str(number): in_language(why_facts(why), texts) for number, why in whys.items()}
