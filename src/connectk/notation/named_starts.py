"""Starts that have a name. A start is a board with its first discs. One of the starts comes from a game that is sold in
shops.

>>> named_start("handicap-2").moves
(3, 0, 3)
"""

from __future__ import annotations

from typing import NamedTuple

from connectk.errors import UnsupportedVariant
from connectk.notation.moves import parse_moves
from connectk.rules import CLASSIC, Position, Variant


class NamedStart(NamedTuple):
    """A start that users can select by its name.

    `last_disc` is the number of discs on the board at the end of perfect play, if the first player then wins. It is 0
    if perfect play ends in a draw, and None if nobody has solved the start.

    `even_levels` are pairs of computer levels that are about equally strong from this start. The first level of a pair
    plays first. In 100 games of such a pair, the 95% interval of the points contains one half (`python
    bench/handicaps.py`).
    """

    name: str
    variant: Variant
    moves: tuple[int, ...]
    last_disc: int | None = None
    even_levels: tuple[tuple[int, int], ...] = ()

    @property
    def position(self) -> Position:
        return Position.from_moves(self.moves, self.variant)


def _start(name: str, variant: Variant, moves: str, *facts: object) -> NamedStart:
    return NamedStart(name, variant, parse_moves(moves, variant), *facts)  # type: ignore[arg-type]


# The start "five-in-a-row" has nine columns, and discs of both sides alternate in the two outer columns. The handicaps
# give extra discs to a weaker player, who plays first. The second player's discs lie at the edges, where they are
# least useful.
NAMED_STARTS = {
    start.name: start
    for start in (
        _start("five-in-a-row", Variant(9, 6, 5), "111111999999"),
        _start("handicap-1", CLASSIC, "4", 41, ((4, 4), (5, 5), (7, 7))),
        _start("handicap-2", CLASSIC, "414", 35, ((1, 2), (5, 6))),
        _start("handicap-3", CLASSIC, "41473", 23, ((1, 2), (2, 3), (3, 4), (5, 6), (6, 7))),
    )
}
HANDICAPS = tuple(name for name in NAMED_STARTS if name.startswith("handicap-"))


def is_named_start(text: str) -> bool:
    return text.strip().lower() in NAMED_STARTS


def named_start(name: str, variant: Variant | None = None) -> NamedStart:
    """The start with this name. Raises `UnsupportedVariant` if `variant` is given and the start is for another
    board."""
    start = NAMED_STARTS[name.strip().lower()]
    if variant not in (None, start.variant):
        raise UnsupportedVariant(variant, "error.UnsupportedVariant.start", start=start.name, board=start.variant)
    return start
