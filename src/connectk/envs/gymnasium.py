"""One agent against a player as a Gymnasium environment, for one game or for many games at once.

NAME = "connectk.envs.gymnasium:connectk/ConnectK-v0"    # Gymnasium imports the module before the colon
gymnasium.make(NAME, variant="7x6x4", opponent="level:3", first="random")
gymnasium.make_vec(NAME, num_envs=256, vectorization_mode="vector_entry_point", opponent="random")

The agent sees its own discs and then the opponent's discs: (2, height, width), with row 0 at the bottom.
`info["action_mask"]` marks the columns that take a disc. The reward is 1 for a win, -1 for a loss and 0 otherwise. A
drop into a column that takes no disc loses the game.
"""

from __future__ import annotations

from typing import Any

from connectk.envs.game_against import First, GameAgainst
from connectk.envs.opponents import Opponent, opponent_named
from connectk.errors import MissingExtra
from connectk.rules import CLASSIC, Position, Side, Variant

try:
    import gymnasium as gym
    from gymnasium import spaces

    from connectk.envs.board_views import RENDER_MODES, mask, planes, render
    from connectk.envs.vector_env import MAX_SEED, ConnectKVectorEnv, observation_space
except ImportError:
    raise MissingExtra("gymnasium", "gymnasium") from None

__all__ = ["ConnectKEnv", "ConnectKVectorEnv", "Opponent", "opponent_named"]


class ConnectKEnv(gym.Env[Any, Any]):
    """Plays one game at a time. `opponent` is the name of a player, as `connectk players` lists them."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012  # Gymnasium's own shape

    def __init__(
        self,
        variant: Variant | str = CLASSIC,
        opponent: str = "level:3",
        first: First = "random",
        render_mode: str | None = None,
    ) -> None:
        self._game = GameAgainst(variant, opponent, first)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.variant)
        self.action_space = spaces.Discrete(self.variant.width)

    @property
    def variant(self) -> Variant:
        return self._game.variant

    @property
    def position(self) -> Position:
        return self._game.position

    @property
    def side(self) -> Side:
        """The agent's side."""
        return self._game.side

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._game.begin(int(self.np_random.integers(MAX_SEED)), int(self.np_random.integers(2)))
        return self._seen()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        column = int(action)
        if not self.position.can_drop(column):
            seen, info = self._seen()
            return seen, -1.0, True, False, {**info, "illegal": True}
        self._game.drop(column)
        seen, info = self._seen()
        return seen, float(self._game.result or 0), self._game.result is not None, False, info

    def action_masks(self) -> Any:
        """Whether each column takes a disc, as bool. MaskablePPO calls this method."""
        return mask(self.position).astype(bool)

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        return planes(self.position, self.side), {"action_mask": mask(self.position)}

    def render(self) -> Any:
        return render(self.position, self.render_mode)

    def close(self) -> None:
        self._game.close()


gym.register(
    "connectk/ConnectK-v0",
    entry_point=f"{__name__}:ConnectKEnv",
    vector_entry_point=f"{__name__}:ConnectKVectorEnv",
)
