"""`connectk ratings`: rate the games of several results files together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import texts_for

if TYPE_CHECKING:
    from connectk.arena.reading import Results

EPILOG = "Examples: connectk ratings monday.jsonl tuesday.jsonl · connectk ratings *.jsonl --plot ratings.svg"


def register(app: typer.Typer) -> None:
    app.command("ratings", epilog=EPILOG)(ratings)


def ratings(
    files: list[Path] = typer.Argument(),
    plot: Path | None = typer.Option(None),
    as_json: bool = typer.Option(False, "--json"),
) -> None:
    from connectk.arena.reading import pool_results
    from connectk.arena.standings import standings
    from connectk.arena.table import print_standings
    from connectk.commands.arena import check_output_paths, draw_plot

    check_output_paths(plot, None)
    variant, players, records = pool_results([_read(path) for path in files])
    table = standings(players, variant, records)
    if plot is not None:
        draw_plot(plot, table, variant)
    if as_json:
        print(json.dumps({"variant": str(variant), **table.to_json()}, indent=2))
    else:
        print_standings(table, records, texts=texts_for())


def _read(path: Path) -> Results:
    from connectk.arena.reading import read_results
    from connectk.notation.files import read_bytes

    return read_results(read_bytes(path), str(path))
