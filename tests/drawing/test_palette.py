"""There is only one palette: the files made from it are up to date, and no other file defines colours."""

import re
from pathlib import Path

import pytest
from tools import make_icons, make_tokens

from connectk.drawing.palette import DARK_COLOURS, LIGHT_COLOURS, blend
from connectk.site import offline_files

SOURCE = Path(__file__).parents[2] / "src/connectk"
MADE = {"tokens.css", "index.html", "manifest.webmanifest", "icon.svg", "palette.py"}
PLAIN = {"#000000", "#ffffff"}
COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b|: ?#[0-9a-fA-F]{3}\b")  # a colon tells a short colour from a name


@pytest.mark.parametrize("path", make_tokens.files(), ids=lambda path: path.name)
def test_the_page_has_the_palette_and_the_measures(path):
    """The page's files contain the current palette and sizes. If this test fails, run `make tokens`."""
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
    assert set(LIGHT_COLOURS) == set(DARK_COLOURS)


def test_a_mix_lies_between_its_colours():
    assert blend("#FF0000", "#0000FF", 1) == "#FF0000"
    assert blend("#FF0000", "#0000FF", 0.5) == "#800080"


def test_every_name_that_the_service_worker_caches_is_whole():
    """No name in the service worker's list is broken over two lines. The browser would then cache no file at all."""
    assert " ".join(make_tokens.offline().split()).split(" ") == sorted(offline_files(), key=make_tokens._place)
