"""Every position of other people's sets gets the right score in every way in which the solver can compute it."""

import json
import random

import pytest

from connectk import _native
from connectk.rules import Position, Side
from connectk.solver import Solver, solve
from connectk.solver.bitboards import bitboards_of
from tests.solver.shared_data import FOLDER, needs_shared_data, solver_set

pytestmark = [pytest.mark.deep, needs_shared_data]

SETS = ["Test_L3_R1", "Test_L2_R1", "Test_L2_R2", "Test_L1_R1", "Test_L1_R2", "Test_L1_R3"]
TENTHS = range(10)


@pytest.mark.parametrize("name", SETS)
def test_every_position_with_the_book(name):
    solver = Solver()
    wrong = [(position, score) for position, score in solver_set(name) if solver.find(position).lower != score]
    assert wrong == []


@pytest.mark.parametrize("tenth", TENTHS)
@pytest.mark.parametrize("name", SETS)
def test_every_position_without_the_book(name, tenth):
    solver = Solver(book=False, table_mb=64)
    part = solver_set(name)[tenth::10]
    assert len(part) == 100
    assert [(position, score) for position, score in part if solver.find(position).lower != score] == []


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("table_bytes", [16 << 10, 1 << 20, 256 << 20])
@pytest.mark.parametrize("path", ["automatic", "one_word", "wide_word"])
def test_every_path_table_and_number_of_threads(path, table_bytes, threads):
    """Scores are right with tables of 16 KB, 1 MB and 256 MB, with any number of threads, and in each of three
    searches: for the classic board, for any board, and for wider words."""
    core = _native.Solver(7, 6, 4, table_bytes=table_bytes, path=path)
    dice = random.Random(1)
    for name, count in (("Test_L3_R1", 200), ("Test_L2_R1", 200), ("Test_L2_R2", 20), ("Test_L1_R1", 20)):
        for position, score in dice.sample(solver_set(name), count):
            found = core.solve(*bitboards_of(position), threads=threads)
            assert (found.lower, found.upper) == (score, score)


def test_two_threads_on_the_hard_sets():
    dice = random.Random(2)
    for name, count in (("Test_L1_R2", 50), ("Test_L1_R3", 10)):
        for position, score in dice.sample(solver_set(name), count):
            assert solve(position, book=False, threads=2).score == score


@pytest.mark.parametrize("tenth", TENTHS)
def test_results_alone(tenth):
    solver = Solver(book=False, table_mb=64)
    for name in ("Test_L3_R1", "Test_L2_R1", "Test_L2_R2", "Test_L1_R1", "Test_L1_R2"):
        for position, score in solver_set(name)[tenth::20]:
            assert solver.find(position, goal="result").lower == (score > 0) - (score < 0)


def reference_moves() -> list[tuple[Position, list[int]]]:
    rows = [json.loads(line) for line in (FOLDER / "refmoves1k.jsonl").read_text().splitlines()]
    return [(position_of(row["board"]), row["move score"]) for row in rows]


def position_of(flat: list[int]) -> Position:
    """Parse a position from a line with the top row first and 1 and 2 for the players."""
    sides = {0: None, 1: Side.FIRST, 2: Side.SECOND}
    return Position.from_columns([[sides[flat[7 * row + column]] for row in reversed(range(6))] for column in range(7)])


@pytest.mark.parametrize("tenth", TENTHS)
def test_every_reference_position(tenth):
    """The score of each of the thousand reference positions is that of its best column."""
    solver = Solver()
    part = reference_moves()[tenth::10]
    assert len(part) == 100
    for position, scores in part:
        assert solver.find(position).lower == max(scores[column] for column in position.legal_columns)


@pytest.mark.parametrize("book", [True, False])
def test_every_column_of_a_sample_of_reference_positions(book):
    solver = Solver(book=book)
    for position, scores in random.Random(3).sample(reference_moves(), 60):
        columns = solver.score_columns(position)
        assert [columns[c] for c in position.legal_columns] == [scores[c] for c in position.legal_columns]
