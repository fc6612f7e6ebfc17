"""The openings from which games start. Openings differ from each other, so that games do not repeat. They are balanced,
so that the stronger player wins."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path

from connectk.errors import BadTournament, ConnectkError
from connectk.fairness import judge_starts
from connectk.notation.files import read_text
from connectk.notation.moves import parse_moves, play_moves
from connectk.notation.named_starts import is_named_start, named_start
from connectk.players.candidate_columns import centre_first, urgent_drop
from connectk.players.engine_player import CoreSearch
from connectk.rules import Position, Variant
from connectk.rules.threats import makes_fork
from connectk.solver import Solver
from connectk.system import cores

MAX_OPENING_DISCS = 12
MAX_SOLVED_CELLS = 30  # any position of a board up to this size is solved instantly
MAX_FAIR_SCORE = 2  # a win with such a small score comes too late in the game to be foreseen
QUICK_SEARCH_WORK = 2_000_000  # nodes times cells of the board; such a search takes some hundredths of a second
MIN_QUICK_SEARCH_NODES = 500
QUICK_SEARCH_TABLE_BYTES = 1 << 20
MAX_FAIR_ESTIMATE = 0.2  # an estimate of 1 is a win
MAX_WALKS_PER_OPENING = 60  # random walks for each opening, before openings get one disc longer

BALANCED_OPENINGS, FAIR_OPENINGS, EMPTY_OPENING = "balanced", "fair", "empty"
GENERATED_OPENINGS = (BALANCED_OPENINGS, FAIR_OPENINGS, EMPTY_OPENING)  # all but those of a file
MAX_FAIR_DISCS = 3

Opening = tuple[int, ...]
Walk = tuple[Position, Opening]


def openings_of(source: str, variant: Variant, count: int, seed: int, known: tuple[Opening, ...] = ()) -> list[Opening]:
    """Return `count` openings, starting with those in `known`.

    `source` is `balanced` or `fair` for generated openings, `empty` for the empty board, the name of a start, or a
    file.
    """
    if source == EMPTY_OPENING:
        return [()] * count
    found = list(known)
    if len(found) < count:
        found += [opening for opening in _more_openings(source, variant, count, seed) if opening not in known]
    return list(islice(cycle(found), count))


def _more_openings(source: str, variant: Variant, count: int, seed: int) -> Sequence[Opening]:
    if source == BALANCED_OPENINGS:
        return balanced_openings(variant, count, seed)
    if source == FAIR_OPENINGS:
        return fair_openings(variant, seed)
    return [named_start(source, variant).moves] if is_named_start(source) else read_openings(Path(source), variant)


def fair_openings(variant: Variant, seed: int) -> list[Opening]:
    """Every opening of three discs that is proven to be a draw, in a random order. If there is none, the drawn openings
    of one disc."""
    if _solver_for(variant) is None:
        raise BadTournament("error.BadTournament.fair_unsolved", variant=variant)
    for discs in (MAX_FAIR_DISCS, 1):
        found = [start.moves for start in judge_starts(variant, discs) if start.is_fair]
        if found:
            random.Random(f"{variant} {seed}").shuffle(found)
            return found
    raise BadTournament("error.BadTournament.nothing_fair", variant=variant)


def read_openings(path: Path, variant: Variant) -> list[Opening]:
    """The openings in a file. Each line has one opening as moves, such as 4453. Text after a # is a comment."""
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
    """Return `count` openings; each is a tuple of drops. The same seed gives the same openings.

    If the board has enough openings, all are different, and none is the mirror image of another. In none of them can a
    side win at once. If the solver is instant on this board, the score of each opening is close to a draw. Otherwise, a
    quick search finds neither side ahead.
    """
    found = list(islice(_distinct(variant, count, random.Random(f"{variant} {seed}")), count))
    return tuple(islice(cycle(found or [()]), count))


def _distinct(variant: Variant, count: int, source: random.Random) -> Iterator[Opening]:
    """Yields different openings. Openings of the usual length come first. If there are too few of them, longer ones
    follow."""
    seen: set[Position] = set()
    usual = min(max(variant.cells // 5, 1), MAX_OPENING_DISCS)
    for discs in range(usual, min(usual + 4, variant.cells)):
        walks = (_random_walk(variant, discs, source) for _ in range(MAX_WALKS_PER_OPENING * count))
        for position, moves in _balanced_walks(walks, _solver_for(variant)):
            if position not in seen:
                seen |= {position, position.mirrored()}
                yield moves


def _balanced_walks(walks: Iterator[Walk], solver: Solver | None) -> Iterator[Walk]:
    """Yields those of the random walks that lead to balanced positions, in the same order.

    Quick searches run in parallel. Searches of the solver run one after the other, because there is only one table.
    """
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
    """Whether neither side can win at once.

    On a small board, neither side may be able to make a fork either. On a large board, the search finds forks itself.
    """
    if position.outcome is not None or urgent_drop(position) is not None:
        return False
    small = position.variant.cells <= MAX_SOLVED_CELLS
    return not (small and any(makes_fork(position, column) for column in centre_first(position)))


def _is_even(position: Position, solver: Solver) -> bool:
    return abs(solver.find(position).lower) <= MAX_FAIR_SCORE


def _seems_even(position: Position) -> bool:
    """Whether a quick search finds neither side ahead. The number of nodes is fixed, so that every machine gets the
    same result."""
    nodes = max(QUICK_SEARCH_WORK // position.variant.cells, MIN_QUICK_SEARCH_NODES)
    score = CoreSearch(QUICK_SEARCH_TABLE_BYTES).choose(position, nodes=nodes).thought.score
    return score is None or abs(score) <= MAX_FAIR_ESTIMATE


def _solver_for(variant: Variant) -> Solver | None:
    """A solver, if it solves every opening on this board instantly, because the board is small or its book covers them
    all; otherwise None.

    The decision must not depend on the speed of the machine, because then a seed would give other openings elsewhere.
    """
    if variant.cells <= MAX_SOLVED_CELLS:
        return Solver(variant)
    if variant.width * (variant.height + 1) > 64:
        return None
    solver = Solver(variant)
    return solver if solver.book and solver.book.discs >= MAX_OPENING_DISCS else None
