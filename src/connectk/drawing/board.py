"""A board as shapes: the frame and its holes, discs told apart by shape and colour, the winning line, the numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from connectk.drawing import measures as m
from connectk.drawing.shapes import Circle, Holes, Picture, Point, Rect, Shape, Stroke, Text
from connectk.notation.window import Window, window_of
from connectk.rules.outcome import Side
from connectk.rules.position import Position
from connectk.rules.variant import Cell, Variant
from connectk.texts import load_texts

MAX_PICTURE_CELLS = 10_000  # cells; of a larger board the part around the last disc is drawn


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring around a cell, to point at it."""

    cell: Cell
    colour: str


@dataclass(frozen=True, slots=True)
class Board:
    """The layout of a board in a picture; `cell` is the width of a cell."""

    window: Window
    left: float = 0
    top: float = 0
    cell: float = m.CELL

    @classmethod
    def fitted(cls, variant: Variant, left: float, top: float, size: float) -> Board:
        """All of a board with its frame as large as fits a square; its numbers stand beneath."""
        cells = max(variant.width, variant.height) + 2 * m.MARGIN / m.CELL
        return cls(Window(0, variant.width, 0, variant.height), left, top, size / cells)

    @property
    def unit(self) -> float:
        return self.cell / m.CELL

    @property
    def width(self) -> float:
        return len(self.window.columns) * self.cell + 2 * m.MARGIN * self.unit

    @property
    def frame_height(self) -> float:
        return len(self.window.rows) * self.cell + 2 * m.MARGIN * self.unit

    @property
    def letter(self) -> float:
        return (m.LETTER_WIDE if len(self.window.columns) > m.WIDE_BOARD else m.LETTER) * self.unit

    @property
    def height(self) -> float:
        """With the numbers beneath."""
        return self.frame_height + 1.5 * self.letter

    def middle(self, cell: Cell) -> Point:
        margin = m.MARGIN * self.unit
        x = self.left + margin + (cell.column - self.window.left + 0.5) * self.cell
        return x, self.top + margin + (self.window.top - cell.row - 0.5) * self.cell

    def shows(self, cell: Cell) -> bool:
        return cell.column in self.window.columns and cell.row in self.window.rows

    def shapes(self, position: Position, rings: Iterable[Ring] = (), end: bool = True) -> Iterator[Shape]:
        """The whole board; `end` draws the winning line, too."""
        yield from self.frame()
        yield from self._discs(position)
        if end:
            yield from self._winning_lines(position)
        for ring in rings:
            yield self._circle(ring.cell, m.RADIUS, ring.colour, m.WON_WIDTH)
        yield from self._numbers()

    def frame(self) -> Iterator[Shape]:
        unit, columns, rows = self.unit, len(self.window.columns), len(self.window.rows)
        yield Rect(self.left, self.top, self.width, self.frame_height, "frame", m.CORNER * unit)
        margin = m.MARGIN * unit
        yield Holes(self.left + margin, self.top + margin, columns, rows, self.cell, m.RADIUS * unit, "hole")

    def _circle(self, cell: Cell, radius: float, colour: str, outline: float = 0) -> Circle:
        return Circle(*self.middle(cell), radius * self.unit, colour, outline * self.unit)

    def _discs(self, position: Position) -> Iterator[Shape]:
        for column in self.window.columns:
            for row in range(self.window.bottom, min(self.window.top, position.height_of(column))):
                yield from self.disc(Cell(column, row), position.disc_at(column, row))

    def disc(self, cell: Cell, side: Side | None) -> Iterator[Shape]:
        """First: a raised ring. Second: a solid core."""
        yield self._circle(cell, m.RADIUS, f"{side}-rim")
        yield self._circle(cell, m.RADIUS - m.RIM, str(side))
        if side is Side.FIRST:
            yield self._circle(cell, m.RING, "first-ring", m.RING_WIDTH)
        else:
            yield self._circle(cell, m.CORE, "second-core")

    def tags(self, numbers: Mapping[Cell, int]) -> Iterator[Shape]:
        """Numbers on discs, for drops that come one after the other."""
        for cell, number in numbers.items():
            x, y = self.middle(cell)
            size = m.TAG_LETTER * self.unit
            yield self._circle(cell, m.TAG, "paper")
            yield Text(x, y + 0.36 * size, str(number), size, "ink", bold=True, anchor="middle")

    def _winning_lines(self, position: Position) -> Iterator[Shape]:
        ends = [tuple(self.middle(cell) for cell in (line[0], line[-1])) for line in position.winning_lines]
        yield from (Stroke(points, "frame-edge", m.LINE_EDGE * self.unit) for points in ends)
        yield from (self._circle(cell, m.RADIUS, "won", m.WON_WIDTH) for cell in position.winning_cells)
        yield from (Stroke(points, "won", m.WON_WIDTH * self.unit) for points in ends)

    def _numbers(self) -> Iterator[Shape]:
        columns = self.window.columns
        every = 1 if len(columns) <= m.MAX_NUMBERED_COLUMNS and self.window.right < 10_000 else 10
        y = self.top + self.frame_height + 1.2 * self.letter
        for column in columns:
            if (column + 1) % every == 0:
                x, _ = self.middle(Cell(column, self.window.bottom))
                yield Text(x, y, str(column + 1), self.letter, "quiet", anchor="middle")


def board_of(position: Position) -> Board:
    """Where its cells lie when the board is the whole picture."""
    return Board(window_of(position, MAX_PICTURE_CELLS))


def picture_of(position: Position, board: Board | None = None, *, paper: bool = False, end: bool = True) -> Picture:
    """The board alone; `paper` adds an opaque background."""
    board = board or board_of(position)
    behind = [Rect(0, 0, board.width, board.height, "paper")] if paper else []
    return Picture(board.width, board.height, title_of(position), (*behind, *board.shapes(position, end=end)))


def title_of(position: Position) -> str:
    """7x6x4, 7 discs, the first player won"""
    texts = load_texts("en")
    state = position.outcome or texts(f"drawn.{position.side_to_move}_to_move")
    return f"{position.variant}, {texts('count.discs', count=position.ply)}, {state}"
