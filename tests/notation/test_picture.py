"""A board is drawn as SVG."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given

from connectk.rules import Position, Side, Variant
from tests.strategies import positions

SVG = "{http://www.w3.org/2000/svg}"


def shapes(position: Position, kind: str) -> list[ET.Element]:
    return [shape for shape in ET.fromstring(position._repr_svg_()).iter() if shape.get("class") == kind]


@given(positions())
def test_every_disc_is_drawn_once_in_its_own_shape(position):
    discs = [side for _, side in position.discs()]
    assert len(shapes(position, "first")) == len(shapes(position, "ring")) == discs.count(Side.FIRST)
    assert len(shapes(position, "second")) == len(shapes(position, "core")) == discs.count(Side.SECOND)


@given(positions())
def test_the_winning_line_is_marked(position):
    assert len(shapes(position, "won")) == len(position.winning_cells)
    assert len(shapes(position, "line")) == len(position.winning_lines)


def test_the_picture_says_what_it_shows():
    title = ET.fromstring(Position.from_moves("1213141")._repr_svg_()).find(f"{SVG}title")
    assert title is not None
    assert title.text == "7x6x4, 7 discs, the first player won"


@pytest.mark.parametrize("size", [1, 30, 100, 1000, 10**9])
def test_any_size_is_drawn_in_a_text_of_bounded_length(size):
    position = Position.start(Variant(size, size, 1)).drop(size // 2)
    assert len(position._repr_svg_()) < 12_000
    assert len(shapes(position, "first")) == 1
