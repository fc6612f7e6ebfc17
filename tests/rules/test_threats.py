"""What would complete a line, and what threatens to do so twice."""

from hypothesis import given

from connectk import Position, Side, parse_diagram
from connectk.rules import Cell
from connectk.rules.threats import line_through, makes_fork, threats, winning_columns
from tests.strategies import games


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
    """The threats within reach of the side to move are exactly the drops after which the rules call it the winner."""
    position = game.position
    side = position.side_to_move
    wins = [c for c in position.legal_columns if (end := position.drop(c).outcome) and end.winner is side]

    if position.outcome is None and position.variant.run > 1:
        assert winning_columns(position, side) == wins
