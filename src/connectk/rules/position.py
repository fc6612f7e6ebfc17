"""A position: one moment of a game, with its legal drops, its wins and its lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from connectk.errors import (
    BothSidesWon,
    ColumnFull,
    ColumnOutOfRange,
    FloatingDisc,
    GameAlreadyOver,
    PlayedAfterWin,
    TooManyDiscs,
    WrongDiscCount,
)
from connectk.rules import column_tree as tree
from connectk.rules.outcome import DRAW, Outcome, Side
from connectk.rules.variant import CLASSIC, Cell, Variant

SIDES = (Side.FIRST, Side.SECOND)
WIN_OUTCOMES = (Outcome(winner=Side.FIRST), Outcome(winner=Side.SECOND))
LINE_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Position:
    """A board and the side to move; `drop` returns a new position and leaves this one unchanged.

    Two positions are equal when the same discs lie on the same board. The order of the drops does not matter.
    """

    __slots__ = ("_hash", "_last", "_outcome", "_ply", "_root", "_shift", "_variant")

    _variant: Variant
    _root: tree.Node  # the discs; see columns.py
    _shift: int
    _ply: int
    _last: Cell | None
    _outcome: Outcome | None
    _hash: int

    def __init__(self, variant: Variant = CLASSIC) -> None:
        self._variant = variant
        self._root = None
        self._shift = tree.root_shift(variant.width)
        self._ply = 0
        self._last = None
        self._outcome = None
        self._hash = hash(variant)

    @classmethod
    def start(cls, variant: Variant = CLASSIC) -> Position:
        """The empty board."""
        return cls(variant)

    @classmethod
    def from_moves(cls, moves: str | Iterable[int], variant: Variant = CLASSIC) -> Position:
        """The position after these drops. The drops are a text such as "4453" (columns from 1), or numbers (columns
        from 0)."""
        from connectk.notation.moves import parse_moves

        position = cls(variant)
        for column in parse_moves(moves, variant) if isinstance(moves, str) else moves:
            position = position.drop(column)
        return position

    @classmethod
    def from_columns(
        cls,
        columns: Sequence[Iterable[Side | None]] | Mapping[int, Iterable[Side | None]],
        variant: Variant = CLASSIC,
        side_to_move: Side | None = None,
    ) -> Position:
        """A board that is set up from columns of discs. Each column lists its discs from the bottom up. Raises an error
        if no game can reach this board."""
        position = cls(variant)
        items = columns.items() if isinstance(columns, Mapping) else enumerate(columns)
        for column, discs in items:
            position._set_up(column, list(discs))
        position._check_counts(side_to_move)
        position._outcome = position._outcome_of_set_up()
        return position

    def _set_up(self, column: int, cells: list[Side | None]) -> None:
        if not 0 <= column < self._variant.width:
            raise ColumnOutOfRange(column, self._variant.width)
        if not all(side is None or isinstance(side, Side) for side in cells):
            raise TypeError(f"a column holds Side.FIRST, Side.SECOND and None, not {cells[0]!r}; letters: parse_start")
        discs = tree.EMPTY_COLUMN
        for row, side in enumerate(_without_empty_top(cells)):
            if side is None:
                raise FloatingDisc(column, _first_disc_above(cells, row))
            discs += 1 + side.value << row
            self._hash ^= hash((column, row, side.value))
        if tree.height_of(discs) > self._variant.height:
            raise TooManyDiscs(column, tree.height_of(discs), self._variant.height)
        if discs != tree.EMPTY_COLUMN:
            self._ply += tree.height_of(discs)
            self._root = tree.with_column(self._root, self._shift, column, discs)

    def _check_counts(self, side_to_move: Side | None) -> None:
        second = sum(side is Side.SECOND for _, side in self.discs())
        first = self._ply - second
        if first - second not in (0, 1) or side_to_move not in (None, self.side_to_move):
            raise WrongDiscCount(first, second, side_to_move)

    def _outcome_of_set_up(self) -> Outcome | None:
        winners = {side for cell, side in self.discs() if self._wins_at(*cell, side.value)}
        if len(winners) == 2:
            raise BothSidesWon
        if self.side_to_move in winners:
            raise PlayedAfterWin(self.side_to_move)
        return WIN_OUTCOMES[winners.pop().value] if winners else self._draw_if_full()

    @property
    def variant(self) -> Variant:
        return self._variant

    @property
    def ply(self) -> int:
        """The number of discs on the board."""
        return self._ply

    @property
    def side_to_move(self) -> Side:
        return SIDES[self._ply & 1]

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game; None while it is open."""
        return self._outcome

    @property
    def last_drop(self) -> Cell | None:
        """The cell of the last disc; None in a starting position."""
        return self._last

    @property
    def legal_columns(self) -> tuple[int, ...]:
        """The columns where a disc can be dropped; empty once the game is over. On a very wide board, use
        `can_drop`."""
        if self._outcome is not None:
            return ()
        height = self._variant.height
        return tuple(column for column, discs in enumerate(self.column_codes()) if discs.bit_length() <= height)

    def can_drop(self, column: int) -> bool:
        """Whether a disc can be dropped into this column now."""
        inside = self._outcome is None and 0 <= column < self._variant.width
        return inside and tree.column_at(self._root, self._shift, column).bit_length() <= self._variant.height

    def height_of(self, column: int) -> int:
        """The number of discs in a column."""
        return tree.height_of(tree.column_at(self._root, self._shift, column))

    def disc_at(self, column: int, row: int) -> Side | None:
        """The owner of the disc in a cell; None if the cell is empty."""
        discs = tree.column_at(self._root, self._shift, column)
        return SIDES[discs >> row & 1] if 0 <= row < tree.height_of(discs) else None

    def letters(self, column: int) -> str:
        """The discs of a column from the bottom up, as in "xxo"."""
        return tree.column_letters(tree.column_at(self._root, self._shift, column))

    def discs(self) -> Iterator[tuple[Cell, Side]]:
        """Every disc as a pair of its cell and its side. The discs come column by column from the left, and from the
        bottom up in each column."""
        for column, discs in tree.occupied_columns(self._root, self._shift):
            for row in range(tree.height_of(discs)):
                yield Cell(column, row), SIDES[discs >> row & 1]

    def column_codes(self) -> tuple[int, ...]:
        """Each column as a number. Bit r is the disc in row r: 0 for the first player's, 1 for the second player's. One
        more 1 bit stands above the top disc.
        """
        width = self._variant.width
        if self._shift == 0:
            return self._root[:width] if self._root else (tree.EMPTY_COLUMN,) * width
        return tuple(tree.column_at(self._root, self._shift, column) for column in range(width))

    def drop(self, column: int) -> Position:
        """Return the position after the side to move has dropped a disc into this column."""
        variant = self._variant
        if not 0 <= column < variant.width:
            raise ColumnOutOfRange(column, variant.width)
        discs = tree.column_at(self._root, self._shift, column)
        row = tree.height_of(discs)
        if self._outcome is not None:
            raise GameAlreadyOver(self._outcome)
        if row == variant.height:
            raise ColumnFull(column)
        side = self._ply & 1
        after = Position.__new__(Position)
        after._variant = variant
        after._root = tree.with_column(self._root, self._shift, column, discs + (1 + side << row))
        after._shift = self._shift
        after._ply = self._ply + 1
        after._last = Cell(column, row)
        after._hash = self._hash ^ hash((column, row, side))
        after._outcome = WIN_OUTCOMES[side] if after._wins_at(column, row, side) else after._draw_if_full()
        return after

    def wins(self, column: int, side: Side | None = None) -> bool:
        """Whether a drop into this column completes a line of `side`, by default the side to move."""
        owner = self.side_to_move if side is None else side
        return self.can_drop(column) and self._wins_at(column, self.height_of(column), owner.value)

    def _draw_if_full(self) -> Outcome | None:
        return DRAW if self._ply == self._variant.cells else None

    def _wins_at(self, column: int, row: int, side: int) -> bool:
        """Whether a disc of this side in this cell would complete a run that is long enough to win."""
        more, reach = self._variant.run - 1, self._reach
        for dc, dr in LINE_DIRECTIONS:
            if reach(column, row, dc, dr, side) + reach(column, row, -dc, -dr, side) >= more:
                return True
        return False

    def _reach(self, column: int, row: int, dc: int, dr: int, side: int) -> int:
        """The number of this side's discs that continue without a gap from a cell in one direction, not counting the
        cell itself."""
        root, shift, width = self._root, self._shift, self._variant.width
        steps = 0
        while 0 <= (column := column + dc) < width and (row := row + dr) >= 0:
            discs = tree.column_at(root, shift, column) if shift or not root else root[column]
            above = discs >> row
            if above <= 1 or above & 1 != side:
                break
            steps += 1
        return steps

    @property
    def winning_cells(self) -> tuple[Cell, ...]:
        """The cells of all lines that the last disc completed; empty if nobody has won."""
        return tuple(sorted({cell for line in self.winning_lines for cell in line}))

    @property
    def winning_lines(self) -> tuple[tuple[Cell, ...], ...]:
        """The lines that the last disc completed. Each line has all its cells, from one end to the other."""
        if self._outcome is None or self._outcome.winner is None:
            return ()
        winner = self._outcome.winner
        ends = [self._last] if self._last else [cell for cell, side in self.discs() if side is winner]
        return tuple(sorted({line for end in ends for line in self.lines_through(end, winner)}))

    def lines_through(self, cell: Cell, side: Side) -> Iterator[tuple[Cell, ...]]:
        """The lines that a disc of this side in this cell completes."""
        for dc, dr in LINE_DIRECTIONS:
            back = self._reach(*cell, -dc, -dr, side.value)
            ahead = self._reach(*cell, dc, dr, side.value)
            if back + 1 + ahead >= self._variant.run:
                yield tuple(Cell(cell.column + i * dc, cell.row + i * dr) for i in range(-back, ahead + 1))

    def mirrored(self) -> Position:
        """The mirror image of the position, in which left and right are swapped."""
        right = self._variant.width - 1
        flipped: dict[int, list[Side]] = {}
        for cell, side in self.discs():
            flipped.setdefault(right - cell.column, []).append(side)
        mirror = Position.from_columns(flipped, self._variant)
        mirror._last = self._last and Cell(right - self._last.column, self._last.row)
        return mirror

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._hash == other._hash and self._variant == other._variant and self._root == other._root

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"<Position {self._variant} after {self._ply} discs>"

    def __str__(self) -> str:
        from connectk.notation.diagram import draw_diagram

        return draw_diagram(self)

    def _repr_svg_(self) -> str:
        from connectk.drawing import NOTEBOOK_PIXELS, draw_svg

        return draw_svg(self, NOTEBOOK_PIXELS)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """In a notebook, a board to play on if the extra `connectk[notebook]` is installed, otherwise the picture."""
        from connectk.notebook.display import bundle_of

        return bundle_of(self)


def _without_empty_top(cells: list[Side | None]) -> list[Side | None]:
    top = len(cells)
    while top and cells[top - 1] is None:
        top -= 1
    return cells[:top]


def _first_disc_above(cells: list[Side | None], row: int) -> int:
    return next(above for above in range(row, len(cells)) if cells[above] is not None)
