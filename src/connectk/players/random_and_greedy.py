"""The two simplest players: random and greedy."""

from __future__ import annotations

import random

from connectk import _native
from connectk.players.candidate_columns import MAX_SCANNED_WIDTH
from connectk.players.core_player import CorePlayer
from connectk.players.player import Choice, Clock, require_open
from connectk.players.registry import require_no_parameter
from connectk.rules import Position


class RandomPlayer:
    """Plays a random legal column."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position, clock: Clock) -> Choice:
        require_open(position)
        return Choice(random_column(position, self._random))

    def new_game(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def close(self) -> None:
        """Does nothing, because there is nothing to release."""


def random_column(position: Position, source: random.Random) -> int:
    """A random legal column. On a very wide board random columns are tried until one is legal, because a list of all
    columns would be too long."""
    width = position.variant.width
    guesses = (source.randrange(width) for _ in range(MAX_SCANNED_WIDTH if width > MAX_SCANNED_WIDTH else 0))
    column = next(filter(position.can_drop, guesses), None)
    return source.choice(position.legal_columns) if column is None else column


class GreedyPlayer(CorePlayer):
    """Wins if it can, blocks if it must, and otherwise plays near the centre."""

    def __init__(self) -> None:
        super().__init__("greedy")

    def _ask(self, position: Position, board: _native.GameBoard, clock: Clock) -> _native.Choice:
        return self._core.play_greedy(board)


def make_random(name: str, parameter: str, seed: int | None) -> RandomPlayer:
    require_no_parameter(name, parameter)
    return RandomPlayer(seed)


def make_greedy(name: str, parameter: str, seed: int | None) -> GreedyPlayer:
    require_no_parameter(name, parameter)
    return GreedyPlayer()
