"""Glicko-2: a rating with its deviation (uncertainty) and its volatility.

The code follows the steps of Mark Glickman's "Example of the Glicko-2 system" (2022), and the tests check his worked
example. As in the paper, mu and phi are the rating and the deviation on the internal scale, sigma is the volatility,
and tau limits how fast the volatility changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

GLICKO_CENTRE, GLICKO_SCALE = 1500.0, 173.7178
GLICKO_TAU = 0.5
VOLATILITY_TOLERANCE = 1e-6
NEW_RATING, NEW_DEVIATION, NEW_VOLATILITY = GLICKO_CENTRE, 350.0, 0.06


@dataclass(frozen=True, slots=True)
class Glicko:
    """An estimate of a player's strength; the defaults are those of a new player."""

    rating: float = NEW_RATING
    deviation: float = NEW_DEVIATION
    volatility: float = NEW_VOLATILITY

    @property
    def mu(self) -> float:
        return (self.rating - GLICKO_CENTRE) / GLICKO_SCALE

    @property
    def phi(self) -> float:
        return self.deviation / GLICKO_SCALE


class RatedGame(NamedTuple):
    """One game: the opponent's rating, and the score, from 1 for a win to 0 for a loss."""

    opponent: Glicko
    score: float


def rate(before: Glicko, games: Sequence[RatedGame], tau: float = GLICKO_TAU) -> Glicko:
    """Return the rating after the games of one period. Without games, only the deviation grows."""
    if not games:
        return _from_inner(before.mu, math.hypot(before.phi, before.volatility), before.volatility)
    variance = 1 / sum(_g(game) ** 2 * _expected(before, game) * (1 - _expected(before, game)) for game in games)
    surprise = sum(_g(game) * (game.score - _expected(before, game)) for game in games)
    volatility = _volatility(before, variance, variance * surprise, tau)
    phi = 1 / math.sqrt(1 / (before.phi**2 + volatility**2) + 1 / variance)
    return _from_inner(before.mu + phi**2 * surprise, phi, volatility)


def _from_inner(mu: float, phi: float, volatility: float) -> Glicko:
    return Glicko(GLICKO_CENTRE + GLICKO_SCALE * mu, GLICKO_SCALE * phi, volatility)


def _g(game: RatedGame) -> float:
    """The weight of a game. It is smaller if the opponent's rating is uncertain."""
    return 1 / math.sqrt(1 + 3 * game.opponent.phi**2 / math.pi**2)


def _expected(before: Glicko, game: RatedGame) -> float:
    return 1 / (1 + math.exp(-_g(game) * (before.mu - game.opponent.mu)))


def _volatility(before: Glicko, variance: float, delta: float, tau: float) -> float:
    """Find the zero of the paper's function f between two bounds (step 5, the Illinois algorithm)."""
    start, phi2 = math.log(before.volatility**2), before.phi**2

    def f(x: float) -> float:
        ex = math.exp(x)
        whole = phi2 + variance + ex
        return ex * (delta**2 - whole) / (2 * whole**2) - (x - start) / tau**2

    low, high = start, _second_bound(f, start, delta**2 - phi2 - variance, tau)
    f_low, f_high = f(low), f(high)
    while abs(high - low) > VOLATILITY_TOLERANCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


def _second_bound(f: Callable[[float], float], start: float, excess: float, tau: float) -> float:
    if excess > 0:
        return math.log(excess)
    steps = 1
    while f(start - steps * tau) < 0:
        steps += 1
    return start - steps * tau
