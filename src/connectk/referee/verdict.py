"""The verdict of the referee."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from connectk.rules import Cell, Side
from connectk.texts import load_texts

if TYPE_CHECKING:
    from connectk.notation.messages import SideName
    from connectk.referee.messages import VerdictFacts


class Code(IntEnum):
    """The code of a verdict. If a file has two offences, the one with the larger code is worse."""

    DRAW = 0
    FIRST_WINS = 1
    SECOND_WINS = 2
    INCOMPLETE = 3
    ILLEGAL_CONTINUE = 4
    ILLEGAL_ROW = 5
    ILLEGAL_COLUMN = 6
    ILLEGAL_GAME = 7
    INVALID_FILE = 8
    FILE_ERROR = 9

    @property
    def title(self) -> str:
        """The code's name in English, for JSON and tables."""
        return load_texts("en")(f"code.{self:d}")

    @property
    def is_valid_game(self) -> bool:
        """Whether a file with this code is a game without errors. The game may be unfinished."""
        return self <= Code.INCOMPLETE


class Offence(NamedTuple):
    """A broken rule, and the number of the line that breaks the rule, counted from 1."""

    code: Code
    line: int


WINNER_CODES: dict[Side | None, Code] = {Side.FIRST: Code.FIRST_WINS, Side.SECOND: Code.SECOND_WINS, None: Code.DRAW}
WINNER_NAMES: dict[Side | None, SideName | None] = {Side.FIRST: "first", Side.SECOND: "second", None: None}


class Verdict(NamedTuple):
    """The referee's answer for one file.

    The referee plays the game up to the first offence. If a side won before that offence, the win counts.
    """

    code: Code
    moves: int = 0  # the number of lines after the header, up to the first malformed line
    offence: Offence | None = None  # the gravest offence, whose code is the verdict's
    first_offence: Offence | None = None  # the first offence in the file
    winner: Side | None = None
    winning_line: int | None = None  # the line of the winning move
    winning_cells: tuple[Cell, ...] = ()

    @property
    def line(self) -> int | None:
        """The line of the worst offence. None if there is no offence or if the file cannot be read."""
        return self.offence.line if self.offence else None

    def facts(self) -> VerdictFacts:
        first = self.first_offence if self.first_offence != self.offence else None
        return {
            "code": int(self.code),
            "name": self.code.title,
            "line": self.line,
            "moves": self.moves,
            "winner": WINNER_NAMES[self.winner],
            "winning_cells": list(self.winning_cells),
            "first_code": int(first.code) if first else None,
            "first_line": first.line if first else None,
        }
