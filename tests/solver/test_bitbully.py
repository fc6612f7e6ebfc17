"""Compares the whole opening book with the book of the package `bitbully-databases`."""

from pathlib import Path

import pytest

from connectk.rules import CLASSIC, Variant
from connectk.solver import OpeningBook
from connectk.solver.book import shipped_book

pytestmark = pytest.mark.deep
databases = pytest.importorskip("bitbully_databases", reason="pip install bitbully-databases to compare the books")

ENTRY_BYTES = 5  # four of position, one of distance


def test_all_scores_of_12_discs_are_the_same():
    """All 4,200,899 positions of 12 discs without an immediate win have the same score in both books. The two programs
    share no code."""
    file = Path(databases.BitBullyDatabases.get_database_path("12-ply-dist")).read_bytes()
    book = shipped_book(CLASSIC)
    assert len(file) == 4_200_899 * ENTRY_BYTES
    assert sum(differs(book, file[at : at + ENTRY_BYTES]) for at in range(0, len(file), ENTRY_BYTES)) == 0


def differs(book: OpeningBook, entry: bytes) -> bool:
    own, everyone = board_of(int.from_bytes(entry[:4], "big"))
    return book.score_bits(own, everyone) != score_of(int.from_bytes(entry[4:], "big", signed=True))


def board_of(code: int) -> tuple[int, int]:
    """Decode a board of `bitbully`, column by column from the left, each from the bottom.

    The bits 10 are a disc of the first player, 11 are one of the second, and 0 ends the column.
    """
    own = everyone = 0
    bit, column, row = 31, 0, 0
    while column < CLASSIC.width:
        if code >> bit & 1:
            cell = 1 << column * (CLASSIC.height + 1) + row
            everyone |= cell
            own |= 0 if code >> (bit - 1) & 1 else cell
            bit, row = bit - 2, row + 1
        else:
            bit, column, row = bit - 1, column + 1, 0
    return own, everyone


def score_of(distance: int) -> int:
    """Convert a number of `bitbully` to a score. The number is 100 minus the discs to the end, negative for a loss, 0
    for a draw."""
    if distance == 0:
        return 0
    last_disc = 12 + 100 - abs(distance)
    score = (Variant().cells + 2 - last_disc) // 2
    return score if distance > 0 else -score
