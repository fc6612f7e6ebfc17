"""The discs of a board, column by column, as a value that never changes.

A column is one integer: bit r is the disc in row r, 1 for the second player, and a 1 stands above the top disc.

    row 2   .  ─►  1
    row 1   o  ─►   1     0b110: first's disc, second's above it, and the bit that says how high the column is
    row 0   x  ─►    0

Columns hang in a tree of tuples with 32 branches. A drop copies one tuple per level: one on a board of up to 32
columns, two up to 1024, six on a board a thousand million wide. An untouched branch is None: memory follows the
discs, not the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

BRANCH_BITS = 5
BRANCH_COUNT = 1 << BRANCH_BITS
BRANCH_MASK = BRANCH_COUNT - 1
EMPTY_COLUMN = 1
BIT_LETTERS = str.maketrans("01", "xo")

# A leaf's children are columns, any other node's are nodes; the shift says which.
Node: TypeAlias = tuple[Any, ...] | None


def top_shift(width: int) -> int:
    """The bits of a column's number below the root's own; 0 where the root is a leaf."""
    return (max(width - 1, 1).bit_length() - 1) // BRANCH_BITS * BRANCH_BITS


def get(node: Node, shift: int, column: int) -> int:
    """The discs of a column."""
    while shift and node:
        node = node[column >> shift & BRANCH_MASK]
        shift -= BRANCH_BITS
    return node[column & BRANCH_MASK] if node else EMPTY_COLUMN


def replace(node: Node, shift: int, column: int, discs: int) -> Node:
    """The same columns but one."""
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


def letters(discs: int) -> str:
    """The discs of a column from the bottom up: x the first player's, o the second's."""
    return SHORT_COLUMN_LETTERS[discs] if discs < len(SHORT_COLUMN_LETTERS) else _letters(discs)


def _letters(discs: int) -> str:
    return f"{discs:b}"[:0:-1].translate(BIT_LETTERS)


SHORT_COLUMN_LETTERS = [_letters(discs) for discs in range(1 << 7)]  # of up to six discs: the most common columns


def occupied(node: Node, shift: int) -> Iterator[tuple[int, int]]:
    """The columns that hold discs, from the left, each with its discs."""
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
