"""The puzzles that come with the package, and which one is today's."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache

from connectk.puzzles.files import parse_puzzles
from connectk.puzzles.puzzle import Puzzle
from connectk.rules import CLASSIC, Variant

PUZZLE_STRIDE = 1009  # a prime, so that the days go through all puzzles before one comes again


@cache
def boards() -> tuple[Variant, ...]:
    """The boards that have puzzles here, the classic one first."""
    from importlib.resources import files

    names = [entry.name for entry in (files(__package__) / "data").iterdir() if entry.name.endswith(".txt")]
    found = sorted(Variant.parse(name.removesuffix(".txt")) for name in names)
    return tuple(sorted(found, key=lambda variant: variant != CLASSIC))


@cache
def shipped(variant: Variant = CLASSIC) -> tuple[Puzzle, ...]:
    """The puzzles for a board; none where none were made."""
    from importlib.resources import files

    if variant not in boards():
        return ()
    text = (files(__package__) / "data" / f"{variant}.txt").read_text(encoding="utf-8")
    return parse_puzzles(text)[1]


def of_day(day: date, puzzles: Sequence[Puzzle] | None = None) -> Puzzle:
    """The puzzle of a day, the same for everyone who has the same puzzles."""
    some = shipped() if puzzles is None else puzzles
    days = (day - date(1970, 1, 1)).days
    return some[days * PUZZLE_STRIDE % len(some)]
