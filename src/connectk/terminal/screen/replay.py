"""A game played once more: step by step, on its own, or by jumping to either end."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from connectk.terminal.match import Match
from connectk.terminal.screen import panel
from connectk.terminal.screen.dialogs import Help
from connectk.terminal.screen.stage import Key, Stage

KEYS: list[Key] = [
    ("←", "screen.step(-1)", "key.back"),
    ("→", "screen.step(1)", "key.forward"),
    ("Space", "screen.run", "key.run"),
    ("Home", "screen.jump(0)", "key.first"),
    ("End", "screen.jump(1)", "key.last"),
    ("Esc", "screen.leave", "key.leave"),
]
BETWEEN_DISCS = 0.9  # seconds


class ReplayScreen(Stage):
    """Shows the position after `ply` moves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "step(-1)", show=False, priority=True),
        Binding("right,down,enter", "step(1)", show=False, priority=True),
        Binding("space", "run", show=False, priority=True),
        Binding("home", "jump(0)", show=False, priority=True),
        Binding("end", "jump(1)", show=False, priority=True),
        Binding("question_mark,f1", "help", show=False),
        Binding("escape,q,p", "leave", show=False),
    ]

    def __init__(self, match: Match) -> None:
        super().__init__(match.game.start)
        self.match, self.ply = match, 0
        self._clockwork: Timer | None = None

    def compose_side(self) -> ComposeResult:
        yield Static(id="seats")
        yield Static(id="status", markup=False)
        yield Static(id="moves")

    def on_mount(self) -> None:
        self.show_keys(KEYS)
        self.go_to(0)

    @property
    def last_ply(self) -> int:
        return len(self.match.game.moves)

    def go_to(self, ply: int) -> None:
        """Show this moment of the game; a step forward lets its disc fall."""
        ply = min(max(0, ply), self.last_ply)
        self.board.show(self.match.game.positions[ply], dropped=ply == self.ply + 1)
        self.ply = ply
        if ply == self.last_ply:
            self._stop()
        self._show()

    def action_step(self, plies: int) -> None:
        self._stop()
        self.go_to(self.ply + plies)

    def action_jump(self, end: int) -> None:
        self._stop()
        self.go_to(self.last_ply if end else 0)

    def action_run(self) -> None:
        """On its own from here, from the start when it is at the end; a second time stops."""
        if self._clockwork:
            self._stop()
            return
        if self.ply == self.last_ply:
            self.go_to(0)
        self._clockwork = self.set_interval(BETWEEN_DISCS, lambda: self.go_to(self.ply + 1))

    def _stop(self) -> None:
        if self._clockwork:
            self._clockwork.stop()
        self._clockwork = None

    def action_help(self) -> None:
        self.app.push_screen(Help())

    def action_leave(self) -> None:
        self.dismiss(None)

    def _show(self) -> None:
        position = self.match.game.positions[self.ply]
        to_move = None if position.outcome else position.side_to_move
        marker = self.program.pen.text("▸")
        self.show_text("#seats", panel.seats(self.match, to_move, self.program.sentences, marker))
        self.show_text("#status", self._status())
        self.show_text("#moves", panel.moves(self.match, self.ply, self.texts))

    def _status(self) -> Content:
        count = Content.styled(self.texts("replay.next", ply=self.ply, last=self.last_ply), "bold")
        if self.ply == 0:
            return count
        sentence = self.program.sentences.move(self.match, self.ply)
        ending = f" {self.program.sentences.result(self.match)}" if self.ply == self.last_ply else ""
        return Content.assemble(count, "\n", sentence, ending)
