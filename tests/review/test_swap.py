"""Tests the sentences of a review about the choice to take over the first disc or to leave it."""

from __future__ import annotations

import pytest

from connectk.notation import SavedGame, parse_saved_game, parse_start, write_saved_game
from connectk.review.report import describe_swap, summary_sentences
from connectk.review.review import review_game
from connectk.rules import CLASSIC, Game, Variant
from connectk.texts import load_texts

TEXTS = load_texts("en")


@pytest.mark.parametrize(
    ("moves", "swapped", "words"),
    [
        ((3, 3), True, "The side given up: loses in 20. The chosen side was the better one."),
        ((3, 3), False, "The side kept: loses in 20. The other side was the better one."),
        ((2, 3), True, "The side given up: draw. Both sides were equally good."),
        ((0, 3), False, "The side kept: wins in 20. The chosen side was the better one."),
        ((0, 3), True, "The side given up: wins in 20. The other side was the better one."),
        ((3,), False, "The game ended before the choice of sides."),
    ],
)
def test_the_choice_of_a_side_is_judged_by_the_exact_score(moves: tuple[int, ...], swapped: bool, words: str) -> None:
    review = review_game(Game(CLASSIC, moves), seconds=60)
    assert describe_swap(review, swapped, TEXTS).endswith(words)
    assert describe_swap(review, swapped, TEXTS) in summary_sentences(review, TEXTS, swapped)


def test_where_an_odd_number_of_discs_is_set_up_the_choice_comes_first() -> None:
    """With an odd number of set-up discs, the choice of side comes before the first drop. Here the second player could
    win at once."""
    game = Game(parse_start("1x.2o.3o.5x.6x", Variant(7, 6, 3)), (3,))
    assert "wins in 1" in describe_swap(review_game(game, seconds=60), False, TEXTS)


def test_an_estimate_is_called_one() -> None:
    review = review_game(Game(Variant(30, 30, 6), (3, 4)), seconds=0.1)
    assert describe_swap(review, True, TEXTS).endswith("That is an estimate.")


@pytest.mark.parametrize("swapped", [None, False, True])
def test_a_saved_game_remembers_the_choice(swapped: bool | None) -> None:
    saved = SavedGame(Game(CLASSIC, (3,)), swapped=swapped)
    assert parse_saved_game(write_saved_game(saved)).swapped is swapped
