"""Computes exact scores from the rules alone, slowly but simply enough to trust."""

from __future__ import annotations

from connectk.rules import Position


def plain_score(position: Position, known: dict[Position, int] | None = None) -> int:
    """The score for the side to move, found by a search of every continuation."""
    known = {} if known is None else known
    if position.outcome is not None:
        lost = position.outcome.winner is not None
        return -((position.variant.cells + 2 - position.ply) // 2) if lost else 0
    if position not in known:
        known[position] = max(-plain_score(position.drop(column), known) for column in position.legal_columns)
    return known[position]
