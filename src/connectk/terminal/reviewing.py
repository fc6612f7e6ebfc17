"""A game reviewed beside the person, and said in their language."""

from __future__ import annotations

import threading
from collections.abc import Callable

from connectk.review import Label, MoveReview, Review, review_game
from connectk.rules import Game, Side
from connectk.terminal.beside import work_beside
from connectk.terminal.graph import Graph
from connectk.terminal.hints import Worth
from connectk.texts import Texts

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
