"""Key bindings of the playing screens, the keys listed in their footers, key repeat, and typed numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from textual import constants, events
from textual._xterm_parser import XTermParser
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.keys import Keys

from connectk.terminal.screen.board_screen import Key

# Every binding has priority: otherwise the arrow keys would scroll the board, and keys without priority
# would be handled after those with it, in a different order than pressed.
STEP_BINDINGS: list[BindingType] = [
    Binding("left,up", "back", show=False, priority=True),
    Binding("right,down,enter", "forward", show=False, priority=True),
    Binding("home", "to_start", show=False, priority=True),
    Binding("end", "to_end", show=False, priority=True),
]
DROP_BINDINGS: list[BindingType] = [
    Binding("left", "move(-1)", show=False, priority=True),
    Binding("right", "move(1)", show=False, priority=True),
    Binding("home", "move(-1000000000)", show=False, priority=True),
    Binding("end", "move(1000000000)", show=False, priority=True),
    Binding("enter,down", "drop", show=False, priority=True),
    Binding("backspace", "erase", show=False, priority=True),
    *(Binding(digit, f"digit('{digit}')", show=False, priority=True) for digit in "0123456789"),
]
GAME_BINDINGS: list[BindingType] = [
    *DROP_BINDINGS,
    Binding("space", "pause", show=False, priority=True),
    Binding("u", "undo", show=False, priority=True),
    Binding("r", "redo", show=False, priority=True),
    Binding("h", "hint", show=False, priority=True),
    Binding("y", "why", show=False, priority=True),
    Binding("H", "hints_stay", show=False, priority=True),
    Binding("n", "restart", show=False, priority=True),
    Binding("w", "swap", show=False, priority=True),
    Binding("p", "replay", show=False, priority=True),
    Binding("v", "review", show=False, priority=True),
    Binding("s", "save", show=False, priority=True),
    Binding("question_mark,f1", "help", show=False, priority=True),
    Binding("escape", "leave", show=False, priority=True),
    Binding("q", "app.quit", show=False, priority=True),
]

PLAYING_KEYS: list[Key] = [
    ("?", "screen.help", "key.help"),
    ("u", "screen.undo", "key.undo"),
    ("r", "screen.redo", "key.redo"),
    ("h", "screen.hint", "key.hint"),
    ("n", "screen.restart", "key.restart"),
    ("s", "screen.save", "key.save"),
    ("Esc", "screen.leave", "key.start"),
    ("q", "app.quit", "key.quit"),
]
HINT_KEYS: list[Key] = [*PLAYING_KEYS[:4], ("y", "screen.why", "key.why"), *PLAYING_KEYS[4:]]
DEMO_KEYS: list[Key] = [("Space", "screen.pause", "key.pause"), *(key for key in PLAYING_KEYS if key[0] not in "?n")]
OVER_KEYS: list[Key] = [
    ("n", "screen.restart", "key.again"),
    ("w", "screen.swap", "key.swap"),
    ("p", "screen.replay", "key.replay"),
    ("v", "screen.review", "key.review"),
    ("s", "screen.save", "key.save"),
    ("Esc", "screen.leave", "key.start"),
    ("q", "app.quit", "key.quit"),
]

MAX_TYPED_DIGITS = 12


class TypedNumber:
    """A column number typed digit by digit, on a board of ten columns or more."""

    def __init__(self) -> None:
        self.text = ""

    def add(self, digit: str) -> None:
        self.text = (self.text + digit)[:MAX_TYPED_DIGITS]

    def erase(self) -> None:
        self.text = self.text[:-1]

    @property
    def column(self) -> int | None:
        """The column counted from 0, not limited to the board; None if nothing was typed."""
        return int(self.text) - 1 if self.text else None

    def pop(self) -> int | None:
        """Return the column and clear the number."""
        column, self.text = self.column, ""
        return column


# Terminals with the kitty keyboard protocol report the event type after a colon: 1:2 is a repeat, 1:3 a
# release. Textual neither requests nor parses it.
REQUEST_KEY_EVENT_TYPES = "\x1b[=2;2u"
KEY_EVENT_TYPE = re.compile(r"(\x1b\[[\d:]*;\d*):([123])")
KEY_REPEAT, KEY_RELEASE = "2", "3"
REPEATABLE_KEYS = {"left", "right", "up", "down", "home", "end", "pageup", "pagedown", "backspace", "delete", "tab"}


class KeyRepeatFilter(XTermParser):
    """Parses keys and drops repeats and releases, except repeats of keys that move."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        kind = KEY_EVENT_TYPE.match(sequence)
        if kind is None:
            yield from super()._sequence_to_key_events(sequence, alt)
            return
        for key in super()._sequence_to_key_events(KEY_EVENT_TYPE.sub(r"\1", sequence), alt):
            counts = kind[2] != KEY_RELEASE and (kind[2] != KEY_REPEAT or key.key in REPEATABLE_KEYS)
            yield key if counts else events.Key(Keys.Ignore, sequence)


def without_key_repeats(driver: type[Driver]) -> type[Driver]:
    """Return the driver with repeat filtering; unchanged if the terminal driver does not support it."""
    if driver.__module__ != "textual.drivers.linux_driver" or constants.DISABLE_KITTY_KEY:
        return driver
    from textual.drivers import linux_driver

    linux_driver.XTermParser = KeyRepeatFilter  # type: ignore[attr-defined]  # the driver uses this global

    class RepeatFilterDriver(linux_driver.LinuxDriver):
        def start_application_mode(self) -> None:
            super().start_application_mode()  # type: ignore[no-untyped-call]
            self.write(REQUEST_KEY_EVENT_TYPES)
            self.flush()

    return RepeatFilterDriver
