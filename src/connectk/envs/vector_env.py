"""Many games at once as a Gymnasium vector environment; `connectk.envs.gymnasium` registers it."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from connectk.arrays import OPEN, Boards
from connectk.envs.board_views import RENDER_MODES, render
from connectk.envs.game_against import First, checked, first_side
from connectk.envs.opponents import Opponent, opponent_named
from connectk.rules import CLASSIC, Side, Variant

MAX_SEED = 1 << 62


class ConnectKVectorEnv(VectorEnv[Any, Any, Any]):
    """Plays many games at once in a `Boards`.

    The opponent is the name of a player, or a function of the type `Opponent`. The core plays "random", "greedy",
    "minimax:n", "mcts:n" and levels 1 to 9 on all boards at once. Any other player is called for one board after the
    other.

    `autoreset_mode` is one of Gymnasium's modes, or its name. With SAME_STEP a finished game restarts in the same step,
    and `final_obs` shows its end. With NEXT_STEP it restarts in the next step, and the action of that step is ignored.
    With DISABLED it waits for `reset(options={"reset_mask": mask})`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        variant: Variant | str = CLASSIC,
        opponent: str | Opponent = "random",
        first: First = "random",
        threads: int = 1,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
    ) -> None:
        self.variant, self.first = checked(variant, first)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.autoreset_mode = mode_of(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": RENDER_MODES}
        self.single_observation_space = observation_space(self.variant)
        self.single_action_space = spaces.Discrete(self.variant.width)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.boards = Boards(self.variant, num_envs, threads=threads)
        self._opponent = opponent if callable(opponent) else opponent_named(opponent, self.variant)
        self._sides = np.zeros(num_envs, np.int8)
        self._over = np.zeros(num_envs, bool)  # games that wait for a reset

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Restart all games, or only the games of `options["reset_mask"]`."""
        super().reset(seed=seed)
        mask = (options or {}).get("reset_mask")
        self._begin(np.arange(self.num_envs) if mask is None else self._masked(mask))
        return self._seen(), self._info()

    def _masked(self, mask: Any) -> Any:
        if np.shape(mask) != (self.num_envs,) or np.asarray(mask).dtype != np.bool_ or not np.any(mask):
            raise ValueError(f"reset_mask marks at least one of the {self.num_envs} games: an array of bool")
        return np.flatnonzero(mask)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        restarted = self._restart_waiting()
        illegal = self._play(np.asarray(actions, np.int64), ~restarted)
        outcome = self.boards.outcome
        rewards = np.where(outcome == self._sides, 1.0, np.where(outcome == 1 - self._sides, -1.0, 0.0))
        rewards[illegal] = -1.0
        self._over = illegal | (outcome != OPEN)
        over, info = self._over, {"illegal": illegal, "_illegal": self._over}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and over.any():
            info = self._final(over, illegal)
            self._begin(np.flatnonzero(over))
        return self._seen(), rewards, over, np.zeros(self.num_envs, bool), {**self._info(), **info}

    def action_masks(self) -> Any:
        """Whether each column of each game takes a disc: bool, (games, columns)."""
        return self.boards.legal

    def render(self) -> tuple[Any, ...] | None:
        """Every board, in the same form as in the environment of one game. None without a `render_mode`, or if the
        boards are printed."""
        frames = tuple(render(position, self.render_mode) for position in self.boards.positions())
        return frames if self.render_mode in {"ansi", "rgb_array"} else None

    def _restart_waiting(self) -> Any:
        """Restart the games that ended in the previous step. Returns which these are. In the mode DISABLED, any such
        game is an error."""
        waiting = self._over
        if waiting.any():
            if self.autoreset_mode is AutoresetMode.DISABLED:
                raise gym.error.ResetNeeded(
                    f"{waiting.sum()} games are over: restart them by reset(options={{'reset_mask': mask}})"
                )
            self._begin(np.flatnonzero(waiting))
        return waiting

    def _play(self, actions: Any, going: Any) -> Any:
        """Drop these discs in the games that are not over, and let the opponent answer. Returns the games with an
        illegal drop."""
        if actions.shape != (self.num_envs,):
            raise ValueError(f"one column for each of the {self.num_envs} games is wanted")
        inside = (actions >= 0) & (actions < self.variant.width)
        legal = inside & self.boards.legal[np.arange(self.num_envs), np.where(inside, actions, 0)]
        which = np.flatnonzero(legal & going)
        self.boards.drop(actions[which], which)
        self._answer(np.flatnonzero(legal & going & (self.boards.outcome == OPEN)))
        return ~legal & going

    def _answer(self, which: Any) -> None:
        if len(which):
            columns = self._opponent(self.boards.select(which), int(self.np_random.integers(MAX_SEED)))
            self.boards.drop(columns, which)

    def _begin(self, which: Any) -> None:
        """Restart these games. Where the opponent plays first, let it drop."""
        self.boards.reset(which)
        self._over = self._over.copy()  # the caller may keep the last one
        self._over[which] = False
        lots = self.np_random.integers(2, size=len(which))
        self._sides[which] = lots if self.first == "random" else first_side(self.first, 0).value
        self._answer(which[self._sides[which] == Side.SECOND.value])

    def _final(self, over: Any, illegal: Any) -> dict[str, Any]:
        """The last observations and infos of finished games, in the form that Gymnasium's wrappers expect."""
        final_obs, seen = np.full(self.num_envs, None, object), self._seen()
        for game in np.flatnonzero(over):
            final_obs[game] = seen[game]
        final = {"illegal": illegal, "_illegal": over}
        return {"final_obs": final_obs, "_final_obs": over, "final_info": final, "_final_info": over}

    def _seen(self) -> Any:
        """The planes. The agent's own discs always come first, even if the opponent is to move."""
        seen = self.boards.planes()
        others = np.flatnonzero(self.boards.side_to_move != self._sides)
        if len(others):
            seen[others] = seen[others][:, ::-1]
        return seen

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.boards.legal.view(np.int8), "_action_mask": np.ones(self.num_envs, bool)}

    def close_extras(self, **kwargs: Any) -> None:
        """Close the opponent. This ends the process of a bot."""
        close = getattr(self._opponent, "close", None)
        if close is not None:
            close()


def mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    """Gymnasium's autoreset mode. `mode` is the mode itself or its name, "SAME_STEP" or "SameStep"."""
    for known in AutoresetMode:
        if mode in (known, known.name, known.value):
            return known
    raise ValueError(f"autoreset_mode is one of {', '.join(known.name for known in AutoresetMode)}")


def observation_space(variant: Variant) -> Any:
    """The observation space of one game: its planes."""
    return spaces.Box(0, 1, (2, variant.height, variant.width), np.uint8)
