"""A board in characters, its winning line in brackets.

.  .  . (○) .  .  .
.  . (○) ●  .  .  .
"""

from __future__ import annotations

from connectk.notation.window import Window, window_of
from connectk.rules import Cell, Position
from connectk.terminal.glyphs import Discs

LARGEST_DRAWN_WHOLE = 10_000  # cells


def draw(position: Position, discs: Discs) -> str:
    """The board with column numbers below; of a huge one the part around the last disc."""
    window = window_of(position, LARGEST_DRAWN_WHOLE)
    won = set(position.winning_cells)
    digits = len(str(window.right))
    lines = [_row(position, row, window, discs, won, digits) for row in reversed(window.rows)]
    lines.append("".join(f" {column + 1:>{digits}} " for column in window.columns))
    return "\n".join(line.rstrip() for line in lines)


def _row(position: Position, row: int, window: Window, discs: Discs, won: set[Cell], digits: int) -> str:
    return "".join(_cell(position, Cell(column, row), discs, won, digits) for column in window.columns)


def _cell(position: Position, cell: Cell, discs: Discs, won: set[Cell], digits: int) -> str:
    side = position.disc_at(*cell)
    disc = "." if side is None else discs[side]
    return f"{'(' if cell in won else ' '}{disc:>{digits}}{')' if cell in won else ' '}"
