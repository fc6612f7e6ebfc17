"""Measures the share of positions that are explained, the number of boards of an explanation and the time. Also finds
empty boards on which the second player holds a draw.

    python bench/why.py                     1,000 positions with 8 to 36 discs, by number of discs
    python bench/why.py --positions 100
    python bench/why.py --empty 6x4x4 6x6x4 8x6x4

The positions come from games between two beginners who see an immediate win and otherwise drop at random. Positions in
which the side to move can win at once are left out. Times are processor times. Only explanations that the checker
accepts are counted.
"""

from __future__ import annotations

import argparse
import random
import time
from math import inf
from statistics import median

from connectk.rules import Position, Side, Variant
from connectk.rules.threats import winning_columns
from connectk.solver import Solver
from connectk.why import explain
from connectk.why.explainer import DEFAULT_MAX_BOARDS

DISC_COUNTS = range(8, 37)
DISC_COUNT_BANDS = ((8, 11), (12, 15), (16, 19), (20, 27), (28, 36), (12, 36), (14, 36), (16, 36))
MAX_READABLE_BOARDS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--boards", type=int, default=DEFAULT_MAX_BOARDS)
    parser.add_argument("--seconds", type=float, default=5.0, help="the most for one position")
    parser.add_argument("--minutes", type=float, default=inf, help="start no more positions after so long")
    parser.add_argument("--empty", nargs="*", type=Variant.parse, help="empty boards to hold instead")
    options = parser.parse_args()
    if options.empty:
        hold_empty_boards(options.empty, options.boards, options.seconds)
    else:
        explain_positions(options.positions, options.boards, options.seconds, options.minutes)


def explain_positions(positions: int, boards: int, seconds: float, minutes: float) -> None:
    solver, rows, end = Solver(), [], time.monotonic() + 60 * minutes
    for number in range(positions):
        if time.monotonic() > end:
            break
        discs = DISC_COUNTS[number % len(DISC_COUNTS)]
        position = beginners_position(random.Random(number), discs)
        started = time.process_time()
        found = explain(position, boards=boards, seconds=seconds, solver=solver)
        taken = time.process_time() - started
        rows.append(
            (discs, found.explanation and found.explanation.size, found.explanation and found.explanation.kind, taken)
        )
    print("discs   positions  explained  at most 3 boards", end="  ")
    print("force  strategy  tree  boards: median  largest  seconds: median  largest")
    for low, high in DISC_COUNT_BANDS:
        print_band(low, high, [row for row in rows if low <= row[0] <= high])


def print_band(low: int, high: int, rows: list) -> None:
    sizes = [size for _, size, _, _ in rows if size]
    kinds = [kind for _, _, kind, _ in rows]
    times = [taken for *_, taken in rows]
    if not sizes:
        return
    counts = [kinds.count(kind) for kind in ("force", "strategy", "tree")]
    share, readable = (
        f"{count / len(rows):.1%}" for count in (len(sizes), sum(s <= MAX_READABLE_BOARDS for s in sizes))
    )
    print(
        f"{low:2}-{high:<4} {len(rows):9} {share:>10} {readable:>16} {counts[0]:6} {counts[1]:9} {counts[2]:5} "
        f"{median(sizes):15g} {max(sizes):8} {median(times):16.3f} {max(times):8.2f}"
    )


def beginners_position(dice: random.Random, discs: int) -> Position:
    while True:
        position = Position.start()
        while position.ply < discs and position.outcome is None:
            mover = position.side_to_move
            wanted = winning_columns(position, mover) or winning_columns(position, mover.other)
            position = position.drop(dice.choice(wanted or position.legal_columns))
        if position.outcome is None and not winning_columns(position, position.side_to_move):
            return position


def hold_empty_boards(variants: list[Variant], boards: int, seconds: float) -> None:
    print("board      the second player holds at least a draw")
    for variant in variants:
        started = time.process_time()
        found = explain(Position(variant), side=Side.SECOND, boards=boards, seconds=seconds)
        taken = time.process_time() - started
        shown = found.explanation
        said = f"{shown.size} boards, {found.checked:,} positions checked" if shown else "not shown"
        print(f"{variant!s:10} {said}, {taken:.1f} s", flush=True)


if __name__ == "__main__":
    main()
