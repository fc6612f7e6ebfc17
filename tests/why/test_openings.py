"""Tests that the certified strategies answer without a search, and that the checker accepts their answers."""

import random

import pytest

from connectk import solve
from connectk.rules import Position, Side, Variant
from connectk.why import Promise, check, explain
from connectk.why.coach import coach_for
from connectk.why.openings import CERTIFIED_STRATEGIES, nearest_page, opening_page, small_explanation, strategy_for

COMMON_OPENINGS = ["", "4", "44", "433", "445", "4453", "4444"]


@pytest.mark.parametrize(("variant", "keeper"), CERTIFIED_STRATEGIES, ids=str)
def test_a_game_after_the_strategy_ends_as_it_claims(variant, keeper):
    """Against random drops of the rival, every position of a strategy has a page, and the game ends as the strategy
    claims."""
    strategy, dice = strategy_for(variant, keeper), random.Random(5)
    for _ in range(4):
        position = Position(variant)
        while position.outcome is None:
            page = opening_page(position, keeper)
            assert page is not None, position
            if position.side_to_move is keeper:
                position = position.drop(page.drop.column)
                assert position.last_drop == page.drop
            else:
                assert {one.reply.column for one in page.answers} | set(fills(position)) == set(position.legal_columns)
                position = position.drop(dice.choice(position.legal_columns))
        winner = position.outcome.winner
        assert winner is keeper or (strategy.claim.promise is Promise.HOLDS and winner is None)


def fills(position: Position) -> tuple[int, ...]:
    """The columns in which a drop would fill the last cell of the board."""
    return position.legal_columns if position.ply == position.variant.cells - 1 else ()


def test_the_order_of_the_drops_does_not_matter():
    """A game that reaches a board of a strategy by another order of drops gets the same answer."""
    assert opening_page(Position.from_moves("4142")) == opening_page(Position.from_moves("4241"))
    assert opening_page(Position.from_moves("415")) == opening_page(Position.from_moves("514"))
    assert opening_page(Position.from_moves("514")) is not None


def test_off_the_strategy_there_is_no_page():
    assert opening_page(Position.from_moves("1")) is None
    assert opening_page(Position(Variant(5, 5, 4))) is None
    assert opening_page(Position.from_moves("4"), Side.SECOND) is None


def test_what_is_left_of_a_strategy_is_an_explanation_when_it_is_small():
    """Once only a few boards of a strategy are left, they are an ordinary explanation that the checker accepts."""
    position, dice = Position(), random.Random(1)
    while (found := small_explanation(position, 15)) is None:
        page = opening_page(position, Side.FIRST)
        position = position.drop(page.drop.column if page.drop else dice.choice(position.legal_columns))
    assert found.size <= 15
    assert check(found) >= 0


@pytest.mark.parametrize("moves", COMMON_OPENINGS)
def test_openings_are_answered(moves):
    """An opening is answered in sentences about each column, without a search."""
    why = explain(Position.from_moves(moves))
    kinds = [sentence["kind"] for sentence in coach_for(why)]
    assert "fates" in kinds
    assert ("certified" in kinds) == (why.opening is not None) == (moves in ("", "4", "44", "4444"))


@pytest.mark.parametrize(
    ("moves", "variant"),
    [("1", Variant()), ("433", Variant()), ("445", Variant()), ("4453", Variant()), ("12", Variant(6, 4, 4))],
    ids=str,
)
def test_off_the_strategy_the_nearest_board_is_named(moves, variant):
    """If the strategy never reaches a position, the answer names the most similar board that it reaches. That board
    has a few discs fewer, and what the strategy claims is true of it."""
    position = Position.from_moves(moves, variant)
    assert opening_page(position) is None
    nearest = nearest_page(position)
    board = Position(variant)
    for column in nearest.line:
        board = board.drop(column)
    assert opening_page(board, nearest.claim.keeper).drop == nearest.drop
    assert {cell for cell, _ in board.discs()} | set(nearest.without) == {cell for cell, _ in position.discs()}
    assert all(position.disc_at(*cell) is side for cell, side in board.discs())
    score = solve(board.drop(nearest.drop.column)).score
    assert score < 0 if nearest.claim.promise is Promise.WINS else score <= 0


def test_a_board_far_from_the_strategy_has_nothing_near():
    assert nearest_page(Position.from_moves("1177112277")) is None
    assert nearest_page(Position(Variant(5, 5, 4))) is None
