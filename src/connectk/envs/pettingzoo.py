"""The game as a PettingZoo environment for two agents that move in turn.

env = connectk.envs.pettingzoo.env(variant="9x7x5")
env = pettingzoo.make("aec", "connectk/connectk_v0", variant="9x7x5")    # after importing this module
"""

from __future__ import annotations

from typing import Any

from connectk.errors import MissingExtra
from connectk.rules import Position, Side, Variant

try:
    import numpy as np
    import pettingzoo
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    from connectk.envs.board_views import RENDER_MODES, mask, planes, render
except ImportError:
    raise MissingExtra("pettingzoo", "pettingzoo") from None

SIDE_OF_AGENT = {"player_0": Side.FIRST, "player_1": Side.SECOND}


def env(variant: Variant | str = "7x6x4", render_mode: str | None = None) -> Any:
    """The environment with PettingZoo's usual wrappers. An agent that drops into a full column loses the game."""
    checked = wrappers.TerminateIllegalWrapper(raw_env(variant, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  # PettingZoo's name for it
    """The environment without wrappers. An agent observes its own discs, the opponent's discs, and `action_mask`."""

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
        self.possible_agents = list(SIDE_OF_AGENT)
        self.action_spaces = {agent: spaces.Discrete(self.variant.width) for agent in SIDE_OF_AGENT}
        self.observation_spaces = {agent: self._observation_space() for agent in SIDE_OF_AGENT}
        self.state_space = spaces.Box(0, 1, (2, self.variant.height, self.variant.width), np.uint8)
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
        """Start with an empty board. The seed has no effect, because nothing is random."""
        self.agents = list(SIDE_OF_AGENT)
        self.agent_selection = self.agents[0]
        self.position = Position.start(self.variant)
        self.rewards = dict.fromkeys(SIDE_OF_AGENT, 0)
        self._cumulative_rewards = dict.fromkeys(SIDE_OF_AGENT, 0)
        self.terminations = dict.fromkeys(SIDE_OF_AGENT, False)
        self.truncations = dict.fromkeys(SIDE_OF_AGENT, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in SIDE_OF_AGENT}

    def observe(self, agent: str) -> dict[str, Any]:
        side = SIDE_OF_AGENT[agent]
        mine = self.position.side_to_move is side
        open_columns = mask(self.position) if mine else np.zeros(self.variant.width, np.int8)
        return {"observation": planes(self.position, side), "action_mask": open_columns}

    def state(self) -> Any:
        """The whole board: the first player's discs, then the second player's discs. The order does not depend on who
        is to move."""
        return planes(self.position, Side.FIRST)

    def step(self, action: int | None) -> None:
        """Drop a disc for the selected agent. The reward is 1 for the winner, -1 for the loser, and 0 otherwise."""
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
        self.rewards = dict.fromkeys(SIDE_OF_AGENT, 0)
        outcome = self.position.outcome
        if outcome is not None:
            self.terminations = dict.fromkeys(SIDE_OF_AGENT, True)
        if outcome is not None and outcome.winner is not None:
            self.rewards = {agent: 1 if side is outcome.winner else -1 for agent, side in SIDE_OF_AGENT.items()}

    def render(self) -> Any:
        return render(self.position, self.render_mode)

    def close(self) -> None:
        """Does nothing."""


if hasattr(pettingzoo, "register"):  # older releases have no registry
    pettingzoo.register("aec", "connectk/connectk_v0", f"{__name__}:env")
