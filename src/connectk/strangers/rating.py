"""Decides which games of strangers count and which were abandoned, and computes the new ratings."""

from __future__ import annotations

import math
from dataclasses import replace

from connectk.glicko import GLICKO_SCALE, NEW_DEVIATION, Glicko, RatedGame, rate
from connectk.play.match import Match
from connectk.players.levels import LEVEL_RATINGS
from connectk.rules import EndReason, Result, Side
from connectk.strangers.profile import Profile

MAX_PAIR_GAMES_PER_DAY = 3  # rated games between the same two people; further games of that day do not count
OPPONENT_DAYS = 30  # opponents within this time are counted for a rating's ceiling
BASE_CEILING, CEILING_PER_OPPONENT = 1700.0, 30.0  # the highest rating that games with so many opponents can lead to
MIN_RATED_PLIES = 2  # both have dropped a disc
SECONDS_PER_DAY = 86_400.0
STALLED_SECONDS, STALLED_SHARE = 30.0, 1 / 3  # of the clock, spent on a turn in which nothing was dropped


def result_of_players(match: Match) -> Result:
    """The result of a finished match, with the sides that the players had when the match was made."""
    assert match.result
    winner = match.result.winner
    return match.result if winner is None else replace(match.result, winner=match.original(winner))


def scores_of(result: Result) -> tuple[float, float]:
    """The scores of the first and the second side: 1 for a win, 0.5 for a draw, 0 for a loss."""
    if result.winner is None:
        return 0.5, 0.5
    return (1.0, 0.0) if result.winner is Side.FIRST else (0.0, 1.0)


def aged(glicko: Glicko, seconds: float) -> Glicko:
    """The rating after some time without a game. Each day makes it a little less certain, like a Glicko-2 rating period
    without games."""
    days = max(0.0, seconds) / SECONDS_PER_DAY
    deviation = math.hypot(glicko.deviation, GLICKO_SCALE * glicko.volatility * math.sqrt(days))
    return replace(glicko, deviation=max(glicko.deviation, min(NEW_DEVIATION, deviation)))


def rate_both(first: Glicko, second: Glicko, result: Result) -> tuple[Glicko, Glicko]:
    """Both ratings after a game, each computed from the ratings before it."""
    mine, theirs = scores_of(result)
    return rate(first, [RatedGame(second, mine)]), rate(second, [RatedGame(first, theirs)])


def rating_ceiling(opponents: int) -> float:
    """The highest rating that a player can reach against this many different opponents.

    Wins over average people, one after the other, stay below it. Without this ceiling, somebody who plays against their
    own devices could raise a rating without limit.
    """
    return BASE_CEILING + CEILING_PER_OPPONENT * opponents


def below_ceiling(before: Glicko, after: Glicko, opponents: int) -> Glicko:
    """The rating after a game, raised at most to the ceiling. A rating that is already higher does not fall because of
    the ceiling."""
    return replace(after, rating=min(after.rating, max(before.rating, rating_ceiling(opponents))))


def counts_for_rating(match: Match, games_today: int) -> bool:
    """Whether a finished match that was announced as rated changes the ratings. `games_today` counts the rated games
    that these players finished within a day."""
    return _has_begun(match) and games_today < MAX_PAIR_GAMES_PER_DAY


def _has_begun(match: Match) -> bool:
    """Whether both players have dropped a disc or chosen a side."""
    placed = match.setup.swap_discs if match.setup.swap else 1
    return match.exchanges > 0 or len(match.moves) > placed


def abandoned_side(match: Match) -> Side | None:
    """The side that abandoned the game, or None if no side did.

    A side abandons a game if it leaves, if it resigns before both sides have played, or if it lets its clock run out
    instead of playing on.
    """
    result = match.result
    if result is None or result.winner is None:
        return None
    if result.reason is EndReason.FORFEIT or (result.reason is EndReason.RESIGNED and not _has_begun(match)):
        return result.winner.other
    if result.reason is EndReason.TIME and match.setup.control:
        side = result.winner.other
        total = match.setup.control.seconds
        before = match.times[-2].of(side) if len(match.times) > 1 else total
        if before - match.times[-1].of(side) >= max(STALLED_SECONDS, STALLED_SHARE * total):
            return side
    return None


def level_near(rating: float) -> int:
    """The computer level with the closest rating, which plays if no opponent was found."""
    return min(range(1, len(LEVEL_RATINGS) + 1), key=lambda level: abs(LEVEL_RATINGS[level - 1] - rating))


def after_game(profile: Profile, score: float, glicko: Glicko | None, abandoned: bool, now: float) -> Profile:
    """A player's profile after a game. `glicko` is the new rating, or None if the game did not count."""
    profile = profile if glicko is None else profile.after_scoring(score, glicko, now)
    return profile.after_abandoning(now) if abandoned else profile
