"""Tests how results change ratings, which games count, and which games are abandoned."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectk.glicko import Glicko
from connectk.play.events import Dropped, Ended
from connectk.play.match import Match, MatchSetup, Seat, TimeControl
from connectk.players.levels import LEVEL_RATINGS
from connectk.rules import CLASSIC, EndReason, Position, Result, Side
from connectk.strangers.encounter import Encounter, Points, is_decided
from connectk.strangers.profile import ABANDON_WINDOW_SECONDS, PAUSE_SECONDS, Profile
from connectk.strangers.rating import (
    MAX_PAIR_GAMES_PER_DAY,
    abandoned_side,
    after_game,
    aged,
    below_ceiling,
    counts_for_rating,
    level_near,
    rate_both,
    rating_ceiling,
    scores_of,
)
from tests.strangers.boosters import boosted

glickos = st.builds(Glicko, st.floats(400, 2800), st.floats(45, 350), st.floats(0.03, 0.09))
results = st.sampled_from([Result(Side.FIRST, EndReason.LINE), Result(Side.SECOND, EndReason.LINE)])
WON, DRAWN = Result(Side.FIRST, EndReason.LINE), Result(None, EndReason.FULL)
ALIKE = st.floats(400, 2800).flatmap(
    lambda rating: st.tuples(st.just(rating), st.floats(45, 350)).map(lambda pair: Glicko(*pair))
)


@given(glickos, glickos)
def test_a_winner_never_loses_points_and_a_loser_never_gains_any(first, second):
    mine, theirs = rate_both(first, second, WON)
    assert mine.rating >= first.rating
    assert theirs.rating <= second.rating


@given(glickos, glickos, results)
def test_the_sides_do_not_matter(first, second, result):
    """Exchanging the sides of a game exchanges the new ratings."""
    other = Result(result.winner and result.winner.other, result.reason)
    assert rate_both(second, first, other) == rate_both(first, second, result)[::-1]


@given(ALIKE)
def test_a_draw_between_equals_changes_no_rating(glicko):
    for after in rate_both(glicko, glicko, DRAWN):
        assert after.rating == pytest.approx(glicko.rating, abs=1e-6)
        assert after.deviation < glicko.deviation or glicko.deviation < 110


@given(glickos, st.floats(0, 10_000 * 86_400))
def test_a_rating_only_becomes_less_certain_with_time(glicko, seconds):
    later = aged(glicko, seconds)
    assert later.rating == glicko.rating
    assert glicko.deviation <= later.deviation <= 350
    assert aged(glicko, 0) == glicko


WAYS = [(is_ladder, replaces) for is_ladder in (False, True) for replaces in (False, True)]


@pytest.mark.parametrize("addresses", [2, 3, 5])
def test_own_devices_lift_a_rating_only_to_the_ceiling(addresses):
    """If somebody's own devices at many addresses lose on purpose, the rating stops at the ceiling. Without it, the
    rating would be hundreds of points higher.

    A device whose rating has fallen too far gets a new profile.
    """
    found = [boosted(addresses, 60, *way) for way in WAYS]
    assert max(found) == rating_ceiling(addresses)
    assert boosted(addresses, 60, False, True, opponents=1000) > rating_ceiling(addresses) + 500


@pytest.mark.deep
def test_own_devices_lift_a_rating_only_to_the_ceiling_in_a_year():
    for addresses in (2, 3, 5, 10, 20):
        reached, without = (
            max(boosted(addresses, days, *way, opponents) for way in WAYS)
            for opponents, days in ((addresses, 365), (1000, 100))
        )
        print(f"{addresses} addresses: {reached:.0f} in a year, without the ceiling {without:.0f} in 100 days")
        assert reached <= rating_ceiling(addresses)


@given(glickos, glickos, results, st.integers(0, 50))
def test_the_ceiling_ends_a_rise_and_takes_nothing_away(first, second, result, opponents):
    for before, after in zip((first, second), rate_both(first, second, result), strict=True):
        limited = below_ceiling(before, after, opponents)
        assert limited.rating <= max(before.rating, rating_ceiling(opponents))
        assert min(before.rating, after.rating) <= limited.rating <= after.rating
        assert limited == replace(after, rating=limited.rating)


def test_wins_of_a_newcomer_over_different_people_stay_below_the_ceiling():
    me = Glicko()
    for opponents in range(1, 30):
        after, _ = rate_both(me, Glicko(1500, 100), WON)
        assert below_ceiling(me, after, opponents) == after
        me = after


def match_of(*columns: int, seconds: float = 180.0, step: float = 1.0) -> Match:
    setup = MatchSetup(
        Position.start(CLASSIC),
        Seat("", holder="a"),
        Seat("", holder="b"),
        control=TimeControl(seconds),
        strangers=True,
    )
    match = Match.new("0" * 32, setup, 0.0)
    for number, column in enumerate(columns, 1):
        match = match.after(Dropped(match.position.side_to_move, column, number * step))
    return match


def ended(match: Match, winner: Side | None, reason: EndReason, at: float) -> Match:
    return match.after(Ended(Result(winner, reason), at))


def test_the_clock_runs_from_the_first_moment():
    """The clock of strangers starts at once, without waiting for the first disc, because a player may be absent."""
    match = match_of()
    assert match.clock_runs
    assert match.deadline == 180.0
    assert match_of(3, step=10.0).left(Side.FIRST, 10.0) == 170.0


def test_a_game_counts_once_both_have_dropped_a_disc():
    assert counts_for_rating(match_of(3, 3), 0)
    assert not counts_for_rating(match_of(3), 0)
    assert not counts_for_rating(match_of(3, 3), MAX_PAIR_GAMES_PER_DAY)


def test_leaving_and_stalling_are_abandoning_and_losing_is_not():
    running = match_of(3, 3)
    assert abandoned_side(ended(running, Side.SECOND, EndReason.FORFEIT, 50.0)) is Side.FIRST
    assert abandoned_side(ended(running, Side.SECOND, EndReason.RESIGNED, 50.0)) is None
    assert abandoned_side(ended(running, None, EndReason.AGREED, 50.0)) is None
    assert abandoned_side(ended(running, Side.SECOND, EndReason.TIME, 182.0)) is Side.FIRST  # 180 s without a disc
    assert abandoned_side(ended(match_of(), Side.SECOND, EndReason.TIME, 180.0)) is Side.FIRST
    busy = match_of(*(0, 1) * 3, *(2, 3) * 3, step=29.0, seconds=175.0)
    assert abandoned_side(ended(busy, Side.SECOND, EndReason.TIME, 12 * 29.0 + 1.0)) is None  # it ran out while playing


def test_three_abandoned_games_within_a_day_mean_a_pause():
    profile = Profile("p")
    for hour in range(2):
        profile = profile.after_abandoning(hour * 3600.0)
        assert not profile.is_paused(hour * 3600.0)
    paused = profile.after_abandoning(7200.0)
    assert paused.is_paused(7200.0)
    assert not paused.is_paused(7200.0 + PAUSE_SECONDS)
    assert not profile.after_abandoning(ABANDON_WINDOW_SECONDS + 3601.0).is_paused(ABANDON_WINDOW_SECONDS + 3601.0)
    assert paused.abandoned == ()  # the count begins again


def test_what_a_profile_counts():
    won = after_game(Profile("p"), 1.0, Glicko(1600), False, 5.0)
    assert (won.wins, won.draws, won.losses, won.games, won.rated_at) == (1, 0, 0, 1, 5.0)
    assert won.glicko == Glicko(1600)
    unrated = after_game(won, 0.0, None, True, 6.0)
    assert (unrated.games, unrated.glicko, unrated.abandoned) == (1, Glicko(1600), (6.0,))


@given(st.floats(0, 4000))
def test_the_level_that_steps_in_is_the_closest(rating):
    level = level_near(rating)
    assert abs(LEVEL_RATINGS[level - 1] - rating) == min(abs(one - rating) for one in LEVEL_RATINGS)


@given(
    st.sampled_from([1, 3, 5]), st.lists(st.sampled_from([WON, DRAWN, Result(Side.SECOND, EndReason.LINE)]), max_size=5)
)
def test_a_series_is_over_when_nothing_can_change_who_wins_it(best_of, games):
    """A series is over when nobody can overtake the leader. The sides alternate, so the points are exchanged before
    each game."""
    points, played = Points(), 0
    for result in games:
        points, played = points.plus(scores_of(result)), played + 1
        left = best_of - played
        catchable = min(points) + left >= max(points)
        assert is_decided(best_of, played, points) or left > 0
        if is_decided(best_of, played, points):
            assert left == 0 or not catchable or max(points) > best_of / 2
            return
        points = points.swapped


def test_a_series_ends_when_somebody_leaves():
    encounter = Encounter("m", ("a", "b"), (Glicko(), Glicko()), True, best_of=5, game=1, scores=(1.0, 0.0))
    assert not encounter.is_series_over
    assert replace(encounter, abandoned=Side.SECOND).is_series_over
