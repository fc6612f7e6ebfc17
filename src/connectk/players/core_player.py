"""The base class of the players that run in the C++ core. Also converts positions and choices from and to the core's
types.
"""

from __future__ import annotations

from connectk import _native
from connectk.errors import UnsupportedVariant
from connectk.players.candidate_columns import MAX_SCANNED_WIDTH, centre_first, urgent_drop
from connectk.players.player import Choice, Clock, Thought, require_open
from connectk.rules import Position

MAX_CORE_BOARD_SIDE = 1 << 30  # the most columns or rows of a board in the core


class CorePlayer:
    """A player that runs in the core and keeps its tables between moves.

    On a board that is too large for the core, the player wins if it can, blocks if it must, and otherwise plays near
    the centre.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._core = _native.Chooser()

    def choose(self, position: Position, clock: Clock) -> Choice:
        require_open(position)
        if max(position.variant.width, position.variant.height) > MAX_CORE_BOARD_SIDE:
            column = urgent_drop(position)
            return Choice(centre_first(position)[0] if column is None else column)
        return to_choice(self._ask(position, to_game_board(position), clock))

    def _ask(self, position: Position, board: _native.GameBoard, clock: Clock) -> _native.Choice:
        raise NotImplementedError

    def new_game(self, seed: int | None = None) -> None:
        """Clear the tables."""
        self._core.clear_table()

    def close(self) -> None:
        """Does nothing, because the tables are freed with the player."""


def to_game_board(position: Position) -> _native.GameBoard:
    """Convert a position to the core's board. Raises an error if the board is too large for the core."""
    variant, last = position.variant, position.last_drop
    if max(variant.width, variant.height) > MAX_CORE_BOARD_SIDE:
        raise UnsupportedVariant(variant, "error.UnsupportedVariant.core", most=f"{MAX_CORE_BOARD_SIDE:,}")
    narrow = variant.width <= MAX_SCANNED_WIDTH
    columns = range(variant.width) if narrow else sorted({cell.column for cell, _ in position.discs()})
    discs = [(column, position.letters(column)) for column in columns]
    return _native.GameBoard(variant.width, variant.height, variant.run, discs, last and last.column)


def to_choice(found: _native.Choice) -> Choice:
    """Convert a choice of the core. An exact score becomes an integer."""
    score = int(found.score) if found.proven and found.score is not None else found.score
    return Choice(
        found.column, Thought(score, tuple(found.line), found.depth or None, found.nodes or None, found.proven)
    )
