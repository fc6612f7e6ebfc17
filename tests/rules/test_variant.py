"""Boards of any size, and impossible boards."""

import pytest
from hypothesis import given

from connectk.errors import ImpossibleVariant, NotationError
from connectk.rules import Cell, Variant
from tests.strategies import variants


def test_the_default_is_the_classic_game():
    assert Variant() == Variant(width=7, height=6, run=4)
    assert str(Variant()) == "7x6x4"


@given(variants())
def test_a_written_variant_is_read_back(variant):
    assert Variant.parse(str(variant)) == variant


@pytest.mark.parametrize("sizes", [(0, 6, 4), (7, 0, 4), (7, 6, 0), (-7, 6, 4), (3, 3, 4), (2, 4, 6)])
def test_a_board_without_room_for_a_line_is_impossible(sizes):
    """Width, height and run start at 1, and the run must fit along the width or the height."""
    with pytest.raises(ImpossibleVariant) as caught:
        Variant(*sizes)
    assert (caught.value.width, caught.value.height, caught.value.run) == sizes


@pytest.mark.parametrize("sizes", [(1, 1, 1), (1, 9, 9), (9, 1, 9), (3, 8, 7), (10**9, 10**9, 4)])
def test_the_run_may_exceed_one_side(sizes):
    assert str(Variant(*sizes)) == "x".join(map(str, sizes))


@pytest.mark.parametrize(
    "text", ["", "7x6", "7x6x4x1", "7 6 4", "axbxc", "-7x6x4", "7x6x4.0", "٧x6x4", "9" * 5000 + "x1x1"]
)
def test_text_that_is_no_variant_is_refused(text):
    with pytest.raises(NotationError, match="7x6x4"):
        Variant.parse(text)


def test_spaces_and_capitals_are_forgiven():
    assert Variant.parse(" 9 X 7 × 5 ") == Variant(9, 7, 5)


@given(variants())
def test_index_and_cell_are_two_names_for_one_thing(variant):
    cells = [variant.cell_at(index) for index in range(variant.cells)]
    assert [variant.index_of(*cell) for cell in cells] == list(range(variant.cells))
    assert len(set(cells)) == variant.cells


@pytest.mark.parametrize("cell", [(-1, 0), (7, 0), (0, -1), (0, 6)])
def test_a_cell_off_the_board_has_no_index(cell):
    with pytest.raises(IndexError):
        Variant().index_of(*cell)


@pytest.mark.parametrize("index", [-1, 42])
def test_an_index_off_the_board_has_no_cell(index):
    with pytest.raises(IndexError):
        Variant().cell_at(index)


def test_cells_are_counted_up_each_column():
    assert Variant().cell_at(7) == Cell(column=1, row=1)
