"""A game reviewed beside the person, said in their language and drawn as one line of characters.

Time runs from left to right, the first player is up, blunders are dots.

╭──╮
╯  │  ╭───        a step goes up or down in its first character, then on
   ╰─●╯
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from connectk.errors import SearchStopped
from connectk.review import Label, Review, review_game
from connectk.rules import Game
from connectk.terminal.match import LocalMatch
from connectk.terminal.thinking import work_beside
from connectk.watch import Report

WIDEST_STEP = 4


@dataclass(frozen=True, slots=True)
class GraphShape:
    """`heights` from -1 to 1, one for the start and one for each move; `dots` are the plies that get one."""

    heights: Sequence[float]
    dots: frozenset[int] = frozenset()

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


Progress = tuple[int, int]  # moves judged, of how many


class ReviewSearch:
    """Judges one game; `tell` hears how far it is, then the review, or the error that came instead."""

    def __init__(self, match: LocalMatch, tell: Callable[[Progress | Review | Exception], None]) -> None:
        self._game, self._tell = Game(match.game.start, match.game.moves), tell
        self._given = match.given
        self._stop = threading.Event()
        work_beside(self._review)

    def stop(self) -> None:
        self._stop.set()

    def _review(self) -> None:
        try:
            self._tell(review_game(self._game, given=self._given, stop=self._stop, progress=self._hear))
        except SearchStopped:
            return
        except Exception as error:
            self._tell(error)

    def _hear(self, report: Report) -> None:
        self._tell((report.done, report.total or report.done))


def graph_of(review: Review) -> GraphShape:
    """One line through the whole game, a dot at every blunder."""
    heights = [review.moves[0].advantage_before, *(move.advantage for move in review.moves)]
    blunders = {ply for ply, move in enumerate(review.moves, start=1) if move.label is Label.BLUNDER}
    return GraphShape(heights, frozenset(blunders))
