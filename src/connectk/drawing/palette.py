"""The one palette: page, terminal, pictures and plots take their colours from here.

`make tokens` writes what the page needs of it into the page's own files. Every pair that is used for text holds a
contrast of 4.5:1, every shape 3:1; the tests measure it.
"""

from __future__ import annotations

from collections.abc import Mapping

Palette = Mapping[str, str]

LIGHT: Palette = {
    "paper": "#FAF7F2",
    "sheet": "#F1ECE3",  # what lies on the paper
    "ink": "#1D2330",
    "quiet": "#5F6673",
    "line": "#DDD6CA",
    "edge": "#8B8577",
    "frame": "#26418F",
    "frame-edge": "#1A2F6B",
    "on-frame": "#FFFFFF",
    "link": "#26418F",
    "hole": "#EEF1F8",
    "first": "#F2B41B",
    "first-rim": "#D1950C",
    "first-ring": "#8A5A00",
    "second": "#C6402F",
    "second-rim": "#A02F21",
    "second-core": "#4A0D06",
    "good": "#1F7A4D",
    "bad": "#A3302A",
    "won": "#FFFFFF",
    "qr": "#FFFFFF",  # behind a QR code, which cameras want light in either theme
}
DARK: Palette = {
    **LIGHT,
    "paper": "#14161A",
    "sheet": "#1D2026",
    "ink": "#ECEAE4",
    "quiet": "#9AA3B2",
    "line": "#30343C",
    "edge": "#737B8A",
    "frame": "#3D5FC4",
    "frame-edge": "#2B489E",
    "link": "#9DB3F5",
    "hole": "#0E1016",
    "first": "#F5C445",
    "first-rim": "#CF9D22",
    "first-ring": "#7A5200",
    "second": "#E0604E",
    "second-rim": "#B94334",
    "second-core": "#5A130B",
    "good": "#53C08A",
    "bad": "#F08A7E",
}

# Other discs that a player can choose on the page; the shapes stay, and the first is always clearly the lighter.
DISC_PALETTES: Mapping[str, tuple[Palette, Palette]] = {
    "sea": (
        {"first": "#8CC8F0", "first-rim": "#6AAEDB", "first-ring": "#1B5480",
         "second": "#B8433C", "second-rim": "#96332D", "second-core": "#430C09"},
        {"first": "#9FD4F7", "first-rim": "#77B5DE", "first-ring": "#1B4F78",
         "second": "#D65F55", "second-rim": "#AD463D", "second-core": "#4E110D"},
    ),
    "forest": (
        {"first": "#BCD94A", "first-rim": "#9CB932", "first-ring": "#49590A",
         "second": "#8A58B8", "second-rim": "#6C4296", "second-core": "#1E0832"},
        {"first": "#C8E25C", "first-rim": "#A5BF3D", "first-ring": "#4A5A0C",
         "second": "#9D6BC9", "second-rim": "#7C4EA6", "second-core": "#2F1148"},
    ),
    "ink": (
        {"first": "#FBF8F0", "first-rim": "#CFC9BB", "first-ring": "#7B7566",
         "second": "#3A3F4A", "second-rim": "#22262E", "second-core": "#A9B0BD"},
        {"first": "#FBF8F0", "first-rim": "#C8C3B7", "first-ring": "#7B7566",
         "second": "#6D7482", "second-rim": "#545B68", "second-core": "#14161A"},
    ),
}  # fmt: skip


def mixed(one: str, other: str, share: float) -> str:
    """A colour between two: `share` of the first one, the rest of the other."""
    pairs = zip(rgb(one), rgb(other), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in pairs)


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def css_variables() -> str:
    """Both themes as one style sheet; dark where the reader likes it dark."""
    light, dark = (";".join(f"--{name}:{colour}" for name, colour in palette.items()) for palette in (LIGHT, DARK))
    return f":root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"
