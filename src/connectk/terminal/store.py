"""Games in files: those a person saves or opens, and the one in progress that `--resume` continues."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from platformdirs import user_state_path

from connectk.errors import ConnectkError
from connectk.notation import SavedGame, parse_game, write_saved_game
from connectk.terminal.match import LocalMatch
from connectk.texts import Texts


class NoSavedGame(ConnectkError):
    """There is no file to open, or no game to continue."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.key = "error.file" if path else "error.NothingToResume"
        super().__init__(path)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"file": self.path}


def open_game(path: Path) -> SavedGame:
    """A game from a file: our own format, a game file for the referee, or moves on the classic board."""
    try:
        data = path.expanduser().read_bytes()
    except OSError as error:
        raise NoSavedGame(path) from error
    return parse_game(data)


def save_game(match: LocalMatch, path: Path) -> None:
    """Written beside it first and then moved in place, so that a file is never half a game."""
    path = path.expanduser()
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(write_saved_game(match.saved()))
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


class Autosave:
    """The game in progress, kept in the user's state directory from its first move to its end."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_state_path("connectk", appauthor=False) / "game.json"

    def keep(self, match: LocalMatch) -> None:
        """Remember the game as it is now; a finished or untouched one needs no remembering."""
        with suppress(OSError):
            if match.is_over:
                self.path.unlink(missing_ok=True)
            elif match.game.moves:
                save_game(match, self.path)

    def load(self) -> LocalMatch:
        if not self.path.exists():
            raise NoSavedGame
        saved = open_game(self.path)
        match = LocalMatch.of(saved)
        match.seats = {**match.seats, **saved.players}  # our own file: it may name a bot's file
        return match

    @property
    def is_there(self) -> bool:
        return self.path.exists()
