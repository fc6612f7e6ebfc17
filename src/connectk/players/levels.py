"""Ten levels, the same on any board: 1 loses to a child, 10 is the best there is.

What a level sees and overlooks is decided in the core (native/players/level.hpp). Without a clock and with the same
seed it plays the same disc in the same position, on every machine; level 10 has a clock.
"""

from __future__ import annotations

import random

from connectk import _native
from connectk.players.player import Choice, Clock, require_open
from connectk.players.registry import BEST, number_in
from connectk.players.timed import EnginePlayer, choice_of, urgent_choice
from connectk.players.view import Core, View
from connectk.rules import Position

LEVELS = dict(enumerate(_native.LEVELS, start=1))
BEST_SECONDS = 0.5
TABLE_BYTES = 1 << 18
SEEDS = 1 << 64


def level_player(level: int, seed: int | None = None) -> LevelPlayer | EnginePlayer:
    """The player of a level from 1 to 10."""
    name = f"level:{level}"
    return EnginePlayer(BEST_SECONDS, name=name) if level == BEST else LevelPlayer(LEVELS[level], seed, name)


class LevelPlayer:
    """Looks ahead a little, and overlooks what is hard to see."""

    def __init__(self, level: _native.Level, seed: int | None = None, name: str = "level") -> None:
        self.name = name
        self._level = level
        self._core = Core(TABLE_BYTES)
        self.new_game(seed)

    def choose(self, position: Position, clock: Clock) -> Choice:
        require_open(position)
        view = View.of(position)
        urgent = None if view.whole or self._level.careless else urgent_choice(position)
        if urgent is not None:
            return urgent
        thinker = self._core.thinker(view)
        decision = thinker.play(view.own, view.everyone, self._level, self._seed, lambda: clock.is_up)
        return choice_of(decision, view, position)

    def new_game(self, seed: int | None = None) -> None:
        self._seed = random.getrandbits(64) if seed is None else seed % SEEDS

    def close(self) -> None:
        """Nothing to give back."""


def make_level(name: str, parameter: str, seed: int | None) -> LevelPlayer | EnginePlayer:
    return level_player(number_in(name, parameter, 1, BEST), seed)
