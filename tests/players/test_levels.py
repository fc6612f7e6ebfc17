"""Tests the ten levels: each is a little stronger than the last and makes mistakes like a person.

`bench/levels.py` measures their strength.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice, pairwise

import pytest

from connectk.arena import balanced_openings
from connectk.notation import parse_diagram
from connectk.players import Clock, load_player
from connectk.players.levels import BEST_LEVEL, LEVEL_SETTINGS
from connectk.rules import Position, Side, Variant
from connectk.rules.threats import winning_columns
from tests.players.positions import random_position

BOARDS = ["7x6x4", "9x7x5", "8x8x4", "6x5x3"]
ATTENTIVE_LEVELS = range(4, 10)


def points_of_higher(higher: str, lower: str, games: int) -> float:
    """The points of the first named player in games from balanced openings, each played from both sides."""
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


def choices(level: int, position: Position, seeds: int) -> list[int]:
    """The columns that a level chooses with different seeds, one column per seed."""
    return [load_player(f"level:{level}", seed).choose(position, Clock()).column for seed in range(seeds)]


def random_positions(board: str) -> Iterator[Position]:
    source = random.Random(board)
    while True:
        yield random_position(Variant.parse(board), source)


def test_there_are_ten():
    """The core's table has levels 1 to 9, and level 10 is the engine."""
    assert [*LEVEL_SETTINGS, BEST_LEVEL] == list(range(1, 11))
    assert [load_player(f"level:{level}").name for level in range(1, 11)] == [f"level:{n}" for n in range(1, 11)]


def test_each_looks_further_or_more_carefully():
    """From level to level, depth and attention never decrease. Only levels below 4 sometimes drop at random."""
    levels = list(LEVEL_SETTINGS.values())
    assert all(
        a.depth <= b.depth and a.quiescence <= b.quiescence and a.parity <= b.parity for a, b in pairwise(levels)
    )
    assert all(a.random_move_chance > b.random_move_chance for a, b in pairwise(levels[:4]))
    assert all(
        a.diagonal_sight_chance < b.diagonal_sight_chance and a.max_noise > b.max_noise for a, b in pairwise(levels[3:])
    )
    assert not any(LEVEL_SETTINGS[level].random_move_chance for level in ATTENTIVE_LEVELS)


@pytest.mark.parametrize("board", BOARDS)
def test_levels_from_four_up_never_miss_an_immediate_win(board: str):
    """Levels from 4 up always take an immediate win, with any seed."""
    winnable = (position for position in random_positions(board) if winning_columns(position, position.side_to_move))
    for seed, position in enumerate(islice(winnable, 40)):
        for level in ATTENTIVE_LEVELS:
            choice = load_player(f"level:{level}", seed).choose(position, Clock())
            assert choice.column in winning_columns(position, position.side_to_move), (level, position)


@pytest.mark.parametrize("board", BOARDS)
def test_levels_from_four_up_never_miss_a_threat_to_block(board: str):
    """Levels from 4 up always block a threat if they cannot win at once."""
    for seed, position in enumerate(islice(filter(is_threatened, random_positions(board)), 40)):
        for level in ATTENTIVE_LEVELS:
            choice = load_player(f"level:{level}", seed).choose(position, Clock())
            assert choice.column in winning_columns(position, position.side_to_move.other), (level, position)


def is_threatened(position: Position) -> bool:
    own, other = (winning_columns(position, side) for side in (position.side_to_move, position.side_to_move.other))
    return not own and bool(other)


# x is to move. A disc in column 4 lets o win on top of it: in the first board along a row, in the second a diagonal.
BENEATH_A_ROW = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    o o o . . . .
    x x o . . x x
"""
BENEATH_A_DIAGONAL = """
    . . . . . . .
    . . . . . . .
    . . . . . o .
    . . . . o x .
    . . . . x x .
    . . o . x o .
"""


def test_a_diagonal_is_harder_to_see_than_a_row():
    """Level 5 overlooks diagonal threats more often than horizontal ones, and so drops beneath them. Level 9 does
    not."""
    row, diagonal = (parse_diagram(board) for board in (BENEATH_A_ROW, BENEATH_A_DIAGONAL))
    for position in (row, diagonal):
        assert winning_columns(position.drop(3), position.side_to_move.other) == [3]
        assert 3 not in choices(9, position, 5)
    assert choices(5, diagonal, 60).count(3) > choices(5, row, 60).count(3)


def test_the_same_seed_plays_the_same_disc_in_the_same_position():
    """A level's choice depends only on the seed and the position, so a match goes on in the same way after a
    restart."""
    position = Position.from_moves("4453")
    for level in LEVEL_SETTINGS:
        used = load_player(f"level:{level}", seed=5)
        used.choose(Position.start(), Clock())
        assert {used.choose(position, Clock()).column for _ in range(3)} == {
            load_player(f"level:{level}", seed=5).choose(position, Clock()).column
        }


def test_choices_are_the_same_on_every_machine():
    """Choices with fixed seeds are the same on every machine, because the core has its own random numbers."""
    position = Position.from_moves("44353")
    chosen = ["".join(str(column + 1) for column in choices(level, position, 12)) for level in (1, 2, 4, 6, 8)]
    assert chosen == KNOWN_GAMES


KNOWN_GAMES = ["152364217721", "152364217721", "345312514367", "333333334443", "333333333333"]


@pytest.mark.parametrize(("higher", "lower"), [("level:4", "level:1"), ("level:7", "level:4"), ("level:9", "level:6")])
def test_three_levels_up_is_clearly_stronger(higher: str, lower: str):
    """A level wins at least two thirds of the points in 30 games against the level three below it."""
    assert points_of_higher(higher, lower, games=30) >= 20


@pytest.mark.deep
@pytest.mark.parametrize("level", range(2, 10))
def test_each_level_beats_the_one_below(level: int):
    """A level wins at least 60% of the points in 400 games against the level below it."""
    assert points_of_higher(f"level:{level}", f"level:{level - 1}", games=400) >= 240


def test_the_second_highest_level_does_not_miss_a_forced_win():
    """Level 9 looks ten moves ahead, finds a win in three moves, and reports it as proven."""
    choice = load_player("level:9").choose(Position.from_moves("4433"), Clock())
    assert choice.thought.proven
    assert choice.thought.score is not None
    assert choice.thought.score > 0


def test_what_dim_eyes_saw_is_no_proof():
    """A level that may overlook threats never reports a result as proven."""
    position = Position.from_moves("4433")
    assert not any(load_player(f"level:{level}").choose(position, Clock()).thought.proven for level in range(1, 9))
