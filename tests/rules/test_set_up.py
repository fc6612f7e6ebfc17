"""The rules check boards that are set up by hand."""

import pytest
from hypothesis import given

from connectk.errors import (
    BothSidesWon,
    ColumnOutOfRange,
    FloatingDisc,
    PlayedAfterWin,
    TooManyDiscs,
    WrongDiscCount,
)
from connectk.notation import parse_diagram
from connectk.rules import DRAW, Outcome, Position, Side, Variant
from tests.strategies import positions

X, O = Side.FIRST, Side.SECOND  # noqa: E741


@given(positions())
def test_any_position_can_be_set_up_again(position):
    columns: dict[int, list[Side]] = {}
    for cell, side in position.discs():
        columns.setdefault(cell.column, []).append(side)
    again = Position.from_columns(columns, position.variant, position.side_to_move)

    assert again == position
    assert (again.outcome, again.winning_cells) == (position.outcome, position.winning_cells)


def test_columns_are_given_from_the_bottom_up():
    position = Position.from_columns([[X, O], [], [X]])
    assert position == Position.from_columns({0: [X, O, None], 2: [X]})
    assert (position.disc_at(0, 1), position.side_to_move) == (O, O)


def test_a_full_board_is_a_drawn_game():
    position = Position.from_columns([[X, O], [X, O], [O, X], [O, X]], Variant(4, 2, 3))
    assert position.outcome == DRAW


def test_a_floating_disc_is_refused():
    with pytest.raises(FloatingDisc) as caught:
        Position.from_columns([[], [X, None, None, O]])
    assert (caught.value.column, caught.value.row) == (1, 3)


def test_too_many_discs_in_a_column_are_refused():
    with pytest.raises(TooManyDiscs) as caught:
        Position.from_columns([[X, O] * 4])
    assert (caught.value.column, caught.value.discs, caught.value.height) == (0, 8, 6)


def test_a_column_off_the_board_is_refused():
    with pytest.raises(ColumnOutOfRange):
        Position.from_columns([[]] * 8)


@pytest.mark.parametrize("columns", [[[O]], [[X, X]], [[X, O, O]]])
def test_counts_that_turns_cannot_give_are_refused(columns):
    with pytest.raises(WrongDiscCount):
        Position.from_columns(columns)


def test_the_counts_must_fit_the_side_to_move():
    assert Position.from_columns([[X]], side_to_move=O).ply == 1
    with pytest.raises(WrongDiscCount, match="not the first player's turn"):
        Position.from_columns([[X]], side_to_move=X)


def test_at_most_one_side_has_won():
    with pytest.raises(BothSidesWon):
        Position.from_columns([[X, X, X, X], [O, O, O, O]])


def test_the_winner_moved_last():
    with pytest.raises(PlayedAfterWin):
        Position.from_columns([[X, X, X, X], [O, O, O], [O]])


def test_a_won_board_names_every_winning_cell():
    position = parse_diagram("""
        x . . . . . .
        x o . . . . .
        x o . . . . .
        x o . . . . .
    """)
    assert position.outcome == Outcome(winner=X)
    assert position.winning_cells == ((0, 0), (0, 1), (0, 2), (0, 3))
