"""What columns are worth: exactly where the solver can tell in time, else by the engine's estimate."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from connectk.errors import SearchStopped, UnsupportedVariant
from connectk.players.player import Clock
from connectk.players.timed import EnginePlayer
from connectk.rules import Position, Variant
from connectk.solver import Solver
from connectk.solver.solution import score_when_over

HOPELESS = 0.1  # share of the time for a search after one for a later position has failed
LOOK = 0.1  # share of the time for each of the engine's three looks at a position
CLEAR = 0.5  # an estimate that falls by so much is a blunder ...
NOTABLE = 0.15  # ... and by so much a slip


@dataclass(frozen=True, slots=True)
class Judged:
    """Scores of columns for the side to move. Exact ones are whole numbers and cover every column that takes a disc;
    an estimate is the expected result, from -1 for a loss to 1 for a win, of the best column and the one played."""

    scores: Mapping[int, float]
    exact: bool

    @property
    def best(self) -> float:
        return max(self.scores.values())

    @property
    def best_columns(self) -> tuple[int, ...]:
        return tuple(column for column, score in self.scores.items() if score == self.best)

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
    """Judges the positions of one variant, within `seconds` for each. Ask for the latest position of a game first."""

    def __init__(self, variant: Variant, seconds: float, threads: int = 1) -> None:
        self._seconds = seconds
        self._solver = _solver(variant, threads)
        self._engine = EnginePlayer(threads=threads)
        self._hopeless = False

    def judge(self, position: Position, played: int) -> Judged:
        exact = self._exact(position)
        return exact or self._estimate(position, played)

    def _exact(self, position: Position) -> Judged | None:
        if self._solver is None:
            return None
        try:
            stop = self._stop_after(self._seconds * (HOPELESS if self._hopeless else 1.0))
            scores = self._solver.score_columns(position, stop=stop)
        except SearchStopped:
            self._hopeless = True  # the positions before it are harder still, unless the book knows them
            return None
        return Judged({column: score for column, score in enumerate(scores) if score is not None}, exact=True)

    def best_line(self, position: Position) -> tuple[int, ...]:
        """Best play to the end, where the solver finds it in time."""
        if self._solver is None or position.outcome is not None:
            return ()
        return self._solver.solve(position, stop=self._stop_after(self._seconds)).line

    def _stop_after(self, seconds: float) -> Callable[[], bool]:
        return partial(_is_over, time.monotonic() + seconds)

    def _estimate(self, position: Position, played: int) -> Judged:
        """The engine's column and the one played, each judged from the position after it, so that both are alike."""
        share = LOOK * self._seconds
        best = self._engine.choose(position, Clock(share)).column
        scores = {column: self._expected(position.drop(column), share) for column in sorted({best, played})}
        return Judged({**scores, best: max(scores.values())}, exact=False)

    def _expected(self, after: Position, seconds: float) -> float:
        """The expected result for the side that has just moved."""
        if after.outcome is not None:
            return float(-_sign(score_when_over(after)))
        score = self._engine.choose(after, Clock(seconds)).thought.score or 0.0
        return -max(-1.0, min(1.0, score))


def _solver(variant: Variant, threads: int) -> Solver | None:
    try:
        return Solver(variant, threads=threads)
    except UnsupportedVariant:
        return None


def _is_over(moment: float) -> bool:
    return time.monotonic() >= moment


def _sign(score: float) -> int:
    return (score > 0) - (score < 0)
