"""The core and the plain referee give the same verdict, line, first offence and winning cells."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from connectk.referee import judge_bytes, judge_plainly
from tests.referee.cases import game_file, game_files, mutated_game_files


@given(game_files())
@settings(max_examples=400, deadline=None)
def test_conforming_files(data):
    assert judge_bytes(data) == judge_plainly(data)


@given(mutated_game_files())
@settings(max_examples=200, deadline=None)
def test_mutated_files(data):
    assert judge_bytes(data) == judge_plainly(data)


@given(st.one_of(st.binary(), st.text("0123456789 \t\r\n").map(str.encode)))
@example(b"7 6 4\n\r\n")
@settings(max_examples=400, deadline=None)
def test_any_bytes(data):
    assert judge_bytes(data) == judge_plainly(data)


@pytest.mark.parametrize("seed", range(12))
def test_random_games(seed):
    """The boards have all shapes, and many games are won, drawn or stopped by a full column."""
    rng = random.Random(seed)
    for _ in range(40):
        data = random_game_file(rng)
        assert judge_bytes(data) == judge_plainly(data), data


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_many_random_games(seed):
    rng = random.Random(seed)
    for _ in range(200):
        data = random_game_file(rng)
        assert judge_bytes(data) == judge_plainly(data), data


def random_game_file(rng: random.Random) -> bytes:
    width, height = rng.choice([1, 2, 3, 5, 7, 20, 70, 10**9, 10**30]), rng.choice([1, 2, 4, 6, 20, 70, 200, 10**9])
    run = rng.choice([2, 3, 3, 4, 4, 5, 6, 9])
    span = min(width, rng.choice([3, 9, 80, width]))
    left = rng.choice([1, 1, width - span + 1])
    column, moves = left, []
    for _ in range(rng.choice([5, 42, 100, 400])):
        if rng.random() < 0.7:  # some columns in a row make tall stacks and long lines
            column = rng.randrange(left, left + span)
        moves.append(str(column))
    return game_file(" ".join(moves), f"{width} {height} {run}")


def test_a_tall_tower_beside_a_long_row():
    """A tall column beside a long row is judged correctly. The core stores each column separately, because a rectangle
    around these discs would be too large."""
    tower_and_row = " ".join(f"1 {column}" for column in range(2, 3000))  # 2998 discs for each player

    for more, run, code in [("1", 2999, 1), ("5000 3000", 2999, 2), ("1 3000", 3000, 3)]:
        data = game_file(f"{tower_and_row} {more}", f"1000000000 1000000000 {run}")
        assert judge_bytes(data).code == code


@pytest.mark.parametrize("seed", range(20))
def test_random_towers_beside_random_rows(seed):
    rng = random.Random(seed)
    for _ in range(5):
        towers = [rng.randint(500, 503) for _ in range(400)]
        row = [rng.choice([rng.randint(1, 3000), rng.randint(490, 510)]) for _ in range(400)]
        moves = rng.sample(towers + row, 800)
        data = game_file(" ".join(map(str, moves)), f"1000000000 1000000000 {rng.choice([4, 5, 6, 7, 8])}")
        assert judge_bytes(data) == judge_plainly(data)
