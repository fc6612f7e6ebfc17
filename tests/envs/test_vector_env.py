"""The vector environment in each autoreset mode, under Gymnasium's wrappers, and against players of the core."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers

from connectk.arrays import Boards
from connectk.envs.gymnasium import ConnectKEnv, ConnectKVectorEnv
from connectk.envs.opponents import PlayerOpponent, core_opponent, opponent_named
from connectk.errors import UnknownPlayer
from connectk.rules import CLASSIC, Variant

NAME = "connectk.envs.gymnasium:connectk/ConnectK-v0"
MODES = list(AutoresetMode)


def random_actions(rng: np.random.Generator, games: int) -> np.ndarray:
    return rng.integers(7, size=games)


def test_a_game_restarts_in_the_next_step():
    """With NEXT_STEP, the step after the end of a game ignores its action, gives reward 0 and shows the start."""
    env = ConnectKVectorEnv(40, opponent="random", first="agent", autoreset_mode="NEXT_STEP")
    env.reset(seed=1)
    rng, over = np.random.default_rng(1), np.zeros(40, bool)
    for _ in range(60):
        was_over = over
        seen, rewards, over, cut, info = env.step(random_actions(rng, 40))
        assert "final_obs" not in info
        assert not cut.any()
        assert (seen[was_over].sum(axis=(1, 2, 3)) == 0).all()
        assert (rewards[was_over] == 0).all()
        assert not over[was_over].any()
        ended = over & ~info["illegal"]
        assert (env.boards.outcome[ended] >= 0).all()
        assert not info["action_mask"][ended].any()
    assert was_over.any()


def test_a_game_waits_for_its_reset_where_nothing_restarts_by_itself():
    env = ConnectKVectorEnv(6, variant="3x1x2", opponent="greedy", first="agent", autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=1)
    env.step(np.zeros(6, int))
    _, _, over, _, info = env.step(np.array([2, 2, 0, 2, 2, 2]))
    assert over.all()
    assert info["illegal"].tolist() == [False, False, True, False, False, False]
    with pytest.raises(gymnasium.error.ResetNeeded, match="6 games are over"):
        env.step(np.zeros(6, int))
    seen, _ = env.reset(options={"reset_mask": np.arange(6) < 4})
    assert seen.sum(axis=(1, 2, 3)).tolist() == [0, 0, 0, 0, 3, 3]
    assert over.all()  # a reset does not change the array of the last step
    with pytest.raises(gymnasium.error.ResetNeeded, match="2 games"):
        env.step(np.zeros(6, int))
    for mask in (np.zeros(6, bool), np.ones(5, bool), np.ones(6, int)):
        with pytest.raises(ValueError, match="reset_mask"):
            env.reset(options={"reset_mask": mask})


def test_the_modes_play_the_same_games():
    """With the same seed, all autoreset modes begin the same games. An unknown mode is refused."""
    for mode in MODES:
        env = ConnectKVectorEnv(20, opponent="random", first="agent", autoreset_mode=mode)
        env.reset(seed=5)
        over = env.step(np.full(20, 3))[2]
        assert not over.any()
        assert env.boards.ply.tolist() == [2] * 20
    with pytest.raises(ValueError, match="NEXT_STEP, SAME_STEP, DISABLED"):
        ConnectKVectorEnv(2, autoreset_mode="sometimes")


@pytest.mark.parametrize("mode", MODES[:2])
def test_gymnasiums_own_wrappers_accept_it(mode: AutoresetMode):
    env = gymnasium.make_vec(
        NAME, 8, vectorization_mode="vector_entry_point", opponent="random", autoreset_mode=mode.name
    )
    assert env.metadata["autoreset_mode"] is mode
    env = wrappers.NormalizeReward(wrappers.RecordEpisodeStatistics(env))
    if mode is AutoresetMode.NEXT_STEP:  # wrappers of observations take no other mode
        env = wrappers.FlattenObservation(env)
    env.reset(seed=1)
    rng, lengths = np.random.default_rng(1), []
    for _ in range(60):
        seen, _, over, _, info = env.step(random_actions(rng, 8))
        assert env.observation_space.contains(seen)
        lengths += info["episode"]["l"][over].tolist() if over.any() else []
    assert 1 < np.mean(lengths) < 22


def test_infos_can_be_lists_of_one_for_each_game():
    env = wrappers.DictInfoToList(ConnectKVectorEnv(4, opponent="random"))
    env.reset(seed=1)
    for _ in range(30):
        _, _, over, _, infos = env.step(np.zeros(4, int))
        assert [("final_obs" in info) for info in infos] == over.tolist()
        assert all(info["action_mask"].shape == (7,) for info in infos)


def test_actions_outside_the_board_lose_and_others_are_refused():
    env = ConnectKVectorEnv(3, opponent="random", first="agent")
    env.reset(seed=1)
    _, rewards, over, _, info = env.step(np.array([-1, 7, 3]))
    assert rewards.tolist() == [-1, -1, 0]
    assert over.tolist() == info["final_info"]["illegal"].tolist() == [True, True, False]
    with pytest.raises(ValueError, match="one column for each of the 3 games"):
        env.step(np.array([1, 2]))


def test_masks_for_maskable_agents():
    """The masks are booleans and belong to the current position, for one game and for many."""
    many = ConnectKVectorEnv(3, opponent="random", first="agent")
    many.reset(seed=1)
    assert many.action_masks().dtype == np.bool_
    assert np.array_equal(many.action_masks(), many.boards.legal)
    one = ConnectKEnv("3x1x3", opponent="random", first="agent")
    one.reset(seed=1)
    one.step(1)
    assert one.action_masks().dtype == np.bool_
    assert one.action_masks().sum() == 1
    assert not one.action_masks()[1]


@pytest.mark.parametrize("name", ["greedy", "minimax:2", "minimax", "minimax:1,lines", "level:3", "level:9", "mcts:20"])
def test_named_opponents_are_played_by_the_core(name: str):
    assert core_opponent(name, CLASSIC) is not None
    env = ConnectKVectorEnv(5, opponent=name, first="opponent")
    assert env.reset(seed=1)[0][:, 1].sum() == 5
    assert not isinstance(opponent_named(name, CLASSIC), PlayerOpponent)


@pytest.mark.parametrize(
    ("name", "variant"),
    [("perfect", CLASSIC), ("level:10", CLASSIC), ("greedy", Variant(100, 100, 5)), ("minimax:1", Variant(40, 3, 33))],
)
def test_other_opponents_are_called_for_one_board_after_the_other(name: str, variant: Variant):
    opponent = opponent_named(name, variant)
    assert isinstance(opponent, PlayerOpponent)
    opponent.close()


def test_the_core_and_the_player_answer_alike():
    boards = Boards(count=60)
    for _ in range(6):
        boards.drop(boards.random_columns(3))
    for name in ("greedy", "minimax:3"):
        core, player = opponent_named(name, CLASSIC), PlayerOpponent(name)
        assert core(boards, 1).tolist() == player(boards, 1).tolist()
    with pytest.raises(UnknownPlayer):
        opponent_named("level:11", CLASSIC)


def test_stable_baselines3_checks_pass():
    checker = pytest.importorskip("stable_baselines3.common.env_checker", reason="Stable-Baselines3 is not installed")
    checker.check_env(ConnectKEnv(opponent="level:1"), skip_render_check=True)


def test_maskable_ppo_learns_with_the_masks():
    sb3 = pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")
    agent = sb3.MaskablePPO("MlpPolicy", ConnectKEnv("4x4x3", opponent="random"), n_steps=64, batch_size=32, seed=1)
    agent.learn(128)
    env = ConnectKEnv("4x4x3", opponent="random")
    seen, info = env.reset(seed=1)
    column, _ = agent.predict(seen, action_masks=env.action_masks())
    assert info["action_mask"][column]


def test_every_board_is_rendered():
    envs = gymnasium.make_vec("connectk/ConnectK-v0", 3, render_mode="ansi")
    envs.reset(seed=1)
    boards = envs.render()
    assert boards == tuple(str(position) for position in envs.unwrapped.boards.positions())
    assert len(boards) == 3
    assert ConnectKVectorEnv(2).render() is None
