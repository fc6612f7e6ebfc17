"""An encounter: a match of two strangers, with its players, its place in a series, and whether it is rated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from connectk.glicko import Glicko
from connectk.rules import Side


class Points(NamedTuple):
    """The points in a series: 1 for a win and 0.5 for a draw."""

    first: float = 0.0
    second: float = 0.0

    @property
    def swapped(self) -> Points:
        return Points(self.second, self.first)

    def plus(self, scores: tuple[float, float]) -> Points:
        return Points(self.first + scores[0], self.second + scores[1])


def is_decided(best_of: int, games: int, points: Points) -> bool:
    """Whether a series is over, because all its games are played or one player can no longer be overtaken."""
    return games >= best_of or max(points) > best_of / 2


NO_POINTS = Points()


@dataclass(frozen=True, slots=True)
class Encounter:
    """A match of two strangers. Players are named by the side that they had at first, even after a swap. `points` are
    the points in the series before this game."""

    match: str
    profiles: tuple[str, str]  # of the first and of the second side
    before: tuple[Glicko, Glicko]  # the ratings when the match began
    rated: bool
    best_of: int = 1
    game: int = 1
    points: Points = NO_POINTS
    created: float = 0.0
    settled: float | None = None  # when the result was entered
    after: tuple[Glicko, Glicko] | None = None  # the ratings after the match; None if it did not count
    scores: tuple[float, float] | None = None  # None until the match is settled
    abandoned: Side | None = None  # the side that left
    next_at: float | None = None  # when the next game of the series begins; None if there is none
    evidence: dict[str, object] | None = None  # what the fair-play check has found

    @property
    def points_after(self) -> Points:
        return self.points.plus(self.scores) if self.scores else self.points

    @property
    def is_series_over(self) -> bool:
        return self.scores is not None and (
            self.abandoned is not None or is_decided(self.best_of, self.game, self.points_after)
        )

    def profile_of(self, side: Side) -> str:
        return self.profiles[side.value]
