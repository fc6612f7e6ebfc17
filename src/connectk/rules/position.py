"""One moment of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

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
from connectk.rules import columns as tree
from connectk.rules.outcome import DRAW, Outcome, Side
from connectk.rules.variant import CLASSIC, Cell, Variant

SIDES = (Side.FIRST, Side.SECOND)
WINS = (Outcome(winner=Side.FIRST), Outcome(winner=Side.SECOND))
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Position:
    """A board and whose turn it is; `drop` gives a new position and leaves this one as it is.

    Two positions are equal when the same discs lie on the same board, whatever the order they came in.
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
        self._shift = tree.top_shift(variant.width)
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
        """The position after these drops: text as in "4453" (columns from 1), or numbers from 0."""
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
        """A board set up by hand, each column from the bottom up, checked to be one that a game could show."""
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
            self._root = tree.replace(self._root, self._shift, column, discs)

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
        return WINS[winners.pop().value] if winners else self._draw_if_full()

    @property
    def variant(self) -> Variant:
        return self._variant

    @property
    def ply(self) -> int:
        """How many discs lie on the board."""
        return self._ply

    @property
    def side_to_move(self) -> Side:
        return SIDES[self._ply & 1]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is open."""
        return self._outcome

    @property
    def last_drop(self) -> Cell | None:
        """Where the last disc fell; None at a start."""
        return self._last

    @property
    def legal_columns(self) -> tuple[int, ...]:
        """The columns that take a disc; none once the game is over. (On a very wide board, ask `can_drop`.)"""
        if self._outcome is not None:
            return ()
        height = self._variant.height
        return tuple(column for column, discs in enumerate(self.column_codes()) if discs.bit_length() <= height)

    def can_drop(self, column: int) -> bool:
        """Whether a disc may be dropped there now."""
        inside = self._outcome is None and 0 <= column < self._variant.width
        return inside and tree.get(self._root, self._shift, column).bit_length() <= self._variant.height

    def height_of(self, column: int) -> int:
        """How many discs lie in a column."""
        return tree.height_of(tree.get(self._root, self._shift, column))

    def disc_at(self, column: int, row: int) -> Side | None:
        """Whose disc lies in a cell; None where it is empty."""
        discs = tree.get(self._root, self._shift, column)
        return SIDES[discs >> row & 1] if 0 <= row < tree.height_of(discs) else None

    def letters(self, column: int) -> str:
        """The discs of a column from the bottom up, as in "xxo"."""
        return tree.letters(tree.get(self._root, self._shift, column))

    def discs(self) -> Iterator[tuple[Cell, Side]]:
        """Every disc with its cell, up each column, columns from the left."""
        for column, discs in tree.occupied(self._root, self._shift):
            for row in range(tree.height_of(discs)):
                yield Cell(column, row), SIDES[discs >> row & 1]

    def column_codes(self) -> tuple[int, ...]:
        """Each column as one number: bit r is the disc in row r, 1 for second's, under a 1 above the top disc."""
        width = self._variant.width
        if self._shift == 0:
            return self._root[:width] if self._root else (tree.EMPTY_COLUMN,) * width
        return tuple(tree.get(self._root, self._shift, column) for column in range(width))

    def drop(self, column: int) -> Position:
        """The position after the side to move drops a disc into this column."""
        variant = self._variant
        if not 0 <= column < variant.width:
            raise ColumnOutOfRange(column, variant.width)
        discs = tree.get(self._root, self._shift, column)
        row = tree.height_of(discs)
        if self._outcome is not None:
            raise GameAlreadyOver(self._outcome)
        if row == variant.height:
            raise ColumnFull(column)
        side = self._ply & 1
        after = Position.__new__(Position)
        after._variant = variant
        after._root = tree.replace(self._root, self._shift, column, discs + (1 + side << row))
        after._shift = self._shift
        after._ply = self._ply + 1
        after._last = Cell(column, row)
        after._hash = self._hash ^ hash((column, row, side))
        after._outcome = WINS[side] if after._wins_at(column, row, side) else after._draw_if_full()
        return after

    def wins(self, column: int, side: Side | None = None) -> bool:
        """Whether a disc dropped there completes a line of the side to move, or of the side that is named."""
        owner = self.side_to_move if side is None else side
        return self.can_drop(column) and self._wins_at(column, self.height_of(column), owner.value)

    def _draw_if_full(self) -> Outcome | None:
        return DRAW if self._ply == self._variant.cells else None

    def _wins_at(self, column: int, row: int, side: int) -> bool:
        """Whether a straight run through this side's disc is long enough."""
        more, reach = self._variant.run - 1, self._reach
        for dc, dr in DIRECTIONS:
            if reach(column, row, dc, dr, side) + reach(column, row, -dc, -dr, side) >= more:
                return True
        return False

    def _reach(self, column: int, row: int, dc: int, dr: int, side: int) -> int:
        """How many more discs of this side follow in one direction."""
        root, shift, width = self._root, self._shift, self._variant.width
        steps = 0
        while 0 <= (column := column + dc) < width and (row := row + dr) >= 0:
            discs = tree.get(root, shift, column) if shift or not root else root[column]
            above = discs >> row
            if above <= 1 or above & 1 != side:
                break
            steps += 1
        return steps

    @property
    def winning_cells(self) -> tuple[Cell, ...]:
        """Every cell of every line that the last disc completed, up each column; empty without a win."""
        return tuple(sorted({cell for line in self.winning_lines for cell in line}))

    @property
    def winning_lines(self) -> tuple[tuple[Cell, ...], ...]:
        """The lines that the last disc completed, each from end to end."""
        if self._outcome is None or self._outcome.winner is None:
            return ()
        winner = self._outcome.winner
        ends = [self._last] if self._last else [cell for cell, side in self.discs() if side is winner]
        return tuple(sorted({line for end in ends for line in self.lines_through(end, winner)}))

    def lines_through(self, cell: Cell, side: Side) -> Iterator[tuple[Cell, ...]]:
        """The lines that a disc of this side makes, or would make, in this cell, each from end to end."""
        for dc, dr in DIRECTIONS:
            back = self._reach(*cell, -dc, -dr, side.value)
            ahead = self._reach(*cell, dc, dr, side.value)
            if back + 1 + ahead >= self._variant.run:
                yield tuple(Cell(cell.column + i * dc, cell.row + i * dr) for i in range(-back, ahead + 1))

    def mirrored(self) -> Position:
        """The same position seen in a mirror: the left column becomes the right one."""
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


def _without_empty_top(cells: list[Side | None]) -> list[Side | None]:
    top = len(cells)
    while top and cells[top - 1] is None:
        top -= 1
    return cells[:top]


def _first_disc_above(cells: list[Side | None], row: int) -> int:
    return next(above for above in range(row, len(cells)) if cells[above] is not None)
