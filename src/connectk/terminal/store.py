"""Game files: those the user saves or opens, and the autosaves that `--resume` continues."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path

from connectk.errors import ConnectkError
from connectk.notation import SavedGame, parse_game, write_saved_game
from connectk.system import state_folder, write_atomically
from connectk.terminal.match import LocalMatch
from connectk.texts import Texts


class NoSavedGame(ConnectkError):
    """The file does not exist, or there is no autosave to resume."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.key = "error.file" if path else "error.NothingToResume"
        super().__init__(path)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"file": self.path}


class DamagedGame(ConnectkError):
    """An autosave whose file cannot be parsed."""

    key = "error.DamagedGame"

    def __init__(self, path: Path, reason: ConnectkError) -> None:
        self.path, self.reason = path, reason
        super().__init__(path, reason)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"file": self.path, "reason": self.reason.localize(texts)}


def open_game(path: Path) -> SavedGame:
    """Read a game from a file: our JSON format, a referee game file, or moves on the classic board."""
    try:
        data = path.expanduser().read_bytes()
    except OSError as error:
        raise NoSavedGame(path) from error
    return parse_game(data)


def save_game(match: LocalMatch, path: Path) -> None:
    """Write the game in our JSON format."""
    write_atomically(path.expanduser(), lambda: write_saved_game(match.saved()))


@dataclass(frozen=True)
class Autosave:
    """The file of a game in progress, and when it was last played."""

    path: Path
    modified_at: datetime

    def open(self) -> LocalMatch:
        """Load the game; raise `DamagedGame` if the file cannot be parsed."""
        try:
            saved = open_game(self.path)
        except ConnectkError as error:
            raise DamagedGame(self.path, error) from error
        match = LocalMatch.of(saved)
        match.seats = {**match.seats, **saved.players}  # a file we wrote may name bots, unlike other saved games
        match.autosave_path = self.path
        return match


class Autosaves:
    """The folder of autosaves: each game has its own file from its first move to its end.

    `save_error` is the reason why the last save failed; empty if it succeeded.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or state_folder() / "games"
        self.save_error = ""

    def all(self) -> list[Autosave]:
        """All autosaves, the most recently played first."""
        found = [Autosave(path, _modified_at(path)) for path in self.folder.glob("*.json") if path.is_file()]
        return sorted(found, key=lambda autosave: (autosave.modified_at, autosave.path.name), reverse=True)

    def update(self, match: LocalMatch) -> None:
        """Save the game; delete its file if it is over. A new game without moves is not saved."""
        try:
            if match.is_over:
                self.delete(match)
            elif match.game.moves or match.autosave_path:
                self._save(match)
                self.save_error = ""
        except OSError as error:
            self.save_error = error.strerror or str(error)

    def _save(self, match: LocalMatch) -> None:
        path = match.autosave_path or self._new_file(match)
        try:
            save_game(match, path)
        except OSError:
            if match.autosave_path is None:
                path.unlink(missing_ok=True)
            raise
        match.autosave_path = path

    def delete(self, match: LocalMatch) -> None:
        if match.autosave_path:
            match.autosave_path.unlink(missing_ok=True)
            match.autosave_path = None

    def check_writable(self) -> None:
        """Set `save_error` by writing a test file to the folder."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder) as file:
                file.write(b"connectk" * 512)
            self.save_error = ""
        except OSError as error:
            self.save_error = error.strerror or str(error)

    def _new_file(self, match: LocalMatch) -> Path:
        """Create a new file with a unique name, even if another process creates one at the same time."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            again = f"-{number}" if number > 1 else ""
            path = self.folder / f"{match.started:%Y-%m-%d-%H%M%S}{again}.json"
            try:
                path.touch(exist_ok=False)
            except FileExistsError:
                continue
            return path
        raise AssertionError("numbers do not end")


def _modified_at(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime)
