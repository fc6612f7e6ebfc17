"""One agent against a player as a Gymnasium environment, alone or many games at once.

NAME = "connectk.envs.gymnasium:connectk/ConnectK-v0"    # Gymnasium imports the module before the colon
gymnasium.make(NAME, variant="7x6x4", opponent="level:3", first="random")
gymnasium.make_vec(NAME, num_envs=256, vectorization_mode="vector_entry_point", opponent="random")

The agent sees its own discs and then the opponent's, (2, height, width), row 0 at the bottom; `info["action_mask"]` has
the columns that take a disc. 1 for a win, -1 for a loss, 0 otherwise. A column that takes no disc loses the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from connectk.arrays import OPEN, Boards
from connectk.envs.views import RENDER_MODES, mask, planes, render
from connectk.errors import MissingExtra
from connectk.players import Clock, Player, load_player, start_new_game
from connectk.rules import CLASSIC, Position, Side, Variant

try:
    import gymnasium as gym
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise MissingExtra("gymnasium", "gymnasium") from None

First = Literal["agent", "opponent", "random"]
Opponent = Callable[[Boards, int], Any]  # boards where it is to move, and a seed -> a column for each
MAX_SEED = 1 << 62


class ConnectKEnv(gym.Env[Any, Any]):
    """One game at a time. The opponent is any player by its name, as in `connectk players`."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012  # Gymnasium's own shape

    def __init__(
        self,
        variant: Variant | str = CLASSIC,
        opponent: str = "level:3",
        first: First = "random",
        render_mode: str | None = None,
    ) -> None:
        self.variant, self.first = _checked(variant, first)
        self.render_mode = render_mode
        self.observation_space = _observation_space(self.variant)
        self.action_space = spaces.Discrete(self.variant.width)
        self._opponent_name = opponent
        self._opponent: Player | None = None
        self.position = Position.start(self.variant)
        self.side = Side.FIRST

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._seat_opponent(int(self.np_random.integers(MAX_SEED)))
        self.position = Position.start(self.variant)
        self.side = _side(self.first, int(self.np_random.integers(2)))
        if self.side is Side.SECOND:
            self._answer()
        return self._seen()

    def _seat_opponent(self, seed: int) -> None:
        if self._opponent is None or not start_new_game(self._opponent, seed):
            self.close()
            self._opponent = load_player(self._opponent_name, seed)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        column = int(action)
        if not self.position.can_drop(column):
            seen, info = self._seen()
            return seen, -1.0, True, False, {**info, "illegal": True}
        self.position = self.position.drop(column)
        if self.position.outcome is None:
            self._answer()
        seen, info = self._seen()
        return seen, self._reward(), self.position.outcome is not None, False, info

    def _answer(self) -> None:
        assert self._opponent is not None
        self.position = self.position.drop(self._opponent.choose(self.position, Clock()).column)

    def _reward(self) -> float:
        winner = self.position.outcome.winner if self.position.outcome else None
        return 0.0 if winner is None else 1.0 if winner is self.side else -1.0

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        return planes(self.position, self.side), {"action_mask": mask(self.position)}

    def render(self) -> Any:
        return render(self.position, self.render_mode)

    def close(self) -> None:
        if self._opponent is not None:
            self._opponent.close()
            self._opponent = None


class ConnectKVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games at once over `Boards`. A game that ends begins again in the same step; `final_obs` shows its end.

    The opponent is "random", which the core plays for all boards at once; the name of any other player, called for one
    board after the other; or a function from the boards where it is to move and a seed to a column for each.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012  # Gymnasium's own shape

    def __init__(
        self,
        num_envs: int = 1,
        variant: Variant | str = CLASSIC,
        opponent: str | Opponent = "random",
        first: First = "random",
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        self.variant, self.first = _checked(variant, first)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.single_observation_space = _observation_space(self.variant)
        self.single_action_space = spaces.Discrete(self.variant.width)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.boards = Boards(self.variant, num_envs, threads=threads)
        self._opponent = opponent if callable(opponent) else opponent_named(opponent)
        self._sides = np.zeros(num_envs, np.int8)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._begin(np.arange(self.num_envs))
        return self._seen(), self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        actions = np.asarray(actions, np.int64)
        legal = self.boards.legal[np.arange(self.num_envs), actions]
        self._drop(actions, np.flatnonzero(legal))
        self._answer(np.flatnonzero(legal & (self.boards.outcome == OPEN)))
        outcome = self.boards.outcome
        rewards = np.where(outcome == self._sides, 1.0, np.where(outcome == 1 - self._sides, -1.0, 0.0))
        rewards[~legal] = -1.0
        over = ~legal | (outcome != OPEN)
        info = self._final(over, ~legal)
        self._begin(np.flatnonzero(over))
        return self._seen(), rewards, over, np.zeros(self.num_envs, bool), {**self._info(), **info}

    def _drop(self, actions: Any, which: Any) -> None:
        self.boards.drop(actions[which], which)

    def _answer(self, which: Any) -> None:
        if len(which):
            columns = self._opponent(self.boards.select(which), int(self.np_random.integers(MAX_SEED)))
            self.boards.drop(columns, which)

    def _begin(self, which: Any) -> None:
        """Restart these games, and let the opponent drop where it is first."""
        self.boards.reset(which)
        lots = self.np_random.integers(2, size=len(which))
        self._sides[which] = [_side(self.first, int(lot)).value for lot in lots]
        self._answer(which[self._sides[which] == Side.SECOND.value])

    def _final(self, over: Any, illegal: Any) -> dict[str, Any]:
        if not over.any():
            return {}
        mark = over.copy()
        final = {"illegal": illegal, "_illegal": mark}
        return {"final_obs": self._seen(), "_final_obs": mark, "final_info": final, "_final_info": mark}

    def _seen(self) -> Any:
        """The planes, always with the agent's own discs first, even if the opponent is to move."""
        seen = self.boards.planes()
        others = self.boards.side_to_move != self._sides
        seen[others] = seen[others][:, ::-1]
        return seen

    def close_extras(self, **kwargs: Any) -> None:
        """A bot's process ends with the environment."""
        close = getattr(self._opponent, "close", None)
        if close is not None:
            close()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.boards.legal.astype(np.int8), "_action_mask": np.ones(self.num_envs, bool)}


class PlayerOpponent:
    """A player as an opponent, called for one board after the other."""

    def __init__(self, name: str) -> None:
        self._name, self._player = name, load_player(name, seed=0)

    def __call__(self, boards: Boards, seed: int) -> Any:
        if not start_new_game(self._player, seed):
            self._player.close()
            self._player = load_player(self._name, seed)
        return np.array([self._player.choose(position, Clock()).column for position in boards])

    def close(self) -> None:
        self._player.close()


def opponent_named(name: str) -> Opponent:
    """The opponent of this name; "random" is played by the core for all boards at once."""
    return (lambda boards, seed: boards.random_columns(seed)) if name == "random" else PlayerOpponent(name)


def _checked(variant: Variant | str, first: First) -> tuple[Variant, First]:
    if first not in ("agent", "opponent", "random"):
        raise ValueError('first is "agent", "opponent" or "random"')
    return Variant.parse(variant) if isinstance(variant, str) else variant, first


def _side(first: First, lot: int) -> Side:
    return {"agent": Side.FIRST, "opponent": Side.SECOND, "random": Side(lot)}[first]


def _observation_space(variant: Variant) -> Any:
    return spaces.Box(0, 1, (2, variant.height, variant.width), np.uint8)


gym.register(
    "connectk/ConnectK-v0",
    entry_point=f"{__name__}:ConnectKEnv",
    vector_entry_point=f"{__name__}:ConnectKVectorEnv",
)
