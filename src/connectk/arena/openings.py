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

MAX_OPENING_DISCS = 12
MAX_SOLVED_CELLS = 30  # any position of a board up to this size is solved instantly
MAX_FAIR_SCORE = 2  # such a win is too late for either side to see it coming
QUICK_SEARCH_WORK = 2_000_000  # nodes times cells: one search takes some hundredths of a second
MIN_QUICK_SEARCH_NODES = 500
QUICK_SEARCH_TABLE_BYTES = 1 << 20
MAX_FAIR_ESTIMATE = 0.2  # of a win
MAX_WALKS_PER_OPENING = 60  # random walks for each opening, before openings get one disc longer

BALANCED_OPENINGS, EMPTY_OPENING = "balanced", "empty"

Opening = tuple[int, ...]
Walk = tuple[Position, Opening]


def openings_of(source: str, variant: Variant, count: int, seed: int, known: tuple[Opening, ...] = ()) -> list[Opening]:
    """`count` openings: drawn (`balanced`), the `empty` board, or those of a file; `known` ones come first."""
    if source == EMPTY_OPENING:
        return [()] * count
    found = list(known)
    if len(found) < count:
        is_drawn = source == BALANCED_OPENINGS
        more = balanced_openings(variant, count, seed) if is_drawn else read_openings(Path(source), variant)
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
    """`count` openings, each a list of drops; the same for the same seed.

    No two are the same or mirrored, as long as the board has enough of them. Where the solver is instant, the score is
    close to a draw; elsewhere a quick search finds neither side ahead. In no opening can either side win at once.
    """
    found = list(islice(_distinct(variant, count, random.Random(f"{variant} {seed}")), count))
    return tuple(islice(cycle(found or [()]), count))


def _distinct(variant: Variant, count: int, source: random.Random) -> Iterator[Opening]:
    """Openings of the usual length first; longer ones when there are too few."""
    seen: set[Position] = set()
    usual = min(max(variant.cells // 5, 1), MAX_OPENING_DISCS)
    for discs in range(usual, min(usual + 4, variant.cells)):
        walks = (_random_walk(variant, discs, source) for _ in range(MAX_WALKS_PER_OPENING * count))
        for position, moves in _balanced_walks(walks, _solver_for(variant)):
            if position not in seen:
                seen |= {position, position.mirrored()}
                yield moves


def _balanced_walks(walks: Iterator[Walk], solver: Solver | None) -> Iterator[Walk]:
    """The balanced walks, in their order. Quick searches run in parallel; the solver has one table and does not."""
    if solver is not None:
        yield from (walk for walk in walks if _is_quiet(walk[0]) and _is_even(walk[0], solver))
        return
    with ThreadPoolExecutor(cores()) as pool:
        quiet = (walk for walk in walks if _is_quiet(walk[0]))
        while some := list(islice(quiet, cores())):
            even = pool.map(lambda walk: _seems_even(walk[0]), some)
            yield from (walk for walk, is_even in zip(some, even, strict=True) if is_even)


def _random_walk(variant: Variant, discs: int, source: random.Random) -> Walk:
    position, moves = Position.start(variant), []
    while position.ply < discs and position.outcome is None:
        moves.append(source.choice(centre_first(position)))
        position = position.drop(moves[-1])
    return position, tuple(moves)


def _is_quiet(position: Position) -> bool:
    """Neither side can win at once. A small board must not allow a fork either; on a large one the search sees it."""
    if position.outcome is not None or urgent_drop(position) is not None:
        return False
    small = position.variant.cells <= MAX_SOLVED_CELLS
    return not (small and any(makes_fork(position, column) for column in centre_first(position)))


def _is_even(position: Position, solver: Solver) -> bool:
    return abs(solver.find(position).lower) <= MAX_FAIR_SCORE


def _seems_even(position: Position) -> bool:
    """Nobody is seen to win, or to be far ahead, by a search that looks at the same positions on every machine."""
    nodes = max(QUICK_SEARCH_WORK // position.variant.cells, MIN_QUICK_SEARCH_NODES)
    score = CoreSearch(QUICK_SEARCH_TABLE_BYTES).choose(position, nodes=nodes).thought.score
    return score is None or abs(score) <= MAX_FAIR_ESTIMATE


def _solver_for(variant: Variant) -> Solver | None:
    """A solver for boards that it solves instantly: small ones, and those whose book covers all openings.

    The choice must not depend on timing, or the same seed would give other openings on another machine.
    """
    if variant.cells <= MAX_SOLVED_CELLS:
        return Solver(variant)
    if variant.width * (variant.height + 1) > 64:
        return None
    solver = Solver(variant)
    return solver if solver.book and solver.book.discs >= MAX_OPENING_DISCS else None
