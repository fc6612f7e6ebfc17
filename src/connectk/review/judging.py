"""What columns are worth: exactly where the solver can tell in time, else by the engine's estimate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from connectk.errors import SearchStopped, UnsupportedVariant
from connectk.players.player import Choice, Clock
from connectk.players.timed import EnginePlayer
from connectk.rules import Position, Variant
from connectk.solver import Solver
from connectk.solver.solution import score_when_over
from connectk.solver.words import Worth
from connectk.watch import Stop, says_stop, stop_after

HOPELESS = 0.1  # share of the time for a search after one for a later position has failed
LOOK = 0.1  # share of the time for each of the engine's three looks at a position
CLEAR = 0.5  # an estimate that falls by so much is a blunder ...
NOTABLE = 0.15  # ... and by so much a slip


@dataclass(frozen=True, slots=True)
class Judged:
    """Scores of columns for the side to move. Exact ones are whole numbers and cover every column that takes a disc;
    an estimate is the expected result, from -1 for a loss to 1 for a win, of the best column and the one played. Where
    the engine has proved one of these, `proven` has its exact score."""

    scores: Mapping[int, float]
    exact: bool
    proven: Mapping[int, int] = field(default_factory=dict)

    @property
    def best(self) -> float:
        return max(self.scores.values())

    @property
    def best_columns(self) -> tuple[int, ...]:
        return tuple(column for column, score in self.scores.items() if score == self.best)

    def worth(self, column: int, position: Position) -> Worth:
        """What a column is worth in the position that was judged."""
        score = int(self.scores[column]) if self.exact else self.proven.get(column)
        if score is None:
            return Worth("about", score=self.scores[column])
        return Worth.of(score, position.variant, position.ply)

    @property
    def leaves_a_choice(self) -> bool:
        """Whether it matters which column is played."""
        return len(set(self.scores.values())) > 1

    def is_blunder(self, column: int) -> bool:
        """A win thrown to a draw or a loss, or a draw to a loss."""
        if self.exact:
            return _sign(self.scores[column]) < _sign(self.best)
        return self.best - self.scores[column] >= CLEAR

    def is_slip(self, column: int) -> bool:
        """The same result, but a slower win or a faster loss."""
        return self.best - self.scores[column] > (0 if self.exact else NOTABLE) and not self.is_blunder(column)


class Judge:
    """Judges the positions of one variant, within `seconds` for each. Ask for the latest position of a game first.

    Once `stop` says so, whatever is asked raises `SearchStopped`.
    """

    def __init__(self, variant: Variant, seconds: float, threads: int = 1, stop: Stop | None = None) -> None:
        self._seconds, self._stop = seconds, stop
        self._solver = _solver(variant, threads)
        self._engine = EnginePlayer(threads=threads)
        self._hopeless = False

    def judge(self, position: Position, played: int) -> Judged:
        self._check_stop()
        judged = self._exact(position) or self._estimate(position, played)
        self._check_stop()
        return judged

    def _check_stop(self) -> None:
        if self._stop is not None and says_stop(self._stop):
            raise SearchStopped(())

    def _exact(self, position: Position) -> Judged | None:
        if self._solver is None:
            return None
        try:
            stop = stop_after(self._seconds * (HOPELESS if self._hopeless else 1.0), self._stop)
            scores = self._solver.score_columns(position, stop=stop)
        except SearchStopped:
            self._check_stop()
            self._hopeless = True  # the positions before it are harder still, unless the book knows them
            return None
        return Judged({column: score for column, score in enumerate(scores) if score is not None}, exact=True)

    def best_line(self, position: Position) -> tuple[int, ...]:
        """Best play to the end, where the solver finds it in time."""
        self._check_stop()
        if self._solver is None or position.outcome is not None:
            return ()
        return self._solver.solve(position, stop=stop_after(self._seconds, self._stop)).line

    def _estimate(self, position: Position, played: int) -> Judged:
        """The engine's column and the one played, each judged from the position after it, so that both are alike."""
        best = self._look(position).column
        looks = {column: self._expected(position.drop(column)) for column in sorted({best, played})}
        scores = {column: score for column, (score, _) in looks.items()}
        proven = {column: exact for column, (_, exact) in looks.items() if exact is not None}
        if scores[best] < scores[played]:  # a second look that thinks less of it than the first one
            proven.pop(best, None)
            scores[best] = scores[played]
        return Judged(scores, exact=False, proven=proven)

    def _look(self, position: Position) -> Choice:
        return self._engine.choose(position, Clock(LOOK * self._seconds, self._stop))

    def _expected(self, after: Position) -> tuple[float, int | None]:
        """The expected result for the side that has just moved, and the exact score where it is proven."""
        if after.outcome is not None:
            exact = -score_when_over(after)
            return float(_sign(exact)), exact
        thought = self._look(after).thought
        if thought.proven and thought.score is not None:
            return float(_sign(-thought.score)), -int(thought.score)
        return -max(-1.0, min(1.0, thought.score or 0.0)), None


def _solver(variant: Variant, threads: int) -> Solver | None:
    try:
        return Solver(variant, threads=threads)
    except UnsupportedVariant:
        return None


def _sign(score: float) -> int:
    return (score > 0) - (score < 0)
