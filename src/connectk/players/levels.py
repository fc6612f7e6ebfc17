"""Ten levels of computer players for any board. A child can beat level 1, and level 10 is the strongest.

The core decides what a level sees and what it overlooks (native/players/level.hpp). A level without a clock is
repeatable: with the same seed it makes the same drop in the same position on every machine. Only level 10 has a clock.
"""

from __future__ import annotations

import random
from math import log10

from connectk import _native
from connectk.players.core_player import CorePlayer
from connectk.players.engine_player import EnginePlayer
from connectk.players.player import Clock
from connectk.players.registry import BEST_LEVEL, number_parameter
from connectk.rules import Position

LEVEL_SETTINGS = dict(enumerate(_native.LEVELS, start=1))
BEST_LEVEL_MOVE_SECONDS = 0.5
SEED_COUNT = 1 << 64

# The share of the points that each level from 2 on wins against the level below it on the classic board
# (docs/explanation/levels.md). The ratings follow from these shares. Level 5 has the rating of a new player.
SHARES_AGAINST_LEVEL_BELOW = (0.756, 0.739, 0.754, 0.734, 0.749, 0.709, 0.806, 0.750, 0.838)
NEW_PLAYER_RATING = 1500
_ELO_STEPS = tuple(400 * log10(share / (1 - share)) for share in SHARES_AGAINST_LEVEL_BELOW)
LEVEL_RATINGS = tuple(
    round(NEW_PLAYER_RATING + sum(_ELO_STEPS[:level]) - sum(_ELO_STEPS[:4])) for level in range(BEST_LEVEL)
)
LEVEL_DEVIATION = 50.0  # the uncertainty of a level's rating


def level_player(level: int, seed: int | None = None) -> LevelPlayer | EnginePlayer:
    """Create the player of a level from 1 to 10."""
    return (
        EnginePlayer(BEST_LEVEL_MOVE_SECONDS, name=f"level:{BEST_LEVEL}")
        if level == BEST_LEVEL
        else LevelPlayer(level, seed)
    )


class LevelPlayer(CorePlayer):
    """Looks a few moves ahead, and sometimes overlooks threats that are hard to see."""

    def __init__(self, level: int, seed: int | None = None) -> None:
        super().__init__(f"level:{level}")
        self._level = level
        self.new_game(seed)

    def _ask(self, position: Position, board: _native.GameBoard, clock: Clock) -> _native.Choice:
        return self._core.play_level(board, self._level, self._seed, lambda: clock.is_up)

    def new_game(self, seed: int | None = None) -> None:
        self._seed = random.getrandbits(64) if seed is None else seed % SEED_COUNT


def make_level(name: str, parameter: str, seed: int | None) -> LevelPlayer | EnginePlayer:
    return level_player(number_parameter(name, parameter, 1, BEST_LEVEL), seed)
