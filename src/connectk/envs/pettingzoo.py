"""The game as a PettingZoo environment: two agents in turn, on any board.

env = connectk.envs.pettingzoo.env(variant="9x7x5")
"""

from __future__ import annotations

from typing import Any

import numpy as np

from connectk.envs.views import RENDER_MODES, mask, planes, render
from connectk.errors import MissingExtra
from connectk.rules import Position, Side, Variant

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise MissingExtra("pettingzoo", "pettingzoo") from None

AGENTS = {"player_0": Side.FIRST, "player_1": Side.SECOND}


def env(variant: Variant | str = "7x6x4", render_mode: str | None = None) -> Any:
    """The environment with PettingZoo's usual checks around it: a column that is full loses the game."""
    checked = wrappers.TerminateIllegalWrapper(raw_env(variant, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  # PettingZoo's name for it
    """The environment itself. An agent sees `observation`, its own discs and then the other's, and `action_mask`."""

    metadata = {  # noqa: RUF012  # PettingZoo's own shape
        "name": "connectk_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, variant: Variant | str = "7x6x4", render_mode: str | None = None) -> None:
        super().__init__()
        self.variant = Variant.parse(variant) if isinstance(variant, str) else variant
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.action_spaces = {agent: spaces.Discrete(self.variant.width) for agent in AGENTS}
        self.observation_spaces = {agent: self._observation_space() for agent in AGENTS}
        self.position = Position.start(self.variant)

    def _observation_space(self) -> Any:
        shape = (2, self.variant.height, self.variant.width)
        board = spaces.Box(0, 1, shape, np.uint8)
        return spaces.Dict({"observation": board, "action_mask": spaces.Box(0, 1, (self.variant.width,), np.int8)})

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """An empty board; nothing here is left to luck, so the seed changes nothing."""
        self.agents = list(AGENTS)
        self.agent_selection = self.agents[0]
        self.position = Position.start(self.variant)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}

    def observe(self, agent: str) -> dict[str, Any]:
        side = AGENTS[agent]
        mine = self.position.side_to_move is side
        open_columns = mask(self.position) if mine else np.zeros(self.variant.width, np.int8)
        return {"observation": planes(self.position, side), "action_mask": open_columns}

    def step(self, action: int | None) -> None:
        """A disc of the agent whose turn it is: 1 for the winner, -1 for the loser, 0 otherwise."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[self.agent_selection] = 0
        self.position = self.position.drop(int(action))
        self._judge()
        self.agent_selection = self.agents[self.position.side_to_move.value]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _judge(self) -> None:
        self.rewards = dict.fromkeys(AGENTS, 0)
        outcome = self.position.outcome
        if outcome is not None:
            self.terminations = dict.fromkeys(AGENTS, True)
        if outcome is not None and outcome.winner is not None:
            self.rewards = {agent: 1 if side is outcome.winner else -1 for agent, side in AGENTS.items()}

    def render(self) -> Any:
        return render(self.position, self.render_mode)

    def close(self) -> None:
        """Nothing is held."""
