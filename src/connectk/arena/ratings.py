"""Computes Elo ratings and their confidence intervals. The ratings are the most likely ones, with a few virtual draws
added."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from connectk.arena.linear import Matrix, inverse, product, solve_equations, zeros

if TYPE_CHECKING:
    from connectk.arena.match import GameRecord

ELO_PER_UNIT = 400 / math.log(10)  # Elo points for one unit of the logistic curve
Z_95 = 1.96  # standard errors on each side of a 95% interval
MAX_NEWTON_ITERATIONS = 100

# These values were chosen by simulation (tests/arena/test_rating_coverage.py). With them, the ratings are spread as
# widely as the true strengths, and the intervals contain the true strengths as often as they should.
VIRTUAL_DRAWS = 0.25  # times the square root of the number of players is the number of virtual draws of each player
VIRTUAL_DRAW_VARIANCE = 0.12  # the variance of the points of one virtual draw
POOLED_GAMES = 5  # the variance of all pairs is mixed into that of each pair with the weight of this many games


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
    """The most likely ratings if points follow the logistic curve. A draw counts as half a win and half a loss.

    Each player gets a few virtual draws against the other players. A player who has won every game therefore has a
    finite rating. Players in `fixed` keep their given ratings and have no margin, and the other players are rated on
    the same scale. Players who are not connected by any games belong to different groups. The groups have no common
    scale, and each group is rated around its own mean.
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
    fit = _Fit(_Tally.of(names, games), held, middle)
    return [
        Rating(name, ELO_PER_UNIT * strength, ELO_PER_UNIT * Z_95 * error)
        for name, strength, error in zip(names, fit.strengths, fit.standard_errors(), strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Tally:
    """For each pair of players: the number of games, the points of the first player, and the sum of the squares of
    these points."""

    games: Matrix
    points: Matrix
    squares: Matrix

    @classmethod
    def of(cls, players: Sequence[str], records: Iterable[GameRecord]) -> _Tally:
        place = {name: i for i, name in enumerate(players)}
        tally = cls(*(zeros(len(players)) for _ in range(3)))
        for record in records:
            i, j = place[record.first], place[record.second]
            for one, other, gained in ((i, j, record.points_of_first), (j, i, 1 - record.points_of_first)):
                tally.games[one][other] += 1
                tally.points[one][other] += gained
                tally.squares[one][other] += gained**2
        return tally


class _Fit:
    """Finds the strengths of one group of players. Strengths are measured in units of the logistic curve, and not in
    Elo."""

    def __init__(self, tally: _Tally, held: Mapping[int, float], middle: float) -> None:
        self._tally, self._held = tally, held
        size = len(tally.games)
        self._virtual = VIRTUAL_DRAWS * math.sqrt(size) / (size - 1)  # draws of each pair
        self._pairs = [(i, j) for i in range(size) for j in range(size) if i != j]
        self.strengths = [held.get(i, middle) for i in range(size)]
        self._climb()

    def _climb(self) -> None:
        """Find the most likely strengths by Newton's method. If no strengths are fixed, the mean of the strengths does
        not change."""
        for _ in range(MAX_NEWTON_ITERATIONS):
            steps = solve_equations(self._information(), self._slope())
            largest = max(map(abs, steps))
            share = min(1.0, 1.0 / (largest or 1.0))
            self.strengths = [s + step * share for s, step in zip(self.strengths, steps, strict=True)]
            if largest < 1e-9:
                return

    def _slope(self) -> list[float]:
        games, points, slope = self._tally.games, self._tally.points, [0.0] * len(self.strengths)
        for i, j in self._pairs:
            if i not in self._held:
                expected_points = (games[i][j] + self._virtual) * self._win(i, j)
                slope[i] += points[i][j] + self._virtual / 2 - expected_points
        return slope

    def _information(self) -> Matrix:
        """Fisher's information matrix.

        If no strengths are fixed, only their differences matter. Then 1/n is added to every element to make the matrix
        invertible.
        """
        size = len(self.strengths)
        games, matrix = self._tally.games, [[0.0 if self._held else 1 / size] * size for _ in range(size)]
        _add_differences(matrix, {(i, j): (games[i][j] + self._virtual) * self._variance(i, j) for i, j in self._pairs})
        for i in self._held:
            _zero_out(matrix, i)
            matrix[i][i] = 1.0
        return matrix

    def standard_errors(self) -> list[float]:
        """The standard errors of the strengths, by the sandwich estimator: the inverse information, times the observed
        variance, times the inverse information."""
        back, seen = inverse(self._information()), zeros(len(self.strengths))
        _add_differences(seen, self._seen_variance())
        for i in self._held:
            _zero_out(seen, i)
        covariance = product(product(back, seen), back)
        return [math.sqrt(max(covariance[i][i], 0.0)) for i in range(len(covariance))]

    def _seen_variance(self) -> dict[tuple[int, int], float]:
        """The variance of the points of each pair: the observed variance of its games, mixed with the usual variance of
        all games.

        Draws make the observed variance small. The sum over all games is therefore kept at or above the variance of one
        game without draws.
        """
        played = {(i, j): self._tally.games[i][j] for i, j in self._pairs if self._tally.games[i][j]}
        total, usual = sum(played.values()) / 2, self._usual_share(played)
        seen = dict.fromkeys(self._pairs, self._virtual * VIRTUAL_DRAW_VARIANCE)
        for (i, j), games in played.items():
            pooled = self._squared_deviations(i, j) + POOLED_GAMES * usual * self._variance(i, j)
            seen[i, j] += games * max(pooled / (games + POOLED_GAMES), self._variance(i, j) / total)
        return seen

    def _usual_share(self, played: Mapping[tuple[int, int], float]) -> float:
        """The observed variance of all games, divided by the variance that they would have without draws. The result is
        corrected for the number of fitted strengths."""
        observed = sum(self._squared_deviations(*pair) for pair in played)
        without_draws = sum(games * self._variance(*pair) for pair, games in played.items())
        correction = 1 + len(self.strengths) / (sum(played.values()) / 2)
        return min(1.0, observed / without_draws * correction)

    def _squared_deviations(self, i: int, j: int) -> float:
        tally, win = self._tally, self._win(i, j)
        return max(0.0, tally.squares[i][j] - 2 * win * tally.points[i][j] + tally.games[i][j] * win**2)

    def _win(self, i: int, j: int) -> float:
        return 1 / (1 + math.exp(self.strengths[j] - self.strengths[i]))

    def _variance(self, i: int, j: int) -> float:
        """The variance of the points of a game, given that it is not a draw."""
        win = self._win(i, j)
        return win * (1 - win)


def _add_differences(matrix: Matrix, weights: Mapping[tuple[int, int], float]) -> None:
    """Add the weight of each ordered pair of players to the matrix, as a term for the difference of their strengths."""
    for (i, j), weight in weights.items():
        matrix[i][i] += weight
        matrix[i][j] -= weight


def _zero_out(matrix: Matrix, place: int) -> None:
    """Set the row and the column of this player to 0."""
    matrix[place] = [0.0] * len(matrix)
    for row in matrix:
        row[place] = 0.0
