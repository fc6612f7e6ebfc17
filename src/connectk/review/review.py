"""Reviews a game. A review labels every move, rates both sides, and finds the move that decided the game. The core does
the analysis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from connectk import _native
from connectk.errors import NotationError, SearchStopped, UnsupportedVariant
from connectk.notation.views import SIDE_NAMES
from connectk.players.core_player import MAX_CORE_BOARD_SIDE, to_game_board
from connectk.review.reasons import describe_reason
from connectk.rules import Cell, Game, Position, Side
from connectk.solver.book import native_book
from connectk.solver.worth import Worth
from connectk.texts import load_texts
from connectk.watch import Progress, Stop, Watch

if TYPE_CHECKING:
    from connectk.review.messages import LedgerView, ReasonView

SUMMED_FIELDS = ("number", "side", "label", "mark", "was_lost", "exact", "proven", "before", "after")
CoreReview = Mapping[str, Any]  # the core's description of one move
DEFAULT_POSITION_SECONDS = 2.0  # the engine's time, used only if the solver has no quick answer


class Label(Enum):
    """The quality of a move, from the most serious mistake to the best move. A label depends on the loss in value, and
    on the number of computer levels that see it.

    `GIVEN` marks a move that the player did not choose.
    """

    MISSED_WIN = "missed_win"
    MISSED_BLOCK = "missed_block"
    BLUNDER = "blunder"
    MISTAKE = "mistake"
    FINE_POINT = "fine_point"
    GOOD = "good"
    BEST = "best"
    GIVEN = "given"

    @property
    def is_serious(self) -> bool:
        """Whether every attentive player would call the move a blunder."""
        return self in (Label.MISSED_WIN, Label.MISSED_BLOCK, Label.BLUNDER)

    @property
    def is_flawed(self) -> bool:
        """Whether the move made the result or its distance worse, even if hardly any player would notice."""
        return self.is_serious or self in (Label.MISTAKE, Label.FINE_POINT)


@dataclass(frozen=True, slots=True)
class Marks:
    """The number of a side's moves that count for its accuracy, and how many of these moves were judged by an
    estimate."""

    count: int
    estimated: int


@dataclass(frozen=True, slots=True)
class ColumnScores:
    """The scores of columns, for the side to move.

    Exact scores are whole numbers, and every open column has one. Estimates are expected results from -1 for a loss to
    1 for a win. Only the best column and the column that was played have an estimate.
    """

    scores: Mapping[int, float]
    exact: bool
    best_columns: tuple[int, ...]

    @property
    def best(self) -> float:
        """The highest score."""
        return max(self.scores.values())


@dataclass(frozen=True, slots=True)
class MoveReview:
    """The review of one move. `before` is the score of the best column, and `after` is the score of the column that was
    played. Both scores are for the side that made the move."""

    position: Position  # before the move
    column: int
    judged: ColumnScores
    label: Label
    # the number of levels without a clock that see what the move threw away; None if the move threw nothing away
    seen_by: int | None
    was_lost: bool  # whether several levels already saw a loss that no move could avoid
    mark: float | None  # the move's mark from 0 to 100, for accuracy; None if every column was equally good
    worth_before: Worth  # of the best column
    worth_after: Worth  # of the column played
    advantage: float  # after the move, from -1 (second wins at once) to 1 (first wins at once); the height of the graph
    advantage_before: float  # with best play
    reasons: tuple[ReasonView, ...] = ()  # why the move was flawed
    better_line: tuple[int, ...] = ()  # the better line: good play from the position before the move
    refutation: tuple[int, ...] = ()  # the refutation: a good answer to the move
    ledger: LedgerView = field(kw_only=True)  # the threats after the move, and which side runs out of harmless cells

    @property
    def number(self) -> int:
        """The number of the disc in the game, counted from 1."""
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
    def reason(self) -> str:
        """A sentence in English that says why the move was flawed. Empty if the move was not flawed."""
        return " ".join(describe_reason(reason, load_texts("en")) for reason in self.reasons)

    @property
    def fell(self) -> bool:
        """Whether the move is proven to have made the result worse."""
        return self.proven and _sign(self.after) < _sign(self.before)

    @property
    def after_position(self) -> Position:
        return self.position.drop(self.column)

    @property
    def proven(self) -> bool:
        """Whether both `before` and `after` are proven and not estimated."""
        return self.worth_before.is_proven and self.worth_after.is_proven


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewed game."""

    game: Game
    moves: tuple[MoveReview, ...]
    given: int  # how many of the first discs were given rather than chosen by a player
    exact: bool  # whether every score is exact; otherwise some are the engine's estimates
    accuracies: Mapping[Side, float | None]
    marks: Mapping[Side, Marks]  # how many moves each side's accuracy is based on
    turning_point: MoveReview | None  # the move that decided the game, the one a coach would discuss
    lost_at: MoveReview | None = None  # the last move that turned a win or a draw into a loss, however hard to see

    def accuracy(self, side: Side) -> float | None:
        """The mean mark of this side's moves, from 0 to 100. None if the side never had a choice."""
        return self.accuracies[side]

    def count(self, side: Side, label: Label) -> int:
        return sum(move.side is side and move.label is label for move in self.moves)


def _sign(score: float) -> int:
    return (score > 0) - (score < 0)


def review_game(
    game: Game,
    *,
    given: int = 0,
    seconds: float = DEFAULT_POSITION_SECONDS,
    threads: int = 1,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Review:
    """Review every move after the first `given` moves. The time for each position is at most `seconds`.

    `progress` reports the number of reviewed moves. Raises `SearchStopped` if `stop` ends the review.
    """
    check_reviewable(game)
    found = review_last_moves(
        game.start,
        game.moves,
        len(game.moves),
        given=given,
        seconds=seconds,
        threads=threads,
        watch=Watch(stop, progress),
    )
    return sum_up(game, found)


def check_reviewable(game: Game) -> None:
    """Raise an error if the game has no moves or if its board is too large."""
    if not game.moves:
        raise NotationError("error.no_moves_to_review")
    if max(game.variant.width, game.variant.height) > MAX_CORE_BOARD_SIDE:
        raise UnsupportedVariant(game.variant, "error.UnsupportedVariant.judged", most=f"{MAX_CORE_BOARD_SIDE:,}")


def review_last_moves(
    start: Position,
    moves: Sequence[int],
    count: int,
    *,
    given: int = 0,
    seconds: float = DEFAULT_POSITION_SECONDS,
    threads: int = 1,
    watch: Watch,
) -> list[CoreReview]:
    """The core's reviews of the last `count` of these moves. A caller may review a long game in several parts, starting
    with the last moves."""
    board = to_game_board(start)
    for column in moves:
        board.drop(column)
    found = _native.review_game(
        board,
        count,
        book=native_book(True, start.variant),
        given=max(0, given - (len(moves) - count)),
        seconds=seconds,
        threads=threads,
        stopped=watch.should_stop,
        report=lambda done: watch.report(done, count),
    )
    if found is None:
        raise SearchStopped(())
    return list(found["moves"])


def sum_up(game: Game, found: Sequence[CoreReview]) -> Review:
    """Combine the core's reviews of single moves into the review of the game."""
    moves = tuple(map(_move_review, game.positions, found))
    outcome = game.outcome
    facts = _native.sum_up_review(
        [tuple(one[name] for name in SUMMED_FIELDS) for one in found],
        SIDE_NAMES[outcome.winner] if outcome and outcome.winner else None,
    )
    return Review(
        game,
        moves,
        facts["given"],
        facts["exact"],
        {side: facts["accuracy"][SIDE_NAMES[side]] for side in Side},
        {side: Marks(**facts["marks"][SIDE_NAMES[side]]) for side in Side},
        *(next((move for move in moves if move.number == facts[name]), None) for name in ("turning_point", "lost_at")),
    )


def _move_review(position: Position, found: Mapping[str, Any]) -> MoveReview:
    return MoveReview(
        position,
        found["column"],
        _judged(found),
        Label(found["label"]),
        found["seen_by"],
        found["was_lost"],
        found["mark"],
        Worth(**found["worth_before"]),
        Worth(**found["worth_after"]),
        found["advantage"],
        found["advantage_before"],
        tuple(found["reasons"]),
        tuple(found["better_line"]),
        tuple(found["refutation"]),
        ledger=found["ledger"],
    )


def _judged(found: Mapping[str, Any]) -> ColumnScores:
    number = int if found["exact"] else float
    scores = {column: number(score) for column, score in found["scores"]}
    return ColumnScores(scores, found["exact"], tuple(found["best_columns"]))
