"""Random positions and lists of all positions contain exactly the positions that drops can reach."""

import random

import pytest

from connectk import _native
from connectk.rules import Position, Variant, all_positions, random_position


@pytest.mark.parametrize("size", ["7x6x4", "5x4x3", "20x20x5"])
def test_a_random_position_is_open_and_reached_by_its_drops(size: str):
    variant = Variant.parse(size)
    for ply in (0, 1, 5, 12):
        position, drops = random_position(ply, variant, rng=random.Random(ply))
        assert position == Position.from_moves(drops, variant)
        assert (position.ply, position.outcome) == (ply, None)
        assert random_position(ply, variant, rng=random.Random(ply))[1] == drops


def test_a_random_position_can_be_quiet():
    for seed in range(30):
        position, _ = random_position(14, rng=random.Random(seed), can_win=False)
        assert not any(map(position.wins, position.legal_columns))


@pytest.mark.parametrize("ply", [-1, 42, 43])
def test_a_position_that_is_not_there_is_refused(ply: int):
    with pytest.raises(ValueError, match="no such position of 7x6x4"):
        random_position(ply)


@pytest.mark.parametrize("size", ["7x6x4", "4x4x3", "3x3x3"])
def test_all_positions_are_as_many_as_the_core_counts(size: str):
    variant = Variant.parse(size)
    found = list(all_positions(5, Position.start(variant)))
    counts = _native.count_positions(variant.width, variant.height, variant.run, 5)
    assert [sum(position.ply == ply for position in found) for ply in range(6)] == counts
    assert len(set(found)) == len(found)
    assert list(all_positions(5, Position.start(variant), exactly=True)) == found[-counts[5] :]
    still = list(all_positions(5, Position.start(variant), open_only=True))
    assert still == [position for position in found if position.outcome is None]


def test_all_positions_from_a_later_start():
    start = Position.from_moves("4455")
    assert list(all_positions(4, start)) == [start]
    assert len(list(all_positions(5, start))) == 8
    assert list(all_positions(3, start)) == []
