"""The perfect player. It solves the position exactly, even if that takes very long."""

from __future__ import annotations

from connectk import _native
from connectk.errors import UnsupportedVariant
from connectk.players.core_player import CorePlayer
from connectk.players.player import Clock
from connectk.players.registry import require_no_parameter
from connectk.rules import Position, Variant
from connectk.solver.book import native_book
from connectk.solver.solver import MAX_BOARD_BITS, is_supported, require_supported


class PerfectPlayer(CorePlayer):
    """Plays one of the best columns. If a clock or a stop ends the search early, it plays the column that looks
    best."""

    def __init__(self) -> None:
        super().__init__("perfect")

    def _ask(self, position: Position, board: _native.GameBoard, clock: Clock) -> _native.Choice:
        require_supported(position.variant)
        self._core.clear_table()  # so that its move does not depend on positions that it solved before
        self._core.use_book(native_book(True, position.variant))
        return self._core.play_perfect(board, lambda: clock.is_up)

    def cannot_play(self, variant: Variant) -> UnsupportedVariant | None:
        """The reason why the solver cannot solve boards of this size; None if it can."""
        if is_supported(variant):
            return None
        return UnsupportedVariant(variant, "error.UnsupportedVariant.perfect", most=MAX_BOARD_BITS)


def make_perfect(name: str, parameter: str, seed: int | None) -> PerfectPlayer:
    require_no_parameter(name, parameter)
    return PerfectPlayer()
