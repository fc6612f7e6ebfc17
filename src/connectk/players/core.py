"""The players that the core computes: a position goes in, a choice comes out."""

from __future__ import annotations

from connectk import _native
from connectk.players.drops import MAX_SCANNED_WIDTH, centre_first, urgent_drop
from connectk.players.player import Choice, Clock, Thought, require_open
from connectk.rules import Position

MAX_SIZE = 1 << 30  # of a board in the core, in columns or rows


class CorePlayer:
    """A player of the core, with what it learned. On a board that is too large for it, it does what is urgent."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._core = _native.Chooser()

    def choose(self, position: Position, clock: Clock) -> Choice:
        require_open(position)
        if max(position.variant.width, position.variant.height) > MAX_SIZE:
            column = urgent_drop(position)
            return Choice(centre_first(position)[0] if column is None else column)
        return choice_of(self._ask(position, core_board(position), clock))

    def _ask(self, position: Position, board: _native.GameBoard, clock: Clock) -> _native.Choice:
        raise NotImplementedError

    def new_game(self, seed: int | None = None) -> None:
        """Empty tables, as at the start."""
        self._core.forget()

    def close(self) -> None:
        """Nothing to give back: tables go with the player."""


def core_board(position: Position) -> _native.GameBoard:
    """The position for the core."""
    variant, last = position.variant, position.last_drop
    narrow = variant.width <= MAX_SCANNED_WIDTH
    columns = range(variant.width) if narrow else sorted({cell.column for cell, _ in position.discs()})
    discs = [(column, position.letters(column)) for column in columns]
    return _native.GameBoard(variant.width, variant.height, variant.run, discs, last and last.column)


def choice_of(found: _native.Choice) -> Choice:
    """The choice, with an exact score as a whole number."""
    score = int(found.score) if found.proven and found.score is not None else found.score
    return Choice(
        found.column, Thought(score, tuple(found.line), found.depth or None, found.nodes or None, found.proven)
    )
