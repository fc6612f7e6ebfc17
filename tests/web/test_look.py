"""The colours hold what accessibility asks: 4.5:1 for text, 3:1 for shapes, in both themes."""

from __future__ import annotations

import re

import pytest

from connectk.server.routes.page import PAGE

TOKENS = (PAGE / "css/tokens.css").read_text()
COLOUR = re.compile(r"--([a-z-]+): (?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;")
SETS = {
    name or "classic": COLOUR.findall(part)
    for name, part in re.findall(r'(?:data-discs="(\w+)"\]|:root) \{(.*?)\n\}', TOKENS, re.S)
}
THEMES = {
    f"{theme} {discs}": {name: pair[side] or pair[0] for name, *pair in [*SETS["classic"], *colours]}
    for side, theme in enumerate(("light", "dark"))
    for discs, colours in SETS.items()
}
TEXT = [
    ("ink", "paper"),
    ("quiet", "paper"),
    ("link", "paper"),
    ("good", "paper"),
    ("bad", "paper"),
    ("on-frame", "frame"),
    ("ink", "sheet"),
    ("bad", "sheet"),
]
SHAPES = [
    ("frame", "paper"),
    ("hole", "frame"),
    ("first-ring", "first"),
    ("second-core", "second"),
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
    assert {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in TEXT if _is_below(colours, pair, 4.5)} == {}


@pytest.mark.parametrize("theme", THEMES)
def test_shapes_are_told_apart(theme: str) -> None:
    colours = THEMES[theme]
    assert {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in SHAPES if _is_below(colours, pair, 3)} == {}


@pytest.mark.parametrize("theme", THEMES)
def test_the_discs_differ_in_grey(theme: str) -> None:
    """Even without colour and without their marks one disc is clearly the lighter."""
    assert contrast(THEMES[theme]["first"], THEMES[theme]["second"]) > 2


def _is_below(colours: dict[str, str], pair: tuple[str, str], least: float) -> bool:
    return contrast(colours[pair[0]], colours[pair[1]]) < least
