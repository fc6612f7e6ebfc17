"""Does each level beat the one below it? And each depth of minimax the one before?

python bench/levels.py [--variant 7x6x4] [--games 400] [--kind level|minimax] [--only 3,5]
"""

from __future__ import annotations

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from connectk.arena.match import Record, play_fixture
from connectk.arena.openings import balanced_openings
from connectk.arena.seats import Seats
from connectk.arena.tournament import Fixture, Tournament
from connectk.players import load_player
from connectk.rules import Variant

HIGHEST = {"level": 10, "minimax": 8}


def play(fixture: Fixture) -> Record:
    with Seats(load_player) as seats:
        return play_fixture(fixture, seats.take)


def outcomes(higher: str, lower: str, variant: Variant, games: int, pool: ProcessPoolExecutor) -> Counter[str | None]:
    """How many games each player won; None counts the draws."""
    tournament = Tournament((higher, lower), variant, games)
    openings = balanced_openings(variant, tournament.openings_needed, tournament.seed)
    records = pool.map(play, tournament.fixtures(openings), chunksize=10)
    return Counter(record.winner and getattr(record, record.winner) for record in records)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--variant", default="7x6x4")
    options.add_argument("--games", type=int, default=400)
    options.add_argument("--kind", choices=HIGHEST, default="level")
    options.add_argument("--only", help="these against the one below, such as 3,5; without it all of them")
    options.add_argument("--jobs", type=int, default=None)
    chosen = options.parse_args()
    print(f"{chosen.variant}, {chosen.games} games for each pair, from both sides of balanced openings")
    print(f"{'player':>10}  {'against':>10}  {'won':>6}  {'drawn':>6}  {'lost':>6}  points")
    with ProcessPoolExecutor(chosen.jobs) as pool:
        for number in map(int, chosen.only.split(",")) if chosen.only else range(2, HIGHEST[chosen.kind] + 1):
            higher, lower = f"{chosen.kind}:{number}", f"{chosen.kind}:{number - 1}"
            count = outcomes(higher, lower, Variant.parse(chosen.variant), chosen.games, pool)
            won, drawn, lost = (count[who] / chosen.games for who in (higher, None, lower))
            points = won + drawn / 2
            print(f"{higher:>10}  {lower:>10}  {won:6.1%}  {drawn:6.1%}  {lost:6.1%}  {points:6.1%}", flush=True)


if __name__ == "__main__":
    main()
