"""The size of a board, and the number of discs in a row that wins on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from connectk.errors import ImpossibleVariant


class Cell(NamedTuple):
    """One cell of the board; row 0 is at the bottom."""

    column: int
    row: int


@dataclass(frozen=True, slots=True, order=True)
class Variant:
    """A board's width, its height, and the length of the run that wins. A text such as `7x6x4` has the three numbers in
    this order."""

    width: int = 7
    height: int = 6
    run: int = 4

    def __post_init__(self) -> None:
        if min(self.width, self.height, self.run) < 1 or self.run > max(self.width, self.height):
            raise ImpossibleVariant(self.width, self.height, self.run)

    @classmethod
    def parse(cls, text: str) -> Variant:
        """The variant for a text such as `7x6x4`."""
        from connectk.notation.moves import parse_variant

        return parse_variant(text)

    def __str__(self) -> str:
        return f"{self.width}x{self.height}x{self.run}"

    @property
    def cells(self) -> int:
        """The number of cells on the board."""
        return self.width * self.height

    def index_of(self, column: int, row: int) -> int:
        """The number of a cell, from 0. Cells are counted column by column from the left, and from the bottom up in
        each column."""
        if not (0 <= column < self.width and 0 <= row < self.height):
            raise IndexError(f"({column}, {row}) is not a cell of {self}")
        return column * self.height + row

    def cell_at(self, index: int) -> Cell:
        """The cell with this number; the inverse of `index_of`."""
        if not 0 <= index < self.cells:
            raise IndexError(f"{index} is not a cell of {self}")
        return Cell(*divmod(index, self.height))


CLASSIC = Variant()
