"""The full screen, driven as a person would: keys, clicks and looking."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input, Static
from tools.terminal_pictures import screen_text

from connectk.terminal.form import Preferences
from connectk.terminal.match import LocalMatch
from connectk.terminal.screen.app import ConnectkApp
from connectk.terminal.settings import GameOptions, TerminalSettings
from connectk.terminal.store import Autosaves


class Person:
    """Someone at the keyboard of one app."""

    def __init__(self, app: ConnectkApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def write(self, text: object) -> None:
        """Into the line that has the focus, instead of what is there."""
        focused = self.app.focused
        assert isinstance(focused, Input)
        focused.value = str(text)
        await self.pilot.pause()

    async def click(self, x: int, y: int) -> None:
        await self.pilot.click(offset=(x, y))
        await self.pilot.pause()

    async def wait_until(self, happened: Callable[[], object], seconds: float = 60.0) -> None:
        for _ in range(int(seconds / 0.02)):
            if happened():
                return
            await self.pilot.pause(0.02)
        raise AssertionError(f"it did not happen; the screen shows:\n{self.sees}")

    @property
    def sees(self) -> str:
        return screen_text(self.app)

    @property
    def reads(self) -> str:
        """The type beside the board, as one text."""
        return " ".join(str(text.render()) for text in self.app.screen.query("#side Static, #message").results(Static))

    @property
    def match(self) -> LocalMatch:
        match: LocalMatch = self.app.screen.match  # type: ignore[attr-defined]
        return match

    @property
    def moves(self) -> tuple[int, ...]:
        return self.match.game.moves


@asynccontextmanager
async def playing(
    state: Path,
    *,
    size: tuple[int, int] = (80, 24),
    language: str = "en",
    theme: str = "dark",
    ascii_only: bool = False,
    motion: bool = False,
    **options: Any,
) -> AsyncIterator[Person]:
    """An app with the game wished for, or on its start screen."""
    settings = TerminalSettings(language, theme, ascii_only, not motion, Autosaves(state / "games"))
    match = GameOptions(**options).match(settings.autosaves) if options else None
    preferences = Preferences.load(state / "choices.json")
    app = ConnectkApp(settings, match, preferences=preferences, pick_autosave=bool(options.get("resume")) and not match)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Person(app, pilot)
