"""The cells where a disc would complete a line, each with the line that is the reason."""

from __future__ import annotations

from typing import Any

from connectk.rules import Cell, Position, Side
from connectk.rules.threats import line_through, threats


def threat_views(position: Position) -> list[dict[str, Any]]:
    """Every threat of both sides; those that the next disc can reach first. None once the game is over."""
    if position.outcome is not None:
        return []
    views = [_view(position, cell, side) for side in Side for cell in sorted(threats(position, side))]
    return sorted(views, key=lambda view: not view["now"])


def _view(position: Position, cell: Cell, side: Side) -> dict[str, Any]:
    return {
        "column": cell.column,
        "row": cell.row,
        "side": str(side),
        "line": list(line_through(position, cell, side)),
        "now": cell.row == position.height_of(cell.column),
    }
