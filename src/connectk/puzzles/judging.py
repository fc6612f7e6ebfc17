"""Whether a position is a puzzle, by the exact solver: one drop is right, and not because it is all there is to do.

And how hard it is: which levels miss it, and how far ahead a plain search must look.
"""

from __future__ import annotations

from typing import NamedTuple

from connectk.errors import SearchStopped
from connectk.players.levels import LEVELS, level_player
from connectk.players.player import Clock
from connectk.players.registry import load_player
from connectk.puzzles.puzzle import Aim
from connectk.rules import Position
from connectk.rules.threats import winning_columns
from connectk.solver import Solver
from connectk.solver.solution import discs_to_win
from connectk.watch import Stop

MIN_LEAD_DISCS = 2  # discs that the soonest win must be ahead of all others
MAX_WIN_DISCS = 5  # discs: a later one is hard to tell from others
MIN_SAFE_DROPS = 2  # drops that do not lose at once
ATTEMPTS_PER_LEVEL = 5  # of each level, as it plays by luck; most of them must be right
DEPTHS = (2, 4, 6, 8, 10)
UNSOLVED_DEPTH = 12  # stands for all that the deepest of these misses

Scores = tuple[int | None, ...]


class PuzzleTask(NamedTuple):
    """What is to be done in a position, and the one column that does it."""

    aim: Aim
    answer: int


def task_of(position: Position, solver: Solver, stop: Stop | None = None) -> PuzzleTask | None:
    """The task that a position is, or None: nothing to decide, several answers, or seen at first glance."""
    if not worth_a_look(position):
        return None
    try:
        results = solver.score_columns(position, goal="result", stop=stop)
        return by_result(results) or by_speed(position, results, solver, stop)
    except SearchStopped:
        return None


def worth_a_look(position: Position) -> bool:
    """No win at once, nothing that must be blocked now, and more than one drop that does not lose at once."""
    side = position.side_to_move
    if position.outcome or winning_columns(position, side) or winning_columns(position, side.other):
        return False
    safe = [column for column in position.legal_columns if not _gives_away(position, column)]
    return len(safe) >= MIN_SAFE_DROPS


def _gives_away(position: Position, column: int) -> bool:
    after = position.drop(column)
    return after.wins(column)  # only the cell above is new: elsewhere there was no win before


def by_result(results: Scores) -> PuzzleTask | None:
    """The only column that wins, or the only one that does not lose."""
    known = [score for score in results if score is not None]
    best = max(known, default=-1)
    if best < 0 or known.count(best) > 1:
        return None
    return PuzzleTask(Aim.WIN if best > 0 else Aim.HOLD, results.index(best))


def by_speed(position: Position, results: Scores, solver: Solver, stop: Stop | None = None) -> PuzzleTask | None:
    """Of several columns that win the one that wins clearly sooner than all others."""
    if not any(score is not None and score > 0 for score in results):
        return None
    scores = solver.score_columns(position, stop=stop)
    best, second = sorted((score for score in scores if score is not None), reverse=True)[:2]
    discs = discs_to_win(position.variant, position.ply, best)
    if best - second < MIN_LEAD_DISCS or discs > MAX_WIN_DISCS:
        return None
    return PuzzleTask(Aim.SOONEST, scores.index(best))


def levels_that_miss(position: Position, answer: int) -> int:
    """How many of the levels without a clock drop elsewhere in most of their tries."""
    return sum(_misses(level, position, answer) for level in LEVELS)


def _misses(level: int, position: Position, answer: int) -> bool:
    drops = [level_player(level, seed).choose(position, Clock()).column for seed in range(ATTEMPTS_PER_LEVEL)]
    return drops.count(answer) <= ATTEMPTS_PER_LEVEL // 2


def depth_that_finds(position: Position, answer: int) -> int:
    """The least depth from which on the plain search drops into the answer, whatever deeper ones are asked."""
    found = UNSOLVED_DEPTH
    for depth in reversed(DEPTHS):
        if load_player(f"minimax:{depth}").choose(position, Clock()).column != answer:
            break
        found = depth
    return found
