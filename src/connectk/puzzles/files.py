"""The puzzle file format: a header that says how the puzzles were made, then one puzzle per line.

# connectk-puzzles 1 7x6x4 seed=1 discs=12-32 games=420
1x.3oxo.4xoxx 5 win fork 4 6

A line holds the board (`notation/start.py`), the column of the right drop, the aim, the theme, the number of levels
that miss the right drop, and the depth of the search that finds the right drop.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from connectk.errors import ConnectkError, NotationError, quoted
from connectk.notation.moves import parse_moves, parse_variant, write_moves
from connectk.puzzles.puzzle import Aim, Puzzle, Theme
from connectk.rules import CLASSIC, Variant

PUZZLE_FILE_HEADER_PATTERN = re.compile(
    r"# connectk-puzzles 1 (\S+) seed=(-?[0-9]{1,18}) discs=([0-9]{1,6})-([0-9]{1,6}) games=([0-9]{1,18})"
)


@dataclass(frozen=True, slots=True)
class PuzzleFileHeader:
    """The settings that decide which puzzles are made, and the number of games searched so far."""

    variant: Variant = CLASSIC
    seed: int = 1
    min_discs: int = 12
    max_discs: int = 32
    games: int = 0

    def __str__(self) -> str:
        made = f"seed={self.seed} discs={self.min_discs}-{self.max_discs} games={self.games}"
        return f"# connectk-puzzles 1 {self.variant} {made}"


def write_puzzles(header: PuzzleFileHeader, puzzles: Iterable[Puzzle]) -> str:
    """Return the text of a puzzle file; `parse_puzzles` reads it back."""
    return "\n".join([str(header), *map(_line, puzzles)]) + "\n"


def _line(puzzle: Puzzle) -> str:
    column = write_moves((puzzle.answer,), puzzle.variant)
    return f"{puzzle.start} {column} {puzzle.aim} {puzzle.theme} {puzzle.levels} {puzzle.depth}"


def parse_puzzles(text: str) -> tuple[PuzzleFileHeader, tuple[Puzzle, ...]]:
    """Return the header and the puzzles of a file. The boards are not parsed until `Puzzle.position` is used."""
    header, *lines = text.splitlines() or [""]
    found = PUZZLE_FILE_HEADER_PATTERN.fullmatch(header)
    if not found:
        raise NotationError("error.not_puzzles", head=str(PuzzleFileHeader()), text=text)
    variant = parse_variant(found[1])
    facts = PuzzleFileHeader(variant, *(int(found[group]) for group in range(2, 6)))
    return facts, tuple(_puzzles(lines, variant, text))


def _puzzles(lines: list[str], variant: Variant, text: str) -> Iterator[Puzzle]:
    for number, line in enumerate(lines, start=2):
        try:
            yield _puzzle(line, variant)
        except (ValueError, ConnectkError) as error:
            raise NotationError("error.not_a_puzzle", line=number, word=quoted(line), text=text) from error


def _puzzle(line: str, variant: Variant) -> Puzzle:
    start, column, aim, theme, levels, depth = line.split(" ")
    (answer,) = parse_moves(column, variant)
    return Puzzle(variant, start, answer, Aim(aim), Theme(theme), int(levels), int(depth))
