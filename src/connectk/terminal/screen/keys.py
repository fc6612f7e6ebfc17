"""The keys of the screens with a board, their names in the footer, and numbers that the user types digit by digit."""

from __future__ import annotations

from textual.binding import Binding, BindingType

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
    Binding("plus,equals_sign", "change_speed(1)", show=False, priority=True),
    Binding("minus", "change_speed(-1)", show=False, priority=True),
    Binding("escape", "leave", show=False, priority=True),
    Binding("q", "app.quit", show=False, priority=True),
]

HELP_KEY: Key = ("?", "screen.help", "key.help")
PLAYING_KEYS: list[Key] = [
    HELP_KEY,
    ("u", "screen.undo", "key.undo"),
    ("r", "screen.redo", "key.redo"),
    ("h", "screen.hint", "key.hint"),
    ("n", "screen.restart", "key.restart"),
    ("s", "screen.save", "key.save"),
    ("Esc", "screen.leave", "key.start"),
    ("q", "app.quit", "key.quit"),
]
HINT_KEYS: list[Key] = [
    ("y", "screen.why", "key.why") if key[0] == "r" else key for key in PLAYING_KEYS
]  # not every language has room for both redo and why
SWAP_KEYS: list[Key] = [("w", "screen.swap", "key.swap") if key[0] == "r" else key for key in PLAYING_KEYS]
DEMO_KEYS: list[Key] = [
    ("Space", "screen.pause", "key.pause"),
    ("+-", "screen.change_speed(1)", "key.speed"),
    *(key for key in PLAYING_KEYS if key[0] not in "rns"),
]
OVER_KEYS: list[Key] = [
    ("n", "screen.restart", "key.again"),
    ("y", "screen.why", "key.why"),
    ("w", "screen.swap", "key.swap"),
    ("p", "screen.replay", "key.replay"),
    ("v", "screen.review", "key.review"),
    ("s", "screen.save", "key.save"),
    ("Esc", "screen.leave", "key.start"),
    ("q", "app.quit", "key.quit"),
]

MAX_TYPED_DIGITS = 12


class TypedNumber:
    """A column number that the user types digit by digit, on a board of ten columns or more."""

    def __init__(self) -> None:
        self.text = ""

    def add(self, digit: str) -> None:
        self.text = (self.text + digit)[:MAX_TYPED_DIGITS]

    def erase(self) -> None:
        self.text = self.text[:-1]

    @property
    def column(self) -> int | None:
        """The typed column, counted from 0. The board may not have this column. None if nothing is typed."""
        return int(self.text) - 1 if self.text else None

    def pop(self) -> int | None:
        """Return the typed column and clear it."""
        column, self.text = self.column, ""
        return column
