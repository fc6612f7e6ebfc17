"""`connectk atlas`: show, solve and check the exact values of empty boards."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.completion import complete_variant
from connectk.commands.console import ProgressBar, console, print_json, settings, stopped, texts_for
from connectk.commands.options import OUT_OPTION, outputs, path_in
from connectk.system import wrapped

if TYPE_CHECKING:
    from rich.table import Table

    from connectk.atlas import Atlas, AtlasRow
    from connectk.rules import Variant
    from connectk.texts import Texts

EPILOG = """
connectk atlas
connectk atlas 5x4x4 6x5x5
connectk atlas 5x4x4 6x5x5 --out mine.jsonl --limit 10min
connectk atlas 5x4x4 --check
"""


def register(app: typer.Typer) -> None:
    app.command("atlas", epilog=EPILOG)(atlas)


def atlas(
    boards: list[str] = typer.Argument(None, metavar="BOARD", autocompletion=complete_variant),
    check: bool = typer.Option(False, "--check"),
    time: str | None = typer.Option(None, metavar="TIME"),
    limit: str = typer.Option("1min", metavar="TIME"),
    jobs: int = typer.Option(1, min=1),
    out: list[str] = OUT_OPTION,
) -> None:
    from connectk.atlas import shipped_atlas
    from connectk.notation import parse_duration
    from connectk.rules import Variant
    from connectk.solver.solver import require_supported

    texts, path = texts_for(), path_in(outputs(out, ".jsonl"), ".jsonl")
    written = _written_rows(path)
    known = shipped_atlas() | written
    variants = [Variant.parse(board) for board in boards or ()] or [*known]
    for variant in variants:
        require_supported(variant)
    work = AtlasWork(known, jobs, parse_duration(limit), parse_duration(time or limit), texts)
    try:
        is_complete = _check(variants, work) if check else _show(variants, work, path, written)
    except KeyboardInterrupt:
        raise stopped(texts) from None
    if not is_complete:
        raise typer.Exit(1)


def _written_rows(path: Path | None) -> Atlas:
    """The rows that the file already contains."""
    from connectk.atlas import read_atlas
    from connectk.files import require_writable

    require_writable(path)
    return read_atlas(path) if path and path.is_file() else {}


class AtlasWork:
    """The known rows, and the settings for solving new ones. `missed` lists the boards that were not solved because the
    time ran out."""

    def __init__(self, known: Atlas, jobs: int, limit: float, board_seconds: float, texts: Texts) -> None:
        from connectk.watch import stop_after

        self.known, self.texts = known, texts
        self._jobs, self._stop, self._board_seconds = jobs, stop_after(limit), board_seconds
        self.missed: list[Variant] = []

    def solve(self, variant: Variant) -> AtlasRow | None:
        from connectk.atlas import solve_board
        from connectk.watch import stop_after

        stop = stop_after(self._board_seconds, self._stop)
        with ProgressBar(str(variant), self.texts) as bar:
            row = solve_board(variant, threads=self._jobs, stop=stop, progress=bar.show)
        if row is None:
            self.missed.append(variant)
        return row

    def report_missed(self) -> None:
        if self.missed:
            boards = ", ".join(map(str, self.missed))
            print(wrapped(self.texts("atlas.missed", boards=boards), sys.stderr), file=sys.stderr)


def _show(variants: list[Variant], work: AtlasWork, path: Path | None, written: Atlas) -> bool:
    """Print a row for each board. If a board has no known row, it is solved, and its row is written to the file at
    once."""
    from connectk.atlas import write_atlas

    rows = []
    for row in _rows(variants, work):
        rows.append(row)
        if path is not None and row.variant not in written:
            written[row.variant] = row
            write_atlas(path, written.values())
        if settings().json:
            print_json(row.to_json())
    if not settings().json:
        console().print(_table(rows, work.texts))
    work.report_missed()
    return not work.missed


def _rows(variants: list[Variant], work: AtlasWork) -> Iterator[AtlasRow]:
    for variant in variants:
        row = work.known.get(variant) or work.solve(variant)
        if row is not None:
            yield row


def _check(variants: list[Variant], work: AtlasWork) -> bool:
    """Solve the boards again, and print which rows have another score than before."""
    agreed, wrong = 0, 0
    for variant in variants:
        row, again = work.known.get(variant), work.solve(variant)
        if row is None or again is None:
            continue
        agreed += row.first_moves == again.first_moves
        if row.first_moves != again.first_moves:
            wrong += 1
            print(work.texts("atlas.differs", board=variant, scores=_scores(again), written=_scores(row)))
    if settings().json:
        print_json({"agreed": agreed, "differ": wrong, "missed": [str(variant) for variant in work.missed]})
    else:
        print(work.texts("atlas.agreed", count=agreed))
    work.report_missed()
    return not (wrong or work.missed)


def _table(rows: list[AtlasRow], texts: Texts) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("board", "result", "first_moves"):
        table.add_column(texts(f"atlas.{heading}"))
    for heading in ("nodes", "seconds"):
        table.add_column(texts(f"atlas.{heading}"), justify="right")
    for row in rows:
        table.add_row(str(row.variant), _result(row, texts), _scores(row), f"{row.nodes:,}", f"{row.seconds:.1f}")
    return table


def _result(row: AtlasRow, texts: Texts) -> str:
    winner = row.outcome.winner
    return texts(f"fair.wins.{winner}", disc=row.last_disc) if winner else texts("fair.draw")


def _scores(row: AtlasRow) -> str:
    return " ".join(map(str, row.first_moves))
