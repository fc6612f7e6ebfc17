"""Plots of measurements: one agent in each phase of the game, or one agent during its training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from connectk.drawing import to_svg
from connectk.drawing.shapes import Circle, Picture, Rect, Shape, Stroke, Text
from connectk.envs.measure_agent import Estimate, Measurement, Phase
from connectk.texts import Texts, load_texts

ROW_HEIGHT, LEFT_MARGIN, PLOT_WIDTH, RIGHT_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 52, 190, 480, 130, 88, 40
CURVE_HEIGHT = 300  # the height of a curve in `draw_curve`
FONT_SIZE = 14
MOVE_SHARE_COLOURS = (("perfect", "link"), ("good", "good"))


def draw_measurement(found: Measurement, texts: Texts | None = None) -> str:
    """The shares of perfect and good moves in each phase of the game as SVG, with their intervals."""
    texts = texts or load_texts("en")
    width, height = LEFT_MARGIN + PLOT_WIDTH + RIGHT_MARGIN, TOP_MARGIN + ROW_HEIGHT * len(found.phases) + BOTTOM_MARGIN
    shapes = [
        *_sheet(width, height, texts("measure.title", agent=found.agent, variant=str(found.variant)), texts),
        *(shape for tenth in range(0, 11, 2) for shape in _upright(tenth / 10, height)),
        *(shape for row, phase in enumerate(found.phases) for shape in _row(phase, row, texts)),
    ]
    return to_svg(Picture(width, height, f"{found.agent} {found.variant}", tuple(shapes)))


def draw_curve(points: Sequence[tuple[float, Measurement]], title: str, unit: str, texts: Texts | None = None) -> str:
    """The shares of perfect and good moves during the training, as SVG. The horizontal axis is time, games or any other
    count."""
    texts = texts or load_texts("en")
    width, height = LEFT_MARGIN + PLOT_WIDTH + RIGHT_MARGIN, TOP_MARGIN + CURVE_HEIGHT + BOTTOM_MARGIN
    last = max(number for number, _ in points) or 1.0
    shapes = [
        *_sheet(width, height, title, texts),
        *(shape for tenth in range(0, 11, 2) for shape in _level(tenth / 10)),
        Text(LEFT_MARGIN, height - 10, "0", FONT_SIZE, "quiet", anchor="middle"),
        Text(LEFT_MARGIN + PLOT_WIDTH, height - 10, f"{last:.0f} {unit}", FONT_SIZE, "quiet", anchor="middle"),
        *(shape for kind, colour in MOVE_SHARE_COLOURS for shape in _line(points, last, kind, colour)),
    ]
    return to_svg(Picture(width, height, title, tuple(shapes)))


def _sheet(width: float, height: float, title: str, texts: Texts) -> Iterator[Shape]:
    yield Rect(0, 0, width, height, "paper")
    yield Text(16, 28, title, 16, "ink", bold=True)
    for place, (kind, colour) in enumerate(MOVE_SHARE_COLOURS):
        yield Circle(LEFT_MARGIN + 6 + 170 * place, 52, 6, colour)
        yield Text(LEFT_MARGIN + 20 + 170 * place, 57, texts(f"measure.{kind}"), FONT_SIZE, "ink")


def _upright(value: float, height: float) -> Iterator[Shape]:
    x = _x(value)
    yield Stroke(((x, TOP_MARGIN - 8), (x, height - BOTTOM_MARGIN + 4)), "line", 1)
    yield Text(x, height - 12, f"{value:.0%}", FONT_SIZE, "quiet", anchor="middle")


def _level(value: float) -> Iterator[Shape]:
    y = _y(value)
    yield Stroke(((LEFT_MARGIN, y), (LEFT_MARGIN + PLOT_WIDTH, y)), "line", 1)
    yield Text(LEFT_MARGIN - 12, y + 5, f"{value:.0%}", FONT_SIZE, "quiet", anchor="end")


def _row(phase: Phase, row: int, texts: Texts) -> Iterator[Shape]:
    y = TOP_MARGIN + ROW_HEIGHT * row + ROW_HEIGHT / 2
    yield Text(LEFT_MARGIN - 16, y + 5, texts(f"measure.{phase.name}"), FONT_SIZE, "ink", anchor="end")
    for place, (kind, colour) in enumerate(MOVE_SHARE_COLOURS):
        yield from _bar(getattr(phase, kind), y - 9 + 18 * place, colour)


def _bar(found: Estimate, y: float, colour: str) -> Iterator[Shape]:
    left, right = _x(found.low), _x(found.high)
    yield Stroke(((left, y), (right, y)), colour, 3)
    yield from (Stroke(((x, y - 5), (x, y + 5)), colour, 3) for x in (left, right))
    yield Circle(_x(found.value), y, 5, colour)
    yield Text(LEFT_MARGIN + PLOT_WIDTH + 12, y + 5, f"{found.value:.0%}", FONT_SIZE, "quiet")


def _line(points: Sequence[tuple[float, Measurement]], last: float, kind: str, colour: str) -> Iterator[Shape]:
    found = [(round(LEFT_MARGIN + PLOT_WIDTH * number / last, 1), getattr(one.all, kind)) for number, one in points]
    for x, estimate in found:
        yield Stroke(((x, _y(estimate.low)), (x, _y(estimate.high))), colour, 1.5)
        yield Circle(x, _y(estimate.value), 4, colour)
    yield Stroke(tuple((x, _y(estimate.value)) for x, estimate in found), colour, 2.5)
    last_value = found[-1][1].value
    yield Text(LEFT_MARGIN + PLOT_WIDTH + 12, _y(last_value) + 5, f"{last_value:.0%}", FONT_SIZE, colour)


def _x(value: float) -> float:
    return round(LEFT_MARGIN + PLOT_WIDTH * value, 1)


def _y(value: float) -> float:
    return round(TOP_MARGIN + CURVE_HEIGHT * (1 - value), 1)
