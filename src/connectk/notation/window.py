"""Chooses the part of a board that is drawn. This is the whole board or, for a huge board, the part around the last
disc."""

from __future__ import annotations

from dataclasses import dataclass

from connectk.rules.position import Position
from connectk.rules.variant import Variant

MAX_WINDOW_SIDE_CELLS = 40  # the width and height of the window on a board that is too large to draw


@dataclass(frozen=True, slots=True)
class Window:
    """A range of columns and a range of rows. They begin at `left` and `bottom`; the ends `right` and `top` are not
    included."""

    left: int
    right: int
    bottom: int
    top: int

    @property
    def columns(self) -> range:
        return range(self.left, self.right)

    @property
    def rows(self) -> range:
        return range(self.bottom, self.top)

    def is_whole(self, variant: Variant) -> bool:
        return (len(self.columns), len(self.rows)) == (variant.width, variant.height)


def window_of(position: Position, max_cells: int) -> Window:
    """The whole board if it has at most `max_cells` cells. Otherwise the part around the last disc."""
    variant = position.variant
    if variant.cells <= max_cells:
        return Window(0, variant.width, 0, variant.height)
    column, row = position.last_drop or next((cell for cell, _ in position.discs()), (variant.width // 2, 0))
    left, right = _around(column, variant.width)
    bottom, top = _around(row, variant.height)
    return Window(left, right, bottom, top)


def _around(middle: int, end: int) -> tuple[int, int]:
    start = max(0, min(middle - MAX_WINDOW_SIDE_CELLS // 2, end - MAX_WINDOW_SIDE_CELLS))
    return start, min(start + MAX_WINDOW_SIDE_CELLS, end)
