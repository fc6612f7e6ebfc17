"""Measures whether each level, or each search depth of minimax, beats the one below it, on any board.

python bench/levels.py [--variant 7x6x4 8x8x4] [--games 400] [--kind level|minimax] [--only 3 5] [--jobs 2]
    [--results FOLDER] [--so-far]
python bench/levels.py --overlooked 200

With --results the games are saved, in one file for each pair. Then the same command resumes where it stopped, a higher
--games adds games, and --so-far only prints the standings. The last column is the 95% confidence interval of the share
of points (Wilson's interval; a draw counts as half a point).

--overlooked plays no matches. It gives each level this many positions of four kinds, without a clock: the level can win
at once, must block a line, can make two threats with one drop, or must prevent such a drop of the other side. It prints
how often the level misses the right column.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from math import sqrt
from pathlib import Path
from random import Random

from connectk.arena import GameRecord, ResultsFile, Tournament, run_tournament
from connectk.arena.ratings import Z_95
from connectk.arena.results_reader import read_results
from connectk.players.levels import LEVEL_SETTINGS, level_player
from connectk.players.player import Clock
from connectk.rules import Game, Position, Variant
from connectk.rules.threats import makes_fork, winning_columns
from connectk.system import cores

HIGHEST_LEVELS = {"level": 10, "minimax": 8}
ROW_FORMAT = "{:>9}  {:>10}  {:>10}  {:>6}  {:>6}  {:>6}  {:>6}  {:>6}  {:>16}"
MISTAKE_KINDS = ("wins", "blocks", "own forks", "their forks")
HEADINGS = ("board", "player", "against", "games", "won", "drawn", "lost", "points", "95%")


def main() -> None:
    chosen = options().parse_args()
    if chosen.overlooked:
        print_overlooked(chosen.overlooked)
        return
    print(ROW_FORMAT.format(*HEADINGS))
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.results or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for number in chosen.only or range(2, HIGHEST_LEVELS[chosen.kind] + 1):
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
    parser.add_argument("--kind", choices=HIGHEST_LEVELS, default="level")
    parser.add_argument("--only", type=int, nargs="+", help="these against the one below; without it all of them")
    parser.add_argument("--jobs", type=int, default=cores())
    parser.add_argument("--results", type=Path, metavar="FOLDER")
    parser.add_argument("--so-far", action="store_true")
    parser.add_argument("--overlooked", type=int, metavar="POSITIONS", help="what each level misses, of each kind")
    return parser


Answers = frozenset[int]  # the right columns in a situation


def situation(position: Position) -> tuple[str, Answers] | None:
    """The kind of mistake that is possible in this position, and the columns that avoid it; None for any other kind."""
    side = position.side_to_move
    if wins := winning_columns(position, side):
        return "wins", frozenset(wins)
    threats = winning_columns(position, side.other)
    if threats:
        return ("blocks", frozenset(threats)) if len(threats) == 1 else None
    if forks := [column for column in position.legal_columns if makes_fork(position, column)]:
        return "own forks", frozenset(forks)
    safe = [column for column in position.legal_columns if not allows_fork(position.drop(column))]
    return ("their forks", frozenset(safe)) if 0 < len(safe) < len(position.legal_columns) else None


def allows_fork(after: Position) -> bool:
    return any(makes_fork(after, column) for column in after.legal_columns)


def sampled_situations(count: int) -> dict[str, list[tuple[Position, Answers]]]:
    """Find `count` positions of each kind in games between two levels. Each game gives at most one position of a
    kind."""
    found: dict[str, list[tuple[Position, Answers]]] = {kind: [] for kind in MISTAKE_KINDS}
    seed = 0
    while any(len(some) < count for some in found.values()):
        dice, game, seen = Random(seed), Game(), set()
        players = [level_player(dice.randint(3, 6), 2 * seed + side) for side in range(2)]
        while game.outcome is None:
            asked = situation(game.position)
            if asked and asked[0] not in seen and len(found[asked[0]]) < count:
                seen.add(asked[0])
                found[asked[0]].append((game.position, asked[1]))
            legal, player = game.position.legal_columns, players[game.position.side_to_move.value]
            is_opening = len(game.moves) < 6
            game.drop(dice.choice(legal) if is_opening else player.choose(game.position, Clock()).column)
        seed += 1
    return found


def print_overlooked(count: int) -> None:
    """Print the share of positions in which each level misses the right column."""
    situations = sampled_situations(count)
    print(("{:>9}" + "  {:>12}" * len(MISTAKE_KINDS)).format("level", *MISTAKE_KINDS))
    for level in LEVEL_SETTINGS:
        player = level_player(level, 1)
        missed = [
            sum(player.choose(position, Clock()).column not in answers for position, answers in situations[kind])
            / count
            for kind in MISTAKE_KINDS
        ]
        print(("{:>9}" + "  {:>12.1%}" * len(MISTAKE_KINDS)).format(level, *missed), flush=True)


def play(tournament: Tournament, file: Path, jobs: int) -> list[GameRecord]:
    """Play the missing games of a pair. Returns all games, including those that were already in the file."""
    with ResultsFile(file, tournament) as results:
        run_tournament(results, jobs=jobs)
        return list(results.records.values())


def read(file: Path) -> list[GameRecord]:
    return list(read_results(file.read_bytes(), str(file)).records.values()) if file.exists() else []


def row(variant: Variant, pair: tuple[str, str], records: list[GameRecord]) -> str:
    count = Counter(record.winner and getattr(record, record.winner) for record in records)
    games = len(records)
    shares = [count[who] / games for who in (pair[0], None, pair[1])]
    points = shares[0] + shares[1] / 2
    low, high = interval(points, games)
    return ROW_FORMAT.format(
        str(variant), *pair, games, *(f"{share:.1%}" for share in (*shares, points)), f"{low:.1%} to {high:.1%}"
    )


def interval(share: float, games: int) -> tuple[float, float]:
    """The confidence interval of the share by Wilson's formula. If there are draws, it is a little wider than
    necessary."""
    weight = Z_95**2 / games
    middle = (share + weight / 2) / (1 + weight)
    margin = Z_95 / (1 + weight) * sqrt(share * (1 - share) / games + weight / (4 * games))
    return middle - margin, middle + margin


if __name__ == "__main__":
    main()
