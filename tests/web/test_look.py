"""The colours have the contrast that accessibility requires: 4.5:1 for text and 3:1 for shapes, in both themes."""

from __future__ import annotations

import re

import pytest

from connectk.server.routes.page import PAGE_FOLDER

TOKENS_CSS = (PAGE_FOLDER / "css/tokens.css").read_text()
COLOUR = re.compile(r"--([a-z-]+): (?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;")
TOKEN_SETS = {
    name: COLOUR.findall(part)
    for name, part in re.findall(r'data-(?:board|discs)="(\w+)"\] \{(.*?)\n\}', TOKENS_CSS, re.S)
}
THEMES = {
    f"{theme} {discs}": {name: pair[side] or pair[0] for name, *pair in [*TOKEN_SETS["classic"], *colours]}
    for side, theme in enumerate(("light", "dark"))
    for discs, colours in TOKEN_SETS.items()
}
TEXT_PAIRS = [
    ("ink", "paper"),
    ("quiet", "paper"),
    ("link", "paper"),
    ("good", "paper"),
    ("bad", "paper"),
    ("on-frame", "frame"),
    ("ink", "sheet"),
    ("bad", "sheet"),
]
SHAPE_PAIRS = [
    ("frame", "paper"),
    ("hole", "frame"),
    ("first-ring", "first"),
    ("first-ring", "first-dark"),
    ("second-star", "second"),
    ("hole", "frame-light"),
    ("second", "hole"),
    ("edge", "paper"),
    ("won", "frame"),
]


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_text_is_easy_to_read(theme: str) -> None:
    colours = THEMES[theme]
    assert {
        pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in TEXT_PAIRS if _is_below(colours, pair, 4.5)
    } == {}


@pytest.mark.parametrize("theme", THEMES)
def test_shapes_are_told_apart(theme: str) -> None:
    colours = THEMES[theme]
    assert {
        pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in SHAPE_PAIRS if _is_below(colours, pair, 3)
    } == {}


@pytest.mark.parametrize("theme", THEMES)
def test_the_discs_differ_in_grey(theme: str) -> None:
    """One disc is clearly lighter than the other, so they differ even without colours and marks."""
    assert contrast(THEMES[theme]["first"], THEMES[theme]["second"]) > 2


def _is_below(colours: dict[str, str], pair: tuple[str, str], least: float) -> bool:
    return contrast(colours[pair[0]], colours[pair[1]]) < least
