"""Glicko-2: a rating that moves with success, how sure it is, and how steady.

Written from the formulas of Mark Glickman's "Example of the Glicko-2 system" (2022), step by step; the tests hold it to
his worked example. The letters of the paper: mu and phi are rating and deviation on its inner scale, sigma is the
volatility, tau limits how fast that may change.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

CENTRE, SCALE = 1500.0, 173.7178
TAU = 0.5
VOLATILITY_TOLERANCE = 1e-6
NEW_RATING, NEW_DEVIATION, NEW_VOLATILITY = CENTRE, 350.0, 0.06


@dataclass(frozen=True, slots=True)
class Glicko:
    """What is known of a player's strength; a new one's is anyone's guess."""

    rating: float = NEW_RATING
    deviation: float = NEW_DEVIATION
    volatility: float = NEW_VOLATILITY

    @property
    def mu(self) -> float:
        return (self.rating - CENTRE) / SCALE

    @property
    def phi(self) -> float:
        return self.deviation / SCALE


class Played(NamedTuple):
    """One game: against whom, and 1 for a win, 0 for a loss."""

    opponent: Glicko
    score: float


def rate(before: Glicko, games: Sequence[Played], tau: float = TAU) -> Glicko:
    """The rating after the games of one period; without any it only becomes less sure."""
    if not games:
        return _from_inner(before.mu, math.hypot(before.phi, before.volatility), before.volatility)
    variance = 1 / sum(_g(game) ** 2 * _expected(before, game) * (1 - _expected(before, game)) for game in games)
    surprise = sum(_g(game) * (game.score - _expected(before, game)) for game in games)
    volatility = _volatility(before, variance, variance * surprise, tau)
    phi = 1 / math.sqrt(1 / (before.phi**2 + volatility**2) + 1 / variance)
    return _from_inner(before.mu + phi**2 * surprise, phi, volatility)


def _from_inner(mu: float, phi: float, volatility: float) -> Glicko:
    return Glicko(CENTRE + SCALE * mu, SCALE * phi, volatility)


def _g(game: Played) -> float:
    """How much a game counts: less where the opponent's own rating is not sure."""
    return 1 / math.sqrt(1 + 3 * game.opponent.phi**2 / math.pi**2)


def _expected(before: Glicko, game: Played) -> float:
    return 1 / (1 + math.exp(-_g(game) * (before.mu - game.opponent.mu)))


def _volatility(before: Glicko, variance: float, delta: float, tau: float) -> float:
    """Where the paper's f is zero, between two bounds that close in on it (its step 5, the Illinois algorithm)."""
    start, phi2 = math.log(before.volatility**2), before.phi**2

    def f(x: float) -> float:
        ex = math.exp(x)
        whole = phi2 + variance + ex
        return ex * (delta**2 - whole) / (2 * whole**2) - (x - start) / tau**2

    low, high = start, _other_end(f, start, delta**2 - phi2 - variance, tau)
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


def _other_end(f: Callable[[float], float], start: float, excess: float, tau: float) -> float:
    if excess > 0:
        return math.log(excess)
    steps = 1
    while f(start - steps * tau) < 0:
        steps += 1
    return start - steps * tau
