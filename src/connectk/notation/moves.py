"""Parses and writes move strings such as "4453", variants such as "7x6x4", and times such as "500ms"."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from connectk.errors import IllegalDrop, NotationError, UnplayableMove, quoted
from connectk.rules.game import Game
from connectk.rules.position import Position
from connectk.rules.variant import CLASSIC, Variant

MAX_WIDTH_WITHOUT_COMMAS = 9
COMPACT_MOVES_PATTERN = re.compile("[1-9]*")
MAX_NUMBER_DIGITS = 4000  # Python's `int` refuses numbers of more than 4300 digits
SECONDS_PER_UNIT = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86_400.0}
MAX_DURATION_CHARS = 40
DURATION_PATTERN = re.compile(r"\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(ms|s|m|min|h|d)\s*")


def parse_moves(text: str, variant: Variant = CLASSIC) -> tuple[int, ...]:
    """Parse a move string such as "4453", or "4,4,5,3" on boards wider than 9 columns; returns columns from 0."""
    if variant.width <= MAX_WIDTH_WITHOUT_COMMAS and COMPACT_MOVES_PATTERN.fullmatch(text):
        return tuple(digit - ord("1") for digit in text.encode())  # the fast path for most texts
    packed = variant.width <= MAX_WIDTH_WITHOUT_COMMAS and not re.search(r"[,\s]", text.strip())
    words = text.strip() if packed else re.split(r"\s*,\s*|\s+", text.strip().rstrip(","))
    return tuple(_column(word, text) for word in words if word or len(words) > 1)


def _column(word: str, text: str) -> int:
    if not re.fullmatch("[0-9]+", word) or len(word) > MAX_NUMBER_DIGITS:
        raise NotationError("error.not_a_column", text=text, word=quoted(word))
    if int(word) == 0:
        raise NotationError("error.column_zero", text=text)
    return int(word) - 1


def write_moves(columns: Iterable[int], variant: Variant = CLASSIC) -> str:
    """Return the move string of these columns; `parse_moves` reads it back."""
    separator = "" if variant.width <= MAX_WIDTH_WITHOUT_COMMAS else ","
    return separator.join(str(column + 1) for column in columns)


def play_moves(start: Position | Variant, columns: Iterable[int]) -> Game:
    """Play these drops. If a drop is illegal, raises `UnplayableMove` with the number of the first illegal drop,
    counted from 1."""
    game = Game(start)
    for number, column in enumerate(columns, start=1):
        try:
            game.drop(column)
        except IllegalDrop as error:
            raise UnplayableMove(number, error) from error
    return game


def parse_variant(text: str) -> Variant:
    """Parse a variant such as `7x6x4`: the width, the height and the length of the run that wins."""
    numbers = re.fullmatch(r"\s*([0-9]+)\s*[xX×]\s*([0-9]+)\s*[xX×]\s*([0-9]+)\s*", text)
    if not numbers or len(text) > MAX_NUMBER_DIGITS:
        raise NotationError("error.not_a_board", text=text)
    return Variant(*map(int, numbers.groups()))


def parse_duration(text: str) -> float:
    """Parse a duration such as `500ms`, `2s`, `1.5s`, `1m` or `2h` into seconds. The result is always more than
    zero."""
    found = DURATION_PATTERN.fullmatch(text) if len(text) <= MAX_DURATION_CHARS else None
    if not found:
        raise NotationError("error.not_a_time", text=text)
    seconds = float(found[1]) * SECONDS_PER_UNIT[found[2]]
    if seconds <= 0 or not math.isfinite(seconds):
        raise NotationError("error.time_of_zero", text=text.strip())
    return seconds
