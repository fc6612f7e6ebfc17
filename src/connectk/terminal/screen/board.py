"""The board on the screen: as large as fits, scrolled past that, with a disc hovering over it."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer

from connectk.rules import Cell, Position, Side
from connectk.terminal.screen.falling import height_above, lasts
from connectk.terminal.screen.geometry import LARGEST_CELL, Geometry
from connectk.terminal.screen.painting import Painter, Pen, Scene

FRAMES_A_SECOND = 30


class BoardView(ScrollView):
    """Shows a position. It decides nothing: a click or a pointer only says which column it meant."""

    class Picked(Message):
        """A column was clicked."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    class Pointed(Message):
        """The pointer moved over a column."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    def __init__(self, position: Position, pen: Pen, motion: bool = True) -> None:
        super().__init__()
        self.pen, self.motion = pen, motion
        self._scene = Scene(position)
        self._geometry = Geometry(position.variant, 1)
        self._falls: dict[Cell, float] = {}  # each disc that still falls, and when it was let go
        self._clockwork: Timer | None = None

    @property
    def position(self) -> Position:
        return self._scene.position

    def show(self, position: Position, *, dropped: bool = False) -> None:
        """A new position; where a disc was dropped to make it, that disc falls."""
        resized = position.variant != self.position.variant
        self._scene = replace(self._scene, position=position)
        self._falls = {cell: at for cell, at in self._falls.items() if position.disc_at(*cell)}
        if dropped and self.motion and position.last_drop:
            self._let_fall(position.last_drop)
        if resized:
            self._fit()
        self._redraw()
        if position.last_drop:
            self._reveal(position.last_drop)

    def hover(self, column: int | None, side: Side | None) -> None:
        """Show a disc of this side over a column, and where it would land."""
        if (column, side) != (self._scene.hover, self._scene.hover_side):
            self._scene = replace(self._scene, hover=column, hover_side=side)
            self.refresh()

    def reveal_column(self, column: int) -> None:
        """Scroll so that the landing cell of a column is seen."""
        row = min(self.position.height_of(column), self.position.variant.height - 1)
        self._reveal(Cell(column, row))

    def mark(self, best: tuple[int, ...]) -> None:
        self._scene = replace(self._scene, best=frozenset(best))
        self.refresh()

    def _reveal(self, cell: Cell) -> None:
        region = self._geometry.region_of(cell).grow((0, 0, 1, 0))  # and what the numbers at the foot would cover
        self.scroll_to_region(region, animate=False, force=True)

    def _let_fall(self, cell: Cell) -> None:
        self._falls[cell] = monotonic()
        if self._clockwork is None:
            self._clockwork = self.set_interval(1 / FRAMES_A_SECOND, self._redraw)

    def _redraw(self) -> None:
        now, top = monotonic(), self.position.variant.height
        self._falls = {cell: at for cell, at in self._falls.items() if now - at < lasts(top - cell.row)}
        falling = {cell: height_above(top - cell.row, now - at) for cell, at in self._falls.items()}
        self._scene = replace(self._scene, falling=falling)
        if not falling and self._clockwork is not None:
            self._clockwork.stop()
            self._clockwork = None
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        self._fit()

    def _fit(self) -> None:
        largest = 1 if self.pen.ascii_only else LARGEST_CELL
        area = self.content_size
        self._geometry = Geometry.fitting(self.position.variant, area.width, area.height, largest)
        self.virtual_size = Size(self._geometry.width, self._geometry.height)
        self.refresh()
        if self._scene.hover is not None:
            self.call_after_refresh(self.reveal_column, self._scene.hover)

    def render_line(self, y: int) -> Strip:
        geometry = self._geometry
        line = self._line_at(y)
        if not 0 <= line < geometry.height:
            return Strip.blank(self._view.width, self.rich_style)
        left = self.scroll_offset.x
        first = max(0, (left - 1) // geometry.cell_width)
        last = min(geometry.variant.width, (left + self._view.width) // geometry.cell_width + 1)
        segments = Painter(self._scene, geometry, self.pen).line(line, range(first, last))
        skipped = left - first * geometry.cell_width
        strip = Strip(segments).crop(max(0, skipped), max(0, skipped) + self._view.width)
        blank = Strip.blank(self._margin_left, self.rich_style)
        return Strip.join([blank, strip]).adjust_cell_length(self._view.width, self.rich_style)

    def _line_at(self, y: int) -> int:
        """The board's line on line y of the widget; on a board that is scrolled the numbers stay at the foot."""
        is_foot = y == self._view.height - 1 and self._geometry.height > self._view.height
        return self._geometry.height - 1 if is_foot else y + self.scroll_offset.y - self._margin_top

    @property
    def _view(self) -> Size:
        """What is seen of the board, without the scrollbars."""
        return self.scrollable_content_region.size

    @property
    def _margin_left(self) -> int:
        return max(0, (self._view.width - self._geometry.width) // 2)

    @property
    def _margin_top(self) -> int:
        return max(0, (self._view.height - self._geometry.height) // 2)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        column = self._column_at(event)
        if column is not None:
            self.post_message(self.Pointed(column))

    def on_click(self, event: events.Click) -> None:
        column = self._column_at(event)
        if column is not None:
            self.post_message(self.Picked(column))

    def _column_at(self, event: events.MouseEvent) -> int | None:
        return self._geometry.column_at(event.x + self.scroll_offset.x - self._margin_left)
