"""Elo ratings by maximum likelihood, with confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from connectk.arena.match import Record

ELO_PER_UNIT = 400 / math.log(10)  # Elo points for one unit of the logistic curve
Z_95 = 1.96  # standard errors on each side of a 95% interval
MAX_NEWTON_STEPS = 100
FREE_GAME_VARIANCE = 0.25  # of a game won or lost with equal probability

Matrix = list[list[float]]


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength in Elo, the field's mean being 0; it lies within `elo ± margin` with 95% confidence."""

    name: str
    elo: float
    margin: float


def rate(players: Sequence[str], records: Iterable[Record], fixed: Mapping[str, float] | None = None) -> list[Rating]:
    """Maximum likelihood under the logistic curve; a draw is half a win and half a loss.

    Each pair that met gets one extra drawn game, so that a clean score has a finite rating. The margin comes from the
    observed variance (many draws vary little) and assumes independent games. Players in `fixed` keep their given
    ratings without a margin; the others are rated on that scale, and the field's mean may then differ from 0.
    """
    games, points, squares = _tables(players, records)
    held = {players.index(name): elo / ELO_PER_UNIT for name, elo in (fixed or {}).items()}
    strengths, information = _fit(games, points, held)
    seen = _seen_variance(strengths, games, points, squares)
    for i in held:
        seen = _cut_off(seen, i)
    covariance = _covariance(information, seen)
    return [
        Rating(name, ELO_PER_UNIT * strengths[i], ELO_PER_UNIT * Z_95 * math.sqrt(max(covariance[i][i], 0.0)))
        for i, name in enumerate(players)
    ]


def difference(players: Sequence[str], records: Iterable[Record]) -> Rating:
    """How much stronger the first of two players is than the second."""
    first = rate(players, records)[0]
    return Rating(first.name, 2 * first.elo, 2 * first.margin)  # two ratings around a mean of 0 mirror each other


def expected(elo: float) -> float:
    """The expected points per game of a player who is `elo` points stronger."""
    return 1 / (1 + math.exp(-elo / ELO_PER_UNIT))


def _tables(players: Sequence[str], records: Iterable[Record]) -> tuple[Matrix, Matrix, Matrix]:
    """Games, points and squared points of each pair of players, with one extra draw for each pair that met."""
    place = {name: i for i, name in enumerate(players)}
    games, points, squares = (_zeros(len(players)) for _ in range(3))
    for record in records:
        i, j = place[record.first], place[record.second]
        for one, other, gained in ((i, j, record.points_of_first), (j, i, 1 - record.points_of_first)):
            free = 1 if games[one][other] == 0 else 0
            games[one][other] += 1 + free
            points[one][other] += gained + free / 2
            squares[one][other] += gained**2
    return games, points, squares


def _zeros(size: int) -> Matrix:
    return [[0.0] * size for _ in range(size)]


def _fit(games: Matrix, points: Matrix, held: Mapping[int, float]) -> tuple[list[float], Matrix]:
    """Newton's method; keeps the mean strength at 0, or the fixed strengths if there are any."""
    size = len(games)
    middle = sum(held.values()) / len(held) if held else 0.0
    strengths = [held.get(i, middle) for i in range(size)]
    for _ in range(MAX_NEWTON_STEPS):
        gradient = _slope(strengths, games, points)
        steps = _solved(_curvature(strengths, games, held), [0.0 if i in held else g for i, g in enumerate(gradient)])
        largest = max(map(abs, steps))
        strengths = [s + step * min(1.0, 1.0 / (largest or 1.0)) for s, step in zip(strengths, steps, strict=True)]
        if largest < 1e-9:
            break
    return strengths, _curvature(strengths, games, held)


def _seen_variance(strengths: list[float], games: Matrix, points: Matrix, squares: Matrix) -> Matrix:
    """The observed variance of each pair's points around the expectation; the extra game counts as won or lost, so that
    no margin is 0."""
    size = len(games)
    seen = _zeros(size)
    for i in range(size):
        for j in range(size):
            if games[i][j]:
                win, real, gained = _win(strengths, i, j), games[i][j] - 1, points[i][j] - 0.5
                varied = squares[i][j] - 2 * win * gained + real * win**2 + FREE_GAME_VARIANCE
                seen[i][j] -= varied
                seen[i][i] += varied
    return seen


def _covariance(information: Matrix, seen: Matrix) -> Matrix:
    """The sandwich estimator: the inverse information on both sides of the observed variance."""
    inverse = _inverse(information)
    return _product(_product(inverse, seen), inverse)


def _product(one: Matrix, other: Matrix) -> Matrix:
    columns = list(zip(*other, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in one]


def _slope(strengths: list[float], games: Matrix, points: Matrix) -> list[float]:
    places = range(len(games))
    return [sum(points[i][j] - games[i][j] * _win(strengths, i, j) for j in places) for i in places]


def _curvature(strengths: list[float], games: Matrix, held: Mapping[int, float]) -> Matrix:
    """Fisher's information. Only differences of strengths matter, so 1/n is added everywhere to make it invertible,
    unless some strengths are fixed. A tiny diagonal does the same for groups of players who have not met.
    """
    size = len(games)
    matrix = [[0.0 if held else 1 / size] * size for _ in range(size)]
    for i in range(size):
        matrix[i][i] += 1e-9
        for j in range(size):
            win = _win(strengths, i, j)
            matrix[i][j] -= games[i][j] * win * (1 - win)
            matrix[i][i] += games[i][j] * win * (1 - win)
    for i in held:
        matrix = _cut_off(matrix, i)
        matrix[i][i] = 1.0
    return matrix


def _cut_off(matrix: Matrix, place: int) -> Matrix:
    """The matrix with this player's row and column set to 0."""
    return [[0.0 if place in (i, j) else value for j, value in enumerate(row)] for i, row in enumerate(matrix)]


def _win(strengths: list[float], i: int, j: int) -> float:
    return 1 / (1 + math.exp(strengths[j] - strengths[i]))


def _solved(matrix: Matrix, values: list[float]) -> list[float]:
    """Solves the linear equations by Gaussian elimination with partial pivoting."""
    size = len(matrix)
    rows = [[*row, value] for row, value in zip(matrix, values, strict=True)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        own = rows[i]
        for row in rows[i + 1 :]:
            if share := row[i] / own[i]:
                row[i:] = [value - share * mine for value, mine in zip(row[i:], own[i:], strict=True)]
    steps = [0.0] * size
    for i in reversed(range(size)):
        steps[i] = (rows[i][size] - sum(rows[i][j] * steps[j] for j in range(i + 1, size))) / rows[i][i]
    return steps


def _inverse(matrix: Matrix) -> Matrix:
    """The inverse by Gauss-Jordan elimination with partial pivoting."""
    size = len(matrix)
    rows = [row + [float(i == j) for j in range(size)] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for r in range(size):
            if r != i and rows[r][i]:
                rows[r] = [value - rows[r][i] * own for value, own in zip(rows[r], rows[i], strict=True)]
    return [row[size:] for row in rows]
