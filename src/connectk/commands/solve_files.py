"""`connectk solve - --parquet OUT`: solve a list of positions into a file, locally or on a cluster, resumably."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from connectk.cluster import PartsFolder, open_pool, run_job
from connectk.cluster.files import parts_folder_of
from connectk.cluster.tables import Format, from_parquet, join, require_pyarrow
from connectk.commands.console import ProgressBar
from connectk.solver.shards import GivenLines, NamedSource, SolveOptions, inputs_of, schema
from connectk.solver.solver import require_supported

if TYPE_CHECKING:
    from connectk.rules import Variant
    from connectk.solver import Goal
    from connectk.texts import Texts


def solve_files(
    place: tuple[str, Format],
    inputs: list[str],
    variant: Variant,
    goal: Goal,
    table_mb: float | None,
    book: bool,
    jobs: int | None,
    cluster: str | None,
    texts: Texts,
) -> None:
    """Solve the input files, or standard input. Bad lines and mismatches are counted and set exit status 1."""
    out, form = place
    if form == "parquet":
        require_pyarrow()
    require_supported(variant)
    options = SolveOptions(variant, goal, table_mb, book, form)
    sources: list[NamedSource] = inputs_of(inputs, options) if inputs else [_standard_input(options)]
    tally = Tally(goal)
    with PartsFolder(parts_folder_of(out), options.plan(sources)) as parts:
        with open_pool(cluster, jobs, threads=True) as pool, ProgressBar(texts("solve.working"), texts) as bar:
            for path in inputs[:1]:
                pool.require_visible(path)
            run_job(pool, sources, parts, progress=bar.show)
        contents = tally.count_rows(parts.contents(len(sources)), form)
        join(contents, out, form, schema() if form == "parquet" else None)
        parts.remove()
    print(texts("solve.written", count=tally.positions, mismatches=tally.mismatches, bad=tally.bad, out=out))
    if tally.mismatches or tally.bad:
        raise typer.Exit(1)


def _standard_input(options: SolveOptions) -> GivenLines:
    return GivenLines(sys.stdin.buffer.read().splitlines(), options)


class Tally:
    """Counts the positions, the mismatches with expected scores, and the lines that could not be read."""

    def __init__(self, goal: Goal) -> None:
        self._goal = goal
        self.positions = self.mismatches = self.bad = 0

    def count_rows(self, contents: Iterator[bytes], form: Format) -> Iterator[bytes]:
        """Yield the shards unchanged and count their rows."""
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
    """Yield the rows of a shard."""
    if form == "jsonl":
        yield from map(json.loads, content.splitlines())
    else:
        yield from from_parquet(content).to_pylist()
