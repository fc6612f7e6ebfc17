"""Measures the overhead of calling the solver from Python, in CPU time: `solve` on one thread, and `solve_many` on all
cores.

    python bench/solve_call.py [--boards]

Positions come from random play with a fixed seed. 'search' is the core's own search with an empty table. 'solve' is
`connectk.solve(position).score`. The last column also computes the best columns and the line. `--boards` adds the empty
9x4 board, which takes a while. The rows below compare `solve_many` with the search alone, by the CPU time of all
threads: 100% is the search of one thread times the cores.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable, Sequence

import connectk
from connectk import _native
from connectk.notation import write_moves
from connectk.rules import CLASSIC, Position, Variant
from connectk.solver.bitboards import bitboards_of

POSITION_SETS = {"late, 26 discs": (26, 4000), "late, 22 discs": (22, 2000), "middle, 18 discs": (18, 300)}
REPETITIONS = 3  # the best one counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", action="store_true", help="the empty 9x4 board as well")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; CPU microseconds per position")
    print(f"{'positions':>22} {'search':>12} {'solve':>12} {'ratio':>6} {'and columns, line':>18}")
    rows = {
        "late, 26 discs": (26, 1000),
        "late, 22 discs": (22, 300),
        "middle, 18 discs": (18, 60),
        "14 discs": (14, 6),
    }
    for name, (discs, count) in rows.items():
        report(name, random_games(discs, count), book=False)
    report("book, 4 discs", random_games(4, 300), book=True)
    if options.boards:
        report("empty 9x4", [()], book=False, variant=Variant(9, 4, 4))
    print(f"\n{'solve_many':>22} {'search':>12} {'solve_many':>12} {'of the search':>14}")
    for name, (discs, count) in POSITION_SETS.items():
        report_many(name, random_games(discs, count))


def random_games(discs: int, count: int, variant: Variant = CLASSIC) -> list[tuple[int, ...]]:
    """Different unfinished games with this number of discs."""
    dice, games = random.Random(discs), dict[tuple[int, ...], None]()
    while len(games) < count:
        position, moves = Position.start(variant), []
        while position.outcome is None and len(moves) < discs:
            moves.append(dice.choice(position.legal_columns))
            position = position.drop(moves[-1])
        if position.outcome is None:
            games[tuple(moves)] = None
    return list(games)


def report(name: str, games: Sequence[tuple[int, ...]], *, book: bool, variant: Variant = CLASSIC) -> None:
    positions = [Position.from_moves(moves, variant) for moves in games]
    search = cpu_time(lambda: search_alone(positions, book=book)) / len(positions)
    call = cpu_time(lambda: [connectk.solve(position, book=book).score for position in positions]) / len(positions)
    whole = cpu_time(lambda: [solve_with_line(position, book=book) for position in positions]) / len(positions)
    print(f"{name:>22} {1e6 * search:12.1f} {1e6 * call:12.1f} {call / search:6.2f} {1e6 * whole:18.1f}", flush=True)


def search_alone(positions: Sequence[Position], *, book: bool) -> list[int]:
    from connectk.solver.book import native_book

    variant = positions[0].variant
    core = _native.Solver(variant.width, variant.height, variant.run, book=native_book(book, variant))
    scores = []
    for bits in [bitboards_of(position) for position in positions]:
        core.clear_table()
        scores.append(core.solve(*bits).lower)
    return scores


def solve_with_line(position: Position, *, book: bool) -> tuple[object, ...]:
    solution = connectk.solve(position, book=book)
    return solution.score, solution.best_columns, solution.line


def report_many(name: str, games: Sequence[tuple[int, ...]]) -> None:
    positions = [Position.from_moves(moves) for moves in games]
    search = cpu_time(lambda: search_alone(positions, book=False)) / len(positions)
    kinds = {
        "positions": positions,
        "move strings": [write_moves(moves) for moves in games],
        "bits": rows_of(positions),
    }
    for kind, given in kinds.items():
        many = cpu_time(lambda given=given: connectk.solve_many(given, book=False)) / len(positions)
        share = search / many
        print(f"{name + ', ' + kind:>34} {1e6 * search:8.1f} {1e6 * many:8.1f} {share:14.0%}", flush=True)


def rows_of(positions: Sequence[Position]) -> memoryview:
    words = b"".join(word.to_bytes(8, "little") for position in positions for word in bitboards_of(position))
    return memoryview(words).cast("Q", (len(positions), 2))


def cpu_time(work: Callable[[], object]) -> float:
    """The processor seconds of all threads in the quickest round."""
    times = []
    for _ in range(REPETITIONS):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


if __name__ == "__main__":
    main()
