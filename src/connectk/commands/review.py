"""`connectk review`: see where a game was won and lost."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from connectk.notation import SavedGame
    from connectk.review import MoveReview, Review

INTERRUPTED = 130  # what shells expect after Ctrl-C
EPILOG = (
    "Examples: connectk review 444441326225 · connectk review game.json --html review.html · "
    "connectk review - --variant 9x7x5 < moves.txt"
)
STYLES = {"best": "", "slip": "yellow", "blunder": "bold red"}


def register(app: typer.Typer) -> None:
    app.command("review", epilog=EPILOG)(review)


def review(
    game: str = typer.Argument(help="A saved game, a Connect-Z file, moves such as 4453, or - for standard input."),
    variant: str = typer.Option("7x6x4", help="Width, height and run, for moves that do not say it."),
    time: str = typer.Option("2s", help="The most time for one position; where it is not enough, an estimate is made."),
    threads: int = typer.Option(1, min=1, help="Threads that search together."),
    svg: Path | None = typer.Option(None, help="Write a picture of the review, SVG."),
    png: Path | None = typer.Option(None, help="Write a picture of the review, PNG."),
    size: int = typer.Option(1600, min=64, max=4096, help="Pixels of a picture's longer side."),
    html: Path | None = typer.Option(None, help="Write a page that replays the game; it needs nothing else."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON; columns count from 0."),
) -> None:
    """See where a game was won and lost: each move's score, blunders, and what should have been played."""
    from connectk.notation.duration import parse_duration
    from connectk.review.files import check_files, write_files
    from connectk.review.report import to_json
    from connectk.review.source import read_game
    from connectk.rules import Variant

    seconds = parse_duration(time)
    saved = read_game(game, Variant.parse(variant))
    check_files(saved.game.variant, svg=svg, png=png, html=html)
    reviewed = _review(saved, seconds, threads)
    write_files(saved, reviewed, svg=svg, png=png, html=html, size=size)
    if as_json:
        print(json.dumps(to_json(saved, reviewed), indent=2))
    else:
        _print(saved, reviewed)


def _review(saved: SavedGame, seconds: float, threads: int) -> Review:
    from rich.console import Console
    from rich.progress import Progress

    from connectk.review import review_game

    console = Console(stderr=True)
    try:
        with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
            task = progress.add_task("Reviewing, latest move first", total=len(saved.game.moves))
            told = lambda done, total: progress.update(task, completed=done)  # noqa: E731
            return review_game(saved.game, seconds=seconds, threads=threads, told=told)
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None


def _print(saved: SavedGame, reviewed: Review) -> None:
    from rich.console import Console

    from connectk.review.graph import draw_graph
    from connectk.review.report import headline, verdict

    plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    console = Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=120)
    console.print(headline(saved), style="bold", markup=False)
    console.print()
    console.print(draw_graph(reviewed, console.width, plain), markup=False, soft_wrap=True)
    console.print()
    console.print(_table(reviewed))
    console.print()
    turn = reviewed.turning_point
    if turn is not None:
        console.print(f"Before move {turn.number}:\n\n{turn.position}\n", markup=False)
    for line in verdict(reviewed):
        console.print(line, markup=False)


def _table(reviewed: Review) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading, justify in (("move", "right"), ("side", "left"), ("column", "right")):
        table.add_column(heading, justify="right" if justify == "right" else "left")
    for heading in ("before", "after", "best columns", ""):
        table.add_column(heading)
    for move in reviewed.moves:
        table.add_row(*_row(move), style=STYLES[move.label.value])
    return table


def _row(move: MoveReview) -> list[str]:
    label = "" if move.label.value == "best" else move.label.value
    best = " ".join(str(column + 1) for column in move.best_columns)
    columns = [str(move.number), f"{'xo'[move.side.value]} {move.side}", str(move.column + 1)]
    return [*columns, _short(move.words(move.before)), _short(move.words(move.after)), best, label]


def _short(words: str) -> str:
    return words.removesuffix("s").removesuffix(" disc") if words.startswith("wins in") else words
