"""Converts the scores of a position to JSON messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectk.rules import Position
from connectk.solver.solution import discs_to_win

if TYPE_CHECKING:
    from connectk.solver.messages import ScoresAnswer

Bounds = tuple[int, int]


def exact_scores(position: Position, scores: Sequence[int | None]) -> ScoresAnswer:
    """The message for exact scores, one per column; None for a full column."""
    bounds = [None if score is None else (score, score) for score in scores]
    discs = [discs_to_win(position.variant, position.ply, score) if score else None for score in scores]
    return {"exact": True, "scores": list(scores), "discs": discs, "bounds": bounds, "estimates": None}


def estimated_scores(bounds: Sequence[Bounds | None], estimates: Sequence[float | None]) -> ScoresAnswer:
    """The message for scores that are not all exact. It has the proven bounds and the estimate of each column."""
    return {"exact": False, "scores": None, "discs": None, "bounds": list(bounds), "estimates": list(estimates)}
