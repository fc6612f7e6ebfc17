"""Positions for the engine's tests."""

from __future__ import annotations

import random

from connectk.rules import Position, Variant


def random_position(variant: Variant, source: random.Random) -> Position:
    """An open position after a random number of random drops."""
    position = Position.start(variant)
    for _ in range(source.randrange(variant.cells)):
        after = position.drop(source.choice(position.legal_columns))
        if after.outcome is not None:
            break
        position = after
    return position
