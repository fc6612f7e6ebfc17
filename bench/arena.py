"""Measures the arena's games per second: between two bots in Python, and between two players that hardly compute
anything.

python bench/arena.py [--games 1000] [--jobs 2]

Processor time is printed too, because other work on the machine hardly changes it.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from connectk.arena import ResultsFile, Tournament, run_tournament
from connectk.system import cores

RANDOM_BOT_SOURCE = "import random\n\n\ndef choose(position):\n    return random.choice(position.legal_columns)\n"


def measure(players: tuple[str, str], games: int, jobs: int, folder: Path) -> str:
    """Measure one pairing and return its line of the table."""
    tournament = Tournament(players, games=games)
    started = time.perf_counter()
    with ResultsFile(folder / f"{players[0].rpartition('/')[2]}.jsonl", tournament) as results:
        drawn, before = time.perf_counter(), processor_seconds()
        run_tournament(results, jobs=jobs)
    seconds, work = time.perf_counter() - drawn, processor_seconds() - before
    names = " against ".join(Path(name).name for name in players)
    openings = f"{drawn - started:.2f} s for {tournament.openings_needed} openings"
    return f"{names:>22}  {games / seconds:8.0f} games/s  {1000 * work / games:6.2f} ms of work each  {openings}"


def processor_seconds() -> float:
    """The processor time of this process and of its child processes that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=1000)
    options.add_argument("--jobs", type=int, default=cores())
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bots = tuple(str(folder / file) for file in ("one.py", "other.py"))
        for bot in bots:
            Path(bot).write_text(RANDOM_BOT_SOURCE, encoding="utf-8")
        for players in (("random", "greedy"), bots):
            print(measure((players[0], players[1]), chosen.games, chosen.jobs, folder), flush=True)


if __name__ == "__main__":
    main()
