"""Saved games are read and written."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectk.errors import NotationError
from connectk.notation import SavedGame, parse_saved_game, write_saved_game
from connectk.rules import EndReason, Game, Position, Result, Side
from tests.strategies import games

NAMES = st.dictionaries(st.sampled_from(Side), st.text(max_size=20))
TIMES = st.none() | st.datetimes(timezones=st.just(UTC))


@settings(max_examples=60)
@given(games(), st.booleans(), NAMES, TIMES, TIMES, st.lists(st.floats(0, 1e6), max_size=5))
def test_what_is_saved_is_read_back(game, set_up, players, started, ended, seconds):
    if set_up and game.outcome is None:
        game = Game(game.position, [])
    saved = SavedGame(game, players, None, started, ended, tuple(seconds))
    assert parse_saved_game(write_saved_game(saved)) == saved


def test_a_game_may_start_from_a_set_up_board():
    game = Game(Position.from_moves("4453"), [0, 6])
    again = parse_saved_game(write_saved_game(SavedGame(game)))
    assert again.game.start == Position.from_moves("4453")
    assert again.game.moves == (0, 6)


def test_a_game_that_ended_on_the_board_names_its_result():
    saved = SavedGame(Game(moves=[0, 1, 0, 1, 0, 1, 0]))
    assert json.loads(write_saved_game(saved))["result"] == {"winner": "first", "reason": "line"}


def test_a_game_may_end_away_from_the_board():
    saved = SavedGame(Game(moves=[3]), result=Result(Side.SECOND, EndReason.RESIGNED), ended=datetime.now(UTC))
    assert parse_saved_game(write_saved_game(saved)) == saved


VALID_SAVED_GAME = json.loads(write_saved_game(SavedGame(Game(moves=[3, 3]))))


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"version": 3},
        {"version": "2"},
        {"variant": "7x6"},
        {"variant": 7},
        {"variant": "3x3x9"},
        {"moves": "48"},
        {"moves": "4444444"},
        {"moves": [3, 3]},
        {"start": "4o"},
        {"start": "xx"},
        {"start": ["x"]},
        {"start": "4?"},
        {"start": {"4": "x"}},
        {"players": {"third": "Ann"}},
        {"players": []},
        {"result": {"winner": "nobody", "reason": "line"}},
        {"result": {"winner": "first", "reason": "magic"}},
        {"time": {"started": "yesterday"}},
        {"time": {"seconds": ["x"]}},
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(change):
    with pytest.raises(NotationError) as caught:
        parse_saved_game(json.dumps({**VALID_SAVED_GAME, **change}))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "7", "{", "[" * 100_000, "\x00"])
def test_text_that_is_no_saved_game_is_refused(text):
    with pytest.raises(NotationError):
        parse_saved_game(text)
