"""Whether the terminal is light or dark: asked of the terminal itself, before the screen opens."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Mapping

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
