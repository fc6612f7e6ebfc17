"""Reads the UCI connect-4 set: 67,557 classic positions with 8 discs, each with its result under perfect play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from connectk.errors import BadDataset, ConnectkError
from connectk.rules import CLASSIC, Position, Side
from connectk.solver import ResultWord

UCI_DISCS: dict[str, Side | None] = {"x": Side.FIRST, "o": Side.SECOND, "b": None}
RESULT_OF_UCI_WORD: dict[str, ResultWord] = {"win": "win", "loss": "loss", "draw": "draw"}


class UciPosition(NamedTuple):
    """A position with the first player to move, and the result for that player."""

    position: Position
    result: ResultWord


def read_uci(path: str | Path) -> Iterator[UciPosition]:
    """Yields the positions of a `connect-4.data` file in order. The file lists columns a to g from the bottom up."""
    with Path(path).open(encoding="ascii", errors="replace") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield _read(line.strip(), str(path), number)


def _read(line: str, path: str, number: int) -> UciPosition:
    *cells, result = line.split(",")
    height = CLASSIC.height
    try:
        if len(cells) != CLASSIC.cells:
            raise KeyError
        discs = [UCI_DISCS[cell] for cell in cells]
        columns = [discs[begin : begin + height] for begin in range(0, len(discs), height)]
        return UciPosition(Position.from_columns(columns, CLASSIC), RESULT_OF_UCI_WORD[result])
    except (KeyError, ConnectkError):
        raise BadDataset("error.BadDataset.line", path=path, line=number) from None
