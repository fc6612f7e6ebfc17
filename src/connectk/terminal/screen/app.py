"""The full-screen program: its screens, theme and language, and how it ends."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Sequence
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.filter import LineFilter, NoColor

from connectk.client.seats import HeldSeat
from connectk.terminal.form import Preferences
from connectk.terminal.match import LocalMatch
from connectk.terminal.screen.board import Pen
from connectk.terminal.screen.board_screen import BoardScreen, YesOrNo
from connectk.terminal.screen.colours import TEXT_COLOURS, palette_of, themes
from connectk.terminal.screen.driver import low_bandwidth
from connectk.terminal.screen.game import GameScreen
from connectk.terminal.screen.online import OnlineScreen
from connectk.terminal.screen.room import RoomScreen
from connectk.terminal.screen.start import StartScreen
from connectk.terminal.sentences import Sentences, discs_for, terminal_texts
from connectk.terminal.settings import TerminalSettings
from connectk.texts.signs import is_ascii_only

EXIT_SIGNALS = ("SIGHUP", "SIGTERM")  # the terminal was closed, or the process is asked to end
NO_COLOUR_FILTERS = (NoColor(),)
EXIT_TIMEOUT_SECONDS = 2.0  # after this the process is ended, because writing to a closed terminal can block


class ConnectkApp(App[None]):
    """The full-screen program. It begins with the given match or screen; without one, it begins with the start
    screen."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(
        self,
        settings: TerminalSettings,
        match: LocalMatch | None = None,
        *,
        preferences: Preferences | None = None,
        pick_autosave: bool = False,
        seat: HeldSeat | None = None,
        is_own_invitation: bool = False,
        terminal_theme: str = "dark",
    ) -> None:
        """`pick_autosave` begins with the list of autosaves, and `seat` with a match on a server.

        `is_own_invitation` tells that the user has opened the link of their own invitation. The theme "auto" stands for
        `terminal_theme`.
        """
        self.without_colour = bool(os.environ.get("NO_COLOR"))
        super().__init__()
        self.settings, self._match, self._pick_autosave, self._seat = settings, match, pick_autosave, seat
        self._is_own_invitation = is_own_invitation
        self._initial_screen: BoardScreen | None = None
        self.preferences = preferences or Preferences()
        self.terminal_theme, self.reduced_motion = terminal_theme, settings.reduced_motion
        self._encoding = sys.__stderr__.encoding if sys.__stderr__ else None  # Textual writes to this stream
        self.ascii_only = is_ascii_only(self._encoding, settings.ascii)
        self.set_language(settings.language)
        for theme in themes():
            self.register_theme(theme)
        self.apply_theme(settings.theme)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """The filters that Textual applies to colours. Textual's own filter for NO_COLOR would still show greys."""
        return NO_COLOUR_FILTERS if self.without_colour else super().get_line_filters()

    @property
    def pen(self) -> Pen:
        """Draws cells with the current colours and characters."""
        text = TEXT_COLOURS[self.theme]
        palette = None if self.without_colour else palette_of(self.theme)
        return Pen(palette, text["quiet"], text["good"], self.ascii_only)

    def set_language(self, language: str) -> None:
        """Show all texts in this language from now on."""
        self.texts = terminal_texts(self.settings, self._encoding, language)
        self.sentences = Sentences(self.texts, discs_for(self.ascii_only))

    def apply_theme(self, theme: str) -> None:
        """Use the colours for a light or a dark terminal; "auto" uses the theme that the terminal reports."""
        self.theme = self.terminal_theme if theme == "auto" else theme

    def exit_message(self) -> str:
        """The text to print after the program has ended."""
        if self._seat:
            return self.texts("bye.online")
        return self.texts("bye.saved" if self.settings.autosaves.all() else "bye.done")

    def get_driver_class(self) -> type[Driver]:
        return low_bandwidth(super().get_driver_class())

    def on_mount(self) -> None:
        self._handle_exit_signals()
        self.settings.autosaves.check_writable()
        self.push_screen(self._first_screen())

    def start_with(self, stage: BoardScreen) -> None:
        """Show this screen when the program starts."""
        self._initial_screen = stage

    def _first_screen(self) -> BoardScreen:
        if self._initial_screen:
            return self._initial_screen
        if self._seat:
            return OnlineScreen(self._seat, is_own_invitation=self._is_own_invitation)
        return GameScreen(self._match) if self._match else StartScreen(pick_autosave=self._pick_autosave)

    def leave_question(self) -> str:
        """The question before the user leaves a game. It tells whether the game is saved."""
        if self._seat or isinstance(self.screen, OnlineScreen):
            return self.texts("ask.leave_online")
        if isinstance(self.screen, RoomScreen):
            return self.texts("online.room.leave")
        return self.texts("ask.leave_lost" if self.settings.autosaves.save_error else "ask.leave_kept")

    async def action_quit(self) -> None:
        """Quit. During a game the program asks first; pressing q again confirms."""
        if isinstance(self.screen, BoardScreen) and self.screen.confirms_leaving:
            question = YesOrNo(self.leave_question(), asked_by="q")
            self.push_screen(question, lambda yes: self.exit() if yes else None)
        else:
            self.exit()

    def _handle_exit_signals(self) -> None:
        """End the program properly when the terminal is closed. The game is already saved, because it is saved after
        each move."""
        for name in EXIT_SIGNALS:
            if hasattr(signal, name) and sys.platform != "win32":
                asyncio.get_running_loop().add_signal_handler(getattr(signal, name), self._leave)
        if sys.platform != "win32" and not self.is_headless:
            threading.Thread(target=_exit_when_terminal_closes, daemon=True).start()

    def _leave(self) -> None:
        asyncio.get_running_loop().call_later(EXIT_TIMEOUT_SECONDS, os._exit, 1)
        self.exit()


def _exit_when_terminal_closes() -> None:
    """End the program when the terminal is closed. Without this, Textual may wait forever for the terminal to accept
    more output."""
    hang_up = select.poll()
    hang_up.register(0, 0)  # POLLHUP is always reported
    if not any(event & select.POLLHUP for _, event in hang_up.poll()):
        return  # macOS does not report a hang-up of a terminal
    time.sleep(EXIT_TIMEOUT_SECONDS)
    os._exit(1)
