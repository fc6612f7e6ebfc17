"""The colours of the page, the terminal, the pictures and the plots.

`make tokens` writes these colours into the page's files. The tests check that the contrast of text is at least 4.5:1
and that of shapes at least 3:1.
"""

from __future__ import annotations

from collections.abc import Mapping

Palette = Mapping[str, str]


def blend(one: str, other: str, share: float) -> str:
    """A mix of two colours: `share` of the first colour, and the rest of the second."""
    pairs = zip(rgb(one), rgb(other), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in pairs)


def rgb(colour: str) -> tuple[int, int, int]:
    """The red, green and blue of a colour, from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _with_depth(colours: Palette) -> Palette:
    """The same colours, and in addition a lighter upper tone and a darker lower tone for the frame and the discs."""
    depth = {
        tone: colour
        for part, edge in (("frame", "frame-edge"), ("first", "first-rim"), ("second", "second-rim"))
        if part in colours
        for tone, colour in (
            (f"{part}-light", blend("#FFFFFF", colours[part], 0.14 if part == "frame" else 0.34)),
            (f"{part}-dark", blend(colours[edge], colours[part], 0.55)),
        )
    }
    if "frame" in colours:
        depth["frame-glint"] = blend("#FFFFFF", colours["frame"], 0.45)
        depth["hole-shade"] = blend(colours["frame-edge"], colours["hole"], 0.28)
    return {**colours, **depth}


_LIGHT: Palette = {
    "paper": "#FAF7F2",
    "sheet": "#F1ECE3",  # the background of panels on the paper
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
    "first-rim": "#C98D08",
    "first-ring": "#7A4F00",
    "second": "#C6402F",
    "second-rim": "#96291C",
    "second-star": "#FFE9DF",
    "good": "#1F7A4D",
    "bad": "#A3302A",
    "won": "#FFFFFF",
    "qr": "#FFFFFF",  # behind a QR code; cameras need it light in both themes
}
_DARK: Palette = {
    **_LIGHT,
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
    "first-rim": "#C4921A",
    "first-ring": "#6E4900",
    "second": "#D95543",
    "second-rim": "#A83A2B",
    "second-star": "#FFF3EC",
    "good": "#53C08A",
    "bad": "#F08A7E",
}
LIGHT_COLOURS = _with_depth(_LIGHT)
DARK_COLOURS = _with_depth(_DARK)


def _both(light: Palette, dark: Palette) -> tuple[Palette, Palette]:
    return _with_depth(light), _with_depth(dark)


# Other colours that a player can choose on the page. The first player's discs are always clearly the lighter ones.
BOARD_PALETTES: Mapping[str, tuple[Palette, Palette]] = {
    "wood": _both(
        {"frame": "#8A5A33", "frame-edge": "#5F3B1E", "link": "#7A4A22", "hole": "#F6EEDF",
         "first": "#E8C583", "first-rim": "#BC9450", "first-ring": "#69460F",
         "second": "#7A2E22", "second-rim": "#551B12", "second-star": "#F7DCCB"},
        {"frame": "#96663C", "frame-edge": "#6E4726", "link": "#DDB287", "hole": "#15110D",
         "first": "#E9C88A", "first-rim": "#B9924F", "first-ring": "#69460F",
         "second": "#A8483A", "second-rim": "#7A2E22", "second-star": "#FBE6DA"},
    ),
    "night": _both(
        {"frame": "#2A2F52", "frame-edge": "#15182F", "link": "#3D4585", "hole": "#E9EBF5",
         "first": "#F4E7C1", "first-rim": "#C7B683", "first-ring": "#6F6030",
         "second": "#8E3B6E", "second-rim": "#662650", "second-star": "#FADDEC"},
        {"frame": "#5A63A8", "frame-edge": "#3D4480", "link": "#B3BAF2", "hole": "#0B0D18",
         "first": "#F4E7C1", "first-rim": "#C3B27E", "first-ring": "#6B5C2A",
         "second": "#B8527F", "second-rim": "#8A3860", "second-star": "#FDEAF3"},
    ),
    "paper": _both(
        {"frame": "#4F6F5F", "frame-edge": "#385244", "link": "#3B6550", "hole": "#FBF6EA",
         "first": "#EFC368", "first-rim": "#C99B3F", "first-ring": "#704E0C",
         "second": "#B4493A", "second-rim": "#8A3226", "second-star": "#FFEDE2"},
        {"frame": "#587868", "frame-edge": "#3F5A4B", "link": "#A3CDB7", "hole": "#121512",
         "first": "#F0C976", "first-rim": "#C2994A", "first-ring": "#694A0E",
         "second": "#C85F4F", "second-rim": "#9A4436", "second-star": "#FFF3EC"},
    ),
}  # fmt: skip
DISC_PALETTES: Mapping[str, tuple[Palette, Palette]] = {
    "sea": _both(
        {"first": "#8CC8F0", "first-rim": "#5F9FCC", "first-ring": "#1B5480",
         "second": "#B8433C", "second-rim": "#8C2C27", "second-star": "#FFE6E0"},
        {"first": "#9FD4F7", "first-rim": "#6CA8D0", "first-ring": "#1B4F78",
         "second": "#D2594F", "second-rim": "#A03F37", "second-star": "#FFF3EF"},
    ),
    "forest": _both(
        {"first": "#BCD94A", "first-rim": "#8FAA2B", "first-ring": "#49590A",
         "second": "#7F4DAE", "second-rim": "#5E368A", "second-star": "#F1E4FC"},
        {"first": "#C8E25C", "first-rim": "#98B238", "first-ring": "#4A5A0C",
         "second": "#9160BF", "second-rim": "#6E449A", "second-star": "#F7EFFE"},
    ),
    "ink": _both(
        {"first": "#FBF8F0", "first-rim": "#C4BDAD", "first-ring": "#6B6556",
         "second": "#3A3F4A", "second-rim": "#1C1F26", "second-star": "#DDE1E8"},
        {"first": "#FBF8F0", "first-rim": "#BDB7AA", "first-ring": "#6B6556",
         "second": "#666D7B", "second-rim": "#474D59", "second-star": "#F2F4F8"},
    ),
}  # fmt: skip

# Gradients that imitate light from above: (offset, colour) pairs, with offsets from 0 at the top to 1 at the bottom.
GRADIENTS: Mapping[str, tuple[tuple[float, str], ...]] = {
    "frame-face": ((0, "frame-light"), (0.5, "frame"), (1, "frame-dark")),
    "hole-face": ((0.05, "hole-shade"), (0.5, "hole")),
    "first-face": ((0, "first-light"), (0.5, "first"), (1, "first-dark")),
    "first-plate": ((0, "first-dark"), (0.5, "first"), (1, "first-light")),
    "second-face": ((0, "second-light"), (0.5, "second"), (1, "second-dark")),
    "second-plate": ((0, "second-dark"), (0.5, "second"), (1, "second-light")),
}


def tones_of(colour: str) -> tuple[str, ...]:
    """The colours of a gradient. A plain colour gives a single colour."""
    return tuple(tone for _, tone in GRADIENTS[colour]) if colour in GRADIENTS else (colour,)


def css_variables() -> str:
    """The light and the dark theme as a style sheet. The preference of the reader selects one of them."""
    light, dark = (
        ";".join(f"--{name}:{colour}" for name, colour in palette.items()) for palette in (LIGHT_COLOURS, DARK_COLOURS)
    )
    return f":root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"
