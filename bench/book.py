"""Measures the time of an answer with the opening book, for random positions of every ply.

    python bench/book.py [--positions 200] [--seed 1] [--no-book]

It prints for each ply the median, the 99th percentile and the maximum, in milliseconds of processor time, which other
work on the machine hardly changes. Each answer has a fresh table and one thread.
"""

from __future__ import annotations

import argparse
import random
import time

from connectk.rules import Position
from connectk.solver import Solver
from connectk.solver.book import shipped_book


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=200, help="random positions of each ply")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-book", action="store_true")
    options = parser.parse_args()
    started = time.process_time()
    book = shipped_book(Position.start().variant)
    print(f"{book}, read in {1e3 * (time.process_time() - started):.1f} ms")
    solver = Solver(book=not options.no_book)
    dice = random.Random(options.seed)
    print(f"{'discs':>5} {'middle ms':>10} {'1 in 100 ms':>12} {'slowest ms':>11}   slowest position")
    for ply in range(42):
        report(ply, sorted(timed(solver, moves) for moves in random_games(dice, ply, options.positions)))


def report(ply: int, times: list[tuple[float, str]]) -> None:
    middle, rare, slowest = times[len(times) // 2][0], times[len(times) * 99 // 100][0], times[-1]
    print(f"{ply:5} {1e3 * middle:10.3f} {1e3 * rare:12.3f} {1e3 * slowest[0]:11.3f}   {slowest[1]}", flush=True)


def timed(solver: Solver, moves: str) -> tuple[float, str]:
    position = Position.from_moves(moves)
    solver.clear_table()
    started = time.process_time()
    solver.find(position)
    return time.process_time() - started, moves


def random_games(dice: random.Random, ply: int, count: int) -> list[str]:
    """The moves of random games that are not over after `ply` discs."""
    games: list[str] = []
    while len(games) < count:
        position, moves = Position.start(), ""
        while position.outcome is None and position.ply < ply:
            column = dice.choice(position.legal_columns)
            position, moves = position.drop(column), moves + str(column + 1)
        if position.outcome is None:
            games.append(moves)
    return games


if __name__ == "__main__":
    main()
