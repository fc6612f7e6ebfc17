"""One game of an agent against a player. Environments play such games."""

from __future__ import annotations

from typing import Literal

from connectk.players import Clock, Player, load_player, start_new_game
from connectk.rules import CLASSIC, Position, Side, Variant

First = Literal["agent", "opponent", "random"]


class GameAgainst:
    """A game of an agent against the player with this name. The player is loaded when a game begins.

    `first` tells who plays first: "agent", "opponent" or "random".
    """

    def __init__(self, variant: Variant | str = CLASSIC, opponent: str = "level:3", first: First = "random") -> None:
        self.variant, self.first = checked(variant, first)
        self.position, self.side = Position.start(self.variant), Side.FIRST
        self._name = opponent
        self._opponent: Player | None = None

    def begin(self, seed: int, lot: int) -> None:
        """Start a game. `seed` is the seed of the opponent. `lot` (0 or 1) decides the agent's side if the side is
        random."""
        if self._opponent is None or not start_new_game(self._opponent, seed):
            self.close()
            self._opponent = load_player(self._name, seed)
        self.position, self.side = Position.start(self.variant), first_side(self.first, lot)
        if self.side is Side.SECOND:
            self._answer()

    def drop(self, column: int) -> None:
        """Drop the agent's disc. The opponent answers at once, unless the game is over."""
        self.position = self.position.drop(column)
        if self.position.outcome is None:
            self._answer()

    def _answer(self) -> None:
        assert self._opponent is not None
        self.position = self.position.drop(self._opponent.choose(self.position, Clock()).column)

    @property
    def result(self) -> int | None:
        """1 if the agent has won, -1 if it has lost, 0 for a draw. None while the game is not over."""
        outcome = self.position.outcome
        if outcome is None:
            return None
        return 0 if outcome.winner is None else 1 if outcome.winner is self.side else -1

    def close(self) -> None:
        """Close the opponent. This ends the process of a bot."""
        if self._opponent is not None:
            self._opponent.close()
            self._opponent = None


def checked(variant: Variant | str, first: First) -> tuple[Variant, First]:
    """Parse the variant, and return it with `first`. Raises `ValueError` if `first` is not valid."""
    if first not in ("agent", "opponent", "random"):
        raise ValueError('first is "agent", "opponent" or "random"')
    return Variant.parse(variant) if isinstance(variant, str) else variant, first


def first_side(first: First, lot: int) -> Side:
    """The agent's side. If it is random, `lot` decides."""
    return {"agent": Side.FIRST, "opponent": Side.SECOND, "random": Side(lot)}[first]
