"""Where everything of a board lies, counted in characters from its top left corner.

hovering disc      cell_height lines
rows of the board  cell_height lines each, a character of frame on either side
foot of the frame  one line
column numbers     one line
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.geometry import Region

from connectk.rules import Cell, Variant

LARGEST_CELL = 8  # lines


@dataclass(frozen=True, slots=True)
class Geometry:
    """A board whose cells are so many lines high."""

    variant: Variant
    cell_height: int

    @classmethod
    def fitting(cls, variant: Variant, width: int, height: int, largest: int = LARGEST_CELL) -> Geometry:
        """The largest cells with which the board fits; one line where it does not."""
        for cell_height in range(largest, 1, -1):
            geometry = cls(variant, cell_height)
            if geometry.width <= width and geometry.height <= height:
                return geometry
        return cls(variant, 1)

    @property
    def cell_width(self) -> int:
        """About a square; three characters where a cell has only one line, more where a number needs it."""
        return max(3, 2 * self.cell_height, len(str(self.variant.width)) + 1 if self.cell_height == 1 else 0)

    @property
    def width(self) -> int:
        return self.variant.width * self.cell_width + 2

    @property
    def height(self) -> int:
        return (self.variant.height + 1) * self.cell_height + 2

    def column_at(self, x: int) -> int | None:
        column = (x - 1) // self.cell_width
        return column if 0 <= column < self.variant.width else None

    def row_at(self, y: int) -> int:
        """The row that a line is of; the board's height for the hovering disc, below 0 for the foot."""
        return self.variant.height - y // self.cell_height

    def region_of(self, cell: Cell) -> Region:
        left = 1 + cell.column * self.cell_width
        top = (self.variant.height - cell.row) * self.cell_height
        return Region(left, top, self.cell_width, self.cell_height)
