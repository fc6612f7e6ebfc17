"""Every line of a board."""

from __future__ import annotations

from collections.abc import Iterator

from connectk.rules.position import DIRECTIONS
from connectk.rules.variant import Cell, Variant


def lines_of(variant: Variant) -> Iterator[tuple[Cell, ...]]:
    """The cells of each straight run that is just long enough to win, upwards or from the left."""
    for column in range(variant.width):
        for row in range(variant.height):
            for dc, dr in DIRECTIONS:
                line = tuple(Cell(column + i * dc, row + i * dr) for i in range(variant.run))
                if line[-1].column < variant.width and 0 <= line[-1].row < variant.height:
                    yield line
