"""Move strings are read and written."""

import pytest
from hypothesis import given

from connectk.errors import ColumnOutOfRange, NotationError
from connectk.notation import parse_moves, write_moves
from connectk.rules import Position, Variant
from tests.strategies import games

WIDE = Variant(12, 6, 4)


def test_columns_are_written_from_one():
    assert parse_moves("445") == (3, 3, 4)
    assert write_moves((3, 3, 4)) == "445"


def test_wide_boards_need_commas():
    assert parse_moves("1,12,3", WIDE) == (0, 11, 2)
    assert parse_moves("12", WIDE) == (11,)
    assert write_moves((0, 11, 2), WIDE) == "1,12,3"


@pytest.mark.parametrize("text", ["4,4,5", "4 4 5", " 445\n", "4, 4, 5,"])
def test_spaces_and_commas_are_forgiven(text):
    assert parse_moves(text) == (3, 3, 4)


@pytest.mark.parametrize("variant", [Variant(), WIDE])
def test_no_moves_are_no_text(variant):
    assert parse_moves("", variant) == ()
    assert parse_moves("  ", variant) == ()
    assert write_moves((), variant) == ""


@pytest.mark.parametrize("text", ["4a", "4-5", "40", "0", "4,,5", "٤", "²", "+1,2", "1.0", "9" * 5000 + ",1"])
def test_text_that_is_no_column_is_refused(text):
    with pytest.raises(NotationError):
        parse_moves(text)


def test_whether_the_board_has_the_column_is_for_the_rules_to_say():
    assert parse_moves("48") == (3, 7)
    with pytest.raises(ColumnOutOfRange):
        Position.from_moves("48")


@given(games())
def test_every_game_is_read_back(game):
    assert parse_moves(write_moves(game.moves, game.variant), game.variant) == game.moves
