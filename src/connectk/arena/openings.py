"""Openings to start games from: varied, so that no two games are alike, and balanced, so that skill decides."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import cycle, islice

from connectk.players.drops import centre_first
from connectk.players.timed import CoreSearch, SearchLimits
from connectk.rules import Position, Variant
from connectk.rules.threats import makes_fork, winning_columns
from connectk.solver import Solver

LONGEST = 12  # discs
SOLVED_CELLS = 30  # boards up to this size are solved at once, at any depth
FAIR_SCORE = 2  # a win so late that it is far from being seen
LOOK_WORK, LEAST_NODES, TABLE_BYTES = 2_000_000, 500, 1 << 20  # a look takes some hundredths of a second
FAIR_ESTIMATE = 0.2  # of a win
TRIES = 60  # random walks for each opening wanted, before openings get one disc longer


def balanced_openings(variant: Variant, count: int, seed: int) -> tuple[tuple[int, ...], ...]:
    """So many openings, each a list of drops; the same for the same seed.

    No two are the same or mirrored, as long as the board has enough of them. Where the solver answers at once the
    score is close to a draw, elsewhere the engine at a glance finds neither side ahead; everywhere nobody can win at
    once, or make two threats at once.
    """
    found = list(islice(_distinct(variant, count, random.Random(f"{variant} {seed}")), count))
    return tuple(islice(cycle(found or [()]), count))


def _distinct(variant: Variant, count: int, source: random.Random) -> Iterator[tuple[int, ...]]:
    """Openings of the usual length first; longer ones when there are too few."""
    solver = _solver_for(variant)
    seen: set[Position] = set()
    usual = min(max(variant.cells // 5, 1), LONGEST)
    for discs in range(usual, min(usual + 4, variant.cells)):
        for _ in range(TRIES * count):
            position, moves = _random_walk(variant, discs, source)
            if position not in seen and _is_balanced(position, solver):
                seen |= {position, position.mirrored()}
                yield moves


def _random_walk(variant: Variant, discs: int, source: random.Random) -> tuple[Position, tuple[int, ...]]:
    position, moves = Position.start(variant), []
    while position.ply < discs and position.outcome is None:
        moves.append(source.choice(centre_first(position)))
        position = position.drop(moves[-1])
    return position, tuple(moves)


def _is_balanced(position: Position, solver: Solver | None) -> bool:
    if position.outcome is not None or not _is_quiet(position):
        return False
    if solver is None:
        return _looks_even(position)
    return abs(solver.find(position).lower) <= FAIR_SCORE


def _looks_even(position: Position) -> bool:
    """Nobody is seen to win, or to be far ahead, by a search that looks at the same positions on every machine."""
    nodes = max(LOOK_WORK // position.variant.cells, LEAST_NODES)
    score = CoreSearch(TABLE_BYTES).choose(position, SearchLimits(nodes=nodes)).thought.score
    return score is None or abs(score) <= FAIR_ESTIMATE


def _is_quiet(position: Position) -> bool:
    """Nobody can win at once, and the side to move cannot threaten to win in two ways."""
    sides = (position.side_to_move, position.side_to_move.other)
    return not any(winning_columns(position, side) for side in sides) and not any(
        makes_fork(position, column) for column in centre_first(position)
    )


def _solver_for(variant: Variant) -> Solver | None:
    """A solver, where it answers at once: on small boards, and where the book knows all openings.

    What it can tell must not depend on the time it takes, or the same seed would give other openings elsewhere.
    """
    if variant.cells <= SOLVED_CELLS:
        return Solver(variant)
    if variant.width * (variant.height + 1) > 64:
        return None
    solver = Solver(variant)
    return solver if solver.book and solver.book.discs >= LONGEST else None
