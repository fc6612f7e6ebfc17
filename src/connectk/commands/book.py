"""`connectk book`: make an opening book of any board, either compact for the solver or readable for other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import EXIT_INTERRUPTED, ProgressBar, print_json, settings, texts_for
from connectk.commands.options import CLUSTER_OPTION, JOBS_OPTION, OUT_OPTION, VARIANT_OPTION, board_of, outputs
from connectk.system import wrapped

if TYPE_CHECKING:
    from connectk.rules import Variant
    from connectk.texts import Texts

COMPACT_SUFFIX = ".book"
EPILOG = """
connectk book --variant 5x4x4 --plies 6 --out five.parquet
connectk book --variant 5x4x4 --plies 6 --out five.csv --out five.book
connectk book --variant 5x4x4 --plies 6
connectk book --variant 8x7x4 --plies 6 --out eight.csv --cluster local:4
"""


def register(app: typer.Typer) -> None:
    app.command("book", epilog=EPILOG)(book)


def book(
    variant: str | None = VARIANT_OPTION,
    plies: int = typer.Option(8, min=0),
    out: list[str] = OUT_OPTION,
    jobs: int | None = JOBS_OPTION,
    table: float | None = typer.Option(None, metavar="MB", min=1),
    cluster: str | None = CLUSTER_OPTION,
) -> None:
    from connectk.solver.book.readable import READABLE_SUFFIXES

    texts, board = texts_for(), board_of(variant)
    written = outputs(out, COMPACT_SUFFIX, *READABLE_SUFFIXES)
    work = BookWork(board, plies, jobs, table, cluster, texts)
    places = list(written.values()) or [str(_users_file(board))]
    for place in places:
        try:
            size = work.make(place)
        except KeyboardInterrupt:
            print(wrapped(texts("book.stopped", out=place), sys.stderr), file=sys.stderr)
            raise typer.Exit(EXIT_INTERRUPTED) from None
        _print_made(board, plies, place, size, texts)
    if not written and not settings().json:
        print(wrapped(texts("book.installed", variant=board), sys.stdout))


def _users_file(board: Variant) -> Path:
    """The file for this board in the user's folder of books. The solver and the levels look for a book there."""
    from connectk.errors import FileNotWritable
    from connectk.system import books_folder

    folder = books_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileNotWritable(str(folder), error.strerror or str(error)) from error
    return folder / f"{board}{COMPACT_SUFFIX}"


class BookWork:
    """The positions to solve, and the workers that solve them."""

    def __init__(
        self, board: Variant, plies: int, jobs: int | None, table_mb: float | None, cluster: str | None, texts: Texts
    ) -> None:
        self._board, self._plies, self._texts = board, plies, texts
        self._jobs, self._table_mb, self._cluster = jobs, table_mb, cluster

    def make(self, place: str) -> int:
        """Make the book in this file, and return its number of positions."""
        with ProgressBar(self._texts("book.solving"), self._texts) as bar:
            return self._make_compact(place, bar) if place.endswith(COMPACT_SUFFIX) else self._make_readable(place, bar)

    def _make_compact(self, place: str, bar: ProgressBar) -> int:
        from contextlib import nullcontext

        from connectk.cluster import open_pool
        from connectk.files import require_writable
        from connectk.solver.book.build import DEFAULT_TABLE_MB, build
        from connectk.system import cores

        require_writable(Path(place))
        with open_pool(self._cluster) if self._cluster else nullcontext() as pool:
            made = build(
                self._board,
                self._plies,
                Path(place),
                jobs=self._jobs or cores(),
                table_mb=self._table_mb or DEFAULT_TABLE_MB,
                progress=bar.show,
                pool=pool,
            )
        return made.entries

    def _make_readable(self, place: str, bar: ProgressBar) -> int:
        from connectk.cluster import open_pool
        from connectk.solver.book.readable import write_readable_book

        with open_pool(self._cluster, self._jobs) as pool:
            return write_readable_book(
                self._board, self._plies, place, pool, table_mb=self._table_mb, progress=bar.show
            )


def _print_made(board: Variant, plies: int, place: str, positions: int, texts: Texts) -> None:
    from connectk.cluster.files import size_of

    size = size_of(place)
    if settings().json:
        print_json({"variant": str(board), "plies": plies, "out": place, "positions": positions, "bytes": size})
    else:
        facts = {"variant": board, "plies": plies, "out": place, "positions": f"{positions:,}", "size": f"{size:,}"}
        print(wrapped(texts("book.made", **facts), sys.stdout))
