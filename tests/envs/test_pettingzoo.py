"""The environment for two agents passes PettingZoo's own tests and follows the rules."""

import warnings

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.state_test import state_test

from connectk.arrays import Boards
from connectk.envs.pettingzoo import env, raw_env
from connectk.rules import Position, Variant

VARIANTS = ["7x6x4", "4x3x3", "9x7x5", "2x9x2"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_pettingzoo_checks_pass(variant: str, capfd: pytest.CaptureFixture[str]):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of an observation with a mask, and of an empty board
        api_test(env(variant), num_cycles=200)
        state_test(env(variant), raw_env(variant), num_cycles=20)
    seed_test(lambda: env(variant), num_cycles=100)


@pytest.mark.parametrize("variant", ["7x6x4", "4x3x3"])
def test_every_way_of_rendering_shows_what_it_should(variant: str, capsys: pytest.CaptureFixture[str]):
    render_test(lambda render_mode: env(variant, render_mode))
    assert str(Position.start(Variant.parse(variant))) in capsys.readouterr().out


def test_a_game_is_played_by_the_rules():
    """A PettingZoo game follows the rules: discs, planes, and rewards that add up to 0."""
    game = env("7x6x4")
    game.reset(seed=1)
    for ply, column in enumerate([3, 2, 3, 2, 3, 2, 3]):
        seen, reward, over, _, _ = game.last()
        boards = Boards.from_moves([[3, 2, 3, 2, 3, 2, 3][:ply]])
        assert np.array_equal(seen["observation"], boards.planes()[0])
        assert seen["action_mask"].tolist() == boards.legal[0].tolist()
        assert (reward, over) == (0, False)
        game.step(column)
    assert game.rewards == {"player_0": 1, "player_1": -1}
    assert game.terminations == {"player_0": True, "player_1": True}
    assert game.observe("player_1")["action_mask"].sum() == 0


def test_the_state_is_the_board_whoever_is_to_move():
    game = env("7x6x4")
    game.reset()
    for column in (3, 3, 4):
        game.step(column)
        assert game.state_space.contains(game.state())
    assert np.array_equal(game.state()[::-1], Boards.from_moves([[3, 3, 4]]).planes()[0])


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="this PettingZoo has no registry")
def test_the_environment_is_in_the_registry():
    made = pettingzoo.make("aec", "connectk/connectk_v0", variant="9x7x5")
    assert made.unwrapped.variant == Variant(9, 7, 5)


def test_a_full_column_loses_the_game():
    game = env("3x2x3")
    game.reset()
    for column in (0, 0, 0):
        game.step(column)
    assert game.rewards["player_0"] == -1
    assert game.terminations["player_0"]


def test_a_full_board_is_a_draw():
    game = raw_env(Variant(2, 1, 2))
    game.reset()
    game.step(0)
    game.step(1)
    assert game.rewards == {"player_0": 0, "player_1": 0}
    assert all(game.terminations.values())
