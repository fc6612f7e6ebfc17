"""Compares ratings and the sequential test with simulated games of known strengths."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from connectk.arena import GameRecord, Sprt, rate
from connectk.arena.ratings import different_games, expected_score, groups_of, rating_difference
from connectk.errors import BadTournament


def game(first: str, second: str, winner: str | None, number: int = 1, opening: int = 0) -> GameRecord:
    return GameRecord(number, first, second, opening, "4", winner, "line", None, (), "2026-11-15T12:00:00+00:00")


def simulate(source: random.Random, elo: float, first: str = "a", second: str = "b", draws: float = 0.2) -> GameRecord:
    """A game whose result is drawn by the logistic curve. Draws replace wins and losses in equal parts."""
    points = expected_score(elo)
    drawn = draws * 2 * min(points, 1 - points)
    luck = source.random()
    return game(first, second, None if luck < drawn else "first" if luck < drawn / 2 + points else "second")


def test_equal_results_give_equal_ratings() -> None:
    ratings = rate(["a", "b"], [game("a", "b", "first"), game("b", "a", "first")])

    assert ratings[0].elo == pytest.approx(0)
    assert ratings[0].margin == pytest.approx(ratings[1].margin)
    assert ratings[0].margin > 100


def test_three_quarters_of_the_points_are_191_elo() -> None:
    records = [game("a", "b", "first")] * 3000 + [game("a", "b", "second")] * 1000

    assert rating_difference(["a", "b"], records).elo == pytest.approx(400 * math.log10(3), abs=0.5)


def test_a_clean_score_has_a_finite_rating() -> None:
    gap = rating_difference(["a", "b"], [game("a", "b", "first")] * 200)

    assert 800 < gap.elo < 1500
    assert 200 < gap.margin < 1000


def test_the_interval_uses_the_variance_that_was_seen() -> None:
    """Ten wins and ninety draws give a narrower interval than 55 wins and 45 losses, although the points are the
    same."""
    drawish = rating_difference(["a", "b"], [game("a", "b", "first")] * 10 + [game("a", "b", None)] * 90)
    decisive = rating_difference(["a", "b"], [game("a", "b", "first")] * 55 + [game("a", "b", "second")] * 45)

    assert drawish.elo == pytest.approx(decisive.elo, abs=1)
    assert round(drawish.margin) in (21, 22)
    assert round(decisive.margin) in (67, 68, 69)


def test_the_margin_is_not_zero_even_if_all_games_were_drawn() -> None:
    assert rating_difference(["a", "b"], [game("a", "b", None)] * 90).margin > 5


def test_nothing_is_known_of_a_player_without_games() -> None:
    ratings = rate(["a", "b", "c"], [game("a", "b", "first")])

    assert ratings[0].elo > 0 > ratings[1].elo
    assert [math.isfinite(rating.margin) for rating in ratings] == [True, True, False]
    assert [rating.margin for rating in rate(["a", "b"], [])] == [math.inf, math.inf]


def test_groups_that_never_met_are_rated_apart() -> None:
    """Groups without common games have no common scale. Each group has a mean of 0, as if it had played alone."""
    one, other = [game("a", "b", "first")] * 3, [game("d", "c", "first")] * 9
    ratings = rate(["a", "c", "b", "d"], one + other)

    assert groups_of(["a", "c", "b", "d"], one + other) == [["a", "b"], ["c", "d"]]
    assert [ratings[0], ratings[2]] == rate(["a", "b"], one)
    assert [ratings[1], ratings[3]] == rate(["c", "d"], other)


def test_a_game_that_is_repeated_move_by_move_counts_once() -> None:
    one, other = game("a", "b", "first", number=1), game("b", "a", "first", number=2)

    assert different_games([one, other, replace(one, number=3), replace(other, number=4)]) == [one, other]
    assert len(different_games([one, replace(one, moves="5"), replace(one, reason="time")])) == 3


@pytest.mark.parametrize(("elo", "hypothesis"), [(0.0, 0), (40.0, 1)])
def test_the_sequential_test_errs_as_rarely_as_it_says(elo: float, hypothesis: int) -> None:
    source, test, right = random.Random(7), Sprt(0, 40), 0
    for _ in range(120):
        scores: list[float] = []
        while test.judge_scores(scores).accepted_hypothesis is None:
            points = [simulate(source, elo).points_of_first for _ in range(2)]
            scores.append(sum(points) / 2)
        right += test.judge_scores(scores).accepted_hypothesis == hypothesis

    assert right / 120 >= 0.9


def test_only_complete_openings_count_in_order() -> None:
    """The sequential test takes openings in their order, and waits for an unfinished one even if a later one is
    finished."""
    records = [
        game("a", "b", "first", opening=0),
        game("b", "a", "second", opening=0),
        game("a", "b", "first", opening=2),
    ]

    assert Sprt().judge("a", records).pairs == 1


def test_the_test_stops_where_it_first_crosses_a_bound() -> None:
    """The sequential test keeps its decision, whatever the later games are."""
    test, won = Sprt(0, 40), [1.0] * 40
    decided = test.judge_scores(won)

    assert decided.accepted_hypothesis == 1
    assert decided.pairs < 40
    assert test.judge_scores(won[: decided.pairs - 1]).accepted_hypothesis is None
    assert test.judge_scores(won + [0.0] * 400) == decided


def test_openings_that_repeat_both_games_say_nothing_new() -> None:
    """A pair of games that deterministic bots repeat 500 times counts as one pair in the sequential test."""
    records = [
        replace(game(*players, "first"), opening=opening, moves=moves)
        for opening in range(500)
        for players, moves in ((("a", "b"), "4"), (("b", "a"), "5"))
    ]

    assert Sprt().judge("a", records).pairs == 1


def test_hypotheses_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(BadTournament, match="elo0 below elo1"):
        Sprt(20, 0)
