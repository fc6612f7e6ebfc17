"""Set-up boards have one written form. Older forms can still be read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectk.errors import ColumnOutOfRange, FloatingDisc, NotationError, WrongDiscCount
from connectk.notation import parse_saved_game, parse_start, start_from_columns, write_start
from connectk.rules import CLASSIC, Position, Side, Variant
from tests.strategies import games

START_TEXT = "1x.4xo.7o"
START_POSITION = Position.from_moves([0, 6, 3, 3])


@given(games())
def test_what_is_written_is_read_back(game):
    assert parse_start(write_start(game.position), game.variant) == game.position


def test_columns_count_from_1_and_discs_from_the_bottom():
    assert write_start(START_POSITION) == START_TEXT
    assert parse_start(START_TEXT) == START_POSITION
    assert parse_start("") == Position.start()


def test_it_is_short_on_a_huge_board():
    huge = Variant(10**30, 10**30, 4)
    position = Position.start(huge).drop(10**29).drop(0)
    assert write_start(position) == f"1o.{10**29 + 1}x"
    assert parse_start(write_start(position), huge) == position


MALFORMED_STARTS = ["xo", "4", "4xy", "4xo.", ".", "4x.4o", "4 x", "0x", "-1x", "8x", "²x", "9" * 5000 + "x"]


@pytest.mark.parametrize("text", MALFORMED_STARTS)
def test_text_that_sets_up_no_board_is_refused(text):
    with pytest.raises((NotationError, ColumnOutOfRange)):
        parse_start(text)


def test_the_rules_say_what_is_wrong_with_a_board():
    with pytest.raises(WrongDiscCount):
        parse_start("4o")
    with pytest.raises(FloatingDisc) as caught:
        parse_start("4-x")
    assert (caught.value.column, caught.value.row) == (3, 1)


@given(games(variant=st.just(CLASSIC)))
def test_the_old_shapes_say_the_same_board(game):
    """All older forms of set-up boards are read as the same board: columns counted from 0 or from 1, or a list of all
    columns."""
    position = game.position
    stacks = [[position.disc_at(column, row) for row in range(6)] for column in range(7)]
    letters = ["".join("xo"[side.value] for side in stack if side) for stack in stacks]
    sparse = {column: discs for column, discs in enumerate(letters) if discs}

    assert start_from_columns({str(column): discs for column, discs in sparse.items()}) == write_start(position)
    assert start_from_columns({str(c + 1): discs for c, discs in sparse.items()}, first=1) == write_start(position)
    assert start_from_columns(letters) == write_start(position)
    assert start_from_columns([discs.ljust(6, ".") for discs in letters]) == write_start(position)


def test_an_old_hole_stays_a_hole():
    with pytest.raises(FloatingDisc):
        parse_start(start_from_columns(["", ".x"]))


VERSION_1 = """{
  "format": "connectk-game",
  "version": 1,
  "variant": "7x6x4",
  "start": {
    "1": "x",
    "4": "xo",
    "7": "o"
  },
  "moves": "44",
  "players": {"first": "Ann", "second": "level:5"},
  "result": {"winner": "second", "reason": "resigned"},
  "time": {"started": "2026-11-15T12:00:00+00:00", "ended": null, "seconds": [1.5, 0.2]}
}
"""


def test_a_saved_game_of_version_1_is_still_read():
    saved = parse_saved_game(VERSION_1)
    assert saved.game.start == START_POSITION
    assert saved.game.moves == (3, 3)
    assert saved.players[Side.FIRST] == "Ann"


def test_a_start_is_read_as_its_version_says():
    """A start is an object in version 1 of the saved game format and a text in version 2. A file that mixes them is
    refused."""
    old = json.loads(VERSION_1)
    with pytest.raises(NotationError):
        parse_saved_game(json.dumps({**old, "version": 2}))
    with pytest.raises(NotationError):
        parse_saved_game(json.dumps({**old, "start": START_TEXT}))
    assert parse_saved_game(json.dumps({**old, "version": 2, "start": START_TEXT})).game.start == START_POSITION
