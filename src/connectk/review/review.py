"""A game reviewed: every move labelled, how well each side played, and the move that decided it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from statistics import fmean

from connectk.errors import NotationError
from connectk.review.judging import Judge, Judged
from connectk.review.reasons import Reason, reason_of
from connectk.rules import Cell, Game, Position, Side, Variant
from connectk.solver.solution import win_score
from connectk.solver.words import Worth
from connectk.watch import Progress, Stop, Watch

SECONDS = 2.0  # for each position, where the solver has no quick answer
WON = 0.6  # a won game is drawn at least so high; estimates stay below
BEST_MARK, SLIP_MARK = 100.0, 75.0
HALF_MARK, WHOLE_MARK = 25.0, 0.0  # for half a point thrown away, and for a whole one


class Label(Enum):
    """How good a move was. A slip keeps the result but wins slower or loses faster; a blunder throws it away. A given
    disc was nobody's choice."""

    BEST = "best"
    SLIP = "slip"
    BLUNDER = "blunder"
    GIVEN = "given"


@dataclass(frozen=True, slots=True)
class MoveReview:
    """One move. Scores are for the side that made it: `before` with the best column, `after` with the one played."""

    position: Position  # before the move
    column: int
    judged: Judged
    label: Label
    mark: float | None  # for accuracy, 0 to 100; None when every column was as good
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
    def worth_before(self) -> Worth:
        """What the best column was worth."""
        return self.judged.worth(self.best_columns[0], self.position)

    @property
    def worth_after(self) -> Worth:
        """What the column played was worth."""
        return self.judged.worth(self.column, self.position)

    @property
    def proven(self) -> bool:
        """Whether both of these are certain, not estimates."""
        return self.worth_before.is_proven and self.worth_after.is_proven

    @property
    def advantage(self) -> float:
        """After the move, from -1 (second wins at once) to 1 (first wins at once); the height of the graph."""
        return self._height(self.column)

    @property
    def advantage_before(self) -> float:
        """The same before it, with best play."""
        return self._height(self.best_columns[0])

    def _height(self, column: int) -> float:
        exact = self.judged.scores[column] if self.exact else self.judged.proven.get(column)
        variant = self.position.variant
        height = WON * self.judged.scores[column] if exact is None else _height(int(exact), variant)
        return height if self.side is Side.FIRST else -height


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewed game."""

    game: Game
    moves: tuple[MoveReview, ...]

    @property
    def given(self) -> int:
        """How many of the first discs were nobody's choice."""
        return sum(move.label is Label.GIVEN for move in self.moves)

    @property
    def exact(self) -> bool:
        """Whether every score is exact; else some are the engine's estimates."""
        return all(move.exact for move in self.moves)

    def accuracy(self, side: Side) -> float | None:
        """The mean mark of this side's moves, 0 to 100; None when it never had a choice."""
        marks = [move.mark for move in self.moves if move.side is side and move.mark is not None]
        return fmean(marks) if marks else None

    def count(self, side: Side, label: Label) -> int:
        return sum(move.side is side and move.label is label for move in self.moves)

    @property
    def turning_point(self) -> MoveReview | None:
        """The last blunder: after it the result never changed hands again. None when nobody made one."""
        blunders = [move for move in self.moves if move.label is Label.BLUNDER]
        return blunders[-1] if blunders else None


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
    judge, watch = Judge(game.variant, seconds, threads, stop), Watch(stop, progress)
    reviewed = []
    steps = list(zip(game.positions, game.moves, strict=False))
    for index in reversed(range(len(steps))):  # late positions are easy and help early ones
        reviewed.append(_review_move(*steps[index], judge, index < given))
        watch.tell(len(reviewed), len(steps))
    return Review(game, tuple(reversed(reviewed)))


def _review_move(position: Position, column: int, judge: Judge, given: bool) -> MoveReview:
    judged = judge.judge(position, column)
    if given:
        return MoveReview(position, column, judged, Label.GIVEN, None)
    label = _label(judged, column)
    reason = reason_of(position, column, judged, judge.best_line) if label is Label.BLUNDER else None
    return MoveReview(position, column, judged, label, _mark(judged, column), reason)


def _label(judged: Judged, column: int) -> Label:
    if judged.is_blunder(column):
        return Label.BLUNDER
    return Label.SLIP if judged.is_slip(column) else Label.BEST


def _mark(judged: Judged, column: int) -> float | None:
    """What accuracy is the mean of; None where every column was as good."""
    if not judged.leaves_a_choice:
        return None
    if judged.is_blunder(column):
        return WHOLE_MARK if judged.best > 0 > judged.scores[column] else HALF_MARK
    return SLIP_MARK if judged.is_slip(column) else BEST_MARK


def _height(score: int, variant: Variant) -> float:
    if score == 0:
        return 0.0
    height = WON + (1 - WON) * abs(score) / win_score(variant, 1)
    return height if score > 0 else -height
