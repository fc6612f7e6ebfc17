"""Measures the speed of the solver in CPU time, with one thread, a fresh table for each position, and no book.

    python bench/solver.py [FOLDER] [--full] [--threads 2] [--empty]
    python bench/solver.py --boards [7x5 9x4 ...] [--peers BINARIES]

With FOLDER (or ../shared/data/solver, or CONNECTK_SHARED_DATA) the rows are the sets by Pascal Pons, of which the
opening sets are cut to their first 100 and 20 positions. Otherwise the rows are the project's own sets in
tests/data/solver. If `bitbully` from PyPI is installed, its time on the classic board is printed too; clearing its
table is not counted. `--threads 2` adds the speed-up of two threads by the wall clock, for sets whose positions take a
while.

`--boards` solves empty boards instead, first from Python with `connectk.solve`, then in the core alone. Both search the
same nodes. BINARIES is a folder of programs, each named after a board (`7x5`). A program solves its empty board, such
as c4 compiled for this board with one thread.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import resource
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import connectk
from connectk import _native
from connectk.notation import parse_moves
from connectk.rules import Position, Variant
from connectk.solver.bitboards import bitboards_of

ROOT = Path(__file__).parents[1]
SHARED_DATA_FOLDER = Path(os.environ.get("CONNECTK_SHARED_DATA", ROOT.parent / "shared" / "data")) / "solver"
OWN_DATA_FOLDER = ROOT / "tests" / "data" / "solver"
TEST_SET_ROWS = {
    "Test_L3_R1": 1000,
    "Test_L2_R1": 1000,
    "Test_L2_R2": 1000,
    "Test_L1_R1": 1000,
    "Test_L1_R2": 100,
    "Test_L1_R3": 20,
}


BOARDS = ["5x5", "7x4", "5x6", "6x5", "4x9", "5x7", "8x4", "7x5", "4x10", "6x6", "5x8", "9x4", "4x11", "6x7"]


@dataclass(frozen=True)
class Case:
    drops: tuple[int, ...]
    bits: tuple[int, int]
    score: int

    @classmethod
    def read(cls, moves: str, score: str, variant: Variant) -> Case:
        position = Position.from_moves(moves, variant)
        return cls(parse_moves(moves, variant), bitboards_of(position), int(score))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "folder", nargs="?", type=Path, default=SHARED_DATA_FOLDER if SHARED_DATA_FOLDER.is_dir() else OWN_DATA_FOLDER
    )
    parser.add_argument("--full", action="store_true", help="every position of every set")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--empty", action="store_true", help="the empty classic board as well")
    parser.add_argument("--boards", nargs="*", metavar="BOARD", help="empty boards, each by itself")
    parser.add_argument("--peers", type=Path, metavar="BINARIES", help="a folder of other solvers, one for each board")
    options = parser.parse_args()
    if options.boards is not None:
        report_boards(options.boards or BOARDS, options.peers)
        return
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; CPU microseconds per position; {options.folder}")
    print(f"{'set':>12} {'positions':>9} {'nodes each':>11} {'connectk':>12} {'bitbully':>12} {'ratio':>6}")
    for name, variant, cases in sets(options.folder, options.full):
        report(name, variant, cases, options.threads)
    if options.empty:
        report("empty", Variant(), [Case((), (0, 0), 1)], options.threads)


def report_boards(boards: list[str], peers: Path | None) -> None:
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; CPU seconds; empty boards, empty tables, no book")
    print(f"{'board':>8} {'score':>5} {'solve()':>9} {'core':>9} {'nodes':>12} {'M/s':>5} {'peer':>9} {'ratio':>6}")
    for board in boards:
        variant = Variant.parse(board if board.count("x") == 2 else f"{board}x4")
        started = time.process_time()
        solution = connectk.solve(Position.start(variant), book=False)
        called = time.process_time()
        found = _native.Solver(variant.width, variant.height, variant.run).solve(0, 0)
        ours = time.process_time() - called
        if solution.nodes != found.nodes:
            raise SystemExit(f"{solution.nodes:,} nodes from Python, {found.nodes:,} in the core")
        line = f"{board:>8} {solution.score:5} {called - started:9.3f} {ours:9.3f}"
        line += f" {found.nodes:12,} {found.nodes / ours / 1e6:5.1f}"
        if peers and (program := peers / board).is_file():
            theirs = program_time(program)
            line += f" {theirs:9.3f} {theirs / ours:6.2f}"
        print(line, flush=True)


def program_time(program: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(program)], input=b"\n", stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def sets(folder: Path, full: bool) -> Iterator[tuple[str, Variant, list[Case]]]:
    files = [folder / name for name in TEST_SET_ROWS if (folder / name).is_file()] or sorted(folder.glob("*x*x*.txt"))
    for file in files:
        variant = Variant.parse(file.stem) if file.suffix else Variant()
        lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines() if line]
        count = None if full else TEST_SET_ROWS.get(file.name)
        yield file.stem, variant, [Case.read(*line, variant) for line in lines[:count]]


def report(name: str, variant: Variant, cases: list[Case], threads: int) -> None:
    core = _native.Solver(variant.width, variant.height, variant.run)
    ours, nodes = our_time(core, cases)
    line = f"{name:>12} {len(cases):9} {nodes / len(cases):11.1f} {1e6 * ours / len(cases):12.1f}"
    if (peer := bitbully()) and variant == Variant():
        theirs = peer_time(peer, cases)
        line += f" {1e6 * theirs / len(cases):12.1f} {theirs / ours:6.2f}"
    if threads > 1 and ours / len(cases) > 0.01:
        line += f"   {threads} threads: {speed_up(core, cases, threads):.2f}x"
    print(line, flush=True)


def our_time(core: _native.Solver, cases: list[Case]) -> tuple[float, int]:
    """The processor seconds and the nodes for these positions. The time includes clearing the table."""
    spent, nodes = 0.0, 0
    for case in cases:
        started = time.process_time()
        core.clear_table()
        found = core.solve(*case.bits)
        spent += time.process_time() - started
        nodes += found.nodes
        if not found.exact or found.lower != case.score:
            raise SystemExit(f"wrong: {found.lower}..{found.upper} for {case}")
    return spent, nodes


def bitbully() -> Any:
    return importlib.import_module("bitbully.bitbully_core") if importlib.util.find_spec("bitbully") else None


def peer_time(peer: Any, cases: list[Case]) -> float:
    solver, spent = peer.BitBullyCore(), 0.0
    for case in cases:
        board = peer.BoardCore()
        for column in case.drops:
            board.play(column)
        solver.resetTranspositionTable()
        started = time.process_time()
        score = solver.mtdf(board, 0)
        spent += time.process_time() - started
        if score != case.score:
            raise SystemExit(f"bitbully: {score} for {case}")
    return spent


def speed_up(core: _native.Solver, cases: list[Case], threads: int) -> float:
    """The speed-up by several threads, by the wall clock. Both are measured in turn on each position, so that other
    work on the machine slows down both."""
    times = [(wall_time(core, case, 1), wall_time(core, case, threads)) for case in cases]
    return sum(alone for alone, _ in times) / sum(together for _, together in times)


def wall_time(core: _native.Solver, case: Case, threads: int) -> float:
    started = time.perf_counter()
    core.clear_table()
    core.solve(*case.bits, threads=threads)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
