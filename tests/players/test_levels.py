"""Ten levels, each a little stronger; bench/levels.py measures by how much."""

from __future__ import annotations

from itertools import pairwise

import pytest

from connectk.arena import balanced_openings
from connectk.players import Clock, load_player
from connectk.players.levels import BEST, LEVELS
from connectk.rules import Position, Side, Variant


def points_of_higher(higher: str, lower: str, games: int) -> float:
    """Points of the first name, from both sides of balanced openings."""
    points, variant = 0.0, Variant()
    openings = balanced_openings(variant, games // 2, seed=1)
    for game in range(games):
        players = [load_player(name, seed=game) for name in (higher, lower)]
        position = Position.from_moves(openings[game // 2], variant)
        while position.outcome is None:
            position = position.drop(players[(position.ply + game) % 2].choose(position, Clock()).column)
        winner = position.outcome.winner
        points += 0.5 if winner is None else (winner is Side.FIRST) == (game % 2 == 0)
    return points


def test_there_are_ten():
    """1 to 9 in the table, and the engine."""
    assert [*LEVELS, BEST] == list(range(1, 11))
    assert [load_player(f"level:{level}").name for level in range(1, 11)] == [f"level:{n}" for n in range(1, 11)]


def test_each_looks_further_or_more_carefully():
    """Depth never falls, carelessness always does."""
    levels = list(LEVELS.values())
    assert all(a.depth <= b.depth and a.carelessness > b.carelessness for a, b in pairwise(levels))


@pytest.mark.parametrize(("higher", "lower"), [("level:4", "level:1"), ("level:7", "level:4"), ("level:9", "level:6")])
def test_three_levels_up_is_clearly_stronger(higher: str, lower: str):
    """At least two thirds of the points in 30 games."""
    assert points_of_higher(higher, lower, games=30) >= 20


@pytest.mark.deep
@pytest.mark.parametrize("level", range(2, 10))
def test_each_level_beats_the_one_below(level: int):
    """At least 60% of the points in 400 games."""
    assert points_of_higher(f"level:{level}", f"level:{level - 1}", games=400) >= 240


def test_the_second_highest_level_does_not_miss_a_forced_win():
    """Without carelessness, and ten moves ahead, a win in three is found."""
    choice = load_player("level:9").choose(Position.from_moves("4433"), Clock())
    assert choice.thought.proven
    assert choice.thought.score is not None
    assert choice.thought.score > 0
