"""The perfect player: exact scores, as long as they take."""

from __future__ import annotations

from connectk import _native
from connectk.errors import UnsupportedVariant
from connectk.players.core import CorePlayer
from connectk.players.player import Clock
from connectk.players.registry import expect_nothing
from connectk.rules import Position, Variant
from connectk.solver.book import native_book
from connectk.solver.solver import MAX_BOARD_BITS, require_supported


class PerfectPlayer(CorePlayer):
    """Plays a best column. When a clock or a stop ends the search before one is known, it plays what looks best."""

    def __init__(self) -> None:
        super().__init__("perfect")

    def _ask(self, position: Position, board: _native.GameBoard, clock: Clock) -> _native.Choice:
        require_supported(position.variant)
        self._core.forget()  # so that it plays the same game again, whatever it solved before
        self._core.use_book(native_book(True, position.variant))
        return self._core.play_perfect(board, lambda: clock.is_up)

    def cannot_play(self, variant: Variant) -> UnsupportedVariant | None:
        """The solver's limit."""
        if _native.solver_supports(variant.width, variant.height, variant.run):
            return None
        return UnsupportedVariant(variant, "error.UnsupportedVariant.perfect", most=MAX_BOARD_BITS)


def make_perfect(name: str, parameter: str, seed: int | None) -> PerfectPlayer:
    expect_nothing(name, parameter)
    return PerfectPlayer()
