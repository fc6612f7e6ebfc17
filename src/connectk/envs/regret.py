"""Rewards by exact regret instead of by win or loss. A perfect drop gets 0; worse drops get less, down to -1."""

from __future__ import annotations

from typing import Literal, get_args

from connectk.envs.measure_agent import MeasuredChoice
from connectk.envs.scored_positions import Question
from connectk.rules import Position, Variant
from connectk.solver import score_columns
from connectk.solver.solver import require_supported

RewardBy = Literal["result", "score"]
LOWEST_REWARD = -1.0  # for an answer without a legal column
MAX_RESULT_REGRET = 2  # from a win to a loss


def checked_board(variant: Variant | str, reward_by: RewardBy) -> Variant:
    """Parse and return the variant. Raises an error if the variant cannot be solved or the kind of reward is
    unknown."""
    if reward_by not in get_args(RewardBy):
        raise ValueError(f"reward_by is one of {', '.join(get_args(RewardBy))}")
    variant = Variant.parse(variant) if isinstance(variant, str) else variant
    require_supported(variant)
    return variant


def judged(position: Position, column: int | None) -> MeasuredChoice:
    """A choice with the exact scores of all columns. The column None stands for an answer without a legal column."""
    return MeasuredChoice(Question(position, score_columns(position)), column)


def reward(choice: MeasuredChoice, by: RewardBy) -> float:
    """The negative regret, as a share of the largest possible regret.

    With "result", a win that becomes a draw gives -0.5, for example. With "score", the difference of the scores is
    divided by the largest difference on this board.
    """
    if choice.column is None:
        return LOWEST_REWARD
    if by == "result":
        return 0.0 - choice.result_regret / MAX_RESULT_REGRET
    return 0.0 - choice.score_regret / max_score_regret(choice.question.position.variant)


def max_score_regret(variant: Variant) -> int:
    """The difference between the scores of the quickest win and the quickest loss on this board."""
    return max(1, 2 * ((variant.cells + 3 - 2 * variant.run) // 2))
