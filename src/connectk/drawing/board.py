"""Draws a board as shapes: the frame with its holes, the discs, the winning line and the column numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot

from connectk.drawing import measures
from connectk.drawing.shapes import Circle, Holes, Picture, Point, Polygon, Rect, Shape, Stroke, Text
from connectk.notation.window import Window, window_of
from connectk.rules.outcome import Side
from connectk.rules.position import Position
from connectk.rules.variant import Cell, Variant
from connectk.texts import load_texts

MAX_PICTURE_CELLS = 10_000  # only the part around the last disc of a larger board is drawn


@dataclass(frozen=True, slots=True)
class HighlightRing:
    """A ring that highlights a cell."""

    cell: Cell
    colour: str


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """The place of a board in a picture. `cell` is the width of a cell."""

    window: Window
    left: float = 0
    top: float = 0
    cell: float = measures.CELL_SIZE

    @classmethod
    def fitted(cls, variant: Variant, left: float, top: float, size: float) -> BoardLayout:
        """The layout of a whole board. Its frame is as large as fits into a square, and the column numbers are below
        the square."""
        cells = max(variant.width, variant.height) + 2 * measures.FRAME_MARGIN / measures.CELL_SIZE
        return cls(Window(0, variant.width, 0, variant.height), left, top, size / cells)

    @property
    def unit(self) -> float:
        return self.cell / measures.CELL_SIZE

    @property
    def width(self) -> float:
        return len(self.window.columns) * self.cell + 2 * measures.FRAME_MARGIN * self.unit

    @property
    def frame_height(self) -> float:
        return len(self.window.rows) * self.cell + 2 * measures.FRAME_MARGIN * self.unit

    @property
    def letter(self) -> float:
        return (
            measures.WIDE_BOARD_NUMBER_HEIGHT
            if len(self.window.columns) > measures.WIDE_BOARD_COLUMNS
            else measures.COLUMN_NUMBER_HEIGHT
        ) * self.unit

    @property
    def height(self) -> float:
        """The height, including the column numbers."""
        return self.frame_height + 1.5 * self.letter

    def middle(self, cell: Cell) -> Point:
        margin = measures.FRAME_MARGIN * self.unit
        x = self.left + margin + (cell.column - self.window.left + 0.5) * self.cell
        return x, self.top + margin + (self.window.top - cell.row - 0.5) * self.cell

    def shows(self, cell: Cell) -> bool:
        return cell.column in self.window.columns and cell.row in self.window.rows

    def shapes(self, position: Position, rings: Iterable[HighlightRing] = (), end: bool = True) -> Iterator[Shape]:
        """The shapes of the whole board. If `end` is true, they include the winning line."""
        yield from self.frame()
        yield from self._discs(position)
        yield from self.hole_edges()
        if end:
            yield from self._winning_lines(position)
        for ring in rings:
            yield self._circle(ring.cell, measures.DISC_RADIUS, ring.colour, measures.WIN_RING_WIDTH)
        yield from self._numbers()

    def frame(self) -> Iterator[Shape]:
        """The shapes of the frame: its lower side, the light on its upper edge, and the holes."""
        unit, height = self.unit, self.frame_height
        yield from (
            Rect(
                self.left,
                self.top + top * unit,
                self.width,
                height - shorter * unit,
                colour,
                measures.FRAME_CORNER_RADIUS * unit,
            )
            for top, shorter, colour in (
                (measures.SHADE_HEIGHT, 0, "frame-edge"),
                (0, 0, "frame-glint"),
                (measures.GLINT_HEIGHT, measures.GLINT_HEIGHT, "frame-face"),
            )
        )
        yield self._holes("hole-face")

    def hole_edges(self) -> Iterator[Shape]:
        """The inner edges of the holes, drawn over the discs: light at the bottom and shaded at the top."""
        yield self._holes("frame-glint", -measures.GLINT_HEIGHT)
        yield self._holes("frame-edge", measures.SHADE_HEIGHT)

    def _holes(self, colour: str, shift: float = 0) -> Holes:
        unit, columns, rows = self.unit, len(self.window.columns), len(self.window.rows)
        left, top = self.left + measures.FRAME_MARGIN * unit, self.top + measures.FRAME_MARGIN * unit
        return Holes(left, top, columns, rows, self.cell, measures.DISC_RADIUS * unit, colour, shift * unit)

    def _circle(self, cell: Cell, radius: float, colour: str, outline: float = 0) -> Circle:
        return Circle(*self.middle(cell), radius * self.unit, colour, outline * self.unit)

    def _discs(self, position: Position) -> Iterator[Shape]:
        for column in self.window.columns:
            for row in range(self.window.bottom, min(self.window.top, position.height_of(column))):
                yield from self.disc(Cell(column, row), position.disc_at(column, row))

    def disc(self, cell: Cell, side: Side | None) -> Iterator[Shape]:
        """The shapes of a disc. The first player's disc has an embossed ring; the second player's disc has a star."""
        yield self._circle(cell, measures.DISC_RADIUS, f"{side}-rim")
        yield self._circle(cell, measures.DISC_RADIUS - measures.DISC_RIM_WIDTH, f"{side}-face")
        yield self._circle(cell, measures.DISC_PLATE_RADIUS, f"{side}-plate")
        mark, edge = (self._ring, "first-light") if side is Side.FIRST else (self._star, "second-rim")
        yield mark(cell, edge, measures.EMBOSS_SHIFT)
        yield mark(cell, "first-ring" if side is Side.FIRST else "second-star", 0)

    def _ring(self, cell: Cell, colour: str, below: float) -> Circle:
        ring = self._circle(cell, measures.RING_RADIUS, colour, measures.RING_WIDTH)
        return replace(ring, y=ring.y + below * self.unit)

    def _star(self, cell: Cell, colour: str, below: float) -> Polygon:
        (x, y), unit = self.middle(cell), self.unit
        corners = tuple((unit * right, unit * down) for right, down in measures.STAR_POINTS)
        return Polygon(x, y + below * unit, corners, colour, measures.STAR_EDGE_WIDTH * unit)

    def tags(self, numbers: Mapping[Cell, int]) -> Iterator[Shape]:
        """The shapes of the numbers on discs. The numbers show the order of the drops."""
        for cell, number in numbers.items():
            x, y = self.middle(cell)
            size = measures.DISC_NUMBER_HEIGHT * self.unit
            yield self._circle(cell, measures.DISC_NUMBER_RADIUS, "paper")
            yield Text(x, y + 0.36 * size, str(number), size, "ink", bold=True, anchor="middle")

    def _winning_lines(self, position: Position) -> Iterator[Shape]:
        for line in position.winning_lines:
            yield from (self._link(one, next_one) for one, next_one in pairwise(line))
        yield from (
            self._circle(cell, measures.DISC_RADIUS, "won", measures.WIN_RING_WIDTH) for cell in position.winning_cells
        )

    def _link(self, one: Cell, other: Cell) -> Stroke:
        (x, y), (to_x, to_y) = self.middle(one), self.middle(other)
        start = measures.WIN_LINK_START * self.unit / hypot(to_x - x, to_y - y)
        right, down = start * (to_x - x), start * (to_y - y)
        return Stroke(((x + right, y + down), (to_x - right, to_y - down)), "won", measures.WIN_LINK_WIDTH * self.unit)

    def _numbers(self) -> Iterator[Shape]:
        columns = self.window.columns
        every = 1 if len(columns) <= measures.MAX_NUMBERED_COLUMNS and self.window.right < 10_000 else 10
        y = self.top + self.frame_height + 1.2 * self.letter
        for column in columns:
            if (column + 1) % every == 0:
                x, _ = self.middle(Cell(column, self.window.bottom))
                yield Text(x, y, str(column + 1), self.letter, "quiet", anchor="middle")


def board_of(position: Position) -> BoardLayout:
    """The layout in which the board fills the picture."""
    return BoardLayout(window_of(position, MAX_PICTURE_CELLS))


def picture_of(
    position: Position, board: BoardLayout | None = None, *, paper: bool = False, end: bool = True
) -> Picture:
    """A picture of the board alone. If `paper` is true, it has an opaque background."""
    board = board or board_of(position)
    behind = [Rect(0, 0, board.width, board.height, "paper")] if paper else []
    return Picture(board.width, board.height, title_of(position), (*behind, *board.shapes(position, end=end)))


def title_of(position: Position) -> str:
    """A title such as '7x6x4, 7 discs, the first player won'."""
    texts = load_texts("en")
    state = position.outcome or texts(f"drawn.{position.side_to_move}_to_move")
    return f"{position.variant}, {texts('count.discs', count=position.ply)}, {state}"
