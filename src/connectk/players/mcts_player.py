"""The player with Monte Carlo tree search. It chooses the column that has the best results in many random games."""

from __future__ import annotations

import random

from connectk import _native
from connectk.players.core_player import CorePlayer
from connectk.players.player import Clock
from connectk.players.registry import number_parameter
from connectk.rules import Position

MAX_SIMULATIONS = 10_000_000


class MctsPlayer(CorePlayer):
    """Plays a fixed number of random games before each move."""

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
    return MctsPlayer(number_parameter(name, parameter, 1, MAX_SIMULATIONS), seed, name)
