"""The keys of the playing screen: what they do, which of them its foot names, and numbers typed digit by digit."""

from __future__ import annotations

from time import monotonic

from textual.binding import Binding, BindingType

from connectk.terminal.screen.stage import Key

# Priority keys would otherwise scroll the board.
BINDINGS: list[BindingType] = [
    Binding("left", "move(-1)", show=False, priority=True),
    Binding("right", "move(1)", show=False, priority=True),
    Binding("home", "move(-1000000000)", show=False, priority=True),
    Binding("end", "move(1000000000)", show=False, priority=True),
    Binding("enter,down", "drop", show=False, priority=True),
    Binding("space", "pause", show=False, priority=True),
    Binding("u,backspace", "undo", show=False),
    Binding("r", "redo", show=False),
    Binding("h", "hint", show=False),
    Binding("n", "restart", show=False),
    Binding("w", "swap", show=False),
    Binding("p", "replay", show=False),
    Binding("v", "review", show=False),
    Binding("s", "save", show=False),
    Binding("question_mark,f1", "help", show=False),
    Binding("escape", "start", show=False),
    Binding("q", "app.quit", show=False),
]

PLAYING: list[Key] = [
    ("?", "screen.help", "key.help"),
    ("u", "screen.undo", "key.undo"),
    ("r", "screen.redo", "key.redo"),
    ("h", "screen.hint", "key.hint"),
    ("n", "screen.restart", "key.restart"),
    ("s", "screen.save", "key.save"),
    ("Esc", "screen.start", "key.start"),
    ("q", "app.quit", "key.quit"),
]
WATCHING: list[Key] = [("Space", "screen.pause", "key.pause"), *(key for key in PLAYING if key[0] not in "?n")]
OVER: list[Key] = [
    ("n", "screen.restart", "key.again"),
    ("w", "screen.swap", "key.swap"),
    ("p", "screen.replay", "key.replay"),
    ("v", "screen.review", "key.review"),
    ("s", "screen.save", "key.save"),
    ("Esc", "screen.start", "key.start"),
    ("q", "app.quit", "key.quit"),
]


PAUSE = 1.0  # seconds after which a digit starts a new number


class TypedNumber:
    """Collects the digits of a column number on a board of this width."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._digits = ""
        self._last = 0.0

    @property
    def is_one_digit(self) -> bool:
        """Whether every column is a single key."""
        return self._width <= 9

    def add(self, digit: str) -> int:
        """The column written so far, counted from 0."""
        now = monotonic()
        longer = self._digits + digit
        goes_on = not self.is_one_digit and now - self._last < PAUSE and int(longer) <= self._width
        self._digits = longer if goes_on else digit
        self._last = now
        return int(self._digits) - 1
