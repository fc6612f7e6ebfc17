"""Simulates one person with devices at many addresses who plays rated games against themselves to raise one rating."""

from itertools import combinations

from connectk.glicko import Glicko
from connectk.rules import EndReason, Result, Side
from connectk.strangers.rating import MAX_PAIR_GAMES_PER_DAY, below_ceiling, rate_both
from connectk.strangers.seek import MAX_RATED_GAP

WON = Result(Side.FIRST, EndReason.LINE)


def boosted(addresses: int, days: int, is_ladder: bool, replaces: bool, opponents: int | None = None) -> float:
    """The rating of the first device after some days.

    On each day, each two devices play as many rated games as are allowed. With a ladder of all devices, the device with
    the lower number wins. Otherwise all others let the first device win. If `replaces` is true, a device whose rating
    has fallen too far gets a new profile. `opponents` is the number of different opponents that the server sees,
    usually one at each address.
    """
    opponents = addresses if opponents is None else opponents
    ratings = [Glicko() for _ in range(addresses)]
    for _ in range(days):
        for first, second in combinations(range(addresses), 2):
            if first == 0 or is_ladder:
                _play_day(ratings, first, second, replaces, opponents)
    return ratings[0].rating


def _play_day(ratings: list[Glicko], first: int, second: int, replaces: bool, opponents: int) -> None:
    for _ in range(MAX_PAIR_GAMES_PER_DAY):
        if ratings[first].rating - ratings[second].rating > MAX_RATED_GAP:
            if not replaces:
                return
            ratings[second] = Glicko()
        before = ratings[first], ratings[second]
        after = rate_both(*before, WON)
        ratings[first], ratings[second] = (
            below_ceiling(old, new, opponents) for old, new in zip(before, after, strict=True)
        )
