"""A board is drawn as SVG."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given

from connectk.drawing import DEFAULT_PICTURE_PIXELS, MAX_PICTURE_PIXELS, draw_svg
from connectk.errors import ConnectkError
from connectk.rules import Position, Side, Variant
from tests.strategies import positions

SVG = "{http://www.w3.org/2000/svg}"


def shapes(position: Position, kind: str) -> list[ET.Element]:
    drawn = ET.fromstring(position._repr_svg_()).iter()
    return [shape for shape in drawn if kind in (shape.get("class"), shape.get("fill"))]


@given(positions())
def test_every_disc_is_drawn_once_in_its_own_shape(position):
    discs = [side for _, side in position.discs()]
    first, second = (len(shapes(position, f"url(#connectk-{side}-face)")) for side in Side)
    assert first == len(shapes(position, "outline first-ring")) == discs.count(Side.FIRST)
    assert second == len(shapes(position, "edged second-star")) == discs.count(Side.SECOND)


@given(positions())
def test_the_winning_line_is_marked(position):
    """The cells of the line are outlined and linked."""
    won = shapes(position, "outline won")
    assert len([shape for shape in won if shape.tag == f"{SVG}circle"]) == len(position.winning_cells)
    assert len([shape for shape in won if shape.tag == f"{SVG}polyline"]) == sum(
        len(line) - 1 for line in position.winning_lines
    )


def test_the_picture_says_what_it_shows():
    title = ET.fromstring(Position.from_moves("1213141")._repr_svg_()).find(f"{SVG}title")
    assert title is not None
    assert title.text == "7x6x4, 7 discs, the first player won"


@pytest.mark.parametrize("size", [1, 30, 100, 1000, 10**9])
def test_any_size_is_drawn_in_a_text_of_bounded_length(size):
    position = Position.start(Variant(size, size, 1)).drop(size // 2)
    assert len(position._repr_svg_()) < 12_000
    assert len(shapes(position, "outline first-ring")) == 1


@pytest.mark.parametrize("size", [64, 500, MAX_PICTURE_PIXELS])
def test_the_longer_side_is_as_long_as_was_asked_for(size):
    drawn = ET.fromstring(draw_svg(Position.start(), size))
    assert max(int(drawn.get("width", 0)), int(drawn.get("height", 0))) == size


def test_a_picture_is_large_enough_to_share():
    assert DEFAULT_PICTURE_PIXELS >= 1000


@pytest.mark.parametrize("size", [0, 63, MAX_PICTURE_PIXELS + 1])
def test_a_picture_has_a_sensible_size(size):
    with pytest.raises(ConnectkError, match="64 to 4,096 pixels"):
        draw_svg(Position.start(), size)
