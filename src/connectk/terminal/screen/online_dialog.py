"""The dialog for playing on a server: the user invites a friend, follows a link, or enters a room."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, Static

from connectk.client.seats import HeldSeats
from connectk.errors import ConnectkError
from connectk.rules import Position
from connectk.terminal.online import LOCAL_SERVER, OnlineChoice
from connectk.terminal.screen.board_screen import BoardScreen, Dialog
from connectk.terminal.screen.online import OnlineScreen
from connectk.terminal.screen.room import RoomScreen
from connectk.terminal.thinking import run_in_background

FIELD_NAMES = ("server", "link", "name")


def screen_for(choice: OnlineChoice, seats: HeldSeats) -> BoardScreen:
    """The screen for the user's choice. For a match, this first asks the server for a seat."""
    if choice.room_code:
        return RoomScreen(choice.member(seats))
    seat = choice.seat(seats)
    return OnlineScreen(seat, return_to_start=True, is_own_invitation=bool(choice.link and seat.link))


class OnlineDialog(Dialog[BoardScreen]):
    """Asks for a server, for a link or the code of a room, and for a name. Enter opens the match or room."""

    class Answered(Message):
        """The server has given a seat, or has refused to."""

        def __init__(self, answer: BoardScreen | ConnectkError) -> None:
            super().__init__()
            self.answer = answer

    def __init__(self, start: Position) -> None:
        super().__init__()
        self._start, self._is_asking = start, False

    def compose(self) -> ComposeResult:
        texts, values = self.program.texts, {"server": self.program.settings.server or LOCAL_SERVER}
        with Vertical():
            yield Static(texts("online.dialog"), markup=False)
            for name in FIELD_NAMES:
                yield Static(texts(f"online.dialog.{name}"), classes="quiet", markup=False)
                yield Input(values.get(name, ""), id=f"online-{name}", select_on_focus=False)
            yield Static(texts("online.dialog.keys"), id="online-message", classes="quiet", markup=False)

    def on_mount(self) -> None:
        self.query_one("#online-link", Input).focus()

    def on_key(self, event: events.Key) -> None:
        """Let the arrow keys move between the fields."""
        if event.key in ("up", "down"):
            event.stop()
            fields = [*self.query(Input)]  # the focus is set at once, so that the next key goes to the new field
            at = next((place for place, field in enumerate(fields) if field is self.focused), 0)
            self.set_focus(fields[(at + (1 if event.key == "down" else -1)) % len(fields)])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if not self._is_asking:
            self._is_asking = True
            self._say(self.program.texts("online.connecting", server=self._value("server")))
            wish = OnlineChoice(self._value("server"), self._value("link"), self._value("name"), self._start)
            run_in_background(lambda: self._ask(wish))

    def _ask(self, wish: OnlineChoice) -> None:
        try:
            self.post_message(self.Answered(screen_for(wish, HeldSeats())))
        except ConnectkError as error:
            self.post_message(self.Answered(error))

    def on_online_dialog_answered(self, event: Answered) -> None:
        self._is_asking = False
        if isinstance(event.answer, ConnectkError):
            self._say(event.answer.localize(self.program.texts))
        else:
            self.dismiss(event.answer)

    def _value(self, name: str) -> str:
        return self.query_one(f"#online-{name}", Input).value.strip()

    def _say(self, text: str) -> None:
        self.query_one("#online-message", Static).update(text)
