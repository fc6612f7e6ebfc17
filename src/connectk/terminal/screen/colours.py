"""The colours of the screen for light and dark terminals, and how the program detects which kind a terminal is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, auto

from textual.theme import Theme

from connectk.drawing import palette
from connectk.drawing.palette import blend
from connectk.terminal.asking import ATTRIBUTES_QUERY, ask_terminal


class Ink(Enum):
    """The parts of the board that each have their own colour. A palette gives these colours."""

    PAPER = auto()
    FRAME = auto()
    HOLE = auto()
    DOT = auto()  # the middle of a hole, larger where a disc would land; drawn only without colours
    FIRST = auto()
    RECESS = auto()  # inside the first player's ring
    SECOND = auto()
    CORE = auto()  # inside the second player's disc
    GHOST_FIRST = auto()  # where a disc would land
    GHOST_SECOND = auto()
    GLOW = auto()  # around and through a winning line
    SIGN = auto()  # a character in an empty hole


Palette = dict[Ink, str]
GHOST_OPACITY = {"light": 0.75, "dark": 0.45}  # the opacity of a disc that shows where it would land


def _palette(theme: str, colours: Mapping[str, str]) -> Palette:
    return {
        Ink.PAPER: colours["paper"],
        Ink.FRAME: colours["frame"],
        Ink.HOLE: colours["hole"],
        Ink.FIRST: colours["first"],
        Ink.RECESS: colours["first-ring"],
        Ink.SECOND: colours["second"],
        Ink.CORE: colours["second-star"],
        Ink.GHOST_FIRST: blend(colours["first"], colours["hole"], GHOST_OPACITY[theme]),
        Ink.GHOST_SECOND: blend(colours["second"], colours["hole"], GHOST_OPACITY[theme]),
        Ink.GLOW: colours["won"],
        Ink.SIGN: colours["ink"],
    }


def _text(colours: Mapping[str, str]) -> dict[str, str]:
    return {name: colours[name] for name in ("ink", "quiet", "good", "bad")} | {"shade": colours["sheet"]}


LIGHT, DARK = _palette("light", palette.LIGHT_COLOURS), _palette("dark", palette.DARK_COLOURS)
TEXT_COLOURS = {"light": _text(palette.LIGHT_COLOURS), "dark": _text(palette.DARK_COLOURS)}

# The inks that are drawn when there are no colours.
DRAWN_INKS = {Ink.DOT, Ink.FIRST, Ink.SECOND, Ink.CORE}


def palette_of(theme: str) -> Palette:
    return LIGHT if theme == "light" else DARK


def themes() -> list[Theme]:
    """The colours of Textual's widgets, as a `light` and a `dark` theme."""
    return [_theme(name, palette_of(name), TEXT_COLOURS[name]) for name in ("light", "dark")]


def _theme(name: str, inks: Palette, text: dict[str, str]) -> Theme:
    return Theme(
        name=name,
        primary=inks[Ink.FRAME],
        foreground=text["ink"],
        background=inks[Ink.PAPER],
        surface=inks[Ink.PAPER],
        panel=text["shade"],
        success=text["good"],
        error=text["bad"],
        dark=name == "dark",
        variables={
            **text,
            "paper": inks[Ink.PAPER],
            "frame": inks[Ink.FRAME],
            "first": inks[Ink.FIRST],
            "second": inks[Ink.SECOND],
            "on-frame": inks[Ink.GLOW],
        },
    )


# Asks for the background colour, then for the device attributes.
BACKGROUND_QUERY = b"\x1b]11;?\x1b\\" + ATTRIBUTES_QUERY
BACKGROUND_REPLY = re.compile(
    rb"\x1b\]11;rgb:([0-9a-fA-F]{2})[0-9a-fA-F]*/([0-9a-fA-F]{2})[0-9a-fA-F]*/([0-9a-fA-F]{2})"
)


def terminal_theme(environment: Mapping[str, str]) -> str:
    """`light` or `dark`, as the terminal reports; `dark` if it does not answer."""
    known = _from_environment(environment.get("COLORFGBG", ""))
    return known or _from_answer(ask_terminal(BACKGROUND_QUERY)) or "dark"


def _from_environment(text: str) -> str | None:
    """The theme according to the variable COLORFGBG. The variable ends with the number of the background's colour; 7
    and 15 are white."""
    number = text.rpartition(";")[2]
    return None if not number.isdigit() else "light" if number in ("7", "15") else "dark"


def _from_answer(answer: bytes) -> str | None:
    found = BACKGROUND_REPLY.search(answer)
    if not found:
        return None
    red, green, blue = (int(part, 16) for part in found.groups())
    return "light" if 0.299 * red + 0.587 * green + 0.114 * blue > 127 else "dark"
