"""Colours of the screen, one set for light terminals and one for dark ones, and which of them this terminal wants."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Mapping
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


PATIENCE = 0.2  # seconds
# The colour of the background, then what the terminal is. Every terminal answers the second, so its answer says
# that there is none to the first.
QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
COLOUR = re.compile(rb"\x1b\]11;rgb:([0-9a-fA-F]{2})[0-9a-fA-F]*/([0-9a-fA-F]{2})[0-9a-fA-F]*/([0-9a-fA-F]{2})")
LAST_ANSWER = re.compile(rb"\x1b\[\?[0-9;]*c")


def terminal_theme(environment: Mapping[str, str]) -> str:
    """`light` or `dark`; dark where the terminal does not say."""
    known = _from_environment(environment.get("COLORFGBG", ""))
    return known or _from_answer(_ask_terminal()) or "dark"


def _from_environment(text: str) -> str | None:
    """COLORFGBG ends with the number of the background's colour: 7 and 15 are white."""
    number = text.rpartition(";")[2]
    return None if not number.isdigit() else "light" if number in ("7", "15") else "dark"


def _from_answer(answer: bytes) -> str | None:
    found = COLOUR.search(answer)
    if not found:
        return None
    red, green, blue = (int(part, 16) for part in found.groups())
    return "light" if 0.299 * red + 0.587 * green + 0.114 * blue > 127 else "dark"


def _ask_terminal() -> bytes:
    try:
        import termios
        import tty
    except ImportError:  # no such terminal here
        return b""
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard, termios.TCSANOW)
        os.write(sys.stdout.fileno(), QUESTION)
        return _read_answer(keyboard)
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)


def _read_answer(keyboard: int) -> bytes:
    answer, until = b"", time.monotonic() + PATIENCE
    while not LAST_ANSWER.search(answer):
        ready, _, _ = select.select([keyboard], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            break
        answer += os.read(keyboard, 1024)
    return answer
