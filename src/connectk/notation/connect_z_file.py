"""Connect-Z game files. The first line is `width height run`, and each further line is the number of a column, counted
from 1."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from connectk.errors import NotationError
from connectk.rules.variant import Variant

LINE_END_PATTERN = re.compile(rb"\r\n|\r|\n")
HEADER_LINE_PATTERN = re.compile(rb"[ \t]*([0-9]+)[ \t]+([0-9]+)[ \t]+([0-9]+)[ \t]*")
MOVE_LINE_PATTERN = re.compile(rb"[ \t]*([0-9]+)[ \t]*")


class GameFile(NamedTuple):
    """The numbers of a well-formed file. The rules have not been checked yet, so the board or a column may be
    impossible."""

    width: int
    height: int
    run: int
    columns: tuple[int, ...]  # from 0


def parse_game_file(data: bytes) -> GameFile:
    """Parse the numbers of a game file. If a line is malformed, raises `NotationError` with the number of the first
    such line."""
    header, *moves = _lines_of(data)
    numbers = HEADER_LINE_PATTERN.fullmatch(header)
    if not numbers:
        raise _refusal("notation.header", header, 1)
    width, height, run = (_positive(digits, 1) for digits in numbers.groups())
    columns = tuple(_column(line, number) for number, line in enumerate(moves, start=2))
    return GameFile(width, height, run, columns)


def first_lines(data: bytes, count: int) -> bytes:
    """The first `count` lines of a game file."""
    return b"\n".join(_lines_of(data)[:count])


def _lines_of(data: bytes) -> list[bytes]:
    lines = LINE_END_PATTERN.split(data)
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    return lines


def _column(line: bytes, number: int) -> int:
    move = MOVE_LINE_PATTERN.fullmatch(line)
    if not move:
        raise _refusal("notation.move_line", line, number)
    return _positive(move[1], number) - 1


def _positive(digits: bytes, number: int) -> int:
    value = parse_integer(digits)
    if value == 0:
        raise _refusal("notation.zero", digits, number)
    return value


def parse_integer(digits: bytes, chunk: int = 4000) -> int:
    """Parse a number with any number of digits. Python's `int` refuses more than 4300 digits."""
    if len(digits) <= chunk:
        return int(digits)
    half = len(digits) // 2
    shift: int = 10**half
    return parse_integer(digits[:-half]) * shift + parse_integer(digits[-half:])


def _refusal(key: str, line: bytes, number: int) -> NotationError:
    return NotationError(key, text=line[:200].decode("ascii", "backslashreplace"), line=number)


def write_game_file(variant: Variant, columns: Iterable[int]) -> bytes:
    """Return the game file of these drops; `parse_game_file` reads it back."""
    lines = [f"{variant.width} {variant.height} {variant.run}", *(str(column + 1) for column in columns)]
    return ("\n".join(lines) + "\n").encode("ascii")
