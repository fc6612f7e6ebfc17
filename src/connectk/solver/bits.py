"""Positions as the core sees them: two whole numbers, one bit for each cell."""

from __future__ import annotations

from connectk.rules import Position


def bits_of(position: Position) -> tuple[int, int]:
    """The discs of the side to move, and all discs: bit `column * (height + 1) + row`."""
    stride = position.variant.height + 1
    mover = position.side_to_move
    own = everyone = 0
    for (column, row), side in position.discs():
        bit = 1 << column * stride + row
        everyone |= bit
        if side is mover:
            own |= bit
    return own, everyone
