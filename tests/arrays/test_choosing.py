"""A player that the core plays on many boards at once chooses the same drops as on single boards."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings

from connectk.arrays import Boards
from connectk.errors import SearchStopped, UnsupportedVariant
from connectk.players import Clock, load_player
from connectk.players.levels import LevelPlayer
from connectk.rules import Game, Position
from tests.arrays.test_boards import boards_of, several_games

SIZES = ["7x6x4", "6x5x4", "9x7x5", "12x12x5", "20x20x5", "30x30x6"]


def drawn(size: str, count: int, plies: int) -> Boards:
    boards = Boards(size, count)
    for _ in range(plies):
        going = np.flatnonzero(boards.outcome < 0)
        boards.drop(boards.random_columns(5)[going], going)
    return boards


def chosen_one_by_one(name: str, boards: Boards) -> list[int]:
    player = load_player(name, seed=1)
    return [-1 if p.outcome else player.choose(p, Clock()).column for p in boards]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("name", "kind", "number"), [("greedy", "greedy", 0), ("minimax:2", "minimax", 2)])
def test_the_same_columns_as_on_one_board(size: str, name: str, kind: str, number: int):
    for plies in (0, 7, 20):
        boards = drawn(size, 25, plies)
        assert boards.choose(kind, number).tolist() == chosen_one_by_one(name, boards)  # type: ignore[arg-type]


@settings(max_examples=50)
@given(several_games())
def test_greedy_on_boards_of_every_kind(played: list[Game]):
    boards = boards_of(played)
    if boards.has_players("greedy"):
        assert boards.choose("greedy").tolist() == chosen_one_by_one("greedy", boards)


@pytest.mark.parametrize("level", [1, 2, 3, 5, 6, 8])
@pytest.mark.parametrize("size", ["7x6x4", "9x7x5"])
def test_a_level_plays_game_i_with_its_own_seed(level: int, size: str):
    boards = drawn(size, 30, 12)
    alone = [
        -1 if position.outcome else LevelPlayer(level, 100 + game).choose(position, Clock()).column
        for game, position in enumerate(boards)
    ]
    assert boards.choose("level", level, seed=100).tolist() == alone
    several = boards.copy()
    several.threads = 3
    assert several.choose("level", level, seed=100).tolist() == alone


def test_an_evaluation_can_be_named_and_mcts_wins_at_once():
    boards = Boards.from_moves(["445566"])
    assert boards.choose("mcts", 200, seed=1).tolist() in ([2], [6])
    lines = load_player("minimax:1,lines")
    positions = [Position.from_moves(moves) for moves in ("1122", "7654")]
    expected = [lines.choose(position, Clock()).column for position in positions]
    assert Boards.from_positions(positions).choose("minimax", 1, evaluation="lines").tolist() == expected


def test_what_cannot_be_played_is_refused():
    boards = Boards()
    with pytest.raises(ValueError, match="the number of level is 1 to 9"):
        boards.choose("level", 10)
    with pytest.raises(ValueError, match="the players of arrays are greedy"):
        boards.choose("perfect")  # type: ignore[arg-type]
    with pytest.raises(UnsupportedVariant, match="only on boards of up to"):
        Boards("400x300x5").choose("greedy")
    with pytest.raises(TypeError):
        boards.choose("minimax", 2, evaluation="nothing")


def test_choosing_can_be_stopped():
    with pytest.raises(SearchStopped):
        Boards(count=50).choose("minimax", 60, stop=lambda: True)
    asked = threading.Event()
    threading.Timer(0.2, asked.set).start()
    with pytest.raises(SearchStopped):
        Boards(count=5000).choose("minimax", 60, stop=asked)
