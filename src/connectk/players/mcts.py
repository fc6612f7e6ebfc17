"""Monte Carlo tree search: many random games decide."""

from __future__ import annotations

import random

from connectk import _native
from connectk.players.core import CorePlayer
from connectk.players.player import Clock
from connectk.players.registry import number_in
from connectk.rules import Position

MAX_SIMULATIONS = 10_000_000


class MctsPlayer(CorePlayer):
    """Plays so many random games for each choice, and the column that did best."""

    def __init__(self, simulations: int, seed: int | None = None, name: str = "mcts") -> None:
        super().__init__(name)
        self._simulations = simulations
        self._random = random.Random(seed)

    def _ask(self, position: Position, board: _native.GameBoard, clock: Clock) -> _native.Choice:
        seed = self._random.getrandbits(63)
        return self._core.play_simulations(board, self._simulations, seed, lambda: clock.is_up)

    def new_game(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)


def make_mcts(name: str, parameter: str, seed: int | None) -> MctsPlayer:
    return MctsPlayer(number_in(name, parameter, 1, MAX_SIMULATIONS), seed, name)
