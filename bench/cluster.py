"""Measures the efficiency of a cluster compared with one process, and its memory while it judges many games.

    python bench/cluster.py --positions 4000 --workers 2
    python bench/cluster.py --games 1000000 --as jsonl
    python bench/cluster.py --split 7x7x4 --rounds 1

`--split` solves one empty board that is split into tasks, and measures nothing else.

The workers are started before the measurement. The cluster and the single process are measured several times in turn.
The best round counts, because other programs on the machine can slow down any round. Processor time is printed too,
because other programs do not affect it.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from connectk import Position, Variant
from connectk.cluster import PartsFolder, Pool, open_pool, run_job
from connectk.cluster.files import Folder
from connectk.dataset.worker_tasks import SampledPositions
from connectk.solver.solver import Solver
from connectk.solver.split_search import SplitSearch

GAMES_PER_SHARD = 50_000
FILES_PER_FOLDER = 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=2000, help="positions solved, every column of each")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=100_000, help="games judged; 0 for none")
    parser.add_argument("--as", dest="form", choices=INPUT_MAKERS, default="jsonl", help="how the games are stored")
    parser.add_argument("--split", type=Variant.parse, metavar="BOARD", help="one empty board, split into tasks")
    options = parser.parse_args()
    if options.split:
        split_efficiency(options.split, options.workers, options.rounds)
        return
    if options.positions:
        efficiency(options.positions, options.workers, options.rounds)
    if options.games:
        memory(options.games, options.form, options.workers)


def efficiency(count: int, workers: int, rounds: int) -> None:
    """Print the efficiency of the workers: the time of one process divided by the total time of all workers."""
    best = (0.0, 0.0)
    with open_pool(jobs=1) as one, open_pool(f"local:{workers}") as many:
        for pool in (one, many):
            solve(
                pool, SampledPositions(Variant(), sample_positions(8 * workers, seed=0))
            )  # so that every worker has already read the book
        for number in range(1, rounds + 1):
            positions = SampledPositions(
                Variant(), sample_positions(count, number)
            )  # new positions in each round, because the tables keep earlier ones
            alone = measured(partial(solve, one, positions), lambda: [own_cpu_seconds()])
            together = measured(partial(solve, many, positions), lambda: [own_cpu_seconds(), *worker_cpu_seconds(many)])
            print(f"{count:,} positions: one process {alone[0]:.1f} s, {workers} workers {together[0]:.1f} s")
            best = max(best[0], alone[0] / (workers * together[0])), max(best[1], alone[1] / together[1])
    print(f"efficiency {100 * best[0]:.0f}% by the clock, {100 * best[1]:.0f}% by processor time (all processes)")


def split_efficiency(variant: Variant, workers: int, rounds: int) -> None:
    """Print the efficiency of workers that solve one position together, compared with a search by one thread."""
    found = [split_round(variant, workers) for _ in range(rounds)]
    clock, processor = (100 * max(values) for values in zip(*found, strict=True))
    print(f"efficiency {clock:.0f}% by the clock, {processor:.0f}% by processor time (all processes)")


def split_round(variant: Variant, workers: int) -> tuple[float, float]:
    """The efficiency by the clock and by processor time. The workers are new, because workers keep their tables."""
    position, answers = Position.start(variant), []
    one = measured(lambda: answers.append(Solver(variant, book=False).find(position)), lambda: [own_cpu_seconds()])
    with open_pool(f"local:{workers}") as pool:
        many = measured(
            lambda: answers.append(SplitSearch(position, pool).solve()),
            lambda: [own_cpu_seconds(), *worker_cpu_seconds(pool)],
        )
    alone, together = answers
    assert alone.lower == together.lower == together.upper
    print(f"{variant}: one process {one[0]:.1f} s, {alone.nodes:,} nodes; ", end="")
    print(f"{workers} workers {many[0]:.1f} s, {together.nodes:,} nodes", flush=True)
    return one[0] / (workers * many[0]), one[1] / many[1]


def sample_positions(count: int, seed: int) -> list[tuple[str, str]]:
    """Positions of random games, including costly ones just beyond the book."""
    luck, found = random.Random(seed), []
    while len(found) < count:
        position, moves = Position.start(), ""
        for _ in range(luck.randint(13, 18)):
            if position.outcome is None:
                column = luck.choice(position.legal_columns)
                position, moves = position.drop(column), f"{moves}{column + 1}"
        if position.outcome is None:
            found.append((moves, "random"))
    return found


def solve(pool: Pool, positions: SampledPositions) -> None:
    with tempfile.TemporaryDirectory() as folder, PartsFolder(Folder(f"{folder}/parts"), {}) as parts:
        run_job(pool, [positions], parts)


def measured(work: Callable[[], None], used: Callable[[], list[float]]) -> tuple[float, float]:
    """The wall-clock time and the processor time of the work, in seconds."""
    before, began = sum(used()), time.monotonic()
    work()
    return time.monotonic() - began, sum(used()) - before


def own_cpu_seconds() -> float:
    return time.process_time()


def worker_cpu_seconds(pool: Pool) -> list[float]:
    return list(pool._client.run(own_cpu_seconds).values())  # type: ignore[attr-defined]


def memory(count: int, form: str, workers: int) -> None:
    """Print the memory of the largest process, first while a tenth of the games is judged, then while all of them are
    judged."""
    for games in (count // 10, count):
        with tempfile.TemporaryDirectory() as folder:
            paths = INPUT_MAKERS[form](Path(folder), games)
            judge = [sys.executable, "-m", "connectk", "judge", *paths, "--cluster", f"local:{workers}"]
            began = time.monotonic()
            peak = peak_of([*judge, "--out", f"{folder}/verdicts.parquet"])
            seconds = time.monotonic() - began
        print(f"{games:>9,} games as {form}: {games / seconds:>9,.0f} a second, the largest process {peak >> 20} MB")


def peak_of(command: list[str]) -> int:
    """The peak memory, in bytes, of the largest process of a command and its workers. This runs in a separate process,
    whose counter starts at 0."""
    code = "import subprocess, sys, resource; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=False); "
    code += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    done = subprocess.run([sys.executable, "-c", code, *command], stdout=subprocess.PIPE, check=True)
    return int(done.stdout) * (1 if sys.platform == "darwin" else 1024)


def game(number: int) -> str:
    luck = random.Random(number)
    return "7 6 4\n" + "".join(f"{luck.randint(1, 7)}\n" for _ in range(luck.randint(7, 30)))


def make_jsonl(folder: Path, games: int) -> list[str]:
    for start in range(0, games, GAMES_PER_SHARD):
        with (folder / f"{start:09}.jsonl").open("w") as file:
            for number in range(start, min(games, start + GAMES_PER_SHARD)):
                file.write(json.dumps({"path": str(number), "game": game(number)}) + "\n")
    return sorted(map(str, folder.glob("*.jsonl")))


def make_tar(folder: Path, games: int) -> list[str]:
    for start in range(0, games, GAMES_PER_SHARD):
        with tarfile.open(folder / f"{start:09}.tar", "w") as archive:
            for number in range(start, min(games, start + GAMES_PER_SHARD)):
                member, content = tarfile.TarInfo(f"{number}.txt"), game(number).encode()
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
                archive.members = []
    return sorted(map(str, folder.glob("*.tar")))


def make_files(folder: Path, games: int) -> list[str]:
    for number in range(games):
        place = folder / "games" / f"{number // FILES_PER_FOLDER:06}"
        if number % FILES_PER_FOLDER == 0:
            place.mkdir(parents=True)
        (place / f"{number}.txt").write_text(game(number))
    return [str(folder / "games")]


INPUT_MAKERS: dict[str, Callable[[Path, int], list[str]]] = {"jsonl": make_jsonl, "tar": make_tar, "files": make_files}

if __name__ == "__main__":
    main()
