"""The game as a TextArena environment for two agents that answer in words. The rewards are by exact regret.

    import connectk.envs.textarena
    env = textarena.make("ConnectK-v0", variant="9x7x5", reward_by="score")

The reward of a player is the mean reward of its answers. It is 0 for perfect play, even if the player loses, and at
worst -1. After each step the info has the exact regret of the answer.
"""

from __future__ import annotations

import re
from statistics import fmean
from typing import Any

from connectk.envs.measure_agent import MeasuredChoice
from connectk.envs.regret import RewardBy, checked_board, judged, reward
from connectk.errors import MissingExtra
from connectk.players import Clock, Player, load_player
from connectk.players.text_prompts import SYMBOLS, numbered_board
from connectk.rules import CLASSIC, Position, Side, Variant

try:
    import textarena as ta
    from textarena.envs import BOARDGAME_WRAPPERS, DEFAULT_WRAPPERS, register_with_versions
except ImportError:
    raise MissingExtra("textarena", "textarena") from None

BRACKETED_COLUMN = re.compile(r"\[\s*(?:col(?:umn)?)?\s*(-?\d+)\s*\]", re.IGNORECASE)
PROMPT = """You are Player {player} in Connect X; your discs are {own}, those of your opponent are {other}.
The board has {rows} rows and {columns} columns, counted from 0 at the left. Players take turns to drop a disc into a
column, where it falls to the lowest empty cell. Whoever first has {run} discs in a row, across, upright or diagonally,
wins. Answer with a column in square brackets, such as '[col 3]'."""


class TextArenaEnv(ta.Env):  # type: ignore[misc]  # TextArena has no types
    """A game on any board that can be solved. If an answer cannot be played, the agent may answer once more, and then
    it loses, as in TextArena's own games. Each such answer gets the lowest reward."""

    def __init__(self, variant: Variant | str = CLASSIC, reward_by: RewardBy = "result") -> None:
        self.variant, self.reward_by = checked_board(variant, reward_by), reward_by
        self.position = Position.start(self.variant)
        self.choices: tuple[list[MeasuredChoice], list[MeasuredChoice]] = ([], [])  # of each player

    def reset(self, num_players: int = 2, seed: int | None = None) -> None:
        """Start a game. The seed has no effect, because nothing is random."""
        self.position, self.choices = Position.start(self.variant), ([], [])
        self.state = ta.TwoPlayerState(num_players=num_players, seed=seed)
        self.state.reset(game_state={"board": self.get_board_str()}, player_prompt_function=self._prompt)
        self._show_board()

    def get_board_str(self) -> str:
        """The board as the agents see it."""
        return numbered_board(self.position, 0)

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:
        return PROMPT.format(
            player=player_id,
            own=SYMBOLS[Side(player_id)],
            other=SYMBOLS[Side(player_id).other],
            rows=self.variant.height,
            columns=self.variant.width,
            run=self.variant.run,
        )

    def _show_board(self) -> None:
        self.state.game_state["board"] = self.get_board_str()
        self.state.add_observation(message=self.get_board_str(), observation_type=ta.ObservationType.GAME_BOARD)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        player = self.state.current_player_id
        self.state.add_observation(from_id=player, message=action, observation_type=ta.ObservationType.PLAYER_ACTION)
        column, why_not = self._read(action)
        choice = judged(self.position, column)
        self.choices[player].append(choice)
        self.state.step_info = self._facts(choice)
        if column is None:
            self.state.set_invalid_move(reason=why_not)
        else:
            self._drop(player, column)
        if self.state.done:
            self.state.rewards = {player: self._mean_reward(player) for player in (0, 1)}
        done, info = self.state.step()
        return done, info

    def _read(self, action: str) -> tuple[int | None, str]:
        """The last column that the answer names. If it cannot be played, None and the reason."""
        found = BRACKETED_COLUMN.findall(action)
        if not found:
            return None, "There is no column in square brackets, such as '[col 3]'."
        column = int(found[-1])
        return (column, "") if self.position.can_drop(column) else (None, f"Column {column} takes no disc.")

    def _drop(self, player: int, column: int) -> None:
        self.position = self.position.drop(column)
        message = f"Player {player} dropped a disc into column {column}."
        self.state.add_observation(message=message, observation_type=ta.ObservationType.GAME_ACTION_DESCRIPTION)
        self._show_board()
        outcome = self.position.outcome
        if outcome is not None and outcome.winner is not None:
            self.state.set_winner(player, f"Player {player} has {self.variant.run} discs in a row.")
        elif outcome is not None:
            self.state.set_draw("The board is full.")

    def _facts(self, choice: MeasuredChoice) -> dict[str, Any]:
        return {
            "column": choice.column,
            "result_regret": choice.result_regret,
            "score_regret": choice.score_regret,
            "reward": reward(choice, self.reward_by),
        }

    def _mean_reward(self, player: int) -> float:
        rewards = [reward(choice, self.reward_by) for choice in self.choices[player]]
        return fmean(rewards) if rewards else 0.0


class PlayerAgent(ta.Agent):  # type: ignore[misc]
    """A player of connectk as an agent in a TextArenaEnv. It uses the position itself, not the words of the prompt."""

    def __init__(self, env: Any, player: str | Player, seed: int | None = None) -> None:
        self._env, self._player = env, load_player(player, seed) if isinstance(player, str) else player

    def __call__(self, observation: str) -> str:
        return f"[col {self._player.choose(self._env.position, Clock()).column}]"


register_with_versions(
    "ConnectK-v0",
    f"{__name__}:TextArenaEnv",
    {"default": DEFAULT_WRAPPERS, "-train": BOARDGAME_WRAPPERS},
)
