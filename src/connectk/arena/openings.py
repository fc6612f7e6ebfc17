"""Openings to start games from: varied, so that no two games are alike, and balanced, so that skill decides."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path

from connectk.errors import BadTournament, ConnectkError
from connectk.notation.files import read_text
from connectk.notation.moves import parse_moves, play_moves
from connectk.players.drops import centre_first, urgent_drop
from connectk.players.timed import CoreSearch
from connectk.rules import Position, Variant
from connectk.rules.threats import makes_fork
from connectk.solver import Solver
from connectk.system import cores

LONGEST = 12  # discs
SOLVED_CELLS = 30  # boards up to this size are solved at once, at any depth
FAIR_SCORE = 2  # a win so late that it is far from being seen
LOOK_WORK, LEAST_NODES, TABLE_BYTES = 2_000_000, 500, 1 << 20  # a look takes some hundredths of a second
FAIR_ESTIMATE = 0.2  # of a win
TRIES = 60  # random walks for each opening wanted, before openings get one disc longer

BALANCED, EMPTY = "balanced", "empty"

Opening = tuple[int, ...]
Walk = tuple[Position, Opening]


def openings_of(source: str, variant: Variant, count: int, seed: int, known: tuple[Opening, ...] = ()) -> list[Opening]:
    """So many openings: drawn (`balanced`), the `empty` board, or a file's; those `known` already come first."""
    if source == EMPTY:
        return [()] * count
    found = list(known)
    if len(found) < count:
        more = balanced_openings(variant, count, seed) if source == BALANCED else read_openings(Path(source), variant)
        found += [opening for opening in more if opening not in known]
    return list(islice(cycle(found), count))


def read_openings(path: Path, variant: Variant) -> list[Opening]:
    """The openings in a file: moves such as 4453, one opening to a line; what follows a # is a comment."""
    lines = read_text(path).splitlines()
    written = {number: line.partition("#")[0].strip() for number, line in enumerate(lines, start=1)}
    found = [_opening(path, number, text, variant) for number, text in written.items() if text]
    if not found:
        raise BadTournament("error.BadTournament.no_opening", path=path)
    return found


def _opening(path: Path, line: int, text: str, variant: Variant) -> Opening:
    try:
        game = play_moves(variant, parse_moves(text, variant))
        if game.outcome is not None:
            raise BadTournament("error.BadTournament.opening_over")
    except ConnectkError as error:
        raise BadTournament("error.BadTournament.opening", path=path, line=line, reason=error) from error
    return game.moves


def balanced_openings(variant: Variant, count: int, seed: int) -> tuple[Opening, ...]:
    """So many openings, each a list of drops; the same for the same seed.

    No two are the same or mirrored, as long as the board has enough of them. Where the solver answers at once the
    score is close to a draw, elsewhere the engine at a glance finds neither side ahead; everywhere nobody can win at
    once, or make two threats at once.
    """
    found = list(islice(_distinct(variant, count, random.Random(f"{variant} {seed}")), count))
    return tuple(islice(cycle(found or [()]), count))


def _distinct(variant: Variant, count: int, source: random.Random) -> Iterator[Opening]:
    """Openings of the usual length first; longer ones when there are too few."""
    seen: set[Position] = set()
    usual = min(max(variant.cells // 5, 1), LONGEST)
    for discs in range(usual, min(usual + 4, variant.cells)):
        walks = (_random_walk(variant, discs, source) for _ in range(TRIES * count))
        for position, moves in _fair(walks, _solver_for(variant)):
            if position not in seen:
                seen |= {position, position.mirrored()}
                yield moves


def _fair(walks: Iterator[Walk], solver: Solver | None) -> Iterator[Walk]:
    """Those that are balanced, in their order. The engine looks at several side by side; the solver has one table."""
    if solver is not None:
        yield from (walk for walk in walks if _is_quiet(walk[0]) and _is_even(walk[0], solver))
        return
    with ThreadPoolExecutor(cores()) as pool:
        quiet = (walk for walk in walks if _is_quiet(walk[0]))
        while some := list(islice(quiet, cores())):
            even = pool.map(lambda walk: _looks_even(walk[0]), some)
            yield from (walk for walk, is_even in zip(some, even, strict=True) if is_even)


def _random_walk(variant: Variant, discs: int, source: random.Random) -> Walk:
    position, moves = Position.start(variant), []
    while position.ply < discs and position.outcome is None:
        moves.append(source.choice(centre_first(position)))
        position = position.drop(moves[-1])
    return position, tuple(moves)


def _is_quiet(position: Position) -> bool:
    """Nobody can win at once. Elsewhere two threats at once make a side look ahead; a small board is full too soon."""
    if position.outcome is not None or urgent_drop(position) is not None:
        return False
    small = position.variant.cells <= SOLVED_CELLS
    return not (small and any(makes_fork(position, column) for column in centre_first(position)))


def _is_even(position: Position, solver: Solver) -> bool:
    return abs(solver.find(position).lower) <= FAIR_SCORE


def _looks_even(position: Position) -> bool:
    """Nobody is seen to win, or to be far ahead, by a search that looks at the same positions on every machine."""
    nodes = max(LOOK_WORK // position.variant.cells, LEAST_NODES)
    score = CoreSearch(TABLE_BYTES).choose(position, nodes=nodes).thought.score
    return score is None or abs(score) <= FAIR_ESTIMATE


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
