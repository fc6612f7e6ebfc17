"""The palettes of the screen for light and dark terminals, and detection of the terminal's theme."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Mapping
from enum import Enum, auto

from textual.theme import Theme

from connectk.drawing import palette
from connectk.drawing.palette import mixed


class Ink(Enum):
    """What a part of the board shows; a palette maps it to a colour."""

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
        Ink.CORE: colours["second-core"],
        Ink.GHOST_FIRST: mixed(colours["first"], colours["hole"], GHOST_OPACITY[theme]),
        Ink.GHOST_SECOND: mixed(colours["second"], colours["hole"], GHOST_OPACITY[theme]),
        Ink.GLOW: colours["won"],
        Ink.SIGN: colours["ink"],
    }


def _text(colours: Mapping[str, str]) -> dict[str, str]:
    return {name: colours[name] for name in ("ink", "quiet", "good", "bad")} | {"shade": colours["sheet"]}


LIGHT, DARK = _palette("light", palette.LIGHT), _palette("dark", palette.DARK)
TEXT_COLOURS = {"light": _text(palette.LIGHT), "dark": _text(palette.DARK)}

# The inks that are drawn when there are no colours.
DRAWN_INKS = {Ink.DOT, Ink.FIRST, Ink.SECOND, Ink.CORE}


def palette_of(theme: str) -> Palette:
    return LIGHT if theme == "light" else DARK


def themes() -> list[Theme]:
    """The two themes, `light` and `dark`, for Textual."""
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


TERMINAL_REPLY_TIMEOUT_SECONDS = 1.0  # a remote terminal may be slow
# Asks for the background colour, then for the device attributes. Every terminal answers the second query,
# so its reply means that no reply to the first will follow.
BACKGROUND_QUERY = b"\x1b]11;?\x1b\\\x1b[c"
BACKGROUND_REPLY = re.compile(
    rb"\x1b\]11;rgb:([0-9a-fA-F]{2})[0-9a-fA-F]*/([0-9a-fA-F]{2})[0-9a-fA-F]*/([0-9a-fA-F]{2})"
)
ATTRIBUTES_REPLY = re.compile(rb"\x1b\[\?[0-9;]*c")


def terminal_theme(environment: Mapping[str, str]) -> str:
    """Return `light` or `dark`; dark if the terminal does not report it."""
    known = _from_environment(environment.get("COLORFGBG", ""))
    return known or _from_answer(_ask_terminal()) or "dark"


def _from_environment(text: str) -> str | None:
    """COLORFGBG ends with the number of the background colour: 7 and 15 are white."""
    number = text.rpartition(";")[2]
    return None if not number.isdigit() else "light" if number in ("7", "15") else "dark"


def _from_answer(answer: bytes) -> str | None:
    found = BACKGROUND_REPLY.search(answer)
    if not found:
        return None
    red, green, blue = (int(part, 16) for part in found.groups())
    return "light" if 0.299 * red + 0.587 * green + 0.114 * blue > 127 else "dark"


def _ask_terminal() -> bytes:
    try:
        import termios
        import tty
    except ImportError:  # not available on Windows
        return b""
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard, termios.TCSANOW)
        os.write(sys.stdout.fileno(), BACKGROUND_QUERY)
        return _read_answer(keyboard)
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)


def _read_answer(keyboard: int) -> bytes:
    answer, until = b"", time.monotonic() + TERMINAL_REPLY_TIMEOUT_SECONDS
    while not ATTRIBUTES_REPLY.search(answer):
        ready, _, _ = select.select([keyboard], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            break
        answer += os.read(keyboard, 1024)
    return answer
