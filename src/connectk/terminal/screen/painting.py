"""A board's lines as coloured text, made only for what is seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from rich.segment import Segment
from rich.style import Style

from connectk.rules import Cell, Position, Side
from connectk.terminal.glyphs import SIGNS
from connectk.terminal.screen.geometry import Geometry
from connectk.terminal.screen.look import Ink, Palette
from connectk.terminal.screen.sprites import NONE, Direction, Look, draw_cell, draw_cell_without_colour


@dataclass(frozen=True, eq=False)
class Pen:
    """With which colours to draw (None for none), and whether only in ASCII."""

    palette: Palette | None
    quiet: str = ""
    good: str = ""
    ascii_only: bool = False
    _cells: dict[tuple[Look, int], list[list[Segment]]] = field(default_factory=dict)

    def cell(self, look: Look, geometry: Geometry) -> list[list[Segment]]:
        """The lines of a cell; drawn once and kept, because a board shows few different ones."""
        key = look, geometry.cell_height
        if key not in self._cells:
            self._cells[key] = list(self._draw(look, geometry))
        return self._cells[key]

    def _draw(self, look: Look, geometry: Geometry) -> Iterator[list[Segment]]:
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
        return Segment(self.text(text), self._style(front, behind))

    def text(self, text: str) -> str:
        return text.translate(SIGNS) if self.ascii_only else text

    def _style(self, front: Ink, behind: Ink) -> Style:
        return _style(self.palette[front], self.palette[behind]) if self.palette else Style.null()


@lru_cache(maxsize=256)
def _style(front: str, behind: str) -> Style:
    return Style(color=front, bgcolor=behind)


@dataclass(frozen=True)
class Scene:
    """All that a picture of the board shows at one moment. `falling` says how high above its place a disc is."""

    position: Position
    hover: int | None = None
    hover_side: Side | None = None
    falling: Mapping[Cell, float] = field(default_factory=dict)
    best: frozenset[int] = frozenset()
    _looks: dict[Cell, Look] = field(default_factory=dict, init=False)

    @cached_property
    def lines_at(self) -> Mapping[Cell, frozenset[Direction]]:
        """The directions in which winning lines run through a cell."""
        found: dict[Cell, frozenset[Direction]] = {}
        for line in self.position.winning_lines:
            direction = _direction(line)
            for cell in line:
                found[cell] = found.get(cell, NONE) | {direction}
        return found

    def look_at(self, cell: Cell, steps: int) -> Look:
        """What a cell shows; a falling disc is placed in steps of so many to a cell."""
        if cell not in self._looks:
            self._looks[cell] = self._look_at(cell, steps)
        return self._looks[cell]

    def _look_at(self, cell: Cell, steps: int) -> Look:
        frame = cell.row < self.position.variant.height
        for place, above in self.falling.items():
            fall = above - (cell.row - place.row)
            if place.column == cell.column and abs(fall) < 1:
                return Look(self.position.disc_at(*place), fall=round(fall * steps) / steps, frame=frame)
        if not frame:
            return Look(self.hover_side if cell.column == self.hover else None, frame=False)
        return self._look_at_rest(cell)

    def _look_at_rest(self, cell: Cell) -> Look:
        disc = self.position.disc_at(*cell)
        if cell in self.falling:
            return Look()
        if disc is None and cell == self._landing:
            return Look(self.hover_side, ghost=True)
        return Look(disc, lines=self.lines_at.get(cell, NONE))

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
    """Draws a scene, a line at a time."""

    def __init__(self, scene: Scene, geometry: Geometry, pen: Pen) -> None:
        self.scene, self.geometry, self.pen = scene, geometry, pen

    def line(self, y: int, columns: range) -> list[Segment]:
        """Line y of the board for these columns, with what stands at its left and right edge."""
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
            look = self.scene.look_at(Cell(column, row), 2 * self.geometry.cell_height)
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
            yield Segment(text.center(self.geometry.cell_width), self._number_style(column))
        yield Segment(" ", self._number_style(None))

    def _number_style(self, column: int | None) -> Style:
        best = column in self.scene.best
        marked = best or (column is not None and column == self.scene.hover)
        if self.pen.palette is None:
            return Style(bold=marked)
        colour = self.pen.good if best else self.pen.quiet
        return Style(color=colour, bgcolor=self.pen.palette[Ink.PAPER], bold=marked)
