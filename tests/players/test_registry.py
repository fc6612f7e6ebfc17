"""Every short name stands for a player that plays legal games on any board."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from connectk.cli import app
from connectk.errors import (
    BadEvaluation,
    BadTimeLimit,
    GameAlreadyOver,
    NotationError,
    UnknownPlayer,
    UnsupportedVariant,
)
from connectk.notation import parse_duration
from connectk.players import Clock, load_player
from connectk.players.registry import PLAYER_REGISTRY, file_behind, with_evaluation
from connectk.rules import Position, Variant
from connectk.texts import LANGUAGES, load_texts

QUICK = ["random", "greedy", "minimax:2", "minimax:1,lines", "mcts:20", "level:2", "level:6"]
BOARDS = ["7x6x4", "1x1x1", "2x2x2", "3x1x2", "9x7x5", "13x4x3", "100x2x4", "1000000x1000000x4"]


def play_out(first: str, second: str, variant: Variant, plies: int = 60) -> Position:
    players = [load_player(first, seed=1), load_player(second, seed=2)]
    position = Position.start(variant)
    while position.outcome is None and position.ply < plies:
        position = position.drop(players[position.ply % 2].choose(position, Clock()).column)
    return position


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("name", QUICK)
def test_every_player_plays_every_board(name: str, board: str):
    """Every player plays every board to its end with legal drops."""
    variant = Variant.parse(board)
    assert play_out(name, "random", variant, plies=14).ply > 0


@pytest.mark.parametrize("name", QUICK)
def test_the_same_seed_gives_the_same_game(name: str):
    """Every player without a time limit repeats its game with the same seed."""
    assert play_out(name, "random", Variant()) == play_out(name, "random", Variant())


@pytest.mark.parametrize("name", QUICK)
def test_a_game_that_is_over_is_refused(name: str):
    """Every player refuses a finished game."""
    with pytest.raises(GameAlreadyOver):
        load_player(name).choose(Position.from_moves("1212121"), Clock())


@pytest.mark.parametrize("name", ["greedy", "minimax:1", "minimax:4,centre"])
def test_a_win_is_taken(name: str):
    """Greedy and minimax complete three discs in the bottom row at their open end."""
    position = Position.from_moves("112233")
    choice = load_player(name).choose(position, Clock())
    assert choice.column == 3


@pytest.mark.parametrize("name", ["greedy", "minimax:2", "minimax:4,lines"])
def test_a_threat_is_blocked(name: str):
    """Greedy and minimax block three discs in the bottom row."""
    assert load_player(name).choose(Position.from_moves("11223"), Clock()).column == 3


def test_a_decided_game_is_told_as_an_exact_score():
    """A game that is won with the 7th disc is reported with its exact score, (42 + 2 - 7) // 2."""
    thought = load_player("minimax:3").choose(Position.from_moves("112233"), Clock()).thought
    assert (thought.score, thought.line, thought.proven) == (18, (3,), True)


def test_a_lost_game_is_told_as_an_exact_score():
    """Three discs in the bottom row with two open ends lose, and minimax reports the exact score of this loss."""
    thought = load_player("minimax:4").choose(Position.from_moves("33445"), Clock()).thought
    assert (thought.score, thought.proven) == (-18, True)


@pytest.mark.parametrize("name", ["nobody", "", "Random", "minimax 5", "levels:3"])
def test_an_unknown_name_lists_the_players(name: str):
    """The error for an unknown player lists all existing players in one sentence."""
    with pytest.raises(UnknownPlayer) as caught:
        load_player(name)
    for entry in PLAYER_REGISTRY.values():
        assert entry.example in str(caught.value)
    assert "mybot.py" in str(caught.value)


@pytest.mark.parametrize(
    "name", ["minimax:0", "minimax:x", "minimax:-3", "minimax:1000", "random:3", "level:11", "level:"]
)
def test_a_name_that_says_something_odd_is_refused(name: str):
    """A malformed name is refused with a sentence that repeats it and shows the right form."""
    with pytest.raises(UnknownPlayer, match=name):
        load_player(name)


def test_an_unknown_evaluation_in_a_name_is_refused():
    """The error for an unknown evaluation in a player's name lists the existing evaluations."""
    with pytest.raises(BadEvaluation, match="windows, centre, lines, combined"):
        load_player("minimax:3,nothing")


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_a_clock_needs_time(seconds: float):
    """A clock without time cannot be made."""
    with pytest.raises(BadTimeLimit):
        Clock(seconds)


def test_durations_are_read():
    """Durations are read in milliseconds, seconds and minutes."""
    assert [parse_duration(text) for text in ("500ms", "2s", "1.5s", "1m")] == [0.5, 2, 1.5, 60]


def test_an_evaluation_is_given_to_minimax_alone():
    """An evaluation is added only to a `minimax` that does not name one yet."""
    names = ["minimax:3", "minimax", "minimax:3,lines", "greedy"]
    given = [with_evaluation(name, "my.py:f") for name in names]
    assert given == ["minimax:3,my.py:f", "minimax:5,my.py:f", "minimax:3,lines", "greedy"]


def test_the_file_behind_a_player_is_found(tmp_path: Path):
    """`file_behind` finds the file of a bot or of a user's evaluation."""
    file = tmp_path / "mine.py"
    file.write_text("def evaluate(position, side):\n    return 0\n")
    assert file_behind(str(file)) == file
    assert file_behind(f"minimax:3,{file}:evaluate") == file
    assert file_behind("minimax:3,lines") is None
    assert file_behind("minimax:3,missing.py:evaluate") is None


def test_the_example_of_the_tutorial_plays():
    """The tutorial's `examples/evaluation.py` works as an evaluation of `minimax`."""
    example = Path(__file__).parents[2] / "examples" / "evaluation.py"
    choice = load_player(f"minimax:2,{example}:evaluate").choose(Position.from_moves("44"), Clock())
    assert choice.thought.nodes


def test_the_engine_takes_a_time_and_threads_in_any_order():
    """`engine` accepts its time and its number of threads in any order: a time has a unit, and threads have an equals
    sign."""
    position = Position.start(Variant(8, 8, 4))
    for name in ("engine:30ms,threads=2", "engine:threads=2,30ms", "engine"):
        assert position.can_drop(load_player(name).choose(position, Clock(0.03)).column)


@pytest.mark.parametrize("name", ["engine:0ms", "engine:-1s", "engine:fast", "engine:5"])
def test_a_time_must_be_one(name: str):
    """A time of zero or an unreadable time is refused in one sentence."""
    with pytest.raises(NotationError):
        load_player(name)


def test_perfect_refuses_a_board_too_large():
    """`perfect` refuses a board that is too large, and the sentence names the board and the limit."""
    with pytest.raises(UnsupportedVariant, match="128 bits"):
        load_player("perfect").choose(Position.start(Variant(20, 20, 5)), Clock())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_lists_every_player(language: str):
    """`connectk players` prints one line for each player, in the user's language."""
    result = CliRunner(env={"CONNECTK_LANGUAGE": language}).invoke(app, ["players"])
    texts = load_texts(language)
    assert result.exit_code == 0
    assert all(entry.example in result.output for entry in PLAYER_REGISTRY.values())
    assert all(texts(f"players.{kind}") in result.output for kind in PLAYER_REGISTRY)
