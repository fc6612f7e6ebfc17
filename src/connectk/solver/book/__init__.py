"""Opening books. A book stores the exact scores of all positions up to some number of discs, with a few bits for each
position.

    >>> from connectk.solver.book import shipped_book
    >>> shipped_book(Variant()).score(Position.start())
    1

`python -m connectk.solver.book build` makes a book for any board of at most 63 bits, as docs/explanation/book.md says.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from os import PathLike
from pathlib import Path

from connectk import _native
from connectk.errors import DamagedBook
from connectk.rules import Position, Variant
from connectk.solver.bitboards import bitboards_of


class OpeningBook:
    """An opening book in memory; `load` reads one from a file."""

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
        """Load a book from a file; raises `DamagedBook` if it is incomplete."""
        return cls(Path(path).read_bytes(), str(path))

    @property
    def native(self) -> _native.Book:
        """The core's book object."""
        return self._book

    def score(self, position: Position) -> int | None:
        """The exact score for the side to move; None if the book does not cover the position.

        The book covers every unfinished position that a game can reach with at most `discs` discs.
        """
        if position.variant != self.variant or position.ply > self.discs or position.outcome is not None:
            return None
        return self.score_bits(*bitboards_of(position))

    def score_bits(self, own: int, all_discs: int) -> int | None:
        """The exact score of a position. `own` are the bits of the discs of the side to move, and `all_discs` are the
        bits of all discs."""
        return self._book.score(own, all_discs)

    def stored_score(self, own: int, all_discs: int) -> int:
        """The stored score of a quiet position. A position is quiet if it has no immediate win, no forced reply and no
        certain loss.

        The number is meaningless if the position is not stored. Only the check of a book uses this method.
        """
        return self._book.stored_score(own, all_discs)

    def __repr__(self) -> str:
        return f"<OpeningBook {self.variant} up to {self.discs} discs, {self.entries} positions, {self.size} bytes>"


@lru_cache(maxsize=8)
def shipped_book(variant: Variant) -> OpeningBook | None:
    """The book for this board that is in the package. It is read when it is first used. None if there is no such
    book."""
    file = resources.files(__package__) / f"{variant}.book"
    return OpeningBook(file.read_bytes(), file.name) if file.is_file() else None


def native_book(book: bool | OpeningBook, variant: Variant) -> _native.Book | None:
    """The core's book object for this board; None if there is no book for it. If `book` is True, it is the book in the
    package."""
    chosen = shipped_book(variant) if book is True else book or None
    return chosen.native if chosen and chosen.variant == variant else None
