"""Environments for training agents, and a measure of how far an agent is from perfect play.

    connectk.envs.pettingzoo   the game for two agents, `pip install 'connectk[pettingzoo]'`
    connectk.envs.gymnasium    one agent against a player, one game or many, `pip install 'connectk[gymnasium]'`
    connectk.envs.openspiel    players as OpenSpiel bots, OpenSpiel bots as players, `pip install 'connectk[openspiel]'`
    connectk.envs.kaggle       connectk's players as agents for Kaggle's ConnectX
    connectk.envs.textarena    answers in words, rewarded by exact regret, `pip install 'connectk[textarena]'`
    connectk.envs.openenv      the same for OpenEnv, `pip install 'connectk[openenv]'`
    connectk.envs.stable_baselines3  many games for its algorithms, `pip install 'connectk[stable-baselines3]'`

Each module is imported only when it is used.
"""

from connectk.envs.measure_agent import Estimate, Measurement, Phase, measure, measure_batch

__all__ = ["Estimate", "Measurement", "Phase", "measure", "measure_batch"]
