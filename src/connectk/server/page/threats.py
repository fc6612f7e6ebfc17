"""The cells where a disc would complete a line, each with the line that is the reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from connectk.players.threats import DIRECTIONS, threats
from connectk.rules import Cell, Position, Side


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
        "line": _line_through(position, cell, side),
        "now": cell.row == position.height_of(cell.column),
    }


def _line_through(position: Position, cell: Cell, side: Side) -> list[Cell]:
    """The longest line that this side's disc in the cell would complete."""
    lines = (
        [
            *reversed(list(_discs_beyond(position, cell, -right, -up, side))),
            cell,
            *_discs_beyond(position, cell, right, up, side),
        ]
        for right, up in DIRECTIONS
    )
    return max(lines, key=len)


def _discs_beyond(position: Position, cell: Cell, right: int, up: int, side: Side) -> Iterator[Cell]:
    step = Cell(cell.column + right, cell.row + up)
    while 0 <= step.column < position.variant.width and position.disc_at(*step) is side:
        yield step
        step = Cell(step.column + right, step.row + up)
