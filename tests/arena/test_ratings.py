"""Ratings and the sequential test, held to simulated games whose truth is known."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest

from connectk.arena import Record, Sprt, rate
from connectk.arena.ratings import difference, expected
from connectk.errors import BadTournament


def game(first: str, second: str, winner: str | None, number: int = 1, opening: int = 0) -> Record:
    return Record(number, first, second, opening, "4", winner, "line", None, (), "2026-11-15T12:00:00+00:00")


def simulate(source: random.Random, elo: float, first: str = "a", second: str = "b", draws: float = 0.2) -> Record:
    """A game of the logistic curve: draws take from wins and losses alike."""
    points = expected(elo)
    drawn = draws * 2 * min(points, 1 - points)
    luck = source.random()
    return game(first, second, None if luck < drawn else "first" if luck < drawn / 2 + points else "second")


def test_equal_results_give_equal_ratings() -> None:
    ratings = rate(["a", "b"], [game("a", "b", "first"), game("b", "a", "first")])

    assert ratings[0].elo == pytest.approx(0)
    assert ratings[0].margin == ratings[1].margin > 100


def test_three_quarters_of_the_points_are_191_elo() -> None:
    records = [game("a", "b", "first")] * 3000 + [game("a", "b", "second")] * 1000

    assert difference(["a", "b"], records).elo == pytest.approx(400 * math.log10(3), abs=0.5)


def test_a_clean_score_has_a_finite_rating() -> None:
    gap = difference(["a", "b"], [game("a", "b", "first")] * 200)

    assert 800 < gap.elo < 1500
    assert 200 < gap.margin < 1000


def test_the_interval_uses_the_variance_that_was_seen() -> None:
    """Ten wins and ninety draws say much more than fifty-five wins and forty-five losses."""
    drawish = difference(["a", "b"], [game("a", "b", "first")] * 10 + [game("a", "b", None)] * 90)
    decisive = difference(["a", "b"], [game("a", "b", "first")] * 55 + [game("a", "b", "second")] * 45)

    assert drawish.elo == pytest.approx(decisive.elo)
    assert round(drawish.margin) in (21, 22)
    assert round(decisive.margin) in (67, 68, 69)


def test_the_margin_is_not_zero_even_if_all_games_were_drawn() -> None:
    assert difference(["a", "b"], [game("a", "b", None)] * 90).margin > 5


def test_players_who_have_not_met_can_be_rated() -> None:
    ratings = rate(["a", "b", "c"], [game("a", "b", "first")])

    assert ratings[0].elo > ratings[1].elo
    assert all(math.isfinite(rating.elo) and math.isfinite(rating.margin) for rating in ratings)
    assert all(math.isfinite(rating.elo) for rating in rate(["a", "b"], []))


def test_the_truth_lies_within_the_interval_as_often_as_it_says() -> None:
    """Four players, 40 games each pair, 150 tournaments: 95% of the intervals hold the true rating."""
    source, truth = random.Random(4), {"a": 150.0, "b": 50.0, "c": -50.0, "d": -150.0}
    held = []
    for _ in range(150):
        records = [
            simulate(source, truth[one] - truth[other], one, other)
            for one, other in combinations(truth, 2)
            for _ in range(40)
        ]
        held += [abs(rating.elo - truth[rating.name]) <= rating.margin for rating in rate(list(truth), records)]

    assert 0.93 <= sum(held) / len(held) <= 0.99


@pytest.mark.parametrize(("elo", "hypothesis"), [(0.0, 0), (40.0, 1)])
def test_the_sequential_test_errs_as_rarely_as_it_says(elo: float, hypothesis: int) -> None:
    source, test, right = random.Random(7), Sprt(0, 40), 0
    for _ in range(120):
        scores: list[float] = []
        while test.judge_scores(scores).held is None:
            points = [simulate(source, elo).points_of_first for _ in range(2)]
            scores.append(sum(points) / 2)
        right += test.judge_scores(scores).held == hypothesis

    assert right / 120 >= 0.9


def test_only_complete_openings_count_in_order() -> None:
    """A game that ended early in a later opening says nothing yet."""
    records = [
        game("a", "b", "first", opening=0),
        game("b", "a", "second", opening=0),
        game("a", "b", "first", opening=2),
    ]

    assert Sprt().judge("a", records).pairs == 1


def test_hypotheses_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(BadTournament, match="elo0 below elo1"):
        Sprt(20, 0)
