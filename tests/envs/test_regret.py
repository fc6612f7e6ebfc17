"""Rewards by exact regret: 0 for a perfect drop, -1 for an illegal answer, and a value between them for other drops."""

import random
from itertools import pairwise

import pytest

from connectk.envs.regret import RewardBy, checked_board, judged, max_score_regret, reward
from connectk.errors import UnsupportedVariant
from connectk.rules import Position, Variant, random_position
from connectk.solver import score_columns


def test_half_a_point_goes_with_a_win_that_becomes_a_draw():
    """With rewards by result, a drop that turns a win into a draw costs half a point."""
    position = Position.from_moves("33525152", Variant(5, 4, 4))
    scores = score_columns(position)
    by_result = {(score > 0) - (score < 0): column for column, score in enumerate(scores) if score is not None}
    rewards = {result: reward(judged(position, column), "result") for result, column in by_result.items()}
    assert rewards == {1: 0, 0: -0.5, -1: -1}


@pytest.mark.parametrize("by", ["result", "score"])
@pytest.mark.parametrize("size", ["7x6x4", "5x5x3", "4x4x4"])
def test_a_better_score_never_has_a_lower_reward(size: str, by: RewardBy):
    variant = Variant.parse(size)
    rng = random.Random(1)
    for _ in range(10):
        position, _ = random_position(variant.cells // 2, variant, rng=rng)
        scores = score_columns(position)
        columns = sorted(position.legal_columns, key=lambda column: scores[column] or 0)
        rewards = [reward(judged(position, column), by) for column in columns]
        assert all(low <= high for low, high in pairwise(rewards))
        assert rewards[-1] == 0
        assert rewards[0] >= -1
    assert reward(judged(position, None), by) == -1


def test_the_largest_regret_is_from_the_quickest_win_to_the_quickest_loss():
    """The largest regret on a board is the difference between its quickest win and its quickest loss, 18 and -18 on
    7x6."""
    assert max_score_regret(Variant.parse("7x6x4")) == 2 * 18
    wins = Position.from_moves("112233")
    assert max(score for score in score_columns(wins) if score is not None) == 18


def test_what_cannot_be_judged_is_refused():
    with pytest.raises(UnsupportedVariant):
        checked_board("20x20x5", "result")
    with pytest.raises(ValueError, match="result, score"):
        checked_board("7x6x4", "luck")
