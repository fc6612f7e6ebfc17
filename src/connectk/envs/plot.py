"""What was measured as pictures: one agent by the parts of a game, or one agent while it learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from connectk.drawing import to_svg
from connectk.drawing.shapes import Circle, Picture, Rect, Shape, Stroke, Text
from connectk.envs.measuring import Estimate, Measurement, Phase
from connectk.texts import Texts, load_texts

ROW, LEFT, PLOT, RIGHT, TOP, BOTTOM = 52, 190, 480, 130, 88, 40
HEIGHT = 300  # of a curve
LETTER = 14
KINDS = (("perfect", "link"), ("good", "good"))


def draw_measurement(found: Measurement, texts: Texts | None = None) -> str:
    """Shares of perfect and of good moves in each part of the game, with their intervals, as SVG."""
    texts = texts or load_texts("en")
    width, height = LEFT + PLOT + RIGHT, TOP + ROW * len(found.phases) + BOTTOM
    shapes = [
        *_sheet(width, height, texts("measure.title", agent=found.agent, variant=str(found.variant)), texts),
        *(shape for tenth in range(0, 11, 2) for shape in _upright(tenth / 10, height)),
        *(shape for row, phase in enumerate(found.phases) for shape in _row(phase, row, texts)),
    ]
    return to_svg(Picture(width, height, f"{found.agent} {found.variant}", tuple(shapes)))


def draw_curve(points: Sequence[tuple[float, Measurement]], title: str, unit: str, texts: Texts | None = None) -> str:
    """The same shares over time, games or whatever the numbers count, as SVG."""
    texts = texts or load_texts("en")
    width, height = LEFT + PLOT + RIGHT, TOP + HEIGHT + BOTTOM
    last = max(number for number, _ in points) or 1.0
    shapes = [
        *_sheet(width, height, title, texts),
        *(shape for tenth in range(0, 11, 2) for shape in _level(tenth / 10)),
        Text(LEFT, height - 10, "0", LETTER, "quiet", anchor="middle"),
        Text(LEFT + PLOT, height - 10, f"{last:.0f} {unit}", LETTER, "quiet", anchor="middle"),
        *(shape for kind, colour in KINDS for shape in _line(points, last, kind, colour)),
    ]
    return to_svg(Picture(width, height, title, tuple(shapes)))


def _sheet(width: float, height: float, title: str, texts: Texts) -> Iterator[Shape]:
    yield Rect(0, 0, width, height, "paper")
    yield Text(16, 28, title, 16, "ink", bold=True)
    for place, (kind, colour) in enumerate(KINDS):
        yield Circle(LEFT + 6 + 170 * place, 52, 6, colour)
        yield Text(LEFT + 20 + 170 * place, 57, texts(f"measure.{kind}"), LETTER, "ink")


def _upright(value: float, height: float) -> Iterator[Shape]:
    x = _x(value)
    yield Stroke(((x, TOP - 8), (x, height - BOTTOM + 4)), "line", 1)
    yield Text(x, height - 12, f"{value:.0%}", LETTER, "quiet", anchor="middle")


def _level(value: float) -> Iterator[Shape]:
    y = _y(value)
    yield Stroke(((LEFT, y), (LEFT + PLOT, y)), "line", 1)
    yield Text(LEFT - 12, y + 5, f"{value:.0%}", LETTER, "quiet", anchor="end")


def _row(phase: Phase, row: int, texts: Texts) -> Iterator[Shape]:
    y = TOP + ROW * row + ROW / 2
    yield Text(LEFT - 16, y + 5, texts(f"measure.{phase.name}"), LETTER, "ink", anchor="end")
    for place, (kind, colour) in enumerate(KINDS):
        yield from _bar(getattr(phase, kind), y - 9 + 18 * place, colour)


def _bar(found: Estimate, y: float, colour: str) -> Iterator[Shape]:
    left, right = _x(found.low), _x(found.high)
    yield Stroke(((left, y), (right, y)), colour, 3)
    yield from (Stroke(((x, y - 5), (x, y + 5)), colour, 3) for x in (left, right))
    yield Circle(_x(found.value), y, 5, colour)
    yield Text(LEFT + PLOT + 12, y + 5, f"{found.value:.0%}", LETTER, "quiet")


def _line(points: Sequence[tuple[float, Measurement]], last: float, kind: str, colour: str) -> Iterator[Shape]:
    found = [(round(LEFT + PLOT * number / last, 1), getattr(one.all, kind)) for number, one in points]
    for x, estimate in found:
        yield Stroke(((x, _y(estimate.low)), (x, _y(estimate.high))), colour, 1.5)
        yield Circle(x, _y(estimate.value), 4, colour)
    yield Stroke(tuple((x, _y(estimate.value)) for x, estimate in found), colour, 2.5)
    yield Text(LEFT + PLOT + 12, _y(found[-1][1].value) + 5, f"{found[-1][1].value:.0%}", LETTER, colour)


def _x(value: float) -> float:
    return round(LEFT + PLOT * value, 1)


def _y(value: float) -> float:
    return round(TOP + HEIGHT * (1 - value), 1)
