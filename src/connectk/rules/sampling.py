"""Makes random positions, and lists all positions with up to a given number of discs."""

from __future__ import annotations

import random
from collections.abc import Iterator

from connectk.rules.position import Position
from connectk.rules.variant import CLASSIC, Variant

MAX_ATTEMPTS = 10_000  # random games, before such a position counts as not to be found


def random_position(
    ply: int, variant: Variant = CLASSIC, *, rng: random.Random | None = None, can_win: bool = True
) -> tuple[Position, tuple[int, ...]]:
    """Return a position after `ply` random drops, and these drops. Nobody has won in the position. If `can_win` is
    false, the side to move also cannot win with its next disc.

    Raises `ValueError` if no such position is found."""
    rng = rng or random.Random()
    for _ in range(MAX_ATTEMPTS if 0 <= ply < variant.cells else 0):
        position, drops = Position.start(variant), []
        while position.outcome is None and position.ply < ply:
            drops.append(rng.choice(position.legal_columns))
            position = position.drop(drops[-1])
        if position.outcome is None and (can_win or not any(map(position.wins, position.legal_columns))):
            return position, tuple(drops)
    raise ValueError(f"no such position of {variant} with {ply} discs was found")


def all_positions(
    max_ply: int, start: Position | None = None, *, exactly: bool = False, open_only: bool = False
) -> Iterator[Position]:
    """Yields every position that can be reached from `start` and has at most `max_ply` discs; each position only once.
    If `exactly` is true, yields only the positions with `max_ply` discs.

    Positions with fewer discs come first. Finished games are included unless `open_only` is true. On the classic board,
    each further disc gives about seven times as many positions. All positions with the same number of discs are kept in
    memory at once."""
    layer = [start or Position.start()]
    while layer and layer[0].ply <= max_ply:
        if not exactly or layer[0].ply == max_ply:
            yield from (position for position in layer if not open_only or position.outcome is None)
        layer = _next_layer(layer) if layer[0].ply < max_ply else []


def _next_layer(layer: list[Position]) -> list[Position]:
    following: dict[Position, None] = {}
    for position in layer:
        if position.outcome is None:
            following |= dict.fromkeys(map(position.drop, position.legal_columns))
    return list(following)
