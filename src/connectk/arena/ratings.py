"""Computes Elo ratings and their confidence intervals.

The true strengths of a group of players are taken to be normally distributed. Their standard deviation is estimated
from the games too. Bayes' theorem then gives the strengths that are to be expected after the games, and how uncertain
each is (`_Fit`). Expected strengths are closer together than the true ones, by a factor that is known. The ratings are
the expected strengths divided by this factor, so that they are on average as far apart as the true strengths.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import TYPE_CHECKING

from connectk.arena.linear import Matrix, cholesky, inverse_from, solve_from

if TYPE_CHECKING:
    from connectk.arena.match import GameRecord

ELO_PER_UNIT = 400 / math.log(10)  # Elo points for one unit of the logistic curve
Z_95 = 1.96  # standard errors on each side of a 95% interval
MAX_ITERATIONS = 200
MAX_STEP = 1.0  # in one iteration, in units of the logistic curve
PRECISION = 3e-4  # 0.05 Elo; the iterations end when nothing changes by more than this
MIN_SERIES_RATIO, MAX_SERIES_RATIO = 0.5, 0.98  # of two steps

USUAL_DEVIATION = 200 / ELO_PER_UNIT  # the standard deviation of the strengths that is assumed before any game
DEVIATION_UNCERTAINTY = 0.5  # the standard deviation of its logarithm, so a factor of 1.6 is not surprising
MEAN_DEVIATION = 400 / ELO_PER_UNIT  # of the mean of the rated players from that of the players with fixed ratings
VIRTUAL_GAMES = 1  # added to the share of draws as games without a draw, so that draws alone do not prove equality

# Points of a normal distribution with their weights, for mean values over what is still possible.
NORMAL_POINTS = [0.8 * place for place in range(-5, 6)]
_DENSITIES = [math.exp(-(x**2) / 2) for x in NORMAL_POINTS]
NORMAL_WEIGHTS = [density / sum(_DENSITIES) for density in _DENSITIES]


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength in Elo. The mean of the player's group is 0.

    With 95% confidence the true value is between `elo - margin` and `elo + margin`. The margin of a player without
    games is infinite.
    """

    name: str
    elo: float
    margin: float


def rate(
    players: Sequence[str], records: Iterable[GameRecord], fixed: Mapping[str, float] | None = None
) -> list[Rating]:
    """The ratings if points follow the logistic curve. A draw counts as half a win and half a loss.

    A player who has won every game has a finite rating. Players in `fixed` keep their given ratings and have no margin,
    and the other players are rated on the same scale. Players who are not connected by any games belong to different
    groups. The groups have no common scale, and each group is rated around its own mean.
    """
    found, games = dict[str, Rating](), list(records)
    for group in groups_of(players, games):
        own = [game for game in games if game.first in group]
        found |= {rating.name: rating for rating in _rate_group(group, own, fixed or {})}
    return [found[name] for name in players]


def different_games(records: Iterable[GameRecord]) -> list[GameRecord]:
    """The games without repetitions. A game repeats another game if the same players, on the same sides, have played
    the same moves."""
    found: dict[tuple[str | None, ...], GameRecord] = {}
    for game in records:
        found.setdefault((game.first, game.second, game.moves, game.winner, game.reason), game)
    return list(found.values())


def groups_of(players: Iterable[str], records: Iterable[GameRecord]) -> list[list[str]]:
    """Divide the players into groups that are connected by games. Ratings of different groups cannot be compared."""
    group_of = {name: [name] for name in players}
    for record in records:
        one, other = group_of[record.first], group_of[record.second]
        if one is not other:
            one += other
            group_of |= dict.fromkeys(other, one)
    places = {name: place for place, name in enumerate(group_of)}
    distinct = {id(group): group for group in group_of.values()}.values()
    return [sorted(group, key=places.__getitem__) for group in distinct]


def rating_difference(players: Sequence[str], records: Iterable[GameRecord]) -> Rating:
    """The rating of the first of two players minus the rating of the second."""
    first = rate(players, records)[0]
    return Rating(first.name, 2 * first.elo, 2 * first.margin)  # the mean is 0, so the second has the negative rating


def expected_score(elo: float) -> float:
    """The expected points per game of a player whose rating is `elo` points higher than that of the opponent."""
    return 1 / (1 + math.exp(-elo / ELO_PER_UNIT))


def _rate_group(names: Sequence[str], games: Sequence[GameRecord], fixed: Mapping[str, float]) -> list[Rating]:
    held = {names.index(name): elo / ELO_PER_UNIT for name, elo in fixed.items() if name in names}
    middle = sum(fixed.values()) / len(fixed) / ELO_PER_UNIT if fixed else 0.0
    if not games:
        elos = [ELO_PER_UNIT * held.get(i, middle) for i in range(len(names))]
        return [Rating(name, elo, 0.0 if name in fixed else math.inf) for name, elo in zip(names, elos, strict=True)]
    fit = _Fit(_pairs_of(names, games), sum(game.winner is None for game in games), len(names), held, middle)
    return [
        Rating(name, ELO_PER_UNIT * strength, ELO_PER_UNIT * Z_95 * error)
        for name, strength, error in zip(names, *fit.ratings(), strict=True)
    ]


@dataclass(slots=True)
class _Pair:
    """Two players, the number of their games, and the points of the first of them. `deviation` is the standard
    deviation of the difference of their strengths, as far as it is known."""

    one: int
    other: int
    games: int = 0
    points: float = 0.0
    deviation: float = 0.0
    expected: float = 0.0  # the expected points of the first player in one game
    slope: float = 0.0  # how fast the expected points grow with the difference of the strengths


def _pairs_of(players: Sequence[str], records: Iterable[GameRecord]) -> list[_Pair]:
    place = {name: i for i, name in enumerate(players)}
    pairs: dict[tuple[int, int], _Pair] = {}
    for record in records:
        i, j = place[record.first], place[record.second]
        pair = pairs.setdefault((min(i, j), max(i, j)), _Pair(min(i, j), max(i, j)))
        pair.games += 1
        pair.points += record.points_of_first if i < j else 1 - record.points_of_first
    return list(pairs.values())


class _Fit:
    """The strengths of one group of players after their games, and their uncertainty. Strengths are measured in units
    of the logistic curve, and not in Elo.

    The probability of the strengths is approximated by the nearest normal distribution (variational Bayes). `means` are
    its means, and `variances` the variances of the differences from their mean. `deviation` is the standard deviation
    of the true strengths. Each iteration improves all of these until they no longer change.
    """

    def __init__(
        self, pairs: Sequence[_Pair], draws: int, players: int, held: Mapping[int, float], middle: float
    ) -> None:
        self._pairs, self._draws, self._held, self._middle = pairs, draws, held, middle
        self._free = [i for i in range(players) if i not in held]
        self._row = {player: row for row, player in enumerate(self._free)}
        self._dimensions = len(self._free) - 1  # the differences from the mean add up to 0
        self._mean_prior = MEAN_DEVIATION**2 if held else 0.0  # without held strengths, the mean is 0 by definition
        self._mean_variance = 0.0
        self.means = [held.get(i, middle) for i in range(players)]
        self.deviation = USUAL_DEVIATION
        self.variances = [0.0] * players
        self._last_step = 0.0
        for pair in pairs:
            pair.deviation = USUAL_DEVIATION * math.sqrt(2)
        for _ in range(MAX_ITERATIONS if self._free else 0):
            if self._iterate() < PRECISION:
                break

    def ratings(self) -> tuple[list[float], list[float]]:
        """The ratings and their standard errors. Players with a fixed rating keep their strengths."""
        if not self._free:
            return self.means, self.variances
        # Expected strengths are a share of the true ones: their differences from the mean, and the mean itself.
        share = self._known_dimensions / self._dimensions if self._dimensions else 1.0
        mean, mean_share = self._mean, 1.0
        if self._held:
            mean_share -= self._mean_variance / (self._mean_prior + self.deviation**2 / len(self._free))
        ratings, variances = list(self.means), [0.0] * len(self.means)
        for player in self._free:
            ratings[player] = self._middle + (mean - self._middle) / mean_share + (self.means[player] - mean) / share
            variances[player] = self.variances[player] / share
            if self._held:
                variances[player] += self._mean_variance / mean_share
        return ratings, [math.sqrt(variance) for variance in variances]

    @property
    def _mean(self) -> float:
        return sum(self.means[player] for player in self._free) / len(self._free)

    @property
    def _known_dimensions(self) -> float:
        """The number of differences of strengths that the games have determined. A difference that is determined in
        part counts in part."""
        return self._dimensions - sum(self.variances) / self.deviation**2

    def _iterate(self) -> float:
        """Improve all estimates once. Returns the largest change."""
        self._expect()
        scatter = self._scatter()
        lower = cholesky(self._information(scatter))
        steps = solve_from(lower, self._gradient(scatter))
        largest = max(map(abs, steps))
        for player, step in zip(self._free, steps, strict=True):
            self.means[player] += step * min(1.0, MAX_STEP / (largest or 1.0))
        covariance = inverse_from(lower)
        shared = [sum(row) / len(row) for row in covariance]  # the covariance of each strength with the mean
        self._mean_variance = sum(shared) / len(shared)
        for row, player in enumerate(self._free):
            self.variances[player] = max(covariance[row][row] - 2 * shared[row] + self._mean_variance, 0.0)
        return max(largest, self._update_pairs(covariance), self._update_deviation())

    def _expect(self) -> None:
        """The expected points of each pair, as the mean over the distribution of their strengths."""
        for pair in self._pairs:
            difference = self.means[pair.one] - self.means[pair.other]
            wins = [1 / (1 + math.exp(-difference - pair.deviation * x)) for x in NORMAL_POINTS]
            pair.expected = sum(map(mul, NORMAL_WEIGHTS, wins))
            pair.slope = pair.expected - sum(weight * win**2 for weight, win in zip(NORMAL_WEIGHTS, wins, strict=True))

    def _scatter(self) -> float:
        """The variance of the points of a game, divided by the variance that it would have without draws."""
        without_draws = sum(pair.games * pair.slope for pair in self._pairs)
        games = sum(pair.games for pair in self._pairs)
        scatter = 1 - self._draws / 4 / (without_draws + VIRTUAL_GAMES / 4)
        return max(scatter, VIRTUAL_GAMES / (games + VIRTUAL_GAMES))

    def _information(self, scatter: float) -> Matrix:
        """The inverse of the covariance of the strengths. It sums up the games and the assumed distribution of
        strengths."""
        size = len(self._free)
        matrix = [[-self._common_information] * size for _ in range(size)]
        for row in range(size):
            matrix[row][row] += 1 / self.deviation**2
        for pair in self._pairs:
            weight = pair.games * pair.slope / scatter
            rows = [self._row[player] for player in (pair.one, pair.other) if player not in self._held]
            for row in rows:
                matrix[row][row] += weight
            if len(rows) == 2:
                matrix[rows[0]][rows[1]] -= weight
                matrix[rows[1]][rows[0]] -= weight
        return matrix

    @property
    def _common_information(self) -> float:
        """The information about the strengths that is missing before any game because their mean is uncertain."""
        total = self.deviation**2 + len(self._free) * self._mean_prior
        return self._mean_prior / (self.deviation**2 * total)

    def _gradient(self, scatter: float) -> list[float]:
        surplus = [0.0] * len(self.means)
        for pair in self._pairs:
            gained = (pair.points - pair.games * pair.expected) / scatter
            surplus[pair.one] += gained
            surplus[pair.other] -= gained
        common = self._common_information * len(self._free) * (self._mean - self._middle)
        return [surplus[i] - (self.means[i] - self._middle) / self.deviation**2 + common for i in self._free]

    def _update_pairs(self, covariance: Matrix) -> float:
        """Change the uncertainty of each difference by half of the computed step, on a logarithmic scale. A full step
        may overshoot. Returns the largest change."""
        largest = 0.0
        for pair in self._pairs:
            rows = [self._row[player] for player in (pair.one, pair.other) if player not in self._held]
            variance = sum(covariance[row][row] for row in rows)
            if len(rows) == 2:
                variance -= 2 * covariance[rows[0]][rows[1]]
            factor = math.sqrt(math.sqrt(variance) / pair.deviation) if rows else 1.0
            pair.deviation *= factor
            largest = max(largest, abs(factor - 1))
        return largest

    def _update_deviation(self) -> float:
        """Do one step of Newton's method towards the most likely standard deviation of the true strengths. Returns the
        size of the step.

        The slope is that of a normal distribution whose means grow with the deviation.
        """
        known, certainty = self._known_dimensions, 1 / DEVIATION_UNCERTAINTY**2
        mean = self._mean
        spread = sum((self.means[i] - mean) ** 2 for i in self._free) / self.deviation**2
        excess = spread - known - certainty * math.log(self.deviation / USUAL_DEVIATION)
        step = excess / (2 * known**2 / max(self._dimensions, 1) + certainty)
        longer = self._lengthened(step)
        self.deviation *= math.exp(max(-MAX_STEP, min(longer, MAX_STEP)))
        return abs(step)

    def _lengthened(self, step: float) -> float:
        """The sum of this step and all later ones, if this step and the previous one begin a geometric series (Aitken's
        method)."""
        ratio = step / self._last_step if self._last_step else 0.0
        is_series = MIN_SERIES_RATIO < ratio < MAX_SERIES_RATIO
        self._last_step = 0.0 if is_series else step  # the step after a longer one has no series yet
        return step / (1 - ratio) if is_series else step
