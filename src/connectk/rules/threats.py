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
    """Cells that win at once, and threats right above them, which a block below makes playable."""
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


def lines_with(variant: Variant, cell: Cell) -> Iterator[tuple[Cell, ...]]:
    """Those of `lines_of` that hold this cell, on boards of any size."""
    for dc, dr in DIRECTIONS:
        behind, ahead = _room(variant, cell, -dc, -dr), _room(variant, cell, dc, dr)
        for first in range(-behind, ahead - variant.run + 2):
            steps = range(first, first + variant.run)
            yield tuple(Cell(cell.column + i * dc, cell.row + i * dr) for i in steps)


def count_lines_with(variant: Variant, cell: Cell) -> int:
    """How many lines hold this cell."""
    rooms = ((_room(variant, cell, -dc, -dr), _room(variant, cell, dc, dr)) for dc, dr in DIRECTIONS)
    return sum(max(0, behind + ahead - variant.run + 2) for behind, ahead in rooms)


def _room(variant: Variant, cell: Cell, dc: int, dr: int) -> int:
    """How many cells follow in one direction, up to the edge of the board and no further than a line goes."""
    room = variant.run - 1
    if dc:
        room = min(room, variant.width - 1 - cell.column if dc > 0 else cell.column)
    if dr:
        room = min(room, variant.height - 1 - cell.row if dr > 0 else cell.row)
    return room


def runs(position: Position) -> Iterator[tuple[Side, int]]:
    """The owner and the length of every straight run of one side's discs, as long as it goes."""
    discs = dict(position.discs())
    for cell, owner in discs.items():
        for dc, dr in DIRECTIONS:
            if discs.get(Cell(cell.column - dc, cell.row - dr)) is not owner:
                length = 1
                while discs.get(Cell(cell.column + length * dc, cell.row + length * dr)) is owner:
                    length += 1
                yield owner, length
