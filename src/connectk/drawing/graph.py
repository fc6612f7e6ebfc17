"""The graph of a game as shapes: one line, time from left to right, the first player up; dots for blunders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from connectk.drawing import measures as m
from connectk.drawing.shapes import Circle, Point, Shape, Stroke, Text

FONT_SIZE = 14  # of the words


@dataclass(frozen=True, slots=True)
class Dot:
    """A move to look at, where the line arrives with it; `words` stand beside it."""

    index: int
    words: str


@dataclass(frozen=True, slots=True)
class Graph:
    """Values from -1 to 1, one for each moment, in a box of the picture."""

    values: Sequence[float]
    left: float
    top: float
    width: float
    height: float

    def point(self, index: int) -> Point:
        """The ends keep clear of the words above and below."""
        x = self.left + self.width * index / max(1, len(self.values) - 1)
        reach = self.height / 2 - 2 * FONT_SIZE
        return x, self.top + self.height / 2 - self.values[index] * reach

    def shapes(self, dots: Sequence[Dot], above: str, below: str, end: str) -> Iterator[Shape]:
        """The line and its dots, with words for up, down and the last moment."""
        middle, right = self.top + self.height / 2, self.left + self.width
        yield Stroke(((self.left, middle), (right, middle)), "quiet", 1)
        yield Text(self.left, self.top + FONT_SIZE / 2, above, FONT_SIZE, "quiet")
        yield Text(self.left, self.top + self.height, below, FONT_SIZE, "quiet")
        yield Stroke(tuple(self.point(index) for index in range(len(self.values))), "ink", 2.5)
        for dot in dots:
            yield from self._dot(dot)
        yield Text(right, self.top + self.height + 20, end, FONT_SIZE, "quiet", anchor="end")

    def _dot(self, dot: Dot) -> Iterator[Shape]:
        x, y = self.point(dot.index)
        yield Circle(x, y, m.GRAPH_DOT, "bad")
        beside = y + (-2 * m.GRAPH_DOT if self.values[dot.index] >= 0 else 22)
        yield Text(x, beside, dot.words, FONT_SIZE, "bad", anchor="middle")
