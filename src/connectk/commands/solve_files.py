"""`connectk solve --out FILE`: solve a list of positions into a file, on this computer or on a cluster. After a stop,
the same command continues the work."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from connectk.cluster import PartsFolder, open_pool, run_job
from connectk.cluster.files import parts_folder_of
from connectk.cluster.tables import Format, from_parquet, join, require_pyarrow
from connectk.commands.console import ProgressBar, print_json, settings
from connectk.commands.options import board_of
from connectk.solver.file_jobs import GivenLines, NamedSource, SolveOptions, inputs_of, schema
from connectk.solver.solver import require_supported

if TYPE_CHECKING:
    from connectk.commands.solve import SolveRequest
    from connectk.solver import Goal
    from connectk.texts import Texts


def solve_files(out: str, inputs: list[str], order: SolveRequest, texts: Texts) -> None:
    """Solve the positions of the input files or of standard input, and write a file.

    Unreadable lines and wrong scores are counted. If there are any, the exit status is 1.
    """
    form: Format = "parquet" if out.rstrip("/").endswith(".parquet") else "jsonl"
    if form == "parquet":
        require_pyarrow()
    board = board_of(order.variant)
    require_supported(board)
    options = SolveOptions(board, order.goal, order.table_mb, order.book, form)
    sources: list[NamedSource] = inputs_of(inputs, options) if inputs else [_standard_input(options)]
    tally = SolveCounts(order.goal)
    with PartsFolder(parts_folder_of(out), options.plan(sources)) as parts:
        with (
            open_pool(order.cluster, order.jobs, threads=True) as pool,
            ProgressBar(texts("solve.working"), texts) as bar,
        ):
            for path in inputs[:1]:
                pool.require_visible(path)
            run_job(pool, sources, parts, progress=bar.show)
        contents = tally.count_rows(parts.contents(len(sources)), form)
        join(contents, out, form, schema() if form == "parquet" else None)
        parts.remove()
    _print_summary(tally, out, texts)
    if tally.mismatches or tally.bad:
        raise typer.Exit(1)


def _print_summary(tally: SolveCounts, out: str, texts: Texts) -> None:
    facts = {"mismatches": tally.mismatches, "bad": tally.bad, "out": out}
    if settings().json:
        print_json({"positions": tally.positions, **facts})
    else:
        print(texts("solve.written", count=tally.positions, **facts))


def _standard_input(options: SolveOptions) -> GivenLines:
    return GivenLines(sys.stdin.buffer.read().splitlines(), options)


class SolveCounts:
    """Three counts: solved positions, scores that differ from the expected ones, and lines that could not be read."""

    def __init__(self, goal: Goal) -> None:
        self._goal = goal
        self.positions = self.mismatches = self.bad = 0

    def count_rows(self, contents: Iterator[bytes], form: Format) -> Iterator[bytes]:
        """Yield the parts of the result unchanged, and count the rows of each part."""
        for content in contents:
            for row in rows_in(content, form):
                self._count(row)
            yield content

    def _count(self, row: dict[str, Any]) -> None:
        expected = row.get("expected")
        if expected is not None and self._goal == "result":
            expected = (expected > 0) - (expected < 0)
        self.positions += 1
        self.bad += row.get("error") is not None
        self.mismatches += row.get("error") is None and expected not in (None, row["score"])


def rows_in(content: bytes, form: Format) -> Iterator[dict[str, Any]]:
    """Yield the rows of one part of the result."""
    if form == "jsonl":
        yield from map(json.loads, content.splitlines())
    else:
        yield from from_parquet(content).to_pylist()
