"""The ratings as a picture: a dot and a confidence interval for each player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor

from connectk.arena.standings import Standing, Standings, write_elo
from connectk.drawing import to_svg
from connectk.drawing.shapes import Circle, Picture, Rect, Shape, Stroke, Text

ROW_HEIGHT, LEFT_MARGIN, PLOT_WIDTH, RIGHT_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 36, 190, 480, 110, 56, 32
GRID_STEPS = (10, 20, 50, 100, 200, 500, 1000)
FONT_SIZE = 14


def draw_ratings(standings: Standings, title: str) -> str:
    """The ratings as SVG."""
    return to_svg(picture_of(standings, title))


def picture_of(standings: Standings, title: str) -> Picture:
    """The ratings as shapes."""
    lines = standings.lines
    scale = _scale(lines)
    width, height = LEFT_MARGIN + PLOT_WIDTH + RIGHT_MARGIN, TOP_MARGIN + ROW_HEIGHT * len(lines) + BOTTOM_MARGIN
    shapes = [
        Rect(0, 0, width, height, "paper"),
        Text(16, 28, title, 16, "ink", bold=True),
        *(shape for elo in scale.grid for shape in _grid_line(elo, scale, height)),
        *(shape for row, line in enumerate(lines) for shape in _player(line, row, scale)),
    ]
    return Picture(width, height, title, tuple(shapes))


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps Elo to x coordinates."""

    low: int
    high: int
    step: int

    @property
    def grid(self) -> range:
        return range(self.low, self.high + 1, self.step)

    def x(self, elo: float) -> float:
        return round(LEFT_MARGIN + PLOT_WIDTH * (elo - self.low) / ((self.high - self.low) or 1), 1)


def _scale(lines: tuple[Standing, ...]) -> Scale:
    """Wide enough for every bar, with no more than eight grid lines."""
    low, high = min(line.elo - line.margin for line in lines), max(line.elo + line.margin for line in lines)
    step = next((step for step in GRID_STEPS if (high - low) / step <= 8), ceil((high - low) / 8000) * 1000)
    return Scale(floor(low / step) * step, ceil(high / step) * step, step)


def _grid_line(elo: int, scale: Scale, height: float) -> Iterator[Shape]:
    x = scale.x(elo)
    yield Stroke(((x, TOP_MARGIN - 8), (x, height - 28)), "line", 1)
    yield Text(x, height - 10, f"{elo:+d}" if elo else "0", FONT_SIZE, "quiet", anchor="middle")


def _player(line: Standing, row: int, scale: Scale) -> Iterator[Shape]:
    y = TOP_MARGIN + ROW_HEIGHT * row + ROW_HEIGHT / 2
    left, right = scale.x(line.elo - line.margin), scale.x(line.elo + line.margin)
    name = line.name if len(line.name) <= 22 else f"…{line.name[-21:]}"
    yield Text(LEFT_MARGIN - 16, y + 5, name, FONT_SIZE, "ink", anchor="end")
    yield Stroke(((left, y), (right, y)), "link", 3)
    yield from (Stroke(((x, y - 6), (x, y + 6)), "link", 3) for x in (left, right))
    yield Circle(scale.x(line.elo), y, 6, "link")
    yield Text(LEFT_MARGIN + PLOT_WIDTH + 12, y + 5, f"{write_elo(line.elo)} ± {line.margin:.0f}", FONT_SIZE, "quiet")
