"""Tests the score of one move, the best column with a tie-break, and bounds by depth against the full solution."""

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from connectk import Position, Variant, score_columns, solve
from connectk.errors import ColumnFull, GameAlreadyOver
from connectk.rules import Game
from connectk.solver import Solver, best_column, bounds, score_move
from connectk.solver.solution import plies_to_end
from tests.solver.plain import plain_score
from tests.strategies import games, variants


@settings(max_examples=40)
@given(games(variants(4)))
def test_the_score_of_a_move_is_that_of_its_column(game: Game):
    assume(game.outcome is None)
    scores = score_columns(game.position)
    for column in game.position.legal_columns:
        found = score_move(game.position, column)
        assert found.lower == found.upper == scores[column]


@settings(max_examples=150, deadline=None)
@given(games(variants(4)), st.integers(0, 17))
def test_bounds_tell_exactly_what_is_decided_so_soon(game: Game, depth: int):
    """Bounds by depth are exact if the game ends within the depth under best play. Otherwise the true score lies
    between them."""
    position, score = game.position, plain_score(game.position)
    found = bounds(position, depth)
    assert found.lower <= score <= found.upper
    if position.outcome is None:
        ends = plies_to_end(position.variant, position.ply, score)
        assert found.exact or ends > depth
        if score and ends > depth:
            assert found.lower < 1 or not found.exact or score == found.lower


def test_bounds_of_the_classic_board():
    """From the start, nobody wins within ten discs. After 1, 1, 2, 2, 3, 3 the first player wins with the next disc."""
    found = bounds("", 10)
    assert not found.exact
    assert (found.lower, found.upper) == (-16, 16)
    assert bounds("4", 41).exact
    assert bounds("333", 1).lower < bounds("333", 1).upper
    won = bounds("1122334"[:6], 1)
    assert (won.lower, won.upper) == (18, 18) == (solve("112233").lower,) * 2
    assert score_move("112233", 3, max_depth=1).score == 18
    assert not score_move("112233", 6, max_depth=1).exact
    with pytest.raises(ValueError, match="0 or more"):
        bounds("", -1)


def test_a_stop_leaves_bounds():
    found = bounds(Position.start(Variant(8, 8, 4)), 30, stop=lambda: True)
    assert found.lower < found.upper


def test_ties_are_broken_as_asked():
    """Each tie-break chooses its own column among the several best ones of the empty 6x2x3 board."""
    solver = Solver(Variant(6, 2, 3))
    start = Position.start(solver.variant)
    best = solver.solve(start).best_columns
    assert len(best) > 1
    assert best_column(start, solver=solver) == min(best, key=lambda column: (abs(2 * column - 5), column))
    assert best_column(start, "leftmost", solver=solver) == best[0]
    assert best_column(start, "rightmost", solver=solver) == best[-1]
    drawn = {best_column(start, "random", solver=solver, rng=random.Random(seed)) for seed in range(60)}
    assert drawn == set(best)
    with pytest.raises(ValueError, match="centre, leftmost, rightmost, random"):
        best_column(start, "first")  # type: ignore[arg-type]


def test_what_is_illegal_is_refused():
    with pytest.raises(ColumnFull):
        score_move("444444", 3)
    with pytest.raises(GameAlreadyOver):
        best_column("1212121")
