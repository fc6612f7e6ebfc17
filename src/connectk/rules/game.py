"""The history of a game, with undo and redo."""

from __future__ import annotations

from collections.abc import Iterable

from connectk.errors import NothingToRedo, NothingToUndo
from connectk.rules.outcome import Outcome
from connectk.rules.position import Position
from connectk.rules.variant import CLASSIC, Variant


class Game:
    """A game: a starting position and the drops that have been made since then."""

    def __init__(self, start: Position | Variant = CLASSIC, moves: Iterable[int] = ()) -> None:
        self._positions = [start if isinstance(start, Position) else Position.start(start)]
        self._moves: list[int] = []
        self._undone: list[int] = []
        for column in moves:
            self.drop(column)

    @property
    def start(self) -> Position:
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The current position."""
        return self._positions[-1]

    @property
    def positions(self) -> tuple[Position, ...]:
        """Every position of the game so far, beginning with the starting position."""
        return tuple(self._positions)

    @property
    def moves(self) -> tuple[int, ...]:
        """The columns played, in order."""
        return tuple(self._moves)

    @property
    def variant(self) -> Variant:
        return self.start.variant

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game; None while it is open."""
        return self.position.outcome

    def drop(self, column: int) -> Position:
        """Play a disc, and clear the redo history."""
        position = self._play(column)
        self._undone.clear()
        return position

    def undo(self) -> Position:
        """Take the last disc back."""
        if not self._moves:
            raise NothingToUndo
        self._undone.append(self._moves.pop())
        self._positions.pop()
        return self.position

    def redo(self) -> Position:
        """Play the last undone disc again."""
        if not self._undone:
            raise NothingToRedo
        return self._play(self._undone.pop())

    def _play(self, column: int) -> Position:
        self._positions.append(self.position.drop(column))
        self._moves.append(column)
        return self.position

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.start, self._moves) == (other.start, other._moves)

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def __repr__(self) -> str:
        return f"<Game {self.variant}, {len(self._moves)} moves>"
