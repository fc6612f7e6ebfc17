"""A sequential probability ratio test: stops as soon as it is clear whether the first player is stronger."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from connectk.arena.match import Record
from connectk.arena.ratings import expected
from connectk.errors import BadTournament


@dataclass(frozen=True, slots=True)
class Evidence:
    """The state of a test: `held` is 0 or 1 for the accepted hypothesis, None while it is undecided."""

    log_likelihood_ratio: float
    lower: float
    upper: float
    pairs: int

    @property
    def held(self) -> int | None:
        if self.log_likelihood_ratio >= self.upper:
            return 1
        return 0 if self.log_likelihood_ratio <= self.lower else None


@dataclass(frozen=True, slots=True)
class Sprt:
    """H0: the first player is `elo0` stronger than the second; H1: it is `elo1` stronger.

    `alpha` is the risk of accepting H1 when H0 is true, `beta` that of accepting H0 when H1 is true. Both games of an
    opening count as one result, because they are not independent. Openings count in their order, not that of finishing.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise BadTournament("error.BadTournament.elo")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadTournament("error.BadTournament.risks")

    def judge(self, player: str, records: Iterable[Record]) -> Evidence:
        """The state of the test after these games."""
        return self.judge_scores(_pair_scores(player, records))

    def judge_scores(self, scores: Sequence[float]) -> Evidence:
        """The same from the mean points of each pair of games."""
        bounds = math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)
        if not scores:
            return Evidence(0.0, *bounds, 0)
        low, high = expected(self.elo0), expected(self.elo1)
        mean, variance = _mean_and_variance(scores)
        ratio = len(scores) * (high - low) * (2 * mean - low - high) / (2 * variance)
        return Evidence(ratio, *bounds, len(scores))


def _mean_and_variance(scores: Sequence[float]) -> tuple[float, float]:
    """Adds each possible result with a small weight, so that a clean score has some variance."""
    weighted = [(score, 1.0) for score in scores] + [(quarter / 4, 0.2) for quarter in range(5)]
    total = sum(weight for _, weight in weighted)
    mean = sum(score * weight for score, weight in weighted) / total
    return mean, sum(weight * (score - mean) ** 2 for score, weight in weighted) / total


def _pair_scores(player: str, records: Iterable[Record]) -> list[float]:
    """The mean points of each opening, up to the first that was not played from both sides."""
    points: dict[int, list[float]] = {}
    for record in records:
        gained = record.points_of_first if record.first == player else 1 - record.points_of_first
        points.setdefault(record.opening, []).append(gained)
    scores: list[float] = []
    while len(points.get(len(scores), ())) == 2:
        scores.append(sum(points[len(scores)]) / 2)
    return scores
