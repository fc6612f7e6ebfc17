"""Drives the full-screen app with keys and clicks."""

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


class ScreenUser:
    """Simulates a user of one app."""

    def __init__(self, app: ConnectkApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def write(self, text: object) -> None:
        """Replace the text of the focused input."""
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
        raise AssertionError(f"it did not happen; the screen shows:\n{self.screen}")

    @property
    def screen(self) -> str:
        return screen_text(self.app)

    @property
    def side_text(self) -> str:
        """The text beside the board."""
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
) -> AsyncIterator[ScreenUser]:
    """Run an app with the game that the options describe, or on its start screen."""
    settings = TerminalSettings(
        language=language,
        theme=theme,
        ascii=ascii_only,
        reduced_motion=not motion,
        autosaves=Autosaves(state / "games"),
    )
    match = GameOptions(**options).match(settings.autosaves) if options else None
    preferences = Preferences.load(state / "choices.json")
    app = ConnectkApp(settings, match, preferences=preferences, pick_autosave=bool(options.get("resume")) and not match)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield ScreenUser(app, pilot)
