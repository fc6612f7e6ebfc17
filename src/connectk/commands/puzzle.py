"""`connectk puzzle`: solve, make and print puzzles."""

from __future__ import annotations

import json
import random
import sys
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import EXIT_INTERRUPTED, LANGUAGE, ProgressBar, texts_for
from connectk.commands.learn import run_session
from connectk.commands.localized import LocalizedGroup, LocalizedTyper
from connectk.texts import LanguageName

if TYPE_CHECKING:
    from connectk.puzzles import Puzzle, PuzzleRecipe
    from connectk.texts import Texts

EPILOG = (
    "Examples: connectk puzzle · connectk puzzle --theme fork --difficulty 2 · connectk puzzle --json · "
    "connectk puzzle sheet class.pdf --count 12 · connectk puzzle make six.txt --variant 6x5x4 --count 50"
)
MAKE_EPILOG = "Example: connectk puzzle make six.txt --variant 6x5x4 --count 50 --least-discs 8 --most-discs 24"
SHEET_EPILOG = "Examples: connectk puzzle sheet class.pdf · connectk puzzle sheet forks.svg --theme fork --count 12"

puzzle = LocalizedTyper(cls=LocalizedGroup, invoke_without_command=True, epilog=EPILOG)


class ThemeOption(StrEnum):
    fork = "fork"
    stack = "stack"
    trap = "trap"
    force = "force"
    zugzwang = "zugzwang"
    plan = "plan"
    hold = "hold"


THEME = typer.Option(None)
DIFFICULTY = typer.Option(None, min=1, max=5)
FILE = typer.Option(None, "--from", metavar="FILE")


def register(app: typer.Typer) -> None:
    app.add_typer(puzzle, name="puzzle")


@puzzle.callback()
def solve_puzzles(
    ctx: typer.Context,
    day: datetime | None = typer.Option(None, formats=["%Y-%m-%d"], metavar="DATE"),
    theme: ThemeOption | None = THEME,
    difficulty: int | None = DIFFICULTY,
    variant: str = typer.Option("7x6x4"),
    file: Path | None = FILE,
    plain: bool = typer.Option(False, "--plain"),
    ascii_only: bool = typer.Option(False, "--ascii"),
    reduced_motion: bool = typer.Option(False, "--reduced-motion", envvar="CONNECTK_REDUCED_MOTION"),
    as_json: bool = typer.Option(False, "--json"),
    language: LanguageName | None = LANGUAGE,
) -> None:
    if ctx.invoked_subcommand is not None:
        return
    from connectk.puzzles import puzzle_of_day
    from connectk.terminal.sessions import PuzzleSession, SavedPractice, new_daily_puzzle

    wanted = theme is not None or difficulty is not None
    today = day.date() if day else date.today()
    some = _select_puzzles(variant, file, theme, difficulty)
    kept = SavedPractice()
    first = None if wanted else puzzle_of_day(today, some) if day else new_daily_puzzle(today, some, kept)
    if as_json:
        print(json.dumps(_facts(puzzle_of_day(today, some))))
        return
    run_session(
        lambda texts: PuzzleSession(kept, some, texts, today, first),
        language,
        plain=plain,
        ascii_only=ascii_only,
        reduced_motion=reduced_motion,
    )


def _select_puzzles(
    variant: str, file: Path | None, theme: ThemeOption | None, difficulty: int | None
) -> tuple[Puzzle, ...]:
    from connectk.errors import NoPuzzles
    from connectk.notation.files import read_text
    from connectk.puzzles import Theme, parse_puzzles, shipped_puzzles
    from connectk.puzzles.practice import select_puzzles
    from connectk.rules import Variant

    board = Variant.parse(variant)
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
    variant: str = typer.Option("7x6x4"),
    count: int = typer.Option(100, min=1),
    seed: int = typer.Option(1, min=0),
    least_discs: int = typer.Option(12, min=0),
    most_discs: int = typer.Option(32, min=0),
    as_json: bool = typer.Option(False, "--json"),
    language: LanguageName | None = LANGUAGE,
) -> None:
    from connectk.puzzles import PuzzleRecipe
    from connectk.rules import Variant

    texts = texts_for(language)
    recipe = PuzzleRecipe(Variant.parse(variant), count, seed, least_discs, most_discs)
    try:
        made = _make(recipe, out, texts)
    except KeyboardInterrupt:
        print(texts("dataset.stopped", out=out), file=sys.stderr)
        raise typer.Exit(EXIT_INTERRUPTED) from None
    if as_json:
        print(json.dumps([_facts(one) for one in made]))
        return
    print(texts("puzzle.made", count=len(made), out=out))
    if len(made) < count:
        print(texts("dataset.fewer", wanted=f"{count:,}", variant=variant))


def _make(recipe: PuzzleRecipe, out: Path, texts: Texts) -> tuple[Puzzle, ...]:
    from connectk.puzzles import make_puzzles

    with ProgressBar(texts("puzzle.making"), texts) as bar:
        return make_puzzles(recipe, out, progress=bar.show)


@puzzle.command("sheet", epilog=SHEET_EPILOG)
def print_sheet(
    out: Path = typer.Argument(metavar="FILE"),
    count: int = typer.Option(6, min=1, max=240),
    theme: ThemeOption | None = THEME,
    difficulty: int | None = DIFFICULTY,
    variant: str = typer.Option("7x6x4"),
    file: Path | None = FILE,
    seed: int = typer.Option(1),
    language: LanguageName | None = LANGUAGE,
) -> None:
    from connectk.drawing import to_pdf, to_svg
    from connectk.puzzles.sheet import draw_sheet, stack_pages

    texts = texts_for(language)
    some = _select_puzzles(variant, file, theme, difficulty)
    picked = random.Random(seed).sample(some, min(count, len(some)))
    picked.sort(key=lambda one: one.rating)
    pages = draw_sheet(picked, texts)
    if out.suffix.lower() == ".pdf":
        _write(out, to_pdf(pages))
    elif out.suffix.lower() == ".svg":
        _write(out, to_svg(stack_pages(pages)).encode())
    else:
        raise typer.BadParameter(texts("puzzle.sheet.kinds"), param_hint="FILE")
    print(texts("puzzle.sheet.written", count=len(picked), out=out))


def _write(path: Path, content: bytes) -> None:
    from connectk.errors import FileNotWritable

    try:
        path.write_bytes(content)
    except OSError as error:
        raise FileNotWritable(str(path), f"{error.strerror}") from error
