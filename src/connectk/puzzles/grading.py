"""How hard a puzzle is: which levels miss it, and how far ahead a plain search must look."""

from __future__ import annotations

from connectk.players.levels import LEVELS, level_player
from connectk.players.player import Clock
from connectk.players.registry import load_player
from connectk.rules import Position

TRIES = 5  # of each level, as it plays by luck; most of them must be right
DEPTHS = (2, 4, 6, 8, 10)
DEEPER = 12  # stands for all that the deepest of these misses


def levels_that_miss(position: Position, answer: int) -> int:
    """How many of the levels without a clock drop elsewhere in most of their tries."""
    return sum(_misses(level, position, answer) for level in LEVELS)


def _misses(level: int, position: Position, answer: int) -> bool:
    drops = [level_player(level, seed).choose(position, Clock()).column for seed in range(TRIES)]
    return drops.count(answer) <= TRIES // 2


def depth_that_finds(position: Position, answer: int) -> int:
    """The least depth from which on the plain search drops into the answer, whatever deeper ones are asked."""
    found = DEEPER
    for depth in reversed(DEPTHS):
        if load_player(f"minimax:{depth}").choose(position, Clock()).column != answer:
            break
        found = depth
    return found
