"""Tests how computer players use the swap rule."""

from __future__ import annotations

import random
from typing import Any

import pytest

from connectk.players.swapping import fair_column, find_probability, wants_swap

AHEAD = {"exact": True, "scores": [None, -3, 2], "estimates": None}
BEHIND = {"exact": False, "scores": None, "estimates": [-0.4, None, -0.1]}
EVEN = {"exact": True, "scores": [-1, 0, 0], "estimates": None}


@pytest.mark.parametrize(("scores", "swaps"), [(AHEAD, False), (BEHIND, True), (EVEN, False)])
def test_a_player_that_sees_all_takes_the_better_side(scores: Any, swaps: bool) -> None:
    for player in ("perfect", "level:10", "engine:1s"):
        assert wants_swap(player, scores, random.Random(1)) is swaps


def test_the_stronger_a_level_is_the_more_often_it_finds_the_better_side() -> None:
    """Level 1 finds the better side about half of the time, and level 10 always."""
    dice = random.Random(1)
    shares = [sum(wants_swap(f"level:{level}", BEHIND, dice) for _ in range(2000)) for level in range(1, 11)]
    assert shares == sorted(shares)
    assert shares[0] / 2000 == pytest.approx(find_probability("level:1"), abs=0.05)
    assert shares[-1] == 2000


def test_the_first_disc_leaves_both_sides_as_equal_as_possible() -> None:
    assert fair_column("perfect", EVEN, random.Random(1)) in (1, 2)  # type: ignore[arg-type]
    assert fair_column("perfect", BEHIND, random.Random(1)) == 2  # type: ignore[arg-type]


def test_a_player_that_does_not_see_it_chooses_by_itself() -> None:
    """A player that does not find the fair first disc drops its usual one. Weak players often do not find it."""
    dice = random.Random(1)
    found = [fair_column("random", EVEN, dice) for _ in range(200)]  # type: ignore[arg-type]
    assert None in found
    assert {0} & set(found) == set()
