"""Tests one moment of a game: which drops are legal, which drops win, and when a game is a draw."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectk.errors import ColumnFull, ColumnOutOfRange, GameAlreadyOver
from connectk.notation import parse_diagram
from connectk.rules import DRAW, Cell, Outcome, Position, Side, Variant
from tests.strategies import games, positions

FIRST_WINS = Outcome(winner=Side.FIRST)


def test_a_drop_makes_a_new_position_and_leaves_the_old_one():
    start = Position.start()
    after = start.drop(3)

    assert (start.ply, start.side_to_move, start.disc_at(3, 0)) == (0, Side.FIRST, None)
    assert (after.ply, after.side_to_move, after.disc_at(3, 0)) == (1, Side.SECOND, Side.FIRST)
    assert after.last_drop == Cell(3, 0)


def test_a_position_cannot_be_changed():
    with pytest.raises(AttributeError):
        Position.start().ply = 3


def test_a_rising_diagonal_wins():
    """Four discs on a rising diagonal end the game, whatever discs lie beneath them."""
    position = parse_diagram("""
        . . . x . . .
        . . x o . . .
        . x o o . . .
        x o x x . . o
    """)

    assert position.outcome == FIRST_WINS
    assert position.winning_cells == ((0, 0), (1, 1), (2, 2), (3, 3))
    assert position.legal_columns == ()


@pytest.mark.parametrize(
    ("moves", "cells"),
    [
        ("1213141", [(0, 0), (0, 1), (0, 2), (0, 3)]),
        ("7172737", [(6, 0), (6, 1), (6, 2), (6, 3)]),
        ("1122334", [(0, 0), (1, 0), (2, 0), (3, 0)]),
        ("7766554", [(3, 0), (4, 0), (5, 0), (6, 0)]),
        ("12233434474", [(0, 0), (1, 1), (2, 2), (3, 3)]),
        ("76655454414", [(3, 3), (4, 2), (5, 1), (6, 0)]),
    ],
)
def test_lines_in_every_direction(moves, cells):
    """Lines in all four directions win, at both edges."""
    assert Position.from_moves(moves[:-1]).outcome is None
    position = Position.from_moves(moves)
    assert position.outcome == FIRST_WINS
    assert position.winning_cells == tuple(cells)


def test_one_disc_can_complete_several_lines():
    """If one disc completes several lines, the outcome has the cells of all of them."""
    won = parse_diagram("""
        x . . . . . x
        o x o . o x o
        o o x . x o o
        x x o . o x x
    """).drop(3)

    assert won.winning_cells == ((0, 3), (1, 2), (2, 1), (3, 0), (4, 1), (5, 2), (6, 3))
    assert len(won.winning_lines) == 2


def test_seven_in_a_row_is_won_with_all_seven_cells():
    start = parse_diagram("""
        o o o . o o o
        x x x . x x x
    """)
    won = start.drop(3)
    assert won.winning_cells == tuple((column, 0) for column in range(7))
    assert won.winning_lines == (won.winning_cells,)


def test_a_winning_disc_that_fills_the_board_wins():
    """The last cell of 3x3x3 completes a row and a diagonal at once, so the game is a win and not a draw."""
    position = Position.from_moves("111223233", Variant(3, 3, 3))
    assert position.ply == position.variant.cells
    assert position.outcome == FIRST_WINS


def test_a_run_of_one_is_won_by_the_first_disc():
    assert Position.from_moves("1", Variant(1, 1, 1)).outcome == FIRST_WINS


def test_a_full_board_without_a_line_is_a_draw():
    position = Position.from_moves("11111", Variant(1, 5, 3))
    assert position.outcome == DRAW
    assert position.winning_cells == ()
    with pytest.raises(GameAlreadyOver) as caught:
        position.drop(0)
    assert caught.value.outcome == DRAW


def test_refusals_carry_their_facts():
    with pytest.raises(ColumnOutOfRange) as out:
        Position.start().drop(7)
    assert (out.value.column, out.value.width) == (7, 7)
    assert str(out.value) == "There is no column 8; the columns are 1 to 7."

    with pytest.raises(ColumnFull) as full:
        Position.from_moves("444444").drop(3)
    assert full.value.column == 3
    assert str(full.value) == "Column 4 is full, pick another."

    with pytest.raises(GameAlreadyOver) as over:
        Position.from_moves("1213141").drop(6)
    assert over.value.outcome == FIRST_WINS

    for caught in (out, full, over):
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_negative_columns_do_not_count_from_the_right():
    with pytest.raises(ColumnOutOfRange):
        Position.start().drop(-1)
    assert not Position.start().can_drop(-1)


@given(games())
def test_every_legal_column_takes_a_disc_and_no_other_does(game):
    position = game.position
    for column in range(position.variant.width):
        if column in position.legal_columns:
            assert position.drop(column).ply == position.ply + 1
        else:
            with pytest.raises((ColumnFull, GameAlreadyOver)):
                position.drop(column)


@given(positions())
def test_mirroring_twice_changes_nothing(position):
    assert position.mirrored().mirrored() == position
    assert position.mirrored().outcome == position.outcome


@given(positions())
def test_a_mirror_turns_the_winning_cells(position):
    right = position.variant.width - 1
    assert set(position.mirrored().winning_cells) == {(right - c, r) for c, r in position.winning_cells}


@given(games(), st.randoms())
def test_the_order_of_discs_does_not_matter(game, random):
    """Two games with the same discs in the same cells reach equal positions."""
    first, second = list(game.moves[::2]), list(game.moves[1::2])
    random.shuffle(first)
    random.shuffle(second)
    moves = [column for pair in zip(first, [*second, None], strict=False) for column in pair if column is not None]
    try:
        other = Position.from_moves(moves, game.variant)
    except (GameAlreadyOver, ColumnFull):
        return
    same_discs = dict(other.discs()) == dict(game.position.discs())
    assert (other == game.position) == same_discs
    if same_discs:
        assert hash(other) == hash(game.position)


@given(games())
def test_a_line_ends_the_game_and_only_a_line_or_a_full_board_does(game):
    for position in game.positions[:-1]:
        assert position.outcome is None
    outcome = game.outcome
    if outcome and outcome.winner:
        assert len(game.position.winning_cells) >= game.variant.run
        assert all(game.position.disc_at(*cell) is outcome.winner for cell in game.position.winning_cells)
    assert (outcome == DRAW) == (game.position.ply == game.variant.cells and not game.position.winning_cells)


def test_huge_boards_hold_only_their_discs():
    """A board of a thousand million columns needs memory only for its discs."""
    variant = Variant(10**9, 10**9, 4)
    middle = 500_000_000
    position = Position.start(variant)
    for step in range(4):
        position = position.drop(middle + step)
        if step < 3:
            position = position.drop(middle + step)
    assert position.outcome == FIRST_WINS
    assert position.winning_cells == tuple((middle + step, 0) for step in range(4))


def test_a_position_survives_pickling():
    position = Position.from_moves("4453")
    assert pickle.loads(pickle.dumps(position)) == position


def test_a_board_may_have_more_columns_than_python_can_write_out():
    """A board may have 10**5000 columns: a disc falls into its column, and a refusal still has a message."""
    width = 10**5000
    position = Position.start(Variant(width, 6, 4)).drop(width - 1).drop(width - 2)

    assert [cell for cell, _ in position.discs()] == [(width - 2, 0), (width - 1, 0)]
    with pytest.raises(ColumnOutOfRange, match="about 10\\^5000"):
        position.drop(width)
