"""Small tournaments for the tests, and the command that runs them."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from connectk import Variant
from connectk.arena import GameRecord, ResultsFile, Sprt, Tournament, run_tournament

SMALL = Tournament(("random", "greedy"), Variant(5, 4, 4), games=6)


def played(tournament: Tournament, path: Path, jobs: int = 1, sprt: Sprt | None = None) -> list[GameRecord]:
    with ResultsFile(path, tournament) as results:
        run_tournament(results, jobs=jobs, sprt=sprt)
        return sorted(results.records.values(), key=lambda record: record.number)


def without_times(records: list[GameRecord]) -> list[GameRecord]:
    return [replace(record, seconds=(), started="") for record in records]


def connectk(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "connectk", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)
