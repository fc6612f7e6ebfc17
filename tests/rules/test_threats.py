"""Cells in which a side would complete a line, and drops that threaten two lines at once."""

from hypothesis import given
from hypothesis import strategies as st

from connectk import Position, Side, parse_diagram
from connectk.rules import Cell, Variant, all_lines
from connectk.rules.threats import (
    count_lines_through_cell,
    line_through,
    lines_through_cell,
    makes_fork,
    maximal_runs,
    threats,
    winning_columns,
)
from tests.strategies import games, variants


def test_a_threat_is_an_empty_cell_that_completes_a_line() -> None:
    position = parse_diagram("""
        . . . . . . .
        . . . o . . .
        . x x x . o o
    """)

    assert threats(position, Side.FIRST) == {Cell(0, 0), Cell(4, 0)}
    assert winning_columns(position, Side.FIRST) == [0, 4]
    assert threats(position, Side.SECOND) == set()


def test_a_fork_is_a_drop_that_threatens_twice() -> None:
    position = parse_diagram("""
        . . o o . . .
        . . x x . . .
    """)

    assert [column for column in position.legal_columns if makes_fork(position, column)] == [1, 4]


def test_a_threat_names_the_line_that_it_would_complete() -> None:
    position = Position.from_moves("112233")

    assert line_through(position, Cell(3, 0), Side.FIRST) == (Cell(0, 0), Cell(1, 0), Cell(2, 0), Cell(3, 0))
    assert line_through(position, Cell(6, 0), Side.FIRST) == ()


@given(games())
def test_winning_columns_are_those_that_win(game) -> None:
    """The winning columns are exactly the drops after which the rules name that side the winner."""
    position = game.position
    side = position.side_to_move
    wins = [c for c in position.legal_columns if (end := position.drop(c).outcome) and end.winner is side]

    if position.outcome is None and position.variant.run > 1:
        assert winning_columns(position, side) == wins


@given(variants(), st.data())
def test_the_lines_with_a_cell_are_those_of_the_board_that_hold_it(variant, data) -> None:
    cell = variant.cell_at(data.draw(st.integers(0, variant.cells - 1)))
    held = sorted(line for line in all_lines(variant) if cell in line)

    assert sorted(lines_through_cell(variant, cell)) == held
    assert count_lines_through_cell(variant, cell) == len(held)


def test_the_lines_with_a_cell_are_found_on_the_widest_board() -> None:
    assert count_lines_through_cell(Variant(10**9, 6, 4), Cell(10**6, 0)) == 1 + 4 + 1 + 1


def test_a_run_is_told_once_with_its_owner() -> None:
    """Two discs side by side are one run of two, and in every other direction each is a run of one."""
    position = parse_diagram("""
        . . o . . . .
        . . x x . . .
    """)

    assert sorted(length for owner, length in maximal_runs(position) if owner is Side.FIRST) == [1] * 6 + [2]
    assert [length for owner, length in maximal_runs(position) if owner is Side.SECOND] == [1] * 4
