"""Empty cells where a disc would complete a line, and the line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from connectk.rules import Cell, Position, Side

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Threat(NamedTuple):
    """A cell that wins for a side; `now` when the next disc dropped there would land in it."""

    cell: Cell
    side: Side
    line: tuple[Cell, ...]
    now: bool


def threats(position: Position) -> Iterator[Threat]:
    """Every threat of both sides, columns from the left, the lowest first; none once the game is over."""
    if position.outcome is not None:
        return
    for column in range(position.variant.width):
        floor = position.height_of(column)
        for row in range(floor, position.variant.height):
            for side in Side:
                if line := _line_through(position, Cell(column, row), side):
                    yield Threat(Cell(column, row), side, line, now=row == floor)


def _line_through(position: Position, cell: Cell, side: Side) -> tuple[Cell, ...]:
    """The line that this side's disc in the cell would complete; none where it completes nothing."""
    for dc, dr in DIRECTIONS:
        before = list(_discs_beyond(position, cell, -dc, -dr, side))
        after = list(_discs_beyond(position, cell, dc, dr, side))
        if len(before) + 1 + len(after) >= position.variant.run:
            return (*reversed(before), cell, *after)
    return ()


def _discs_beyond(position: Position, cell: Cell, dc: int, dr: int, side: Side) -> Iterator[Cell]:
    step = Cell(cell.column + dc, cell.row + dr)
    while 0 <= step.column < position.variant.width and position.disc_at(*step) is side:
        yield step
        step = Cell(step.column + dc, step.row + dr)


def threat_view(threat: Threat) -> dict[str, Any]:
    return {
        "column": threat.cell.column,
        "row": threat.cell.row,
        "side": str(threat.side),
        "line": [list(cell) for cell in threat.line],
        "now": threat.now,
    }
