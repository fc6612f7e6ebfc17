"""`connectk puzzle`: solve, make and print puzzles."""

from __future__ import annotations

import random
import sys
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import EXIT_INTERRUPTED, ProgressBar, print_json, settings, texts_for
from connectk.commands.learn import run_session
from connectk.commands.localized import LocalizedTyper, ScreenGroup
from connectk.commands.options import VARIANT_OPTION, board_of, outputs, variant_of

if TYPE_CHECKING:
    from connectk.puzzles import Puzzle, PuzzleRecipe
    from connectk.texts import Texts

EPILOG = """
connectk puzzle
connectk puzzle --theme fork --difficulty 2
connectk puzzle --start 44555255
connectk puzzle --json
connectk puzzle sheet class.pdf --count 12
connectk puzzle make six.txt --variant 6x5x4 --count 50
"""
MAKE_EPILOG = "connectk puzzle make six.txt --variant 6x5x4 --count 50 --min-discs 8"
SHEET_EPILOG = """
connectk puzzle sheet class.pdf
connectk puzzle sheet forks.svg --theme fork --count 12
"""

puzzle = LocalizedTyper(cls=ScreenGroup, invoke_without_command=True, epilog=EPILOG)


class ThemeOption(StrEnum):
    fork = "fork"
    stack = "stack"
    trap = "trap"
    force = "force"
    zugzwang = "zugzwang"
    plan = "plan"
    hold = "hold"


PUZZLE_THEME_OPTION = typer.Option(None)
DIFFICULTY_OPTION = typer.Option(None, min=1, max=5)
PUZZLE_FILE_OPTION = typer.Option(None, "--from", metavar="FILE")


def register(app: typer.Typer) -> None:
    app.add_typer(puzzle, name="puzzle")


@puzzle.callback()
def solve_puzzles(
    ctx: typer.Context,
    day: datetime | None = typer.Option(None, formats=["%Y-%m-%d"], metavar="DATE"),
    theme: ThemeOption | None = PUZZLE_THEME_OPTION,
    difficulty: int | None = DIFFICULTY_OPTION,
    variant: str | None = VARIANT_OPTION,
    file: Path | None = PUZZLE_FILE_OPTION,
    start: str | None = typer.Option(None, metavar="POSITION"),
) -> None:
    if ctx.invoked_subcommand is not None:
        return
    from connectk.puzzles import puzzle_of_day
    from connectk.terminal.learning_sessions import PuzzleSession, SavedPractice, new_daily_puzzle

    wanted = theme is not None or difficulty is not None
    today = day.date() if day else date.today()
    kept, own = SavedPractice(), None if start is None else _puzzle_from_position(start, variant)
    some = (own,) if own else _select_puzzles(variant, file, theme, difficulty)
    daily = None if wanted else puzzle_of_day(today, some) if day else new_daily_puzzle(today, some, kept)
    first = own or daily
    if settings().json:
        print_json(_facts(own or puzzle_of_day(today, some)))
        return
    run_session(lambda texts: PuzzleSession(kept, some, texts, today, first, titled=start is None))


def _puzzle_from_position(start: str, variant: str | None) -> Puzzle:
    """A puzzle made from the user's position. Raises `NoPuzzles` unless exactly one drop is right."""
    from connectk.errors import NoPuzzles
    from connectk.notation import read_position
    from connectk.puzzles.making import puzzle_in

    position = read_position(start, variant_of(variant))
    found = puzzle_in(position)
    if found is None:
        raise NoPuzzles(str(position.variant), position=start)
    return found


def _select_puzzles(
    variant: str | None, file: Path | None, theme: ThemeOption | None, difficulty: int | None
) -> tuple[Puzzle, ...]:
    from connectk.errors import NoPuzzles
    from connectk.notation.files import read_text
    from connectk.puzzles import Theme, parse_puzzles, shipped_puzzles
    from connectk.puzzles.practice import select_puzzles

    board = board_of(variant)
    puzzles = shipped_puzzles(board) if file is None else parse_puzzles(read_text(file))[1]
    found: tuple[Puzzle, ...] = select_puzzles(puzzles, Theme(theme.value) if theme else None, difficulty)
    if not found:
        raise NoPuzzles(str(board))
    return found


def _facts(found: Puzzle) -> dict[str, object]:
    return {
        "variant": str(found.variant),
        "start": found.start,
        "side_to_move": str(found.position.side_to_move),
        "answer": found.answer,
        "aim": str(found.aim),
        "theme": str(found.theme),
        "difficulty": found.difficulty,
        "rating": found.rating,
        "levels": found.levels,
        "depth": found.depth,
    }


@puzzle.command(epilog=MAKE_EPILOG)
def make(
    out: Path = typer.Argument(metavar="FILE"),
    variant: str | None = VARIANT_OPTION,
    count: int = typer.Option(100, min=1),
    seed: int = typer.Option(1, min=0),
    min_discs: int = typer.Option(12, min=0),
    max_discs: int = typer.Option(32, min=0),
) -> None:
    from connectk.files import require_writable
    from connectk.puzzles import PuzzleRecipe

    require_writable(out)
    texts, board = texts_for(), board_of(variant)
    recipe = PuzzleRecipe(board, count, seed, min_discs, max_discs)
    try:
        made = _make(recipe, out, texts)
    except KeyboardInterrupt:
        print(texts("dataset.stopped", out=out), file=sys.stderr)
        raise typer.Exit(EXIT_INTERRUPTED) from None
    if settings().json:
        print_json([_facts(one) for one in made])
        return
    print(texts("puzzle.made", count=len(made), out=out))
    if len(made) < count:
        print(texts("dataset.fewer", wanted=f"{count:,}", variant=board))


def _make(recipe: PuzzleRecipe, out: Path, texts: Texts) -> tuple[Puzzle, ...]:
    from connectk.puzzles import make_puzzles

    with ProgressBar(texts("puzzle.making"), texts) as bar:
        return make_puzzles(recipe, out, progress=bar.show)


@puzzle.command("sheet", epilog=SHEET_EPILOG)
def print_sheet(
    out: Path = typer.Argument(metavar="FILE"),
    count: int = typer.Option(6, min=1, max=240),
    theme: ThemeOption | None = PUZZLE_THEME_OPTION,
    difficulty: int | None = DIFFICULTY_OPTION,
    variant: str | None = VARIANT_OPTION,
    file: Path | None = PUZZLE_FILE_OPTION,
    seed: int = typer.Option(1),
) -> None:
    from connectk.drawing import to_pdf, to_svg
    from connectk.files import write_file
    from connectk.puzzles.sheet import draw_sheet, stack_pages

    texts = texts_for()
    kind = next(iter(outputs([str(out)], ".pdf", ".svg")))
    some = _select_puzzles(variant, file, theme, difficulty)
    picked = random.Random(seed).sample(some, min(count, len(some)))
    picked.sort(key=lambda one: one.rating)
    pages = draw_sheet(picked, texts)
    write_file(out, to_pdf(pages) if kind == ".pdf" else to_svg(stack_pages(pages)))
    if settings().json:
        print_json({"puzzles": len(picked), "file": str(out)})
    else:
        print(texts("puzzle.sheet.written", count=len(picked), out=out))
