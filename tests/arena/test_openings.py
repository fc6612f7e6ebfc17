"""Generated openings are varied and balanced, and the same seed gives the same openings."""

from __future__ import annotations

import pytest

from connectk import Position, Side, Variant
from connectk.arena import balanced_openings
from connectk.rules.threats import winning_columns
from connectk.solver import Solver

VARIANTS = [Variant(), Variant(4, 4, 4), Variant(5, 4, 4), Variant(9, 7, 5), Variant(12, 12, 5), Variant(200, 3, 4)]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_openings_differ_and_allow_no_immediate_win(variant: Variant) -> None:
    openings = balanced_openings(variant, 12, seed=1)
    positions = [Position.from_moves(moves, variant) for moves in openings]

    assert len({frozenset((position, position.mirrored())) for position in positions}) == 12
    for position in positions:
        assert position.outcome is None
        assert not any(winning_columns(position, side) for side in Side)


def test_openings_of_the_classic_board_are_close_to_a_draw() -> None:
    for moves in balanced_openings(Variant(), 20, seed=3):
        assert abs(Solver().find(Position.from_moves(moves)).lower) <= 2


def test_the_seed_decides_the_openings() -> None:
    one, again, other = (balanced_openings(Variant(), 10, seed) for seed in (1, 1, 2))

    assert one == again != other


@pytest.mark.parametrize("variant", [Variant(1, 1, 1), Variant(2, 2, 2), Variant(3, 1, 3), Variant(1, 9, 2)], ids=str)
def test_a_tiny_board_repeats_what_it_has(variant: Variant) -> None:
    openings = balanced_openings(variant, 8, seed=1)

    assert len(openings) == 8
    assert all(Position.from_moves(moves, variant).outcome is None for moves in openings)
