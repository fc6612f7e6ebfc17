"""Compares the core's `GameBoard` with the rules in Python, drop by drop."""

import random

import pytest

from connectk import _native
from connectk.rules import Position, Side, Variant
from connectk.rules.threats import makes_fork, winning_columns


def random_variant(rng: random.Random) -> Variant:
    width, height = rng.randint(1, 14), rng.randint(1, 14)
    return Variant(width, height, rng.randint(1, max(width, height)))


def same_so_far(position: Position, board: _native.GameBoard) -> bool:
    return (
        tuple(board.legal_columns()) == position.legal_columns
        and board.over == (position.outcome is not None)
        and board.won == bool(position.outcome and position.outcome.winner)
        and tuple(board.winning_cells()) == position.winning_cells
    )


def same_to_come(position: Position, board: _native.GameBoard) -> bool:
    """Whether both boards agree on the columns in which the next disc wins, and on the drops that leave two ways to
    win."""
    return board.winning_columns() == tuple(list(winning_columns(position, side)) for side in Side) and (
        board.forks() == [column for column in position.legal_columns if makes_fork(position, column)]
    )


def play_side_by_side(rng: random.Random) -> None:
    variant = random_variant(rng)
    position, board = Position.start(variant), _native.GameBoard(variant.width, variant.height, variant.run)
    assert same_so_far(position, board)
    while position.outcome is None:
        column = rng.choice(position.legal_columns)
        position = position.drop(column)
        board.drop(column)
        assert same_so_far(position, board), f"{variant}\n{position}"


SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(3, 20))]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_games_agree(seed):
    """In random games on random variants, both have the same legal columns, outcome and winning cells after every drop.

    Each seed gives a thousand games, and with the slow proofs all seeds together give 20,000.
    """
    rng = random.Random(seed)
    for _ in range(1000):
        play_side_by_side(rng)


def test_random_games_have_the_same_forks():
    """The core and Python find the same forks on boards from the middle of random games."""
    rng, forks, wins = random.Random(28), 0, 0
    for _ in range(400):
        variant = random_variant(rng)
        position, board = Position.start(variant), _native.GameBoard(variant.width, variant.height, variant.run)
        for _ in range(rng.randrange(variant.cells)):
            column = rng.choice(position.legal_columns)
            if position.drop(column).outcome:
                break
            position = position.drop(column)
            board.drop(column)
        assert same_to_come(position, board), f"{variant}\n{position}"
        forks += bool(board.forks())
        wins += any(board.winning_columns())
    assert min(forks, wins) > 5


def test_the_core_refuses_what_the_rules_refuse():
    board = _native.GameBoard(1, 1, 1)
    for column in (-1, 1):
        with pytest.raises(ValueError, match="no disc"):
            board.drop(column)
    board.drop(0)
    with pytest.raises(ValueError, match="no disc"):
        board.drop(0)
