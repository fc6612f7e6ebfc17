"""`connectk ratings`: rate the games of several results files together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import settings, texts_for
from connectk.commands.options import OUT_OPTION, outputs, path_in

if TYPE_CHECKING:
    from connectk.arena.results_reader import Results

EPILOG = """
connectk ratings monday.jsonl tuesday.jsonl
connectk ratings *.jsonl --out ratings.svg
"""


def register(app: typer.Typer) -> None:
    app.command("ratings", epilog=EPILOG)(ratings)


def ratings(
    files: list[Path] = typer.Argument(metavar="FILE"),
    out: list[str] = OUT_OPTION,
) -> None:
    from connectk.arena.games_csv import games_csv
    from connectk.arena.results_reader import merge_results
    from connectk.arena.standings import standings
    from connectk.arena.standings_table import print_standings
    from connectk.commands.arena import draw_plot
    from connectk.files import require_writable, write_file

    places = outputs(out, ".svg", ".csv")
    plot, table_of_games = path_in(places, ".svg"), path_in(places, ".csv")
    require_writable(plot, table_of_games)
    variant, players, records = merge_results([_read(path) for path in files])
    table = standings(players, variant, records)
    if plot is not None:
        draw_plot(plot, table, variant)
    if table_of_games is not None:
        write_file(table_of_games, games_csv(records, texts_for().language))
    if settings().json:
        print(json.dumps({"variant": str(variant), **table.to_json()}, indent=2))
    else:
        print_standings(table, records, texts=texts_for())


def _read(path: Path) -> Results:
    from connectk.arena.results_reader import read_results
    from connectk.notation.files import read_bytes

    return read_results(read_bytes(path), str(path))
