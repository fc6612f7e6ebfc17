"""Measures the engine's search speed on boards of every size, and how late its moves are with a limit of 100 ms.

python bench/engine.py [--moves 40] [--boards 7x6x4,8x8x4] python bench/engine.py --threads 2 [--boards 8x8x4,9x7x5]
# the speed-up by more threads
"""

from __future__ import annotations

import argparse
import os
import random
import time

from connectk.arena.openings import balanced_openings
from connectk.players import Clock, load_player
from connectk.players.engine_player import CoreSearch
from connectk.rules import Position, Variant

BOARDS = ["7x6x4", "8x8x4", "9x7x5", "10x10x5", "12x12x5", "20x20x5", "100x100x5", "1000000x1000000x5"]
MOVE_SECONDS = 0.1
OPENING_COUNT = 16  # positions to search with one thread and with several
DEPTHS = {"7x6x4": 18, "8x8x4": 15, "9x7x5": 14, "12x12x5": 11, "20x20x5": 7}


def depth_and_speed(variant: Variant) -> tuple[int, float]:
    """The depth that the search alone reaches from the empty board in a second, and its nodes per second."""
    started = time.perf_counter()
    thought = CoreSearch(1 << 25).choose(Position.start(variant), seconds=1.0).thought
    return thought.depth or 0, (thought.nodes or 0) / (time.perf_counter() - started)


def gain(variant: Variant, threads: int) -> tuple[float, float]:
    """The speed-up by several threads: the ratio of nodes per second, and the ratio of the times to reach the same
    depth."""
    speeds, times = [], []
    for count in (1, threads):
        nodes, started = 0, time.perf_counter()
        for moves in balanced_openings(variant, OPENING_COUNT, seed=1):
            position, depth = Position.from_moves(moves, variant), DEPTHS.get(str(variant), 12)
            nodes += CoreSearch(1 << 25).choose(position, depth=depth, threads=count).thought.nodes or 0
        times.append(time.perf_counter() - started)
        speeds.append(nodes / times[-1])
    return speeds[1] / speeds[0], times[0] / times[1]


def lateness(variant: Variant, moves: int) -> tuple[list[float], float]:
    """The number of seconds by which each choice exceeded its time, and the longest processor time of one choice.

    The other side looks ahead too, so that games last longer. Processor time is measured because other programs do not
    affect it.
    """
    engine, other, source = load_player(f"engine:{MOVE_SECONDS * 1000:.0f}ms"), CoreSearch(1 << 20), random.Random(1)
    position, late, work = Position.start(variant), [], 0.0
    while len(late) < moves:
        started, worked = time.perf_counter(), time.process_time()
        choice = engine.choose(position, Clock(MOVE_SECONDS))
        late.append(time.perf_counter() - started - MOVE_SECONDS)
        work = max(work, time.process_time() - worked)
        position = position.drop(choice.column)
        if position.outcome is None:
            position = position.drop(_reply(position, other, source))
        position = Position.start(variant) if position.outcome is not None else position
    return sorted(late), work


def _reply(position: Position, search: CoreSearch, source: random.Random) -> int:
    """The other side's column: random at first, so that all games are different, and later searched."""
    near = [column for column in range(min(position.variant.width, 50)) if position.can_drop(column)]
    if position.ply < 8 and near:
        return source.choice(near)
    return search.choose(position, nodes=5_000).column


def show_lateness(boards: list[str], moves: int) -> None:
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; 1 s on the empty board; {moves} moves at 100 ms")
    print(f"{'board':>18}  depth  million nodes/s  median late  latest  most work")
    for board in boards:
        depth, speed = depth_and_speed(Variant.parse(board))
        late, work = lateness(Variant.parse(board), moves)
        middle, worst = 1000 * late[len(late) // 2], 1000 * late[-1]
        print(
            f"{board:>18}  {depth:5}  {speed / 1e6:15.2f}  {middle:8.1f} ms  {worst:5.1f} ms  {1000 * work:6.1f} ms",
            flush=True,
        )


def show_gain(boards: list[str], threads: int) -> None:
    print(
        f"{threads} threads against one, from {OPENING_COUNT} openings: times as many nodes per second, times as soon"
    )
    for board in boards:
        nodes, soon = gain(Variant.parse(board), threads)
        print(f"{board:>18}  {nodes:5.2f}  {soon:5.2f}", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--moves", type=int, default=40)
    options.add_argument("--boards", help=",".join(BOARDS))
    options.add_argument("--threads", type=int, default=1)
    chosen = options.parse_args()
    if chosen.threads > 1:
        show_gain(chosen.boards.split(",") if chosen.boards else list(DEPTHS), chosen.threads)
    else:
        show_lateness(chosen.boards.split(",") if chosen.boards else BOARDS, chosen.moves)


if __name__ == "__main__":
    main()
