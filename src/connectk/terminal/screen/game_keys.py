"""The keys of the playing screen: what they do, and which of them its foot names."""

from __future__ import annotations

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
