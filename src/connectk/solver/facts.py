"""The scores of a position as messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectk.rules import Position
from connectk.solver.solution import discs_to_win

if TYPE_CHECKING:
    from connectk.solver.messages import ScoresAnswer

Bounds = tuple[int, int]


def exact_scores(position: Position, scores: Sequence[int | None]) -> ScoresAnswer:
    """One for each column; None where no disc fits."""
    bounds = [None if score is None else (score, score) for score in scores]
    discs = [discs_to_win(position.variant, position.ply, score) if score else None for score in scores]
    return {"exact": True, "scores": list(scores), "discs": discs, "bounds": bounds, "estimates": None}


def estimated_scores(bounds: Sequence[Bounds | None], estimates: Sequence[float | None]) -> ScoresAnswer:
    """What is certain of each column, and what to expect."""
    return {"exact": False, "scores": None, "discs": None, "bounds": list(bounds), "estimates": list(estimates)}
