"""The game as an OpenEnv environment: an agent that answers in words plays against a player, and is rewarded by the
exact regret of its answers.

    app = create_server(opponent="level:3", reward_by="score")                # uvicorn file:app
    with GenericEnvClient(base_url="http://localhost:8000").sync() as env:    # of openenv.core
        seen = env.reset(seed=1)
        seen = env.step({"answer": "Final Answer: 3"})
        seen.observation["prompt"], seen.reward, seen.done

An answer that names no legal column gets -1, the lowest reward, and a disc is dropped into the worst column, so that an
agent gains nothing by ending a game. `connectk measure` counts such answers in the same way.
"""

from __future__ import annotations

import random
from typing import Any

from connectk.envs.game_against import First, GameAgainst
from connectk.envs.measure_agent import MeasuredChoice
from connectk.envs.regret import RewardBy, checked_board, judged, reward
from connectk.errors import MissingExtra
from connectk.notation.start import write_start
from connectk.players.player import require_open
from connectk.players.text_prompts import Parsing, PromptStyle, parse_answer, prompt_for
from connectk.rules import CLASSIC, Variant

try:
    from openenv.core import Action, Environment, Observation, State, create_app
except ImportError:
    raise MissingExtra("openenv", "openenv") from None

MAX_CONCURRENT_GAMES = 64


class AnswerAction(Action):  # type: ignore[misc]  # made here, since OpenEnv may be absent
    """The agent's answer, in words."""

    answer: str


class SeenBoard(Observation):  # type: ignore[misc]
    """The prompt for the next answer, and the regret of the last answer. Columns are numbered from 0."""

    prompt: str  # empty when the game is over
    legal_columns: list[int]
    kind: str | None = None  # of the last answer: "played", "illegal" or "unreadable"
    column: int | None = None  # the column of the disc that was dropped for the last answer
    result_regret: int | None = None
    score_regret: int | None = None
    result: int | None = None  # the agent's result of the game: 1, 0 or -1


class GameState(State):  # type: ignore[misc]
    """The game so far. Every command can read `position`. `side` is 0 if the agent plays first."""

    variant: str
    position: str
    side: int


class ConnectKEnvironment(Environment[AnswerAction, SeenBoard, GameState]):  # type: ignore[misc]
    """A game against the player with this name, on any board that can be solved."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        variant: Variant | str = CLASSIC,
        opponent: str = "level:3",
        first: First = "random",
        reward_by: RewardBy = "result",
        prompt_style: PromptStyle = "kaggle",
        parsing: Parsing = "lenient",
    ) -> None:
        super().__init__()
        self._reward_by, self._style, self._parsing = reward_by, prompt_style, parsing
        self._game = GameAgainst(checked_board(variant, reward_by), opponent, first)
        self.reset()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> SeenBoard:
        """Start a game. The seed decides the opponent's choices. If it is random who plays first, the seed decides that
        too."""
        rng = random.Random(seed)
        self._game.begin(rng.getrandbits(32), rng.getrandbits(1))
        self._episode, self._steps = episode_id, 0
        return self._seen()

    def step(self, action: AnswerAction, timeout_s: float | None = None, **kwargs: Any) -> SeenBoard:
        """Read an answer, drop a disc into its column, and let the opponent answer. After the end of the game, raises
        `GameAlreadyOver`."""
        position = self._game.position
        require_open(position)
        read = parse_answer(action.answer, position, self._style, self._parsing)
        choice = judged(position, read.column)
        column = choice.question.scores.index(choice.score) if read.column is None else read.column
        self._game.drop(column)
        self._steps += 1
        return self._seen(choice, kind=read.kind, column=column)

    def _seen(self, choice: MeasuredChoice | None = None, **facts: Any) -> SeenBoard:
        position = self._game.position
        if choice is not None:
            facts |= {"result_regret": choice.result_regret, "score_regret": choice.score_regret}
            facts |= {"reward": reward(choice, self._reward_by), "result": self._game.result}
        return SeenBoard(
            prompt=prompt_for(position, self._style) if position.outcome is None else "",
            legal_columns=list(position.legal_columns),
            done=position.outcome is not None,
            **facts,
        )

    @property
    def state(self) -> GameState:
        return GameState(
            episode_id=self._episode,
            step_count=self._steps,
            variant=str(self._game.variant),
            position=write_start(self._game.position),
            side=self._game.side.value,
        )

    def close(self) -> None:
        self._game.close()


def create_server(**options: Any) -> Any:
    """An OpenEnv server, as an ASGI application. Each connection plays its own game with these options."""
    return create_app(
        lambda: ConnectKEnvironment(**options),
        AnswerAction,
        SeenBoard,
        env_name="connectk",
        max_concurrent_envs=MAX_CONCURRENT_GAMES,
    )
