"""Algorithms of Stable-Baselines3 run on the vector environment, use the masks, and see the end of each game."""

import numpy as np
import pytest

from connectk.envs.gymnasium import ConnectKVectorEnv

pytest.importorskip("stable_baselines3", reason="Stable-Baselines3 is not part of the dev extra")
from stable_baselines3.common.vec_env import VecMonitor

from connectk.envs.stable_baselines3 import ConnectKVecEnv


def test_games_are_those_of_the_vector_environment():
    env, plain = ConnectKVecEnv(12, opponent="random"), ConnectKVectorEnv(12, opponent="random")
    env.seed(5)
    assert np.array_equal(env.reset(), plain.reset(seed=5)[0])
    rng = np.random.default_rng(1)
    ends = 0
    for _ in range(40):
        actions = rng.integers(7, size=12)
        seen, rewards, over, infos = env.step(actions)
        expected, paid, ended, _, info = plain.step(actions)
        assert np.array_equal(seen, expected)
        assert np.array_equal(rewards, paid)
        assert np.array_equal(over, ended)
        for game in np.flatnonzero(over):
            assert np.array_equal(infos[game]["terminal_observation"], info["final_obs"][game])
            ends += 1
        assert all(not infos[game] for game in np.flatnonzero(~over))
        assert np.array_equal(np.stack(env.env_method("action_masks")), env.games.boards.legal)
    assert ends
    assert len(env.env_method("action_masks", indices=[0, 3])) == 2
    with pytest.raises(AttributeError):
        env.env_method("play")
    with pytest.raises(AttributeError):
        env.set_attr("first", "agent")


def test_maskable_ppo_learns_on_many_games():
    sb3 = pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")
    env = VecMonitor(ConnectKVecEnv(16, "4x4x3", opponent="greedy"))
    agent = sb3.MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, seed=1)
    agent.learn(512)
    assert agent.ep_info_buffer
    assert all(abs(episode["r"]) <= 1 for episode in agent.ep_info_buffer)
    seen = env.reset()
    columns, _ = agent.predict(seen, action_masks=env.venv.action_masks())
    assert env.venv.action_masks()[np.arange(16), columns].all()
