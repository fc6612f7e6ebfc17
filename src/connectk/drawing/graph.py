"""Draws the graph of a game as shapes. Its line is high where the first player is ahead, and dots mark blunders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from connectk.drawing import measures
from connectk.drawing.shapes import Circle, Point, Shape, Stroke, Text

FONT_SIZE = 14  # of the labels


@dataclass(frozen=True, slots=True)
class GraphDot:
    """A marked move on the line of a graph. `words` are written beside it."""

    index: int
    words: str


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph of values from -1 to 1 in a rectangle of the picture. There is one value for each position of the
    game."""

    values: Sequence[float]
    left: float
    top: float
    width: float
    height: float

    def point(self, index: int) -> Point:
        """The coordinates of the value at this index. Above and below the line there is a margin for the labels."""
        x = self.left + self.width * index / max(1, len(self.values) - 1)
        reach = self.height / 2 - 2 * FONT_SIZE
        return x, self.top + self.height / 2 - self.values[index] * reach

    def shapes(self, dots: Sequence[GraphDot], above: str, below: str, end: str) -> Iterator[Shape]:
        """The shapes of the line and its dots, with labels for the top, the bottom and the end of the game."""
        middle, right = self.top + self.height / 2, self.left + self.width
        yield Stroke(((self.left, middle), (right, middle)), "quiet", 1)
        yield Text(self.left, self.top + FONT_SIZE / 2, above, FONT_SIZE, "quiet")
        yield Text(self.left, self.top + self.height, below, FONT_SIZE, "quiet")
        yield Stroke(tuple(self.point(index) for index in range(len(self.values))), "ink", 2.5)
        for dot in dots:
            yield from self._dot(dot)
        yield Text(right, self.top + self.height + 20, end, FONT_SIZE, "quiet", anchor="end")

    def _dot(self, dot: GraphDot) -> Iterator[Shape]:
        x, y = self.point(dot.index)
        yield Circle(x, y, measures.GRAPH_DOT_RADIUS, "bad")
        beside = y + (-2 * measures.GRAPH_DOT_RADIUS if self.values[dot.index] >= 0 else 22)
        yield Text(x, beside, dot.words, FONT_SIZE, "bad", anchor="middle")
