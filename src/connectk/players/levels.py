"""Ten levels, the same on any board: 1 loses to a child, 10 is the best there is.

What a level sees and overlooks is decided in the core (native/players/level.hpp). Without a clock and with the same
seed it plays the same disc in the same position, on every machine; level 10 has a clock.
"""

from __future__ import annotations

import random

from connectk import _native
from connectk.players.core import CorePlayer
from connectk.players.player import Clock
from connectk.players.registry import BEST_LEVEL, number_in
from connectk.players.timed import EnginePlayer
from connectk.rules import Position

LEVELS = dict(enumerate(_native.LEVELS, start=1))
BEST_SECONDS = 0.5
SEEDS = 1 << 64


def level_player(level: int, seed: int | None = None) -> LevelPlayer | EnginePlayer:
    """The player of a level from 1 to 10."""
    return EnginePlayer(BEST_SECONDS, name=f"level:{BEST_LEVEL}") if level == BEST_LEVEL else LevelPlayer(level, seed)


class LevelPlayer(CorePlayer):
    """Looks ahead a little, and overlooks what is hard to see."""

    def __init__(self, level: int, seed: int | None = None) -> None:
        super().__init__(f"level:{level}")
        self._level = level
        self.new_game(seed)

    def _ask(self, position: Position, board: _native.GameBoard, clock: Clock) -> _native.Choice:
        return self._core.play_level(board, self._level, self._seed, lambda: clock.is_up)

    def new_game(self, seed: int | None = None) -> None:
        self._seed = random.getrandbits(64) if seed is None else seed % SEEDS


def make_level(name: str, parameter: str, seed: int | None) -> LevelPlayer | EnginePlayer:
    return level_player(number_in(name, parameter, 1, BEST_LEVEL), seed)
