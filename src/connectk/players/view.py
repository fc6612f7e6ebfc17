"""The part of a board that the core looks at: all of it on most boards, a window around the last disc on a vast one."""

from __future__ import annotations

from dataclasses import dataclass

from connectk import _native
from connectk.rules import Position

WIDEST = 32  # columns of a window


@dataclass(frozen=True, slots=True)
class View:
    """A board for the core; columns of the core count from `first_column`."""

    size: tuple[int, int, int]  # width, height, run
    whole: bool
    first_column: int
    closed: tuple[int, ...]  # columns that lie lower than the window
    own: int
    everyone: int

    @classmethod
    def of(cls, position: Position) -> View:
        variant = position.variant
        if variant.width * (variant.height + 1) <= _native.THINKER_BITS:
            size = (variant.width, variant.height, variant.run)
            return cls(size, True, 0, (), *_bits(position, 0, 0, variant.width, variant.height))
        width = min(variant.width, WIDEST)
        height = min(variant.height, _native.THINKER_BITS // width - 1)
        column, row = position.last_drop or (variant.width // 2, 0)
        left = max(0, min(column - width // 2, variant.width - width))
        bottom = max(0, min(row - height // 2, variant.height - height))
        closed = tuple(i for i in range(width) if position.height_of(left + i) < bottom)
        size = (width, height, min(variant.run, _native.THINKER_BITS))
        return cls(size, False, left, closed, *_bits(position, left, bottom, width, height))


def _bits(position: Position, left: int, bottom: int, width: int, height: int) -> tuple[int, int]:
    """Discs of the side to move and of both, bit `column * (height + 1) + row` counted within the window."""
    own = everyone = 0
    for column in range(width):
        for row in range(min(position.height_of(left + column) - bottom, height)):
            bit = 1 << column * (height + 1) + row
            everyone |= bit
            if position.disc_at(left + column, bottom + row) is position.side_to_move:
                own |= bit
    return own, everyone


class Core:
    """A `Thinker` of the core for the board seen last, made when it is first needed."""

    def __init__(self, table_bytes: int) -> None:
        self._table_bytes = table_bytes
        self._key: object = None
        self._thinker: _native.Thinker | None = None

    def thinker(self, view: View) -> _native.Thinker:
        key = (view.size, view.closed)
        if self._thinker is None or self._key != key:
            self._thinker = _native.Thinker(*view.size, closed=view.closed, table_bytes=self._table_bytes)
            self._key = key
        return self._thinker

    def forget(self) -> None:
        """Empty its table, so that the same question gets the same answer."""
        if self._thinker is not None:
            self._thinker.forget()
