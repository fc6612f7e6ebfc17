"""Environments for those who train agents, and how far an agent is from perfect.

    connectk.envs.pettingzoo   the game for two agents, `pip install 'connectk[pettingzoo]'`
    connectk.envs.gymnasium    one agent against a player, one game or many, `pip install 'connectk[gymnasium]'`
    connectk.envs.openspiel    players and bots of OpenSpiel for each other, `pip install 'connectk[openspiel]'`
    connectk.envs.kaggle       players as agents for Kaggle's ConnectX

Nothing of those is imported before it is asked for.
"""

from connectk.envs.measuring import Estimate, Measurement, Phase, measure

__all__ = ["Estimate", "Measurement", "Phase", "measure"]
