"""Colours of the screen, one set for light terminals and one for dark ones."""

from __future__ import annotations

from enum import Enum, auto

from textual.theme import Theme


class Ink(Enum):
    """What a piece of the board shows; a palette gives it a colour."""

    PAPER = auto()
    FRAME = auto()
    HOLE = auto()
    DOT = auto()  # the middle of a hole, larger where a disc would land; seen only where there are no colours
    FIRST = auto()
    RECESS = auto()  # inside the first player's ring
    SECOND = auto()
    CORE = auto()  # inside the second player's disc
    GHOST_FIRST = auto()  # where a disc would land
    GHOST_SECOND = auto()
    GLOW = auto()  # around and through a winning line


Palette = dict[Ink, str]

LIGHT: Palette = {
    Ink.PAPER: "#FAF7F2",
    Ink.FRAME: "#26418F",
    Ink.HOLE: "#EEF1F8",
    Ink.FIRST: "#F2B41B",
    Ink.RECESS: "#B9800A",
    Ink.SECOND: "#C6402F",
    Ink.CORE: "#7E1F15",
    Ink.GHOST_FIRST: "#D9A62E",
    Ink.GHOST_SECOND: "#D98478",
    Ink.GLOW: "#FFFFFF",
}
DARK: Palette = {
    Ink.PAPER: "#14161A",
    Ink.FRAME: "#2F4EA8",
    Ink.HOLE: "#0E1016",
    Ink.FIRST: "#F5C445",
    Ink.RECESS: "#A87A12",
    Ink.SECOND: "#E0604E",
    Ink.CORE: "#8A2A1E",
    Ink.GHOST_FIRST: "#7E692E",
    Ink.GHOST_SECOND: "#7A3A33",
    Ink.GLOW: "#FFFFFF",
}

TEXT = {
    "light": {"ink": "#1D2330", "quiet": "#626977", "good": "#1F7A4D", "bad": "#A3302A", "shade": "#EDE8DF"},
    "dark": {"ink": "#ECEAE4", "quiet": "#9AA3B2", "good": "#53C08A", "bad": "#F08A7E", "shade": "#20242B"},
}

# Without colours a piece is either drawn or not.
DRAWN = {Ink.DOT, Ink.FIRST, Ink.SECOND, Ink.CORE}


def palette_of(theme: str) -> Palette:
    return LIGHT if theme == "light" else DARK


def themes() -> list[Theme]:
    """The two themes as Textual wants them; their names are `light` and `dark`."""
    return [_theme(name, palette_of(name), TEXT[name]) for name in ("light", "dark")]


def _theme(name: str, palette: Palette, text: dict[str, str]) -> Theme:
    return Theme(
        name=name,
        primary=palette[Ink.FRAME],
        foreground=text["ink"],
        background=palette[Ink.PAPER],
        surface=palette[Ink.PAPER],
        panel=text["shade"],
        success=text["good"],
        error=text["bad"],
        dark=name == "dark",
        variables={
            **text,
            "paper": palette[Ink.PAPER],
            "frame": palette[Ink.FRAME],
            "first": palette[Ink.FIRST],
            "second": palette[Ink.SECOND],
        },
    )
