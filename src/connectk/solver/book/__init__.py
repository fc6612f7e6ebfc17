"""Opening books. A book stores the exact scores of all positions up to some number of discs, with a few bits for each
position.

    >>> from connectk.solver.book import shipped_book
    >>> shipped_book(Variant()).score(Position.start())
    1

`connectk book` makes a book for any board of at most 63 bits, as docs/explanation/book.md says. Books in the user's
folder are used like the ones in the package.
"""

from __future__ import annotations

import os
from functools import lru_cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from connectk import _native
from connectk.errors import DamagedBook
from connectk.rules import Position, Variant
from connectk.solver.bitboards import bitboards_of
from connectk.system import books_folder

if TYPE_CHECKING:
    from connectk.solver.book.readable import ReadableBook


# A larger book guesses its scores first, and in the middle of an even width the core guesses differently for a position
# and for its mirror image, so that it would read another score.
MIN_ENTRIES_WITH_CONTEXTS = 100_000


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
        if self.variant.width % 2 == 0 and self.entries >= MIN_ENTRIES_WITH_CONTEXTS:
            raise DamagedBook(name, "on a board with an even number of columns, a book of so many scores may be wrong")

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


def installed_book(variant: Variant) -> OpeningBook | None:
    """The book for this board in the user's folder of books, or else the book in the package; None if there is
    neither. A file is read when it is first used."""
    path = books_folder() / f"{variant}.book"
    if os.path.isfile(path):  # noqa: PTH113 (it is False if the folder may not be looked at)
        return _book_in(path)
    return shipped_book(variant)


_book_in = lru_cache(maxsize=8)(OpeningBook.load)


def load_book(path: str | PathLike[str]) -> OpeningBook | ReadableBook:
    """Load a book from a file, compact (`.book`) or readable (`.parquet`, `.csv`). A `Solver` takes a compact one."""
    from connectk.solver.book.readable import READABLE_SUFFIXES, ReadableBook

    return ReadableBook.load(path) if str(path).endswith(READABLE_SUFFIXES) else OpeningBook.load(path)


def native_book(book: bool | OpeningBook, variant: Variant) -> _native.Book | None:
    """The core's book object for this board; None if there is no book for it. If `book` is True, it is the installed
    book."""
    chosen = installed_book(variant) if book is True else book or None
    return chosen.native if chosen and chosen.variant == variant else None
