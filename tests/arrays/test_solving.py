"""Compares the scores of many games at once with the solver's scores of single games."""

import numpy as np
import pytest
from hypothesis import given, settings

from connectk import score_columns
from connectk.arrays import NO_SCORE, Boards, best, scores
from connectk.errors import SearchStopped, UnsupportedVariant
from connectk.rules import Game
from tests.arrays.test_boards import boards_of
from tests.strategies import games, variants


def drawn_boards(count: int, plies: int, variant: str = "7x6x4") -> Boards:
    boards = Boards(variant, count)
    for seed in range(plies):
        open_ones = np.flatnonzero(boards.outcome < 0)
        boards.drop(boards.random_columns(seed)[open_ones], open_ones)
    return boards


@settings(max_examples=50)
@given(games(variants(5)))
def test_every_column_has_the_score_of_the_solver(game: Game):
    boards = boards_of([game, Game(game.variant)])
    for row, position in zip(scores(boards, threads=1).tolist(), boards, strict=True):
        exact = score_columns(position) if position.outcome is None else (None,) * position.variant.width
        assert tuple(row) == tuple(NO_SCORE if score is None else score for score in exact)


def test_the_best_columns_are_those_with_the_highest_score():
    boards = drawn_boards(40, 20)
    table, marks = scores(boards), best(boards)
    assert table.dtype == np.int8
    assert marks.dtype == np.bool_
    over = boards.outcome >= 0
    assert over.any()
    assert not over.all()
    assert np.array_equal(marks, (table == table.max(axis=1, keepdims=True)) & ~over[:, None])


def test_no_games_have_no_scores():
    assert len(scores(Boards(count=0))) == len(best(Boards(count=0))) == 0


def test_a_stopped_search_is_told():
    with pytest.raises(SearchStopped):
        scores(drawn_boards(50, 8, "8x7x4"), stop=lambda: True)


def test_boards_too_large_to_solve_are_refused():
    with pytest.raises(UnsupportedVariant):
        scores(Boards("20x20x5", 1))
