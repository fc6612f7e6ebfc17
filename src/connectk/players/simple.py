"""Players that hardly think: random and greedy."""

from __future__ import annotations

import random

from connectk import _native
from connectk.players.core import CorePlayer
from connectk.players.drops import MAX_SCANNED_WIDTH
from connectk.players.player import Choice, Clock, require_open
from connectk.players.registry import expect_nothing
from connectk.rules import Position


class RandomPlayer:
    """Any legal column."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position, clock: Clock) -> Choice:
        require_open(position)
        return Choice(random_column(position, self._random))

    def new_game(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def close(self) -> None:
        """Nothing to give back."""


def random_column(position: Position, source: random.Random) -> int:
    """Any legal column, each as likely as the others; on a very wide board one is guessed, not listed."""
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
    expect_nothing(name, parameter)
    return RandomPlayer(seed)


def make_greedy(name: str, parameter: str, seed: int | None) -> GreedyPlayer:
    expect_nothing(name, parameter)
    return GreedyPlayer()
