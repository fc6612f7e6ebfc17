"""Draws a graph of a game as lines of characters. It shows who was ahead: the time goes to the right, the line is high
when the first player is ahead, and dots mark blunders.

╭──╮
╯  │  ╭───        a step up or down is one character wide
   ╰─●╯
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from connectk.review.review import Review
from connectk.texts import Texts

GRAPH_ROWS = 9
ROW_LABEL_KEYS = {0: "report.first_wins", GRAPH_ROWS // 2: "worth.draw", GRAPH_ROWS - 1: "report.second_wins"}
LINE_CHARACTERS = "─│╭╮╰╯●┄"
ASCII_TRANSLATION = str.maketrans(LINE_CHARACTERS, "-|....O-")
MAX_CHARS_PER_PLY = 4


@dataclass(frozen=True, slots=True)
class TextGraph:
    """The graph of a game. `heights` are values from -1 to 1: one for the start, and one for each move. `dots` are the
    plies that have a dot."""

    heights: Sequence[float]
    dots: frozenset[int] = frozenset()

    @classmethod
    def of(cls, review: Review) -> TextGraph:
        """The graph of a review, with a dot at every blunder."""
        heights = [review.moves[0].advantage_before, *(move.advantage for move in review.moves)]
        blunders = {ply for ply, move in enumerate(review.moves, start=1) if move.label.is_serious}
        return cls(heights, frozenset(blunders))

    def used_width(self, width: int) -> int:
        """The number of characters that the graph uses out of `width`. Each ply has the same number of characters. In a
        long game, several plies share one character."""
        plies = len(self.heights)
        return plies * min(MAX_CHARS_PER_PLY, width // plies) or width

    def ply_at(self, x: int, width: int) -> int:
        """The ply that is drawn at the character with the number `x`."""
        plies = len(self.heights)
        return min(max(0, x) * plies // self.used_width(width), plies - 1)

    def x_of(self, ply: int, width: int) -> int:
        """The position of the last character that belongs to a ply."""
        return max(0, (ply + 1) * self.used_width(width) // len(self.heights) - 1)

    def draw(self, width: int, height: int) -> list[str]:
        """The rows of characters. The top row comes first."""
        rows = [self._row(self.ply_at(x, width), height) for x in range(self.used_width(width))]
        canvas = [[" "] * len(rows) for _ in range(height)]
        canvas[height // 2][::2] = "┄" * len(canvas[0][::2])
        for x, row in enumerate(rows):
            _go(canvas, x, rows[x - 1] if x else row, row)
        for ply in self.dots:
            canvas[self._row(ply, height)][self.x_of(ply, width)] = "●"
        return ["".join(line) for line in canvas]

    def _row(self, ply: int, height: int) -> int:
        return round((1 - self.heights[ply]) / 2 * (height - 1))


def _go(canvas: list[list[str]], x: int, before: int, after: int) -> None:
    """Draw the step from one height to the next. The step is one character wide."""
    if before == after:
        canvas[after][x] = "─"
        return
    canvas[before][x], canvas[after][x] = ("╮", "╰") if before < after else ("╯", "╭")
    for row in range(min(before, after) + 1, max(before, after)):
        canvas[row][x] = "│"


def draw_text_graph(review: Review, width: int, texts: Texts, plain: bool = False) -> str:
    """The graph with labels beside it and move numbers below it. The graph is at most `width` characters wide. If
    `plain` is true, it has only ASCII characters.
    """
    labels = {row: texts(key) for row, key in ROW_LABEL_KEYS.items()}
    margin = max(map(len, labels.values())) + 1
    shape, room = TextGraph.of(review), max(1, width - margin)
    drawn = enumerate(shape.draw(room, GRAPH_ROWS))
    lines = [f"{labels.get(row, ''):>{margin - 1}} {line}".rstrip() for row, line in drawn]
    text = "\n".join([*lines, " " * margin + _numbers(review, shape, room)])
    return text.translate(ASCII_TRANSLATION) if plain else text


def _numbers(review: Review, shape: TextGraph, width: int) -> str:
    """The row of move numbers. It has the first move and every tenth move. Each number stands below its move if there
    is room."""
    line = ""
    for ply, move in enumerate(review.moves, start=1):
        x = shape.x_of(ply, width)
        fits = x > len(line) or not line
        if (move.number % 10 == 0 or ply == 1) and fits and x + len(str(move.number)) <= width:
            line = f"{line:<{x}}{move.number}"
    return line
