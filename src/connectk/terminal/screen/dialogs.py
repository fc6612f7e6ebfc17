"""Small screens over the game: a question, a file name, the help."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from connectk.terminal.match import Match
from connectk.terminal.store import save_game

if TYPE_CHECKING:
    from connectk.terminal.screen.app import ConnectkApp

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer]):
    """Escape leaves it without an answer."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    @property
    def program(self) -> ConnectkApp:
        return cast("ConnectkApp", self.app)

    def action_leave(self) -> None:
        self.dismiss(None)


class YesOrNo(Dialog[bool]):
    """One question; y and Enter say yes, anything else says no."""

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self._question, markup=False)
            yield Static(self.program.texts("dialog.yes_or_no"), classes="quiet")

    def on_key(self, event: events.Key) -> None:
        event.stop()
        yes = self.program.texts("ask.yes").split()
        self.dismiss(event.key == "enter" or event.character in (*yes, "y"))


class Help(Dialog[None]):
    """All keys, in sentences."""

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(self.program.texts("help.screen"), markup=False)

    def on_key(self, event: events.Key) -> None:
        if event.key in ("enter", "space", "q", "question_mark"):
            event.stop()
            self.dismiss(None)


class SaveAs(Dialog[Path]):
    """Asks for a file name and writes the game; a file that exists is replaced at a second Enter."""

    def __init__(self, match: Match) -> None:
        super().__init__()
        self._match = match
        self._replacing = ""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.program.texts("save.title"))
            yield Input(f"connectk-{self._match.started:%Y-%m-%d-%H%M%S}.json", select_on_focus=False)
            yield Static(self.program.texts("save.keys"), classes="quiet", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        name = event.value.strip()
        if Path(name).expanduser().exists() and name != self._replacing:
            self._replacing = name
            self._say(self.program.texts("save.exists", file=name))
        elif name:
            self._save(Path(name))

    def _save(self, path: Path) -> None:
        try:
            save_game(self._match, path)
        except OSError as error:
            self._say(self.program.texts("error.save", file=path, reason=error.strerror or error))
        else:
            self.dismiss(path)

    def _say(self, text: str) -> None:
        self.query_one(".quiet", Static).update(text)
