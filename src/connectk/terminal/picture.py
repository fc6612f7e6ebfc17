"""Pictures of the terminal game for the README and the docs: `python -m connectk.terminal.picture docs/pictures`."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from textual.pilot import Pilot

from connectk.notation import parse_moves
from connectk.rules import Game, Side
from connectk.terminal.match import PERSON, Match
from connectk.terminal.screen.app import ConnectkApp
from connectk.terminal.screen.game import GameScreen
from connectk.terminal.screen.picture import draw_screen
from connectk.terminal.settings import Settings
from connectk.terminal.store import Autosave

SIZE = (98, 32)
MOVES = "7421317566632346"  # wins, draws and losses are all still there
TITLE = "connectk play: the game in a terminal, with a hint for every column"


async def take_picture(theme: str) -> str:
    """The game against the computer, with a hint."""
    match = Match(Game(moves=parse_moves(MOVES)), {Side.FIRST: PERSON, Side.SECOND: "level:7"})
    with tempfile.TemporaryDirectory() as state:
        settings = Settings(theme=theme, reduced_motion=True, autosave=Autosave(Path(state) / "game.json"))
        app = ConnectkApp(settings, match)
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("h")
            await _wait_for_hint(app, pilot)
            return draw_screen(app, TITLE)


async def _wait_for_hint(app: ConnectkApp, pilot: Pilot[None]) -> None:
    screen = app.screen
    assert isinstance(screen, GameScreen)
    while not screen.hint_is_finished:
        await pilot.pause(0.1)


def main(folder: str) -> None:
    """Both themes, each into its own file."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for theme in ("light", "dark"):
        Path(folder, f"terminal-{theme}.svg").write_text(asyncio.run(take_picture(theme)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
