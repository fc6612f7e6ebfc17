"""Finds the levels between which a handicap start is even. The extra discs of the start belong to the weaker level.

    python bench/handicaps.py --games 100

For each start and each weaker level, it prints the share of points that this level gets against each stronger level,
with a 95% interval. It also prints the levels for which the interval contains one half.
"""

from __future__ import annotations

import argparse
import math
from itertools import count

from connectk.notation.named_starts import HANDICAPS, named_start
from connectk.players.player import Clock
from connectk.players.registry import load_player
from connectk.rules import Position, Side

STRONGEST_LEVEL = 9  # level 10 thinks for seconds


def points_of_first(start: Position, first: str, second: str, seed: int) -> float:
    """Plays one game from the start, and returns the first player's points."""
    position, players = start, [load_player(first, seed), load_player(second, seed + 1)]
    while position.outcome is None:
        position = position.drop(players[position.side_to_move.value].choose(position, Clock()).column)
    for player in players:
        player.close()
    winner = position.outcome.winner
    return 0.5 if winner is None else float(winner is Side.FIRST)


def measure(start: Position, weaker: int, stronger: int, games: int) -> tuple[float, float]:
    """The mean of the weaker level's points, and half the width of its 95% interval."""
    seeds = count(1, 2)
    points = [points_of_first(start, f"level:{weaker}", f"level:{stronger}", next(seeds)) for _ in range(games)]
    mean = sum(points) / games
    variance = sum((point - mean) ** 2 for point in points) / games
    return mean, 1.96 * math.sqrt(variance / games)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--farthest", type=int, default=5, help="the most levels between the two players")
    options = parser.parse_args()
    for name in HANDICAPS:
        for weaker in range(1, STRONGEST_LEVEL):
            shares = {}
            for stronger in range(weaker, min(STRONGEST_LEVEL, weaker + options.farthest) + 1):
                mean, margin = shares[stronger] = measure(named_start(name).position, weaker, stronger, options.games)
                print(f"{name} level {weaker} against {stronger}: {mean:.1%} ± {margin:.1%}", flush=True)
            even = [level for level, (mean, margin) in shares.items() if abs(mean - 0.5) <= margin]
            print(f"{name} level {weaker}: even with {even}", flush=True)


if __name__ == "__main__":
    main()
