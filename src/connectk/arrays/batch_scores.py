"""Exact scores of all games of a `Boards`."""

from __future__ import annotations

from array import array
from typing import Any

from connectk.arrays.array_types import BoolArray, Int8Array, as_array
from connectk.arrays.boards import Boards
from connectk.errors import SearchStopped
from connectk.solver import OpeningBook, solve_many
from connectk.watch import Progress, Stop

NO_SCORE = -128  # the score of a column that takes no disc


def scores(
    boards: Boards,
    *,
    threads: int | None = None,
    book: bool | OpeningBook = True,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Int8Array:
    """The exact score of every column for the side to move: int8, (games, width).

    The value is NO_SCORE (-128) for a full column or a finished game. Raises `SearchStopped` if `stop` ends the search.
    """
    width = boards.variant.width
    drops = [(game, column) for game, row in enumerate(boards.legal.tolist()) for column in range(width) if row[column]]
    after = boards.select([game for game, _ in drops])
    after.drop([column for _, column in drops])
    asked: dict[str, Any] = {"threads": threads, "book": book, "progress": progress, "stop": stop}
    found = solve_many(after.bits, variant=boards.variant, **asked) if drops else []
    if len(found) < len(drops) or not all(one.exact for one in found):
        raise SearchStopped(())
    table = array("b", [NO_SCORE]) * (len(boards) * width)
    for (game, column), one in zip(drops, found, strict=True):
        table[game * width + column] = -one.lower
    return as_array(memoryview(table).cast("B").cast("b", (len(boards), width)) if table else memoryview(table))


def best(boards: Boards, **options: Any) -> BoolArray:
    """Marks the columns with the highest score: bool, (games, width). The options are those of `scores`."""
    rows = scores(boards, **options).tolist()
    marks = bytes(score == max(row) > NO_SCORE for row in rows for score in row)
    return as_array(memoryview(marks).cast("?", (len(boards), boards.variant.width)) if marks else memoryview(marks))
