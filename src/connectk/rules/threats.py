"""Finds lines on the board, and threats. A threat is an empty cell where a disc would complete a line."""

from __future__ import annotations

from collections.abc import Iterator

from connectk.rules.outcome import Side
from connectk.rules.position import LINE_DIRECTIONS, Position
from connectk.rules.variant import Cell, Variant

NEIGHBOUR_OFFSETS = [(right, up) for right in (-1, 0, 1) for up in (-1, 0, 1) if right or up]


def threats(position: Position, side: Side) -> set[Cell]:
    """Every empty cell where a disc of this side would complete a line. The cell need not be playable now."""
    return {cell for cell in _empty_beside_discs(position, side) if line_through(position, cell, side)}


def _empty_beside_discs(position: Position, side: Side) -> Iterator[Cell]:
    """The empty cells next to a disc of this side; only these can complete a line of two or more."""
    variant = position.variant
    for cell, owner in position.discs():
        for right, up in NEIGHBOUR_OFFSETS if owner is side else ():
            column, row = cell.column + right, cell.row + up
            inside = 0 <= column < variant.width and 0 <= row < variant.height
            if inside and position.height_of(column) <= row:
                yield Cell(column, row)


def line_through(position: Position, cell: Cell, side: Side) -> tuple[Cell, ...]:
    """The longest line that a disc of this side in this cell completes; empty if it completes none."""
    return max(position.lines_through(cell, side), key=len, default=())


def winning_columns(position: Position, side: Side) -> list[int]:
    """The columns where this side would win at once if it were its turn."""
    within_reach = (cell for cell in threats(position, side) if cell.row == position.height_of(cell.column))
    return sorted(cell.column for cell in within_reach)


def makes_fork(position: Position, column: int) -> bool:
    """Whether this drop gives the side to move two ways to win, while the other side cannot win with its next disc."""
    side, after = position.side_to_move, position.drop(column)
    return after.outcome is None and not winning_columns(after, side.other) and len(_ways_to_win(after, side)) > 1


def _ways_to_win(position: Position, side: Side) -> list[Cell]:
    """The cells in which this side wins at once, and its threats directly above them. Such a threat becomes playable
    when the other side blocks the cell below it."""
    cells = threats(position, side)
    now = [cell for cell in cells if cell.row == position.height_of(cell.column)]
    return now + [above for cell in now if (above := Cell(cell.column, cell.row + 1)) in cells]


def all_lines(variant: Variant) -> Iterator[tuple[Cell, ...]]:
    """Every line of the board: the cells of each straight run of exactly the winning length."""
    for column in range(variant.width):
        for row in range(variant.height):
            for dc, dr in LINE_DIRECTIONS:
                line = tuple(Cell(column + i * dc, row + i * dr) for i in range(variant.run))
                if line[-1].column < variant.width and 0 <= line[-1].row < variant.height:
                    yield line


def lines_through_cell(variant: Variant, cell: Cell) -> Iterator[tuple[Cell, ...]]:
    """The lines of the board that contain this cell. This is fast even on a very large board."""
    for dc, dr in LINE_DIRECTIONS:
        behind, ahead = _room(variant, cell, -dc, -dr), _room(variant, cell, dc, dr)
        for first in range(-behind, ahead - variant.run + 2):
            steps = range(first, first + variant.run)
            yield tuple(Cell(cell.column + i * dc, cell.row + i * dr) for i in steps)


def count_lines_through_cell(variant: Variant, cell: Cell) -> int:
    """The number of lines that contain this cell."""
    rooms = ((_room(variant, cell, -dc, -dr), _room(variant, cell, dc, dr)) for dc, dr in LINE_DIRECTIONS)
    return sum(max(0, behind + ahead - variant.run + 2) for behind, ahead in rooms)


def _room(variant: Variant, cell: Cell, dc: int, dr: int) -> int:
    """The number of cells beyond this cell in one direction, up to the board's edge; at most `run` - 1."""
    room = variant.run - 1
    if dc:
        room = min(room, variant.width - 1 - cell.column if dc > 0 else cell.column)
    if dr:
        room = min(room, variant.height - 1 - cell.row if dr > 0 else cell.row)
    return room


def maximal_runs(position: Position) -> Iterator[tuple[Side, int]]:
    """Yields the owner and the length of each straight run of discs that is not part of a longer run."""
    discs = dict(position.discs())
    for cell, owner in discs.items():
        for dc, dr in LINE_DIRECTIONS:
            if discs.get(Cell(cell.column - dc, cell.row - dr)) is not owner:
                length = 1
                while discs.get(Cell(cell.column + length * dc, cell.row + length * dr)) is owner:
                    length += 1
                yield owner, length
