"""The game as one line of characters: time runs from left to right, the first player is up, blunders are dots.

╭──╮
╯  │  ╭───        a step goes up or down in its first character, then on
   ╰─●╯
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from connectk.review.review import Label, Review
from connectk.texts import Texts

ROWS = 9
LABELS = {0: "report.first_wins", ROWS // 2: "worth.draw", ROWS - 1: "report.second_wins"}
LINES = "─│╭╮╰╯●┄"
PLAIN = str.maketrans(LINES, "-|....O-")
WIDEST_STEP = 4


@dataclass(frozen=True, slots=True)
class GraphShape:
    """`heights` from -1 to 1, one for the start and one for each move; `dots` are the plies that get one."""

    heights: Sequence[float]
    dots: frozenset[int] = frozenset()

    @classmethod
    def of(cls, review: Review) -> GraphShape:
        """One line through the whole game, a dot at every blunder."""
        heights = [review.moves[0].advantage_before, *(move.advantage for move in review.moves)]
        blunders = {ply for ply, move in enumerate(review.moves, start=1) if move.label is Label.BLUNDER}
        return cls(heights, frozenset(blunders))

    def width_in(self, width: int) -> int:
        """How many of these characters are used: a few for each ply, or one for several where it is long."""
        plies = len(self.heights)
        return plies * min(WIDEST_STEP, width // plies) or width

    def ply_at(self, x: int, width: int) -> int:
        """The ply that a character belongs to."""
        plies = len(self.heights)
        return min(max(0, x) * plies // self.width_in(width), plies - 1)

    def x_of(self, ply: int, width: int) -> int:
        """The last character of a ply."""
        return max(0, (ply + 1) * self.width_in(width) // len(self.heights) - 1)

    def draw(self, width: int, height: int) -> list[str]:
        """Lines of characters, from the top."""
        rows = [self._row(self.ply_at(x, width), height) for x in range(self.width_in(width))]
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
    """From one height to the next within one character."""
    if before == after:
        canvas[after][x] = "─"
        return
    canvas[before][x], canvas[after][x] = ("╮", "╰") if before < after else ("╯", "╭")
    for row in range(min(before, after) + 1, max(before, after)):
        canvas[row][x] = "│"


def draw_graph(review: Review, width: int, texts: Texts, plain: bool = False) -> str:
    """The graph in so many characters, with words beside it and numbers below; `plain` knows only ASCII."""
    labels = {row: texts(key) for row, key in LABELS.items()}
    margin = max(map(len, labels.values())) + 1
    shape, room = GraphShape.of(review), max(1, width - margin)
    drawn = enumerate(shape.draw(room, ROWS))
    lines = [f"{labels.get(row, ''):>{margin - 1}} {line}".rstrip() for row, line in drawn]
    text = "\n".join([*lines, " " * margin + _numbers(review, shape, room)])
    return text.translate(PLAIN) if plain else text


def _numbers(review: Review, shape: GraphShape, width: int) -> str:
    """The number of the first move and every tenth, under its move, where there is room."""
    line = ""
    for ply, move in enumerate(review.moves, start=1):
        x = shape.x_of(ply, width)
        fits = x > len(line) or not line
        if (move.number % 10 == 0 or ply == 1) and fits and x + len(str(move.number)) <= width:
            line = f"{line:<{x}}{move.number}"
    return line
