"""A board set up before the first move, in one line: `4xo.5x`.

Each column with discs is written as its number, counted from 1, and then its discs from the bottom up: `x` for the
first player and `o` for the second. Dots separate the columns, and an empty board is an empty text. connectk writes
set-up boards only in this form, which can be part of a URL, a JSON string or a database. An editor may also write `-`
for an empty cell below a disc, so that the rules report the floating disc.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from connectk.errors import NotationError
from connectk.notation.moves import MAX_NUMBER_DIGITS
from connectk.rules.outcome import Side
from connectk.rules.position import Position
from connectk.rules.variant import CLASSIC, Variant

COLUMN_PATTERN = re.compile(r"([0-9]+)([xo-]+)")
SIDE_LETTERS = "xo"
SIDE_OF_LETTER: dict[str, Side | None] = {"x": Side.FIRST, "o": Side.SECOND, "-": None}


def write_start(position: Position) -> str:
    """Return the discs of a position as text; `parse_start` reads it back."""
    columns: dict[int, str] = {}
    for cell, side in position.discs():
        columns[cell.column] = columns.get(cell.column, "") + SIDE_LETTERS[side.value]
    return ".".join(f"{column + 1}{discs}" for column, discs in columns.items())


def parse_start(text: str, variant: Variant = CLASSIC) -> Position:
    """Parse a set-up board; raises an error if no game can reach this board."""
    columns: dict[int, list[Side | None]] = {}
    for part in text.split(".") if text else ():
        column, discs = _column(part, text)
        if column in columns:
            raise NotationError("notation.twice", column=column + 1, text=text)
        columns[column] = [SIDE_OF_LETTER[disc] for disc in discs]
    return Position.from_columns(columns, variant)


def _column(part: str, text: str) -> tuple[int, str]:
    found = COLUMN_PATTERN.fullmatch(part)
    if not found or len(found[1]) > MAX_NUMBER_DIGITS:
        raise NotationError("notation.start_column", word=repr(part[:40]), text=text)
    return int(found[1]) - 1, found[2]


def start_from_columns(columns: Mapping[str, str] | Sequence[str], *, first: int = 0) -> str:
    """Convert a set-up board from the older format, an object that maps column numbers to discs. `first` is the number
    of the leftmost column there."""
    items = columns.items() if isinstance(columns, Mapping) else ((str(c + first), d) for c, d in enumerate(columns))
    discs = ((int(column) - first, column_discs.rstrip(".").replace(".", "-")) for column, column_discs in items)
    return ".".join(f"{column + 1}{letters}" for column, letters in sorted(discs) if letters)
