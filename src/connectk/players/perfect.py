"""The perfect player: exact scores, as long as they take."""

from __future__ import annotations

from connectk import _native
from connectk.errors import UnsupportedVariant
from connectk.players.player import Choice, Clock, require_open
from connectk.players.registry import expect_nothing
from connectk.players.timed import CoreSearch, ExactSearch, SearchLimits
from connectk.rules import Position, Variant
from connectk.solver.solver import MOST_BITS

QUICK_DEPTH = 6


class PerfectPlayer:
    """Plays a best column. When a clock or a stop ends the search before one is known, it plays what looks best."""

    name = "perfect"

    def __init__(self) -> None:
        self._exact = ExactSearch()
        self._quick = CoreSearch(table_bytes=1 << 20)

    def choose(self, position: Position, clock: Clock) -> Choice:
        require_open(position)
        self._exact.forget()  # so that it plays the same game again, whatever it solved before
        choice = self._exact.choose(position, stop=lambda: clock.is_up)
        return choice or self._quick.choose(position, SearchLimits(depth=QUICK_DEPTH))

    def new_game(self, seed: int | None = None) -> None:
        """Nothing to forget: each choice begins afresh."""

    def cannot_play(self, variant: Variant) -> UnsupportedVariant | None:
        """The solver's limit."""
        if _native.solver_supports(variant.width, variant.height, variant.run):
            return None
        return UnsupportedVariant(variant, "error.UnsupportedVariant.perfect", most=MOST_BITS)

    def close(self) -> None:
        """Nothing to give back."""


def make_perfect(name: str, parameter: str, seed: int | None) -> PerfectPlayer:
    expect_nothing(name, parameter)
    return PerfectPlayer()
