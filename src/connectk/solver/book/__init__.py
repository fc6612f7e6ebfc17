"""Opening books: exact scores of every position up to some number of discs, in a few bits each.

    >>> from connectk.solver.book import shipped_book
    >>> shipped_book(Variant()).score(Position.start())
    1

`python -m connectk.solver.book build` makes one for any board of at most 63 bits; docs/explanation/book.md says how.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from os import PathLike
from pathlib import Path

from connectk import _native
from connectk.errors import DamagedBook
from connectk.rules import Position, Variant
from connectk.solver.bits import bits_of


class OpeningBook:
    """A book in memory; `load` reads one from a file."""

    def __init__(self, file: bytes, name: str = "opening book") -> None:
        try:
            self._book = _native.Book(file)
        except ValueError as error:
            raise DamagedBook(name, str(error)) from None
        self.variant = Variant(*self._book.variant)
        self.discs: int = self._book.discs
        self.entries: int = self._book.entries
        self.size = len(file)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> OpeningBook:
        """The book in this file; `DamagedBook` when it is not whole."""
        return cls(Path(path).read_bytes(), str(path))

    @property
    def native(self) -> _native.Book:
        """What the core asks."""
        return self._book

    def score(self, position: Position) -> int | None:
        """The exact score for the side to move; None where the book does not reach.

        It reaches every open position of at most `discs` discs that play can lead to.
        """
        if position.variant != self.variant or position.ply > self.discs or position.outcome is not None:
            return None
        return self.score_bits(*bits_of(position))

    def score_bits(self, own: int, all_discs: int) -> int | None:
        """The same for the bits of the side to move's discs and of all discs, as the core numbers cells."""
        return self._book.score(own, all_discs)

    def stored_score(self, own: int, all_discs: int) -> int:
        """What is stored for a quiet position; noise for one that is not stored. For checking a book."""
        return self._book.stored_score(own, all_discs)

    def __repr__(self) -> str:
        return f"<OpeningBook {self.variant} up to {self.discs} discs, {self.entries} positions, {self.size} bytes>"


@lru_cache(maxsize=8)
def shipped_book(variant: Variant) -> OpeningBook | None:
    """The book that comes with the package, read on first use; None when this board has none."""
    file = resources.files(__package__) / f"{variant}.book"
    return OpeningBook(file.read_bytes(), file.name) if file.is_file() else None


def native_book(book: bool | OpeningBook, variant: Variant) -> _native.Book | None:
    """What the core asks for this board: True is the book that comes with the package."""
    chosen = shipped_book(variant) if book is True else book or None
    return chosen.native if chosen and chosen.variant == variant else None
