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

from connectk.review import Label, MoveReview, Review, review_game
from connectk.rules import Game, Side
from connectk.terminal.thinking import Worth, work_beside
from connectk.texts import Texts

WIDEST_STEP = 4


@dataclass(frozen=True, slots=True)
class Graph:
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


LABELS = {Label.BEST: "label.best", Label.SLIP: "label.slip", Label.BLUNDER: "label.blunder"}

Progress = tuple[int, int]  # moves judged, of how many


class _Stopped(Exception):
    """Nobody waits for the review any more."""


class ReviewSearch:
    """Judges one game; `tell` hears how far it is, then the review, or the error that came instead."""

    def __init__(self, game: Game, tell: Callable[[Progress | Review | Exception], None]) -> None:
        self._game, self._tell = Game(game.start, game.moves), tell
        self._stop = threading.Event()
        work_beside(self._review)

    def stop(self) -> None:
        self._stop.set()

    def _review(self) -> None:
        try:
            self._tell(review_game(self._game, told=self._told))
        except _Stopped:
            return
        except Exception as error:
            self._tell(error)

    def _told(self, done: int, moves: int) -> None:
        if self._stop.is_set():
            raise _Stopped
        self._tell((done, moves))


def graph_of(review: Review) -> Graph:
    """One line through the whole game, a dot at every blunder."""
    heights = [0.0, *(move.advantage for move in review.moves)]
    blunders = {ply for ply, move in enumerate(review.moves, start=1) if move.label is Label.BLUNDER}
    return Graph(heights, frozenset(blunders))


def say_move(move: MoveReview, texts: Texts) -> str:
    """Blunder: from wins in 5 to draw. Better: column 3."""
    label = texts(LABELS[move.label])
    if move.label is Label.BEST:
        return texts("review.best", label=label, worth=_worth(move, move.after, texts))
    better = ", ".join(str(column + 1) for column in move.best_columns)
    was, became = _worth(move, move.before, texts), _worth(move, move.after, texts)
    return texts("review.worse", label=label, was=was, became=became, columns=better)


def say_reason(move: MoveReview, texts: Texts) -> str:
    """Why a blunder was one; nothing of another move."""
    return f" {move.reason.say(texts)}" if move.reason else ""


def _worth(move: MoveReview, score: float, texts: Texts) -> str:
    if move.exact:
        return Worth(move.position, int(score), int(score)).words(texts)
    return texts("worth.about", score=f"{score:+.2f}")


def say_turning_point(review: Review, texts: Texts) -> str:
    move = review.turning_point
    if move is None:
        return texts("review.no_turning_point")
    ply = move.number - review.game.start.ply
    return texts("review.turning_point", ply=ply, column=move.column + 1, story=say_move(move, texts)) + say_reason(
        move, texts
    )


def say_accuracy(review: Review, side: Side, name: str, texts: Texts) -> str:
    accuracy = review.accuracy(side)
    return texts(
        "review.accuracy",
        name=name,
        accuracy="-" if accuracy is None else f"{accuracy:.0f}\u00a0%",
        slips=review.count(side, Label.SLIP),
        blunders=review.count(side, Label.BLUNDER),
    )
