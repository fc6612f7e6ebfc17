"""What an agent sees of a position: the planes and the mask that `connectk.arrays` makes for many."""

from __future__ import annotations

from typing import Any

import numpy as np

from connectk.rules import Position, Side


def planes(position: Position, side: Side) -> Any:
    """The discs of this side, then of the other: uint8, (2, height, width), row 0 at the bottom."""
    seen = np.zeros((2, position.variant.height, position.variant.width), np.uint8)
    for (column, row), owner in position.discs():
        seen[int(owner is not side), row, column] = 1
    return seen


def mask(position: Position) -> Any:
    """1 for every column that takes a disc: int8, as `Discrete.sample` takes it."""
    return np.array([position.can_drop(column) for column in range(position.variant.width)], np.int8)
