"""The discs of a board as a value that never changes, column by column.

A column is one integer. Bit r is the disc in row r: 0 for the first player's disc, 1 for the second player's. One more
1 bit stands above the top disc, so the integer also tells the column's height.

    row 2   .  ─►  1
    row 1   o  ─►   1     0b110: first's disc, second's above it, and the bit that says how high the column is
    row 0   x  ─►    0

The columns are stored in a tree of tuples with 32 branches each. A drop copies one tuple for each level of the tree:
one on a board of up to 32 columns, two up to 1024 columns, and six on a thousand million columns. A branch without
discs is None, so the memory depends on the number of discs and not on the size of the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

BRANCH_BITS = 5
BRANCH_COUNT = 1 << BRANCH_BITS
BRANCH_MASK = BRANCH_COUNT - 1
EMPTY_COLUMN = 1
BIT_LETTERS = str.maketrans("01", "xo")

# The children of a leaf, where the shift is 0, are columns; the children of any other node are nodes.
Node: TypeAlias = tuple[Any, ...] | None


def root_shift(width: int) -> int:
    """The number of bits to shift a column's number to the right, to get its branch index at the root; 0 if the root is
    a leaf."""
    return (max(width - 1, 1).bit_length() - 1) // BRANCH_BITS * BRANCH_BITS


def column_at(node: Node, shift: int, column: int) -> int:
    """The discs of a column, as an integer."""
    while shift and node:
        node = node[column >> shift & BRANCH_MASK]
        shift -= BRANCH_BITS
    return node[column & BRANCH_MASK] if node else EMPTY_COLUMN


def with_column(node: Node, shift: int, column: int, discs: int) -> Node:
    """A copy of the tree with one column changed."""
    above = []  # not recursive: a board of 10**5000 columns is a few thousand levels deep
    while shift:
        above.append(node)
        node = node[column >> shift & BRANCH_MASK] if node else None
        shift -= BRANCH_BITS
    node = _with_child(node or (EMPTY_COLUMN,) * BRANCH_COUNT, column & BRANCH_MASK, discs)
    while above:
        shift += BRANCH_BITS
        node = _with_child(above.pop() or (None,) * BRANCH_COUNT, column >> shift & BRANCH_MASK, node)
    return node


def _with_child(node: tuple[Any, ...], branch: int, child: Any) -> Node:
    children = list(node)
    children[branch] = child
    return tuple(children)


def column_letters(discs: int) -> str:
    """The discs of a column from the bottom up: x for the first player's, o for the second's."""
    return SHORT_COLUMN_LETTERS[discs] if discs < len(SHORT_COLUMN_LETTERS) else _letters(discs)


def _letters(discs: int) -> str:
    return f"{discs:b}"[:0:-1].translate(BIT_LETTERS)


SHORT_COLUMN_LETTERS = [_letters(discs) for discs in range(1 << 7)]  # of up to six discs: the most common columns


def occupied_columns(node: Node, shift: int) -> Iterator[tuple[int, int]]:
    """Yields the number and the discs of each column that is not empty, from left to right."""
    waiting = [(node, shift, 0)]
    while waiting:
        node, level, first = waiting.pop()
        if level:
            below = level - BRANCH_BITS
            branches = [(child, below, first + (i << level)) for i, child in enumerate(node or ()) if child]
            waiting += reversed(branches)
        else:
            yield from ((first + i, discs) for i, discs in enumerate(node or ()) if discs != EMPTY_COLUMN)


def height_of(discs: int) -> int:
    return discs.bit_length() - 1
