"""The board on the screen. Its cells are as large as possible. If the board is larger than the screen, it scrolls, and
only the visible part is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from time import monotonic
from types import MappingProxyType

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer

from connectk.rules import Cell, Position, Side
from connectk.terminal.screen.cells import (
    MAX_CELL_LINES,
    NO_LINES,
    CellLook,
    Direction,
    Geometry,
    draw_cell,
    draw_cell_without_colour,
    fall_seconds,
    height_above,
)
from connectk.terminal.screen.colours import Ink, Palette
from connectk.texts.signs import ASCII_SIGNS


@dataclass(frozen=True, eq=False)
class Pen:
    """Draws cells with a palette. Without a palette it uses no colours. With `ascii_only` it uses only ASCII
    characters."""

    palette: Palette | None
    quiet: str = ""
    good: str = ""
    ascii_only: bool = False
    _cells: dict[tuple[CellLook, int], list[list[Segment]]] = field(default_factory=dict)

    def cell(self, look: CellLook, geometry: Geometry) -> list[list[Segment]]:
        """The lines of text that draw a cell. They are cached, because a board has few different cells."""
        key = look, geometry.cell_height
        if key not in self._cells:
            self._cells[key] = list(self._draw(look, geometry))
        return self._cells[key]

    def _draw(self, look: CellLook, geometry: Geometry) -> Iterator[list[Segment]]:
        if self.palette is None:
            style = Style(reverse=bool(look.lines))
            for text in draw_cell_without_colour(look, geometry.cell_height):
                yield [Segment(self.text(text).ljust(geometry.cell_width), style)]
            return
        for runs in draw_cell(look, geometry.cell_height):
            missing = geometry.cell_width - sum(len(text) for text, _, _ in runs)
            line = [self.segment(text, front, behind) for text, front, behind in runs]
            yield [*line, self.segment(" " * missing, runs[-1][2], runs[-1][2])] if missing else line

    def segment(self, text: str, front: Ink, behind: Ink) -> Segment:
        """A piece of text with its colours. Spaces get only a background colour, so that less data is sent to the
        terminal."""
        return Segment(self.text(text), self._style(front, behind, is_blank=text.isspace()))

    def text(self, text: str) -> str:
        return text.translate(ASCII_SIGNS) if self.ascii_only else text

    def _style(self, front: Ink, behind: Ink, is_blank: bool) -> Style:
        if self.palette is None:
            return Style.null()
        return _style(None if is_blank else self.palette[front], self.palette[behind])


@lru_cache(maxsize=256)
def _style(front: str | None, behind: str) -> Style:
    return Style(color=front, bgcolor=behind)


@dataclass(frozen=True)
class Scene:
    """The content of the board at one moment. For each falling disc, `falling` has the number of rows that it is above
    its cell."""

    position: Position
    hover: int | None = None
    hover_side: Side | None = None
    falling: Mapping[Cell, float] = field(default_factory=dict)
    best: frozenset[int] = frozenset()
    estimated: int | None = None
    numbers: Mapping[Cell, int | str] = field(default_factory=dict)  # one character each
    _looks: dict[Cell, CellLook] = field(default_factory=dict, init=False)

    @cached_property
    def lines_at(self) -> Mapping[Cell, frozenset[Direction]]:
        """For each cell on a winning line, the directions of the lines through it."""
        found: dict[Cell, frozenset[Direction]] = {}
        for line in self.position.winning_lines:
            direction = _direction(line)
            for cell in line:
                found[cell] = found.get(cell, NO_LINES) | {direction}
        return found

    def cell_look(self, cell: Cell, steps: int) -> CellLook:
        """The content of a cell. The height of a falling disc is rounded to 1/`steps` of a cell, so that there are few
        different pictures."""
        if cell not in self._looks:
            self._looks[cell] = self._find_look(cell, steps)
        return self._looks[cell]

    def _find_look(self, cell: Cell, steps: int) -> CellLook:
        frame = cell.row < self.position.variant.height
        for place, above in self.falling.items():
            fall = above - (cell.row - place.row)
            if place.column == cell.column and abs(fall) < 1:
                return CellLook(self.position.disc_at(*place), fall=round(fall * steps) / steps, frame=frame)
        if not frame:
            return CellLook(self.hover_side if cell.column == self.hover else None, frame=False)
        return self._resting_look(cell)

    def _resting_look(self, cell: Cell) -> CellLook:
        disc = self.position.disc_at(*cell)
        if cell in self.falling:
            return CellLook()
        if disc is None and cell == self._landing:
            return CellLook(self.hover_side, ghost=True)
        lines = self.lines_at.get(cell, NO_LINES)
        if cell in self.numbers:
            return CellLook(disc, lines=lines, number=str(self.numbers[cell]))
        return CellLook(disc, lines=lines, last=cell == self.position.last_drop and not lines)

    @property
    def marked_columns(self) -> tuple[object, ...]:
        """Everything that the line with the column numbers shows. The line is drawn again when any of this changes."""
        return self.best, self.estimated, self.hover

    @cached_property
    def _landing(self) -> Cell | None:
        if self.hover is None or self.hover_side is None or self.position.outcome:
            return None
        return Cell(self.hover, self.position.height_of(self.hover))


def _direction(line: tuple[Cell, ...]) -> Direction:
    if len(line) < 2:
        return 1, 0
    return line[1].column - line[0].column, line[1].row - line[0].row


class Painter:
    """Draws a board line by line."""

    def __init__(self, scene: Scene, geometry: Geometry, pen: Pen) -> None:
        self.scene, self.geometry, self.pen = scene, geometry, pen

    def line(self, y: int, columns: range) -> list[Segment]:
        """The part of line `y` of the board that these columns cover, with the edges of the board."""
        rows = (self.geometry.variant.height + 1) * self.geometry.cell_height
        if y < rows:
            return list(self._cells(y, columns))
        if y == rows:
            width = len(columns) * self.geometry.cell_width + 2
            return [self.pen.segment("▀" * width, Ink.FRAME, Ink.PAPER)]
        return list(self._numbers(columns))

    def _cells(self, y: int, columns: range) -> Iterator[Segment]:
        row = self.geometry.row_at(y)
        part = y % self.geometry.cell_height
        inside = row < self.geometry.variant.height
        yield self._edge(inside)
        for column in columns:
            look = self.scene.cell_look(Cell(column, row), 2 * self.geometry.cell_height)
            yield from self.pen.cell(look, self.geometry)[part]
        yield self._edge(inside)

    def _edge(self, inside: bool) -> Segment:
        ink = Ink.FRAME if inside else Ink.PAPER
        return self.pen.segment("│" if inside and not self.pen.palette else " ", ink, ink)

    def _numbers(self, columns: range) -> Iterator[Segment]:
        yield Segment(" ", self._number_style(None))
        for column in columns:
            text = str(column + 1)
            if column in self.scene.best:
                text = f"*{text}"
            elif column == self.scene.estimated:
                text = f"~{text}"
            yield Segment(text.center(self.geometry.cell_width), self._number_style(column))
        yield Segment(" ", self._number_style(None))

    def _number_style(self, column: int | None) -> Style:
        best = column in self.scene.best
        marked = best or (column is not None and column in (self.scene.hover, self.scene.estimated))
        if self.pen.palette is None:
            return Style(bold=marked)
        colour = self.pen.good if best else self.pen.quiet
        return Style(color=colour, bgcolor=self.pen.palette[Ink.PAPER], bold=marked)


FRAMES_PER_SECOND = 30


class BoardView(ScrollView):
    """Shows a position, and reports the columns that the mouse clicks or points at."""

    class Picked(Message):
        """The user has clicked a column."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    class Pointed(Message):
        """The mouse now points at this column."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    def __init__(self, position: Position, pen: Pen, motion: bool = True) -> None:
        super().__init__()
        self.pen, self.motion = pen, motion
        self._scene = Scene(position)
        self._geometry = Geometry(position.variant, 1)
        self._fall_started: dict[Cell, float] = {}  # when each falling disc was dropped
        self._timer: Timer | None = None

    @property
    def position(self) -> Position:
        return self._scene.position

    def show(
        self, position: Position, *, dropped: bool = False, numbers: Mapping[Cell, int | str] = MappingProxyType({})
    ) -> None:
        """Show a position. If `dropped`, its last disc falls visibly. `numbers` has a character to write into each of
        its cells."""
        resized = position.variant != self.position.variant
        self._fall_started = {cell: at for cell, at in self._fall_started.items() if position.disc_at(*cell)}
        if dropped and self.motion and position.last_drop:
            self._start_fall(position.last_drop)
        self._redraw(replace(self._scene, position=position, numbers=numbers))
        if resized:
            self._fit()
        if position.last_drop:
            self._reveal(position.last_drop)

    def hover(self, column: int | None, side: Side | None) -> None:
        """Show a disc of this side above a column, and mark the cell where it would land."""
        if (column, side) != (self._scene.hover, self._scene.hover_side):
            self._draw(replace(self._scene, hover=column, hover_side=side))

    def reveal_column(self, column: int) -> None:
        """Scroll until the user can see the cell where a disc in this column would land."""
        row = min(self.position.height_of(column), self.position.variant.height - 1)
        self._reveal(Cell(column, row))

    def mark(self, best: tuple[int, ...], estimated: int | None = None) -> None:
        """Mark the columns that are proven best, and the column that the engine prefers."""
        self._draw(replace(self._scene, best=frozenset(best), estimated=estimated))

    def _reveal(self, cell: Cell) -> None:
        region = self._geometry.region_of(cell).grow((0, 0, 1, 0))  # plus the line that the column numbers would cover
        self.scroll_to_region(region, animate=False, force=True)

    def _start_fall(self, cell: Cell) -> None:
        self._fall_started[cell] = monotonic()
        if self._timer is None:
            self._timer = self.set_interval(1 / FRAMES_PER_SECOND, self._redraw)

    def _redraw(self, scene: Scene | None = None) -> None:
        """Draw a scene with the discs that are falling now. Without a scene, draw the current one again."""
        scene = scene or self._scene
        now, top = monotonic(), scene.position.variant.height
        self._fall_started = {
            cell: at for cell, at in self._fall_started.items() if now - at < fall_seconds(top - cell.row)
        }
        falling = {cell: height_above(top - cell.row, now - at) for cell, at in self._fall_started.items()}
        self._draw(replace(scene, falling=falling))
        if not falling and self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _draw(self, scene: Scene) -> None:
        """Draw a scene. Only changed cells are sent, because the connection to the terminal may be slow."""
        before, self._scene = self._scene, scene
        if before.position.variant != scene.position.variant:
            self.refresh()
        elif changed := [*self._changed_regions(before, scene)]:
            self.refresh(*changed)

    def _changed_regions(self, before: Scene, after: Scene) -> Iterator[Region]:
        """The visible rectangles in which two scenes of a board differ, in the widget's coordinates."""
        geometry, steps = self._geometry, 2 * self._geometry.cell_height
        for row in self._visible_rows():
            for column in self._visible_columns():
                cell = Cell(column, row)
                if before.cell_look(cell, steps) != after.cell_look(cell, steps):
                    yield geometry.region_of(cell).translate(self._offset)
        if before.marked_columns != after.marked_columns:
            yield Region(0, self._view.height - 1, self._view.width, 1)
            yield Region(0, geometry.height - 1, geometry.width, 1).translate(self._offset)

    def on_resize(self, event: events.Resize) -> None:
        self._fit()

    def _fit(self) -> None:
        largest = 1 if self.pen.ascii_only else MAX_CELL_LINES
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
        columns = self._visible_columns()
        segments = Painter(self._scene, geometry, self.pen).line(line, columns)
        skipped = self.scroll_offset.x - columns.start * geometry.cell_width
        strip = Strip(segments).simplify().crop(max(0, skipped), max(0, skipped) + self._view.width)
        blank = Strip.blank(self._margin_left, self.rich_style)
        return Strip.join([blank, strip]).adjust_cell_length(self._view.width, self.rich_style)

    def _visible_columns(self) -> range:
        left, geometry = self.scroll_offset.x, self._geometry
        first = max(0, (left - 1) // geometry.cell_width)
        return range(first, min(geometry.variant.width, (left + self._view.width) // geometry.cell_width + 1))

    def _visible_rows(self) -> range:
        """The visible rows. They may include the row above the board, where a disc hovers."""
        lowest = self._geometry.row_at(self.scroll_offset.y + self._view.height)
        return range(max(0, lowest), self._geometry.row_at(max(0, self.scroll_offset.y - self._margin_top)) + 1)

    @property
    def _offset(self) -> Offset:
        """The position of the board's top left corner in the widget."""
        return Offset(self._margin_left, self._margin_top) - self.scroll_offset

    def _line_at(self, y: int) -> int:
        """The line of the board at line `y` of the widget. On a scrolled board, the widget's last line shows the column
        numbers."""
        is_foot = y == self._view.height - 1 and self._geometry.height > self._view.height
        return self._geometry.height - 1 if is_foot else y + self.scroll_offset.y - self._margin_top

    @property
    def _view(self) -> Size:
        """The part of the widget that the scrollbars leave free."""
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
        """Report the clicked column. The second half of a double click is ignored."""
        column = self._column_at(event)
        if column is not None and event.chain == 1:
            self.post_message(self.Picked(column))

    def _column_at(self, event: events.MouseEvent) -> int | None:
        return self._geometry.column_at(event.x + self.scroll_offset.x - self._margin_left)
