"""`connectk review`: show which moves decided a game."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import (
    MAX_TERMINAL_PICTURE_CELLS,
    ProgressBar,
    console,
    print_picture,
    settings,
    shows_pictures,
    stopped,
    terminal_discs,
    texts_for,
)
from connectk.commands.localized import BoardCommand
from connectk.commands.options import (
    OUT_OPTION,
    POSITION_ARGUMENT,
    VARIANT_OPTION,
    outputs,
    path_in,
    position_or_input,
    variant_of,
)
from connectk.system import can_encode, wrapped

REVIEW_PICTURE_CHARS = 100

if TYPE_CHECKING:
    from rich.table import Table

    from connectk.notation import SavedGame
    from connectk.review import MoveReview, Review
    from connectk.texts import Texts
    from connectk.why import Why

EPILOG = """
connectk review 444441326225
connectk review game.json --out review.html --why
connectk review 444441326225 --practise second
connectk review - --variant 9x7x5 < moves.txt
"""


class PractiseOption(StrEnum):
    first = "first"
    second = "second"
    both = "both"


LABEL_STYLES = {
    "missed_win": "bold red",
    "missed_block": "bold red",
    "blunder": "bold red",
    "mistake": "yellow",
    "fine_point": "cyan",
    "good": "",
    "best": "",
    "given": "dim",
}


def register(app: typer.Typer) -> None:
    app.command("review", cls=BoardCommand, epilog=EPILOG)(review)


def review(
    position: str = POSITION_ARGUMENT,
    variant: str | None = VARIANT_OPTION,
    time: str = typer.Option("2s", metavar="TIME"),
    jobs: int = typer.Option(1, min=1),
    given: int | None = typer.Option(None, min=0),
    out: list[str] = OUT_OPTION,
    size: int = typer.Option(1600, min=64, max=4096),
    why: bool = typer.Option(False, "--why"),
    practise: PractiseOption | None = typer.Option(None, "--practise"),
) -> None:
    from connectk.notation import parse_duration, read_game, write_start
    from connectk.review.blunder_explanations import explanations_to_json
    from connectk.review.output_files import check_output_files, write_review_files
    from connectk.review.report import to_json

    seconds, texts, files = parse_duration(time), texts_for(), outputs(out, ".svg", ".png", ".html")
    written = {"svg": path_in(files, ".svg"), "png": path_in(files, ".png"), "html": path_in(files, ".html")}
    saved = read_game(position_or_input(position, texts), variant_of(variant))
    if given is not None:
        saved = replace(saved, given=given)
    check_output_files(saved.game.variant, **written)
    reviewed = _review(saved, seconds, jobs, texts)
    whys = _explain(reviewed, seconds, texts) if why else {}
    write_review_files(saved, reviewed, texts, **written, size=size, whys=whys)
    if settings().json:
        if practise is not None:
            _practise(reviewed, practise)
        extra = {"whys": explanations_to_json(whys, texts)} if why else {}
        start = {"start": write_start(saved.game.start)}  # other commands need it to read the game
        print(json.dumps(to_json(saved, reviewed, texts) | start | extra, indent=2))
        return
    _print(saved, reviewed, texts)
    if practise is not None:
        print(texts("puzzle.own.added", count=_practise(reviewed, practise)))
    if reviewed.turning_point is not None and reviewed.turning_point.number in whys:
        _print_why(whys[reviewed.turning_point.number])


def _review(saved: SavedGame, seconds: float, jobs: int, texts: Texts) -> Review:
    from connectk.review import review_game

    try:
        with ProgressBar(texts("review.working"), texts) as bar:
            return review_game(saved.game, given=saved.given, seconds=seconds, threads=jobs, progress=bar.show)
    except KeyboardInterrupt:
        raise stopped(texts) from None


def _practise(reviewed: Review, whose: PractiseOption) -> int:
    """Save the mistakes of one side as puzzles, and return how many there are."""
    from datetime import date

    from connectk.terminal.learning_sessions import SavedPractice

    mistakes = [
        move
        for move in reviewed.moves
        if move.label.is_flawed and move.label.value != "fine_point" and whose in (str(move.side), "both")
    ]
    return SavedPractice().add_mistakes(mistakes, date.today())


def _print(saved: SavedGame, reviewed: Review, texts: Texts) -> None:
    from connectk.review.picture import draw_review
    from connectk.review.report import headline, mistakes, summary_sentences
    from connectk.review.text_graph import LINE_CHARACTERS, draw_text_graph

    plain, paper = settings().ascii or not can_encode(LINE_CHARACTERS, sys.stdout.encoding), console()
    paper.print(headline(saved, texts), style="bold", markup=False)
    if not settings().board:
        sentences = [*mistakes(reviewed, texts), *summary_sentences(reviewed, texts, saved.swapped)]
        print(wrapped("\n".join(sentences), sys.stdout))
        return
    paper.print()
    if shows_pictures() and saved.game.variant.cells <= MAX_TERMINAL_PICTURE_CELLS:
        print_picture(draw_review(saved, reviewed, texts), REVIEW_PICTURE_CHARS)
    else:
        paper.print(draw_text_graph(reviewed, paper.width, texts, plain), markup=False, soft_wrap=True)
    paper.print()
    paper.print(_table(reviewed, texts))
    paper.print()
    if reviewed.turning_point is not None:
        paper.print(_boards(reviewed.turning_point, paper.width, texts), markup=False)
    for line in summary_sentences(reviewed, texts, saved.swapped):
        paper.print(line, markup=False)


def _explain(reviewed: Review, seconds: float, texts: Texts) -> dict[int, Why]:
    """Explain the position after each flawed move."""
    from connectk.review.blunder_explanations import explain_blunders

    try:
        return explain_blunders(reviewed, seconds)
    except KeyboardInterrupt:
        raise stopped(texts) from None


def _print_why(why: Why) -> None:
    from connectk.commands.why import explanation_texts, print_position, print_why

    print()
    print_position(why.solution.position)
    print_why(why, explanation_texts())


def _boards(turn: MoveReview, width: int, texts: Texts) -> str:
    """The board before the turning point, the better line and the refutation. They stand side by side if they fit."""
    from connectk.notation import draw_diagram
    from connectk.review.report import draw_numbered_line

    discs = terminal_discs()
    boards = [(texts("report.before_move", number=turn.number), draw_diagram(turn.position, discs=discs))]
    if turn.better_line:
        boards.append((texts("report.better_board"), draw_numbered_line(turn.position, turn.better_line, discs)))
    if turn.refutation:
        boards.append((texts("report.met_board"), draw_numbered_line(turn.after_position, turn.refutation, discs)))
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
    label = "" if move.label.value in ("best", "good") else texts(f"label.{move.label.value}").lower()
    best = " ".join(str(column + 1) for column in move.best_columns)
    side = f"{terminal_discs()[move.side.value]} {texts(f'side.{move.side}').lower()}"
    worth = [move.worth_before.say(texts), move.worth_after.say(texts)]
    return [str(move.number), side, str(move.column + 1), *worth, best, label]
