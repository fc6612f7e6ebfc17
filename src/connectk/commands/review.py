"""`connectk review`: show where a game was won and lost."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import EXIT_INTERRUPTED, LANGUAGE, terminal_discs, texts_for
from connectk.system import can_encode
from connectk.texts import LanguageName

if TYPE_CHECKING:
    from rich.table import Table

    from connectk.notation import SavedGame
    from connectk.review import MoveReview, Review
    from connectk.texts import Texts
    from connectk.why import Why

EPILOG = (
    "Examples: connectk review 444441326225 · connectk review game.json --html review.html · "
    "connectk review - --variant 9x7x5 < moves.txt"
)
LABEL_STYLES = {"best": "", "slip": "yellow", "blunder": "bold red", "given": "dim"}


def register(app: typer.Typer) -> None:
    app.command("review", epilog=EPILOG)(review)


def review(
    game: str = typer.Argument(),
    variant: str = typer.Option("7x6x4"),
    time: str = typer.Option("2s"),
    threads: int = typer.Option(1, min=1),
    given: int | None = typer.Option(None, min=0),
    language: LanguageName | None = LANGUAGE,
    svg: Path | None = typer.Option(None),
    png: Path | None = typer.Option(None),
    size: int = typer.Option(1600, min=64, max=4096),
    html: Path | None = typer.Option(None),
    why: bool = typer.Option(False, "--why"),
    as_json: bool = typer.Option(False, "--json"),
) -> None:
    from connectk.notation import read_game
    from connectk.notation.moves import parse_duration
    from connectk.review.files import check_files, write_files
    from connectk.review.report import to_json
    from connectk.review.whys import whys_to_json
    from connectk.rules import Variant

    seconds, texts = parse_duration(time), texts_for(language)
    saved = read_game(game, Variant.parse(variant))
    if given is not None:
        saved = replace(saved, given=given)
    check_files(saved.game.variant, svg=svg, png=png, html=html)
    reviewed = _review(saved, seconds, threads, texts)
    whys = _explain(reviewed, seconds, texts) if why else {}
    write_files(saved, reviewed, texts, svg=svg, png=png, html=html, size=size, whys=whys)
    if as_json:
        extra = {"whys": whys_to_json(whys, texts)} if why else {}
        print(json.dumps(to_json(saved, reviewed, texts) | extra, indent=2))
        return
    _print(saved, reviewed, texts)
    if reviewed.turning_point is not None and reviewed.turning_point.number in whys:
        _print_why(whys[reviewed.turning_point.number], texts)


def _review(saved: SavedGame, seconds: float, threads: int, texts: Texts) -> Review:
    from rich.console import Console
    from rich.progress import Progress

    from connectk.review import review_game

    console = Console(stderr=True)
    try:
        with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
            task = bar.add_task(texts("review.working"), total=len(saved.game.moves))
            return review_game(
                saved.game,
                given=saved.given,
                seconds=seconds,
                threads=threads,
                progress=lambda report: bar.update(task, completed=report.done),
            )
    except KeyboardInterrupt:
        print(texts("report.stopped"), file=sys.stderr)
        raise typer.Exit(EXIT_INTERRUPTED) from None


def _print(saved: SavedGame, reviewed: Review, texts: Texts) -> None:
    from rich.console import Console

    from connectk.review.graph import LINES, draw_graph
    from connectk.review.report import headline, verdict

    plain = not can_encode(LINES, sys.stdout.encoding)
    console = Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=120)
    console.print(headline(saved, texts), style="bold", markup=False)
    console.print()
    console.print(draw_graph(reviewed, console.width, texts, plain), markup=False, soft_wrap=True)
    console.print()
    console.print(_table(reviewed, texts))
    console.print()
    if reviewed.turning_point is not None:
        console.print(_boards(reviewed.turning_point, console.width, texts), markup=False)
    for line in verdict(reviewed, texts):
        console.print(line, markup=False)


def _explain(reviewed: Review, seconds: float, texts: Texts) -> dict[int, Why]:
    """Explain the position after each blunder."""
    from connectk.review.whys import explain_blunders

    try:
        return explain_blunders(reviewed, seconds)
    except KeyboardInterrupt:
        print(texts("report.stopped"), file=sys.stderr)
        raise typer.Exit(EXIT_INTERRUPTED) from None


def _print_why(why: Why, texts: Texts) -> None:
    from connectk.commands.why import print_why

    print()
    print_why(why, texts)


def _boards(turn: MoveReview, width: int, texts: Texts) -> str:
    """Draw the board before the turning point, the better line and the refutation, side by side if they fit."""
    from connectk.notation import draw_diagram
    from connectk.review.report import line_on_board

    discs = terminal_discs()
    boards = [(texts("report.before_move", number=turn.number), draw_diagram(turn.position, discs=discs))]
    if turn.reason and turn.reason.line:
        boards.append((texts("report.better_board"), line_on_board(turn.position, turn.reason.line, discs)))
    if turn.reason and turn.reason.refutation:
        boards.append((texts("report.met_board"), line_on_board(turn.after_position, turn.reason.refutation, discs)))
    columns = [[title, "", *board.splitlines()] for title, board in boards]
    wide = max(len(line) for column in columns for line in column) + 4
    if wide * len(columns) > width:
        return "\n\n".join("\n".join(column) for column in columns) + "\n"
    return "\n".join("".join(line.ljust(wide) for line in row).rstrip() for row in zip(*columns, strict=True)) + "\n"


def _table(reviewed: Review, texts: Texts) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("move", "side", "column", "before", "after", "best"):
        table.add_column(texts(f"report.table.{heading}"), justify="right" if heading in ("move", "column") else "left")
    table.add_column("")
    for move in reviewed.moves:
        table.add_row(*_row(move, texts), style=LABEL_STYLES[move.label.value])
    return table


def _row(move: MoveReview, texts: Texts) -> list[str]:
    label = "" if move.label.value == "best" else texts(f"label.{move.label.value}").lower()
    best = " ".join(str(column + 1) for column in move.best_columns)
    side = f"{terminal_discs()[move.side.value]} {texts(f'side.{move.side}').lower()}"
    worth = [move.worth_before.say(texts), move.worth_after.say(texts)]
    return [str(move.number), side, str(move.column + 1), *worth, best, label]
