"""Ten levels, the same on any board: 1 loses to a child, 10 is the best there is.

A level looks so many moves ahead, and now and then drops a disc without looking. Without a clock and with the same
seed it plays the same games, except for level 10.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from connectk.players.player import Choice, Clock, require_open
from connectk.players.simple import random_column
from connectk.players.timed import CoreSearch, EnginePlayer, SearchLimits
from connectk.rules import Position


@dataclass(frozen=True, slots=True)
class Level:
    """How far a level looks, at how many positions at most, and how often it does not look at all."""

    depth: int
    carelessness: float
    nodes: int = 20_000


LEVELS = {
    1: Level(depth=1, carelessness=1.0),
    2: Level(depth=1, carelessness=0.80),
    3: Level(depth=1, carelessness=0.60),
    4: Level(depth=1, carelessness=0.40),
    5: Level(depth=1, carelessness=0.22),
    6: Level(depth=2, carelessness=0.16),
    7: Level(depth=3, carelessness=0.055),
    8: Level(depth=6, carelessness=0.03),
    9: Level(depth=10, carelessness=0.0, nodes=50_000),
}
BEST = 10
BEST_SECONDS = 0.5


def level_player(level: int, seed: int | None = None) -> LevelPlayer | EnginePlayer:
    """The player of a level from 1 to 10."""
    name = f"level:{level}"
    return EnginePlayer(BEST_SECONDS, name=name) if level == BEST else LevelPlayer(LEVELS[level], seed, name)


class LevelPlayer:
    """Looks ahead a little, and is careless now and then."""

    def __init__(self, level: Level, seed: int | None = None, name: str = "level") -> None:
        self.name = name
        self._level = level
        self._random = random.Random(seed)
        self._search = CoreSearch(table_bytes=1 << 18)

    def choose(self, position: Position, clock: Clock) -> Choice:
        require_open(position)
        if self._random.random() < self._level.carelessness:
            return Choice(random_column(position, self._random))
        self._search.forget()
        level = self._level
        return self._search.choose(position, SearchLimits(level.depth, level.nodes, stopped=lambda: clock.is_up))

    def close(self) -> None:
        """Nothing to give back."""
