"""Changes the output and the input of Textual: it shortens styles, and counts a held key once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from time import monotonic

from textual import events
from textual.driver import Driver
from textual.message import Message

STYLE_CODE_PATTERN = re.compile(r"\x1b\[([0-9;]*)m")
CURSOR_MOVES_PATTERN = re.compile(r"(\x1b\[[0-9;]*H)*")
RESET_CODE = "\x1b[0m"
EXTENDED_COLOURS = {"5": 3, "2": 5}  # the number of codes in 38;5;n and in 38;2;r;g;b
COLOUR, BACKGROUND = "colour", "background"
DEFAULT_COLOUR_CODES = {COLOUR: "39", BACKGROUND: "49"}

Look = dict[str, str]  # the codes of the colour, of the background and of each other attribute


def shorten_styles(data: str) -> str:
    """The same text with the same styles in fewer codes: each style sends only what differs from the previous style.

    Textual itself resets the style after each piece of text and sends the next one in full, which is most of its
    output.
    """
    shown: Look = {}
    wanted: Look = {}
    out: list[str] = []
    for index, piece in enumerate(STYLE_CODE_PATTERN.split(data)):
        if index % 2:
            wanted = _after(wanted, piece)
        elif CURSOR_MOVES_PATTERN.fullmatch(piece):
            out.append(piece)
        else:
            look = _as_seen(piece, wanted, shown)
            out += [_change(shown, look), piece]
            shown = look
    return "".join([*out, RESET_CODE if shown else ""])


def _as_seen(piece: str, wanted: Look, shown: Look) -> Look:
    """The visible style of a piece of text. The letter colour of spaces is invisible, so it is not changed for them."""
    if piece.strip(" ") or wanted.keys() - DEFAULT_COLOUR_CODES.keys():
        return wanted
    return {name: look[name] for name, look in ((COLOUR, shown), (BACKGROUND, wanted)) if name in look}


def _after(look: Look, codes: str) -> Look:
    """The style after these codes are added to the given style."""
    for words in _split(codes.split(";")):
        number = int(words[0] or 0)
        if number == 0:
            look = {}
        elif 30 <= number <= 39 or 90 <= number <= 97:
            look = {**look, COLOUR: ";".join(words)}
        elif 40 <= number <= 49 or 100 <= number <= 107:
            look = {**look, BACKGROUND: ";".join(words)}
        else:
            look = {**look, words[0]: words[0]}
    return {name: code for name, code in look.items() if DEFAULT_COLOUR_CODES.get(name) != code}


def _split(codes: list[str]) -> Iterator[list[str]]:
    """Split the numbers of an escape sequence into single styles. A style has one number; a colour may have several."""
    while codes:
        count = EXTENDED_COLOURS.get(codes[1], 1) if codes[0] in ("38", "48") and len(codes) > 1 else 1
        yield codes[:count]
        codes = codes[count:]


def _change(before: Look, after: Look) -> str:
    """The codes that change one style into another. Attributes such as bold can only be ended by a reset."""
    if before == after:
        return ""
    if any(name not in after and name not in DEFAULT_COLOUR_CODES for name in before):
        return f"\x1b[{';'.join(['0', *after.values()])}m"
    ended = [code for name, code in DEFAULT_COLOUR_CODES.items() if name in before and name not in after]
    begun = [code for name, code in after.items() if before.get(name) != code]
    return f"\x1b[{';'.join([*ended, *begun])}m"


HELD_KEY_SECONDS = 0.1  # a held key repeats faster than this; a person hardly presses a key so fast
DROP_KEYS = {*"0123456789", "enter", "space"}


class HeldKeys:
    """Recognizes a key that is held down, whose repetitions must not drop more discs.

    A terminal sends the same characters for a held key and a key that is pressed again, so only the time between them
    tells the difference.
    """

    def __init__(self) -> None:
        self._last, self._at = "", 0.0

    def is_repeat(self, key: str, now: float) -> bool:
        again = key == self._last and now - self._at < HELD_KEY_SECONDS
        self._last, self._at = key, now
        return again and key in DROP_KEYS


def low_bandwidth(driver: type[Driver]) -> type[Driver]:
    """A driver like the given one that sends less data and ignores the repetitions of a held key."""

    class LowBandwidthDriver(driver):  # type: ignore[misc, valid-type]
        _held = HeldKeys()

        def write(self, data: str) -> None:
            super().write(shorten_styles(data))

        def process_message(self, message: Message) -> None:
            if not (isinstance(message, events.Key) and self._held.is_repeat(message.key, monotonic())):
                super().process_message(message)

    return LowBandwidthDriver
