"""Boards are drawn and read."""

import pytest
from hypothesis import given

from connectk.errors import FloatingDisc, NotationError
from connectk.notation import parse_diagram
from connectk.rules import Position, Variant
from tests.strategies import positions

DRAWN = """\
. . . . . . .
. . . . . . .
. . . . . . .
. . . x . . .
. . . o . . .
. . o x x . .
1 2 3 4 5 6 7"""


def test_a_printed_board_has_column_numbers():
    assert str(Position.from_moves("44534")) == DRAWN


@pytest.mark.parametrize(
    "drawing",
    [
        ". . o x . . .\n. . x o x . .",
        "..ox...\n..xox..",
        "0021000\n0012100",
        "0 0 2 1 0 0 0\n0 0 1 2 1 0 0",
        "· · ● ○ · · ·\n· · ○ ● ○ · ·",
        "|.|.|o|x|.|.|.|\n|.|.|x|o|x|.|.|\n+-+-+-+-+-+-+-+\n 1 2 3 4 5 6 7",
        "_ _ O X _ _ _\n_ _ X O X _ _",
    ],
)
def test_the_usual_symbols_are_understood(drawing):
    assert parse_diagram(drawing) == Position.from_moves("34534")


def test_rows_of_discs_are_not_taken_for_column_numbers():
    position = parse_diagram("1 2", Variant(2, 2, 2))
    assert position.ply == 2
    assert parse_diagram(". .\n1 2", Variant(2, 1, 2)).ply == 0


def test_the_board_is_classic_unless_the_drawing_is_another_size():
    assert parse_diagram(". . . x . . .").variant == Variant()
    assert parse_diagram("....\n....\n....\n....\nx...").variant == Variant(4, 5, 4)


@pytest.mark.parametrize(
    ("drawing", "said"),
    [
        ("", "no board"),
        ("1 2 3", "no board"),
        (". . ? . . . .", "'?'"),
        (". . .\n. . . .", "run of 4"),
        (". . . . . . .\n. . . .", "4 cells"),
        ("x", "Name the variant"),
    ],
)
def test_a_drawing_that_is_no_board_is_refused(drawing, said):
    with pytest.raises(NotationError, match=said.replace("?", r"\?")):
        parse_diagram(drawing)


def test_a_drawing_higher_than_the_board_is_refused():
    with pytest.raises(NotationError, match="3 rows"):
        parse_diagram("..\n..\n..", Variant(2, 2, 2))


def test_a_floating_disc_is_refused():
    with pytest.raises(FloatingDisc):
        parse_diagram("x......\n.......")


@given(positions())
def test_what_is_drawn_is_read_back(position):
    assert parse_diagram(str(position), position.variant) == position


def test_a_winning_line_is_drawn_in_capitals():
    assert str(Position.from_moves("1213141")).splitlines()[2] == "X . . . . . ."


@pytest.mark.parametrize("variant", [Variant(1000, 1000, 4), Variant(10**9, 10**9, 4)])
def test_any_size_is_drawn(variant):
    """A board of up to a million cells is drawn completely. For a larger board, the text shows the part around the last
    disc and says which part it is."""
    column = variant.width // 2
    text = str(Position.start(variant).drop(column))
    assert " x" in text
    assert ("of 1000000000x1000000000x4" in text) == (variant.cells > 1_000_000)
    assert str(column + 1) in text
