"""The command `python -m connectk.solver.book`: builds an opening book, describes a book or checks a part of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import typer

from connectk import watch
from connectk.cluster import open_pool
from connectk.errors import ConnectkError
from connectk.rules import Variant
from connectk.solver.book import OpeningBook
from connectk.solver.book.build import DEFAULT_TABLE_MB, build_from_scores
from connectk.solver.book.build import build as build_book
from connectk.solver.book.build import check as check_book
from connectk.system import cores

DEFAULT_JOBS = cores()

app = typer.Typer(help="Opening books: exact scores of every position up to some number of discs.")


@app.command(epilog="Examples: build --discs 8 · build --variant 6x5x4 --discs 8 --jobs 16 --out 6x5x4.book")
def build(
    variant: str = typer.Option("7x6x4", help="Width, height and run to win."),
    discs: int = typer.Option(12, min=0, help="The book answers for every position of up to so many discs."),
    jobs: int = typer.Option(DEFAULT_JOBS, min=1, help="Positions solved at the same time."),
    table: float = typer.Option(DEFAULT_TABLE_MB, help="Size of each job's table in MB."),
    out: Path | None = typer.Option(None, help="Where the book goes; 7x6x4.book, say, when not given."),
    cluster: str | None = typer.Option(
        None, metavar="WHERE", help="local:4 starts four workers here, tcp://head:8786 uses a Dask cluster."
    ),
    scores: Path | None = typer.Option(None, help="Take the scores from this file, as the GPU builder writes them."),
) -> None:
    """Build a book. The same command continues a build that was stopped."""
    board = Variant.parse(variant)
    target = out or Path(f"{board}.book")
    if scores is not None:
        print(f"{target}: {build_from_scores(board, discs, target, scores.read_bytes())}")
        return
    with _bar("solving") as progress, open_pool(cluster) if cluster else nullcontext() as pool:
        book = build_book(board, discs, target, jobs=jobs, table_mb=table, progress=progress, pool=pool)
    print(f"{target}: {book}")


@app.command()
def info(file: Path) -> None:
    """Print what a book contains."""
    book = OpeningBook.load(file)
    print(f"{book.variant} up to {book.discs} discs: {book.entries:,} stored positions in {book.size:,} bytes")


@app.command()
def check(
    file: Path,
    positions: int = typer.Option(1000, min=1, help="How many random positions are solved again."),
    seed: int = typer.Option(1, help="Chooses the positions."),
    jobs: int = typer.Option(DEFAULT_JOBS, min=1, help="Positions solved at the same time."),
) -> None:
    """Solve random positions of a book again without the book, and compare the scores with those in the book."""
    book = OpeningBook.load(file)
    with _bar("solving") as progress:
        differ = check_book(book, positions, seed=seed, jobs=jobs, progress=progress)
    print(f"{min(positions, book.entries):,} positions solved again, {differ} differ")
    if differ:
        raise typer.Exit(1)


@contextmanager
def _bar(what: str) -> Iterator[watch.Progress]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"))
    remaining = TimeRemainingColumn(elapsed_when_finished=False)
    with Progress(*columns, remaining, console=Console(stderr=True), speed_estimate_period=300) as bar:
        task = bar.add_task(what, total=None)
        yield lambda report: bar.update(task, completed=report.done, total=report.total)


def main() -> None:
    try:
        app(prog_name="python -m connectk.solver.book")
    except (ConnectkError, ValueError, OSError) as error:
        print(f"connectk: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
