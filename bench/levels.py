"""Does each level beat the one below it? And each depth of minimax the one before? On any board.

python bench/levels.py [--variant 7x6x4 8x8x4] [--games 400] [--kind level|minimax] [--only 3 5] [--jobs 2]
    [--results FOLDER] [--so-far]

With --results the games are kept, one file for each pair: the same command goes on where it was stopped, more --games
play on, and --so-far plays nothing and tells what is there. The last column is where the share of points lies with 95%
confidence (Wilson's interval; a draw counts as half a point).
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from math import sqrt
from pathlib import Path

from connectk.arena import Record, ResultsFile, Tournament, run_tournament
from connectk.arena.ratings import Z_95
from connectk.arena.reading import read_results
from connectk.rules import Variant
from connectk.system import cores

HIGHEST = {"level": 10, "minimax": 8}
ROW = "{:>9}  {:>10}  {:>10}  {:>6}  {:>6}  {:>6}  {:>6}  {:>6}  {:>16}"
HEADINGS = ("board", "player", "against", "games", "won", "drawn", "lost", "points", "95%")


def main() -> None:
    chosen = options().parse_args()
    print(ROW.format(*HEADINGS))
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.results or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for number in chosen.only or range(2, HIGHEST[chosen.kind] + 1):
            for variant in chosen.variant:
                pair = (f"{chosen.kind}:{number}", f"{chosen.kind}:{number - 1}")
                file = folder / f"{chosen.kind}-{number}-{variant}.jsonl"
                records = (
                    read(file) if chosen.so_far else play(Tournament(pair, variant, chosen.games), file, chosen.jobs)
                )
                if records:
                    print(row(variant, pair, records), flush=True)


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", type=Variant.parse, nargs="+", default=[Variant()])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--kind", choices=HIGHEST, default="level")
    parser.add_argument("--only", type=int, nargs="+", help="these against the one below; without it all of them")
    parser.add_argument("--jobs", type=int, default=cores())
    parser.add_argument("--results", type=Path, metavar="FOLDER")
    parser.add_argument("--so-far", action="store_true")
    return parser


def play(tournament: Tournament, file: Path, jobs: int) -> list[Record]:
    """All games of a pair, those that the file has already included."""
    with ResultsFile(file, tournament) as results:
        run_tournament(results, jobs=jobs)
        return list(results.records.values())


def read(file: Path) -> list[Record]:
    return list(read_results(file.read_bytes(), str(file)).records.values()) if file.exists() else []


def row(variant: Variant, pair: tuple[str, str], records: list[Record]) -> str:
    count = Counter(record.winner and getattr(record, record.winner) for record in records)
    games = len(records)
    shares = [count[who] / games for who in (pair[0], None, pair[1])]
    points = shares[0] + shares[1] / 2
    low, high = interval(points, games)
    return ROW.format(
        str(variant), *pair, games, *(f"{share:.1%}" for share in (*shares, points)), f"{low:.1%} to {high:.1%}"
    )


def interval(share: float, games: int) -> tuple[float, float]:
    """Where the true share lies, by Wilson's formula; draws make it a little wider than it need be."""
    weight = Z_95**2 / games
    middle = (share + weight / 2) / (1 + weight)
    margin = Z_95 / (1 + weight) * sqrt(share * (1 - share) / games + weight / (4 * games))
    return middle - margin, middle + margin


if __name__ == "__main__":
    main()
