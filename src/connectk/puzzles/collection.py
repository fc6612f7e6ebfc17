"""The puzzles shipped with the package, and the puzzle of the day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache

from connectk.puzzles.files import parse_puzzles
from connectk.puzzles.puzzle import Puzzle
from connectk.rules import CLASSIC, Variant

PUZZLE_STRIDE = 1009  # a prime, so that all puzzles are used before one repeats


@cache
def puzzle_boards() -> tuple[Variant, ...]:
    """The boards that have shipped puzzles, the classic one first."""
    from importlib.resources import files

    names = [entry.name for entry in (files(__package__) / "data").iterdir() if entry.name.endswith(".txt")]
    found = sorted(Variant.parse(name.removesuffix(".txt")) for name in names)
    return tuple(sorted(found, key=lambda variant: variant != CLASSIC))


@cache
def shipped_puzzles(variant: Variant = CLASSIC) -> tuple[Puzzle, ...]:
    """The shipped puzzles for a board; empty if there are none."""
    from importlib.resources import files

    if variant not in puzzle_boards():
        return ()
    text = (files(__package__) / "data" / f"{variant}.txt").read_text(encoding="utf-8")
    return parse_puzzles(text)[1]


def puzzle_of_day(day: date, puzzles: Sequence[Puzzle] | None = None) -> Puzzle:
    """The puzzle of a date. The same date and the same list of puzzles always give the same puzzle."""
    candidates = shipped_puzzles() if puzzles is None else puzzles
    days = (day - date(1970, 1, 1)).days
    return candidates[days * PUZZLE_STRIDE % len(candidates)]
