"""Chooses which columns a player considers and in which order. Also finds the drops that win at once or that block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from connectk.rules import Position

MAX_SCANNED_WIDTH = 64  # on a wider board only the columns near a disc or the centre are considered


def centre_first(position: Position) -> list[int]:
    """The columns that are worth considering, ordered by their distance from the centre. Of two columns at the same
    distance, the left one comes first."""
    width = position.variant.width
    is_wide = width > MAX_SCANNED_WIDTH
    columns = _sorted_from_centre(_near_discs_or_centre(position), width) if is_wide else _from_centre(width)
    return list(filter(position.can_drop, columns)) or list(_first_open(position))


@lru_cache(maxsize=MAX_SCANNED_WIDTH)
def _from_centre(width: int) -> list[int]:
    return _sorted_from_centre(range(width), width)


def _sorted_from_centre(columns: Iterable[int], width: int) -> list[int]:
    return sorted(set(columns), key=lambda column: (abs(2 * column - width + 1), column))


def _near_discs_or_centre(position: Position) -> Iterator[int]:
    width, reach = position.variant.width, min(position.variant.run, MAX_SCANNED_WIDTH) - 1
    yield from range(width // 2 - 2, width // 2 + 3)
    for column in {cell.column for cell, _ in position.discs()}:
        yield from range(max(0, column - reach), min(width, column + reach + 1))


def _first_open(position: Position) -> Iterator[int]:
    column = next(filter(position.can_drop, range(position.variant.width)), None)
    if column is not None:
        yield column


def urgent_drop(position: Position) -> int | None:
    """A column that wins at once or, if there is none, one that keeps the other side from winning at once; None if
    neither exists."""
    column = winning_drop(position)
    return blocking_drop(position) if column is None else column


def winning_drop(position: Position) -> int | None:
    """A column that wins at once; None if there is none."""
    return next(filter(position.wins, centre_first(position)), None)


def blocking_drop(position: Position) -> int | None:
    """A column in which the other side would win at once; None if there is none. The side to move must have no win
    itself."""
    other = position.side_to_move.other
    return next((column for column in centre_first(position) if position.wins(column, other)), None)
