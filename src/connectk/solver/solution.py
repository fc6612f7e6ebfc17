"""Results of the solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from connectk.rules import Position, Variant

if TYPE_CHECKING:
    from connectk.solver.solver import Solver
    from connectk.watch import Watch

Goal = Literal["score", "result"]
ResultWord = Literal["win", "draw", "loss"]
Source = Literal["book", "search", "rules"]


class Found(NamedTuple):
    """The result of a search: bounds of the score for the side to move, the number of positions searched, and the
    seconds. The score is at least `lower` and at most `upper`.

    `source` is the origin of the bounds: the opening book, a search, or the rules alone if the game is over. For the
    goal "result" the bounds are -1, 0 or 1.
    """

    lower: int
    upper: int
    nodes: int
    source: Source
    seconds: float = 0.0
    goal: Goal = "score"

    @property
    def exact(self) -> bool:
        return self.lower == self.upper

    @property
    def score(self) -> int | None:
        """The exact score. None if the search was stopped, or for the goal "result" unless the game is a draw."""
        known = self.lower == self.upper and (self.goal == "score" or self.lower == 0)
        return self.lower if known else None

    @property
    def result(self) -> ResultWord | None:
        """Whether the side to move wins, draws or loses. It is None if the search was stopped before this was known."""
        if self.lower > 0:
            return "win"
        if self.upper < 0:
            return "loss"
        return "draw" if self.lower == self.upper else None


class Solution:
    """A solved position. Its scores are for the side to move, and its columns count from 0.

    The best columns and the line are computed when they are first used. This work reports to the `progress` function of
    the original call, and the original `stop` can end it. `nodes` and `seconds` then include this work.
    """

    __slots__ = ("_best_columns", "_line", "_solver", "_watch", "found", "position")

    def __init__(self, position: Position, found: Found, solver: Solver | None, watch: Watch | None) -> None:
        self.position = position
        self.found = found
        self._solver = solver
        self._watch = watch
        self._best_columns: tuple[int, ...] | None = None
        self._line: tuple[int, ...] | None = None

    @property
    def score(self) -> int | None:
        """The exact score. None if the search was stopped, or for the goal "result" unless the game is a draw."""
        return self.found.score

    @property
    def result(self) -> ResultWord | None:
        """Whether the side to move wins, draws or loses. It is None if the search was stopped before this was known."""
        return self.found.result

    @property
    def lower(self) -> int:
        return self.found.lower

    @property
    def upper(self) -> int:
        return self.found.upper

    @property
    def goal(self) -> Goal:
        return self.found.goal

    @property
    def source(self) -> Source:
        """The origin of the score: the opening book, a search, or the rules alone if the game is over."""
        return self.found.source

    @property
    def nodes(self) -> int:
        """The number of positions searched so far."""
        return self.found.nodes

    @property
    def seconds(self) -> float:
        """The seconds taken so far."""
        return self.found.seconds

    @property
    def plies(self) -> int | None:
        """The number of discs that both sides together still drop under best play; None if the score is unknown."""
        if self.score is None:
            return None
        return plies_to_end(self.position.variant, self.position.ply, self.score)

    @property
    def best_columns(self) -> tuple[int, ...]:
        """Every column that keeps the score (or the result, if only the result was requested). It is empty if the score
        is unknown or the search was stopped."""
        if self._best_columns is None:
            columns, complete = self._ask("best_columns")
            if not complete:
                return ()
            self._best_columns = columns
        return self._best_columns

    @property
    def line(self) -> tuple[int, ...]:
        """Best play of both sides to the end of the game. If the search was stopped, only the first drops may be
        known."""
        if self._line is None:
            columns, complete = self._ask("line")
            if not complete:
                return columns
            self._line = columns
        return self._line

    def _ask(self, what: Literal["best_columns", "line"]) -> tuple[tuple[int, ...], bool]:
        if not self.found.exact or self.position.outcome is not None:
            return (), True
        if self._solver is None:  # unpickled
            from connectk.solver.solver import Solver

            self._solver = Solver(self.position.variant)
        drops = self._solver.drops(what, self, self._watch)
        nodes, seconds = self.found.nodes + drops.nodes, self.found.seconds + drops.seconds
        self.found = self.found._replace(nodes=nodes, seconds=seconds)
        return drops.columns, drops.complete

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickle, (self.position, self.found, self._best_columns, self._line)

    def __repr__(self) -> str:
        known = f"score {self.score}" if self.score is not None else f"between {self.lower} and {self.upper}"
        return f"<Solution of {self.position.variant} after {self.position.ply} discs: {self.result}, {known}>"


def _unpickle(
    position: Position, found: Found, best_columns: tuple[int, ...] | None, line: tuple[int, ...] | None
) -> Solution:
    solution = Solution(position, found, None, None)
    solution._best_columns, solution._line = best_columns, line
    return solution


def win_score(variant: Variant, last_disc: int) -> int:
    """The score of a win that is completed by disc number `last_disc` of the game."""
    return (variant.cells + 2 - last_disc) // 2


def plies_to_end(variant: Variant, ply: int, score: int) -> int:
    """The number of discs that are still dropped in a game with this score, when `ply` discs are on the board."""
    if score == 0:
        return variant.cells - ply
    last_disc = variant.cells + 2 - 2 * abs(score)
    winner_moves_next = score > 0
    if (last_disc - ply) % 2 != winner_moves_next:  # this disc is the loser's, and the disc before it scores the same
        last_disc -= 1
    return last_disc - ply


def discs_to_win(variant: Variant, ply: int, score: int) -> int:
    """The number of discs that the winner still drops. As in chess problems, a win in 1 means that the next drop
    wins."""
    return (plies_to_end(variant, ply, score) + 1) // 2


def score_when_over(position: Position) -> int:
    """The score of a finished game for the side whose turn it would be."""
    assert position.outcome is not None
    return -win_score(position.variant, position.ply) if position.outcome.winner is not None else 0
