"""Explains the positions after the flawed moves of a reviewed game. `connectk review --why` shows these
explanations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from connectk.errors import UnsupportedVariant
from connectk.review.review import Review
from connectk.solver import Solver
from connectk.texts import Texts
from connectk.why import Why, explain
from connectk.why.json_views import localize_why, why_to_json

if TYPE_CHECKING:
    from connectk.why.messages import WhyAnswer


def explain_blunders(review: Review, seconds: float) -> dict[int, Why]:
    """Explain the position after each flawed move. The keys are the move numbers. The result is empty if the board is
    too large for explanations."""
    try:
        solver = Solver(review.game.variant)
    except UnsupportedVariant:
        return {}
    flawed = [move for move in review.moves if move.label.is_flawed]
    return {move.number: explain(move.after_position, seconds=seconds, solver=solver) for move in flawed}


def explanations_to_json(whys: Mapping[int, Why], texts: Texts) -> dict[str, WhyAnswer]:
    """The explanations as JSON, in the format of `/api/why`. The keys are the move numbers."""
    return {str(number): localize_why(why_to_json(why), texts) for number, why in whys.items()}
