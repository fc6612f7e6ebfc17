"""Public names that moved work for one release, with a warning that says where they went."""

import importlib
import sys

import pytest

from connectk import Game, players, referee, solver


def test_the_players_are_still_found_under_their_old_name():
    """`connectk.engine` gives the same things as `connectk.players` and says that it has moved."""
    for name in ("connectk.engine", "connectk.engine.minimax"):
        sys.modules.pop(name, None)

    with pytest.warns(DeprecationWarning, match=r"connectk\.players"):
        old = importlib.import_module("connectk.engine")
    minimax = importlib.import_module("connectk.engine.minimax")
    threats = importlib.import_module("connectk.engine.threats")

    assert old.load_player is players.load_player
    assert minimax is importlib.import_module("connectk.players.minimax")
    assert minimax.__spec__.name == "connectk.players.minimax"
    assert threats is importlib.import_module("connectk.rules.threats")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("connectk.engine.nothing")


def test_many_files_are_still_judged_under_the_old_name():
    sys.modules.pop("connectk.referee.many", None)

    with pytest.warns(DeprecationWarning, match=r"connectk\.referee"):
        old = importlib.import_module("connectk.referee.many")

    assert old.judge_many is referee.judge_many


def test_a_game_still_tells_its_outcome_under_the_old_name():
    """`Game.result` is `Game.outcome`, and says so."""
    game = Game(moves=[0, 1, 0, 1, 0, 1, 0])

    with pytest.warns(DeprecationWarning, match=r"Game\.outcome"):
        assert game.result == game.outcome


def test_the_solver_s_word_for_a_result_is_still_found():
    """`Result` is who won and why, in the rules; the solver's "win", "draw" or "loss" is a `ResultWord`."""
    with pytest.warns(DeprecationWarning, match="ResultWord"):
        assert solver.Result is solver.ResultWord
