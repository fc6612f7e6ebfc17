"""Tests how the terminal draws cells, boards and graphs, and parses keys and replies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectk.review.text_graph import TextGraph
from connectk.rules import CLASSIC, Cell, Position, Side, Variant
from connectk.terminal.screen.board import Painter, Pen, Scene
from connectk.terminal.screen.cells import (
    CellLook,
    Geometry,
    draw_cell,
    draw_cell_without_colour,
    fall_seconds,
    height_above,
)
from connectk.terminal.screen.colours import DARK, LIGHT, TEXT_COLOURS, Ink, _from_answer, _from_environment
from connectk.terminal.screen.keys import TypedNumber

HEIGHTS = range(1, 9)


@pytest.mark.parametrize("height", HEIGHTS)
def test_discs_differ_by_shape_alone(height):
    """Without colours, these cells look different: a disc and a last disc of each side, a hole, and the cell where a
    disc would land."""
    discs = [CellLook(side, last=last) for side in Side for last in (False, True)]
    looks = [CellLook(), *discs, CellLook(Side.FIRST, ghost=True)]
    assert len({draw_cell_without_colour(look, height) for look in looks}) == 6


@pytest.mark.parametrize("height", HEIGHTS)
def test_every_line_of_a_cell_has_the_same_width(height):
    """All lines of a cell have the same number of characters."""
    geometry = Geometry(CLASSIC, height)
    for look in (CellLook(), CellLook(Side.FIRST), CellLook(Side.SECOND, ghost=True), CellLook(Side.FIRST, fall=0.4)):
        rows = draw_cell(look, height)
        assert len(rows) == height
        assert {sum(len(text) for text, _, _ in row) for row in rows} == {geometry.cell_width}


@pytest.mark.parametrize("height", range(2, 9))
def test_a_winning_disc_is_outlined(height):
    """The outline of a winning disc has its own colour."""
    inks = {
        ink
        for row in draw_cell(CellLook(Side.FIRST, lines=frozenset({(1, 1)})), height)
        for run in row
        for ink in run[1:]
    }
    assert Ink.GLOW in inks


def test_a_disc_falls_through_the_holes_but_never_over_the_frame():
    """A falling disc is visible in the holes, but the frame hides its middle half-way between two cells."""
    middle = draw_cell(CellLook(Side.FIRST, fall=0.5), 6)
    assert not any(Ink.FIRST in run for run in middle[5]), "it has left the lower part"
    assert any(Ink.FIRST in run for run in middle[1])


@pytest.mark.parametrize("height", HEIGHTS)
def test_the_last_disc_is_marked(height):
    """The last disc is drawn differently from other discs, for every cell size and side."""
    for side in Side:
        assert draw_cell(CellLook(side, last=True), height) != draw_cell(CellLook(side), height)


@pytest.mark.parametrize("height", HEIGHTS)
def test_a_number_stands_on_its_disc(height):
    """A number is drawn on its disc, with and without colours, and the cell keeps its size."""
    for side in Side:
        look = CellLook(side, number="7")
        for rows in (
            ["".join(text for text, _, _ in row) for row in draw_cell(look, height)],
            draw_cell_without_colour(look, height),
        ):
            assert sum(row.count("7") for row in rows) == 1
            assert {len(row) for row in rows} == {Geometry(CLASSIC, height).cell_width}


def test_no_fall_takes_longer_than_half_a_second():
    """No fall takes longer than half a second: through 100,000 rows it takes as long as through thirty."""
    assert fall_seconds(100_000) <= 0.5
    assert fall_seconds(6) < fall_seconds(20) < 0.5
    assert height_above(100_000, 0.501) == 0


@given(st.floats(0.5, 50), st.floats(0, 5))
def test_a_falling_disc_comes_to_rest(rows, seconds):
    """A disc starts at the top, falls until it reaches its cell, and then rests."""
    assert height_above(rows, 0.0) == rows
    assert 0 <= height_above(rows, seconds) <= rows
    assert height_above(rows, fall_seconds(rows) + 0.001) == 0


@given(st.integers(1, 60), st.integers(1, 60), st.integers(20, 300), st.integers(8, 100))
def test_the_board_is_as_large_as_fits(width, height, columns, lines):
    """The board is as large as fits: with cells one line higher it would not fit."""
    geometry = Geometry.fitting(Variant(width, height, 1), columns, lines)
    if geometry.cell_height > 1:
        assert geometry.width <= columns
        assert geometry.height <= lines
    if geometry.cell_height < 8:
        larger = Geometry(geometry.variant, max(2, geometry.cell_height + 1))
        assert larger.width > columns or larger.height > lines


@given(st.integers(1, 30), st.integers(1, 8))
def test_every_column_is_found_under_the_pointer(width, height):
    """Each character of a cell is assigned to the cell's column."""
    geometry = Geometry(Variant(width, 1, 1), height)
    for column in range(width):
        region = geometry.region_of(Cell(column, 0))
        assert {geometry.column_at(x) for x in range(region.x, region.right)} == {column}
    assert geometry.column_at(0) is None
    assert geometry.column_at(geometry.width - 1) is None


@pytest.mark.parametrize("pen", [Pen(DARK, "#ffffff", "#ffffff"), Pen(None), Pen(None, ascii_only=True)])
def test_every_line_is_as_wide_as_the_board(pen):
    """Every line is as wide as the board, in colour, without colour and in ASCII."""
    position = Position.from_moves("4455667")
    for height in (1, 2, 3, 4):
        geometry = Geometry(CLASSIC, height)
        painter = Painter(Scene(position, hover=2, hover_side=Side.SECOND), geometry, pen)
        for y in range(geometry.height):
            line = painter.line(y, range(7))
            assert sum(segment.cell_length for segment in line) == geometry.width


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=300), st.integers(10, 120))
def test_a_graph_keeps_within_its_lines_and_finds_its_plies(heights, width):
    """For games of every length, a graph keeps within its lines, and each ply is found at its place."""
    graph = TextGraph(heights, frozenset({len(heights) - 1}))
    lines = graph.draw(width, 7)
    assert len(lines) == 7
    assert all(len(line) == graph.used_width(width) <= width for line in lines)
    if graph.used_width(width) >= len(heights):
        assert all(graph.ply_at(graph.x_of(ply, width), width) == ply for ply in range(len(heights)))
    assert sum(line.count("●") for line in lines) == 1


def test_typed_digits_form_one_number():
    """Typed digits are appended to one number until it is popped."""
    typed = TypedNumber()
    assert typed.pop() is None
    for digit in "250":
        typed.add(digit)
    assert typed.column == 249
    typed.erase()
    assert typed.pop() == 24
    assert typed.pop() is None


@pytest.mark.parametrize(
    ("answer", "theme"),
    [
        (b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "light"),
        (b"\x1b]11;rgb:14/16/1a\x07\x1b[?62c", "dark"),
        (b"\x1b[?62c", None),
        (b"", None),
    ],
)
def test_the_terminals_reply_gives_the_theme(answer, theme):
    assert _from_answer(answer) == theme


@pytest.mark.parametrize(("text", "theme"), [("0;15", "light"), ("15;0", "dark"), ("", None), ("default", None)])
def test_the_environment_gives_the_theme(text, theme):
    assert _from_environment(text) == theme


def contrast(one, other):
    brighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("theme", "palette"), [("light", LIGHT), ("dark", DARK)])
def test_text_can_be_read(theme, palette):
    """Text has a contrast of at least 4.5 to 1, on the normal background and on shaded ones."""
    for name in ("ink", "quiet", "good", "bad"):
        assert contrast(TEXT_COLOURS[theme][name], palette[Ink.PAPER]) >= 4.5, name
    assert contrast(TEXT_COLOURS[theme]["ink"], TEXT_COLOURS[theme]["shade"]) >= 4.5
    assert contrast(TEXT_COLOURS[theme]["quiet"], TEXT_COLOURS[theme]["shade"]) >= 4.5


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_discs_can_be_told_apart_in_grey(palette):
    """The two discs and the frame differ in brightness, so that they can be told apart in grey."""
    assert contrast(palette[Ink.FIRST], palette[Ink.SECOND]) >= 1.8
    assert contrast(palette[Ink.FIRST], palette[Ink.FRAME]) >= 3
    assert contrast(palette[Ink.FIRST], palette[Ink.RECESS]) >= 1.8
    assert contrast(palette[Ink.SECOND], palette[Ink.CORE]) >= 1.8
