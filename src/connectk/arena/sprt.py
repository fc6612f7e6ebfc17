"""A sequential probability ratio test. It stops as soon as it is clear whether the first player is stronger."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from connectk.arena.match import GameRecord
from connectk.arena.ratings import expected_score
from connectk.errors import BadTournament


@dataclass(frozen=True, slots=True)
class Evidence:
    """The state of a test. `accepted_hypothesis` is 0 or 1 once H0 or H1 is accepted, and None before that."""

    log_likelihood_ratio: float
    lower: float
    upper: float
    pairs: int

    @property
    def accepted_hypothesis(self) -> int | None:
        if self.log_likelihood_ratio >= self.upper:
            return 1
        return 0 if self.log_likelihood_ratio <= self.lower else None


@dataclass(frozen=True, slots=True)
class Sprt:
    """The test between two hypotheses: the first player is `elo0` points stronger (H0), or `elo1` points stronger (H1).

    `alpha` is the risk of accepting H1 although H0 is true, and `beta` the opposite risk. The two games of an opening
    count as one result, because they are not independent. Results count in the order of the openings, even if a later
    one is finished first.
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

    def judge(self, player: str, records: Iterable[GameRecord], swap: bool = False) -> Evidence:
        """The state of the test at the first bound that it crosses, or after all games if it crosses none.

        With `swap`, each opening is played only once. Two consecutive openings then form a pair, and each player begins
        one of the two games.
        """
        return self.judge_scores(_pair_scores(player, records, openings=2 if swap else 1))

    def judge_scores(self, scores: Sequence[float]) -> Evidence:
        """The state of the test for these scores. Each score is the mean of the points in a pair of games.

        The test ends with the first score that crosses a bound; later scores do not count.
        """
        bounds = math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)
        low, high = expected_score(self.elo0), expected_score(self.elo1)
        evidence, moments = Evidence(0.0, *bounds, 0), _Moments()
        for pairs, score in enumerate(scores, start=1):
            moments.add(score)
            ratio = pairs * (high - low) * (2 * moments.mean - low - high) / (2 * moments.variance)
            evidence = Evidence(ratio, *bounds, pairs)
            if evidence.accepted_hypothesis is not None:
                break
        return evidence


class _Moments:
    """The mean and the variance of scores. At the start, each possible score is added once with a small weight, so that
    the variance is never 0."""

    def __init__(self) -> None:
        self._weight = self._sum = self._squares = 0.0
        for quarter in range(5):
            self.add(quarter / 4, 0.2)

    def add(self, score: float, weight: float = 1.0) -> None:
        self._weight += weight
        self._sum += weight * score
        self._squares += weight * score**2

    @property
    def mean(self) -> float:
        return self._sum / self._weight

    @property
    def variance(self) -> float:
        return self._squares / self._weight - self.mean**2


def _pair_scores(player: str, records: Iterable[GameRecord], openings: int) -> list[float]:
    """The player's mean points in each pair of games. The two games of a pair have the same opening or, if `openings`
    is 2, two consecutive openings.

    The list ends before the first pair that has not been played completely. A pair is left out if both of its games
    repeat those of an earlier pair.
    """
    games: dict[int, list[GameRecord]] = {}
    for record in records:
        games.setdefault(record.opening // openings, []).append(record)
    scores, seen = list[float](), set[frozenset[tuple[str, str]]]()
    for pair in range(len(games)):
        both = games.get(pair, ())
        if len(both) < 2:
            break
        played = frozenset((game.first, game.moves) for game in both)
        if played not in seen:
            seen.add(played)
            scores.append(sum(g.points_of_first if g.first == player else 1 - g.points_of_first for g in both) / 2)
    return scores
