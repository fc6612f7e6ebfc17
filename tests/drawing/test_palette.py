"""One palette: what is made from it is up to date, and nobody else writes colours of their own."""

import re
from pathlib import Path

import pytest
from tools import make_icons, make_tokens

from connectk.drawing.palette import DARK, LIGHT, mixed

SOURCE = Path(__file__).parents[2] / "src/connectk"
MADE = {"tokens.css", "index.html", "manifest.webmanifest", "icon.svg", "palette.py"}
PLAIN = {"#000000", "#ffffff"}
COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b|: ?#[0-9a-fA-F]{3}\b")  # a short one is told from a name by what is before it


@pytest.mark.parametrize("path", make_tokens.files(), ids=lambda path: path.name)
def test_the_page_has_the_palette_and_the_measures(path):
    """`make tokens` writes them."""
    assert path.read_text(encoding="utf-8") == make_tokens.files()[path]


def test_the_icon_has_the_palette():
    drawn = make_icons.files()
    icon = next(path for path in drawn if path.suffix == ".svg")
    assert icon.read_text(encoding="utf-8") == drawn[icon]


def test_a_colour_is_written_in_one_place():
    kinds = {".py", ".css", ".js", ".html", ".tcss", ".webmanifest", ".svg"}
    files = [path for path in SOURCE.rglob("*") if path.suffix in kinds and path.name not in MADE]
    found = {path.name: set(COLOUR.findall(path.read_text(encoding="utf-8"))) - PLAIN for path in files}
    assert {name: colours for name, colours in found.items() if colours} == {}


def test_both_themes_name_the_same_colours():
    assert set(LIGHT) == set(DARK)


def test_a_mix_lies_between_its_colours():
    assert mixed("#FF0000", "#0000FF", 1) == "#FF0000"
    assert mixed("#FF0000", "#0000FF", 0.5) == "#800080"
