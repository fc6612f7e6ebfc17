"""Many games at once as a vector environment of Stable-Baselines3, with the action masks for MaskablePPO.

from sb3_contrib import MaskablePPO
MaskablePPO("MlpPolicy", ConnectKVecEnv(256, opponent="level:3")).learn(1_000_000)
"""

from __future__ import annotations

from typing import Any

from connectk.envs.game_against import First
from connectk.envs.opponents import Opponent
from connectk.errors import MissingExtra
from connectk.rules import CLASSIC, Variant

try:
    import numpy as np
    from stable_baselines3.common.vec_env import VecEnv

    from connectk.envs.vector_env import ConnectKVectorEnv
except ImportError:
    raise MissingExtra("stable_baselines3", "stable-baselines3") from None


class ConnectKVecEnv(VecEnv):  # type: ignore[misc]  # made here, since Stable-Baselines3 may be absent
    """The games of a `ConnectKVectorEnv`. A finished game restarts at once, and its info has its last observation."""

    def __init__(
        self,
        num_envs: int = 1,
        variant: Variant | str = CLASSIC,
        opponent: str | Opponent = "random",
        first: First = "random",
        threads: int = 1,
    ) -> None:
        self.games = ConnectKVectorEnv(num_envs, variant, opponent, first, threads)
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)

    def reset(self) -> Any:
        seen, _ = self.games.reset(seed=self._seeds[0])
        self._reset_seeds()
        return seen

    def step_async(self, actions: Any) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        seen, rewards, over, _, info = self.games.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for game in np.flatnonzero(over):
            infos[game] = {"terminal_observation": info["final_obs"][game], "TimeLimit.truncated": False}
        return seen, rewards.astype(np.float32), over, infos

    def action_masks(self) -> Any:
        """Whether each column of each game takes a disc: bool, (games, columns)."""
        return self.games.action_masks()

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Return the open columns of each game for "action_masks". Any other method name raises an error."""
        if method_name != "action_masks":
            raise AttributeError(f"the games have no method {method_name}")
        return list(self.action_masks()[self._get_indices(indices)])

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.games, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raise an error, because all games share one environment."""
        raise AttributeError(f"{attr_name} cannot be set for some games: make a new environment")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * len(list(self._get_indices(indices)))

    def close(self) -> None:
        self.games.close()
