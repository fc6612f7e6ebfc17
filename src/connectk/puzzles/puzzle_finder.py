"""Decides with the exact solver whether a position is a puzzle, which has exactly one right drop that is not forced.

This module also measures the difficulty: how many computer levels miss the answer, and how deep a plain search must
look to find it.
"""

from __future__ import annotations

from typing import NamedTuple

from connectk.errors import SearchStopped
from connectk.players.levels import LEVEL_SETTINGS, level_player
from connectk.players.player import Clock
from connectk.players.registry import load_player
from connectk.puzzles.puzzle import Aim
from connectk.rules import Position
from connectk.rules.threats import winning_columns
from connectk.solver import Solver
from connectk.solver.solution import discs_to_win
from connectk.watch import Stop

MIN_LEAD_DISCS = 2  # by how many discs the fastest win must beat every other win
MAX_WIN_DISCS = 5  # the longest fastest win; a longer one is hard to tell from the others
MIN_SAFE_DROPS = 3  # drops that do not lose at once; with only two, guessing would succeed too often
ATTEMPTS_PER_LEVEL = 5  # levels choose partly at random; a level solves a puzzle if most of its attempts are right
SEARCH_DEPTHS_TRIED = (2, 4, 6, 8, 10)
UNSOLVED_DEPTH = 12  # the depth recorded for a puzzle that even the deepest search misses

Scores = tuple[int | None, ...]


class PuzzleTask(NamedTuple):
    """The aim of a puzzle, and the only column that achieves it."""

    aim: Aim
    answer: int


def find_task(position: Position, solver: Solver, stop: Stop | None = None) -> PuzzleTask | None:
    """Return the task of a position.

    None if several drops are right, if the right drop is obvious, or if the search was stopped.
    """
    if not is_candidate(position):
        return None
    try:
        results = solver.score_columns(position, goal="result", stop=stop)
        return task_by_result(results) or task_by_speed(position, results, solver, stop)
    except SearchStopped:
        return None


def is_candidate(position: Position) -> bool:
    """Whether neither side can win with its next disc, and at least three drops do not lose at once."""
    side = position.side_to_move
    if position.outcome or winning_columns(position, side) or winning_columns(position, side.other):
        return False
    safe = [column for column in position.legal_columns if not _gives_away_a_win(position, column)]
    return len(safe) >= MIN_SAFE_DROPS


def _gives_away_a_win(position: Position, column: int) -> bool:
    after = position.drop(column)
    return after.wins(column)  # the drop opens only the cell above it; no other cell wins


def task_by_result(results: Scores) -> PuzzleTask | None:
    """Return the task if exactly one column wins or, if none wins, if exactly one column does not lose."""
    known = [score for score in results if score is not None]
    best = max(known, default=-1)
    if best < 0 or known.count(best) > 1:
        return None
    return PuzzleTask(Aim.WIN if best > 0 else Aim.HOLD, results.index(best))


def task_by_speed(position: Position, results: Scores, solver: Solver, stop: Stop | None = None) -> PuzzleTask | None:
    """Return the task if several columns win, and one of them wins clearly sooner than all others."""
    if not any(score is not None and score > 0 for score in results):
        return None
    scores = solver.score_columns(position, stop=stop)
    best, second = sorted((score for score in scores if score is not None), reverse=True)[:2]
    discs = discs_to_win(position.variant, position.ply, best)
    if best - second < MIN_LEAD_DISCS or discs > MAX_WIN_DISCS:
        return None
    return PuzzleTask(Aim.SOONEST, scores.index(best))


def levels_that_miss(position: Position, answer: int) -> int:
    """Count the computer levels that miss the answer in most of their attempts. The level with a clock is not tried."""
    return sum(_misses(level, position, answer) for level in LEVEL_SETTINGS)


def _misses(level: int, position: Position, answer: int) -> bool:
    drops = [level_player(level, seed).choose(position, Clock()).column for seed in range(ATTEMPTS_PER_LEVEL)]
    return drops.count(answer) <= ATTEMPTS_PER_LEVEL // 2


def depth_that_finds(position: Position, answer: int) -> int:
    """Return the smallest depth at which a plain search finds the answer, if it also finds it at all greater depths
    that are tried."""
    found = UNSOLVED_DEPTH
    for depth in reversed(SEARCH_DEPTHS_TRIED):
        if load_player(f"minimax:{depth}").choose(position, Clock()).column != answer:
            break
        found = depth
    return found
