"""A game reviewed: every move labelled, how well each side played, and the move that decided it. The core judges
(native/analysis); what it answers is kept here as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from connectk import _native
from connectk.errors import NotationError, SearchStopped, UnsupportedVariant
from connectk.notation.views import SIDE_NAMES
from connectk.players.core import MAX_SIZE, core_board
from connectk.review.reasons import Reason
from connectk.rules import Cell, Game, Position, Side
from connectk.solver.book import native_book
from connectk.solver.words import Worth
from connectk.watch import Progress, Stop, Watch

SECONDS = 2.0  # for each position, where the solver has no quick answer


class Label(Enum):
    """How good a move was. A slip keeps the result but wins slower or loses faster; a blunder throws it away. A given
    disc was nobody's choice."""

    BEST = "best"
    SLIP = "slip"
    BLUNDER = "blunder"
    GIVEN = "given"


@dataclass(frozen=True, slots=True)
class Judged:
    """Scores of columns for the side to move. Exact ones are whole numbers and cover every column that takes a disc;
    an estimate is the expected result, from -1 for a loss to 1 for a win, of the best column and the one played."""

    scores: Mapping[int, float]
    exact: bool
    best_columns: tuple[int, ...]

    @property
    def best(self) -> float:
        return max(self.scores.values())


@dataclass(frozen=True, slots=True)
class MoveReview:
    """One move. Scores are for the side that made it: `before` with the best column, `after` with the one played."""

    position: Position  # before the move
    column: int
    judged: Judged
    label: Label
    mark: float | None  # for accuracy, 0 to 100; None when every column was as good
    worth_before: Worth  # of the best column
    worth_after: Worth  # of the column played
    advantage: float  # after the move, from -1 (second wins at once) to 1 (first wins at once); the height of the graph
    advantage_before: float  # with best play
    reason: Reason | None = None  # why a blunder was one, and what was better

    @property
    def number(self) -> int:
        """Which disc of the game it is, from 1."""
        return self.position.ply + 1

    @property
    def side(self) -> Side:
        return self.position.side_to_move

    @property
    def cell(self) -> Cell:
        return Cell(self.column, self.position.height_of(self.column))

    @property
    def exact(self) -> bool:
        return self.judged.exact

    @property
    def before(self) -> float:
        return self.judged.best

    @property
    def after(self) -> float:
        return self.judged.scores[self.column]

    @property
    def best_columns(self) -> tuple[int, ...]:
        return self.judged.best_columns

    @property
    def after_position(self) -> Position:
        return self.position.drop(self.column)

    @property
    def proven(self) -> bool:
        """Whether both worths are certain, not estimates."""
        return self.worth_before.is_proven and self.worth_after.is_proven


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewed game."""

    game: Game
    moves: tuple[MoveReview, ...]
    given: int  # how many of the first discs were nobody's choice
    exact: bool  # whether every score is exact; else some are the engine's estimates
    accuracies: Mapping[Side, float | None]
    turning_point: MoveReview | None  # the last blunder: after it the result never changed hands again

    def accuracy(self, side: Side) -> float | None:
        """The mean mark of this side's moves, 0 to 100; None when it never had a choice."""
        return self.accuracies[side]

    def count(self, side: Side, label: Label) -> int:
        return sum(move.side is side and move.label is label for move in self.moves)


def review_game(
    game: Game,
    *,
    given: int = 0,
    seconds: float = SECONDS,
    threads: int = 1,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Review:
    """Judge every move but the first `given` ones, which nobody chose, with up to `seconds` for each position.

    `progress` hears how many moves of how many are done. Once `stop` says so, `SearchStopped` is raised.
    """
    if not game.moves:
        raise NotationError("error.no_moves_to_review")
    if max(game.variant.width, game.variant.height) > MAX_SIZE:
        raise UnsupportedVariant(game.variant, "error.UnsupportedVariant.judged", most=f"{MAX_SIZE:,}")
    watch, total = Watch(stop, progress), len(game.moves)
    board = core_board(game.start)
    for column in game.moves:
        board.drop(column)
    found = _native.review_game(
        board,
        total,
        book=native_book(True, game.variant),
        given=given,
        seconds=seconds,
        threads=threads,
        stopped=watch.should_stop,
        told=lambda done: watch.report(done, total),
    )
    if found is None:
        raise SearchStopped(())
    moves = tuple(map(_move_review, game.positions, found["moves"]))
    accuracies = {side: found["accuracy"][SIDE_NAMES[side]] for side in Side}
    turning_point = next((move for move in moves if move.number == found["turning_point"]), None)
    return Review(game, moves, found["given"], found["exact"], accuracies, turning_point)


def _move_review(position: Position, found: Mapping[str, Any]) -> MoveReview:
    return MoveReview(
        position,
        found["column"],
        _judged(found),
        Label(found["label"]),
        found["mark"],
        Worth(**found["worth_before"]),
        Worth(**found["worth_after"]),
        found["advantage"],
        found["advantage_before"],
        _reason(found),
    )


def _judged(found: Mapping[str, Any]) -> Judged:
    number = int if found["exact"] else float
    scores = {column: number(score) for column, score in found["scores"]}
    return Judged(scores, found["exact"], tuple(found["best_columns"]))


def _reason(found: Mapping[str, Any]) -> Reason | None:
    if found["reason_kind"] is None:
        return None
    cells = tuple(Cell(*cell) for cell in found["cells"])
    line, refutation = tuple(found["better_line"]), tuple(found["refutation"])
    return Reason(found["reason_kind"], found["reason_facts"], cells, line, refutation)
