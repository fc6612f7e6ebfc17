"""Draws the ratings: a dot and a confidence interval for each player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor

from connectk.arena.standings import Standing, Standings, format_elo, format_margin
from connectk.drawing import to_svg
from connectk.drawing.shapes import Circle, Picture, Rect, Shape, Stroke, Text

ROW_HEIGHT, LEFT_MARGIN, PLOT_WIDTH, RIGHT_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 36, 190, 480, 110, 56, 32
ELO_GRID_STEPS = (10, 20, 50, 100, 200, 500, 1000)
FONT_SIZE = 14


def draw_ratings(standings: Standings, title: str) -> str:
    """The plot of the ratings as SVG."""
    return to_svg(picture_of(standings, title))


def picture_of(standings: Standings, title: str) -> Picture:
    """The plot of the ratings as a picture, which can be written as SVG."""
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
    """A scale that is wide enough for every interval. Its grid step is at least an eighth of the range of the
    intervals."""
    ends = [_interval(line) for line in lines]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    step = next((step for step in ELO_GRID_STEPS if (high - low) / step <= 8), ceil((high - low) / 8000) * 1000)
    return Scale(floor(low / step) * step, ceil(high / step) * step, step)


def _interval(line: Standing) -> tuple[float, float]:
    elo, margin = line.elo or 0.0, line.margin or 0.0
    return elo - margin, elo + margin


def _grid_line(elo: int, scale: Scale, height: float) -> Iterator[Shape]:
    x = scale.x(elo)
    yield Stroke(((x, TOP_MARGIN - 8), (x, height - 28)), "line", 1)
    yield Text(x, height - 10, f"{elo:+d}" if elo else "0", FONT_SIZE, "quiet", anchor="middle")


def _player(line: Standing, row: int, scale: Scale) -> Iterator[Shape]:
    y = TOP_MARGIN + ROW_HEIGHT * row + ROW_HEIGHT / 2
    left, right = map(scale.x, _interval(line))
    name = line.name if len(line.name) <= 22 else f"…{line.name[-21:]}"
    yield Text(LEFT_MARGIN - 16, y + 5, name, FONT_SIZE, "ink", anchor="end")
    if line.elo is not None:
        yield Stroke(((left, y), (right, y)), "link", 3)
        yield from (Stroke(((x, y - 6), (x, y + 6)), "link", 3) for x in (left, right))
        yield Circle(scale.x(line.elo), y, 6, "link")
    text = f"{format_elo(line.elo)} ± {format_margin(line.margin)}"
    yield Text(LEFT_MARGIN + PLOT_WIDTH + 12, y + 5, text, FONT_SIZE, "quiet")
