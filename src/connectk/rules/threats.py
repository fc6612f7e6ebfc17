"""Lines, and cells that would complete one: what most games are decided by."""

from __future__ import annotations

from collections.abc import Iterator

from connectk.rules.outcome import Side
from connectk.rules.position import DIRECTIONS, Position
from connectk.rules.variant import Cell, Variant

NEIGHBOURS = [(right, up) for right in (-1, 0, 1) for up in (-1, 0, 1) if right or up]


def threats(position: Position, side: Side) -> set[Cell]:
    """Every empty cell, within reach or not, where a disc of this side would complete a line."""
    return {cell for cell in _empty_beside_discs(position, side) if line_through(position, cell, side)}


def _empty_beside_discs(position: Position, side: Side) -> Iterator[Cell]:
    """Where a line of two or more can be completed; with a run of 1 the game never gets that far."""
    variant = position.variant
    for cell, owner in position.discs():
        for right, up in NEIGHBOURS if owner is side else ():
            column, row = cell.column + right, cell.row + up
            inside = 0 <= column < variant.width and 0 <= row < variant.height
            if inside and position.height_of(column) <= row:
                yield Cell(column, row)


def line_through(position: Position, cell: Cell, side: Side) -> tuple[Cell, ...]:
    """The longest line that a disc of this side makes, or would make, in this cell; empty where it makes none."""
    return max(position.lines_through(cell, side), key=len, default=())


def winning_columns(position: Position, side: Side) -> list[int]:
    """The columns where this side, if it were its turn, would win at once."""
    within_reach = (cell for cell in threats(position, side) if cell.row == position.height_of(cell.column))
    return sorted(cell.column for cell in within_reach)


def makes_fork(position: Position, column: int) -> bool:
    """Whether this drop leaves two ways to win, and the other side none of its own."""
    side, after = position.side_to_move, position.drop(column)
    return after.outcome is None and not winning_columns(after, side.other) and len(_ways_to_win(after, side)) > 1


def _ways_to_win(position: Position, side: Side) -> list[Cell]:
    """Columns to win in at once; a threat on top of such a cell counts too, for whoever blocks below allows it."""
    cells = threats(position, side)
    now = [cell for cell in cells if cell.row == position.height_of(cell.column)]
    return now + [above for cell in now if (above := Cell(cell.column, cell.row + 1)) in cells]


def lines_of(variant: Variant) -> Iterator[tuple[Cell, ...]]:
    """The cells of each straight run that is just long enough to win, upwards or from the left."""
    for column in range(variant.width):
        for row in range(variant.height):
            for dc, dr in DIRECTIONS:
                line = tuple(Cell(column + i * dc, row + i * dr) for i in range(variant.run))
                if line[-1].column < variant.width and 0 <= line[-1].row < variant.height:
                    yield line
