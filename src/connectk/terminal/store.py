"""Game files: the games that the user saves and opens, and the autosaves that `--resume` continues."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path

from connectk.errors import ConnectkError, FileNotWritable, localize_reason
from connectk.files import write_file
from connectk.notation import SavedGame, parse_game, write_saved_game
from connectk.system import state_folder
from connectk.terminal.match import LocalMatch
from connectk.texts import Texts


@dataclass(eq=False)
class NoSavedGame(ConnectkError):
    """The file does not exist, or there is no autosave to resume."""

    path: Path | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.key = "error.file" if self.path else "error.NothingToResume"

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"file": self.path}


@dataclass(eq=False)
class DamagedGame(ConnectkError):
    """The file of an autosave cannot be read."""

    key = "error.DamagedGame"
    path: Path
    reason: ConnectkError

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"file": self.path, "reason": self.reason.localize(texts)}


def open_game(path: Path) -> SavedGame:
    """Read a game from a file. The file may contain a saved game, a Connect-Z game, or moves on the classic board."""
    try:
        data = path.expanduser().read_bytes()
    except OSError as error:
        raise NoSavedGame(path) from error
    return parse_game(data)


def save_game(match: LocalMatch, path: Path) -> None:
    """Write a game to a file, in the format of saved games."""
    with suppress(OSError):  # writing the file reports the same error
        path.expanduser().parent.mkdir(parents=True, exist_ok=True)
    write_file(path, write_saved_game(match.saved()))


@dataclass(frozen=True)
class Autosave:
    """The file of an unfinished game, and the time when it was last written."""

    path: Path
    modified_at: datetime

    def open(self) -> LocalMatch:
        """Read the game; raises `DamagedGame` if the file cannot be read."""
        try:
            saved = open_game(self.path)
        except ConnectkError as error:
            raise DamagedGame(self.path, error) from error
        match = LocalMatch.of(saved)
        match.seats = {**match.seats, **saved.players}  # a file we wrote may name bots, unlike other saved games
        match.autosave_path = self.path
        return match


class Autosaves:
    """The folder of autosaves. Each game has its own file from the first move until the game is over.

    `save_error` is the reason why the last save failed. It is empty if the last save succeeded."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or state_folder() / "games"
        self.save_error = ""

    def all(self) -> list[Autosave]:
        """All autosaves, the most recently played first."""
        found = [Autosave(path, _modified_at(path)) for path in self.folder.glob("*.json") if path.is_file()]
        return sorted(found, key=lambda autosave: (autosave.modified_at, autosave.path.name), reverse=True)

    def last_finished(self) -> LocalMatch | None:
        """The game that ended last; None if there is none, or if its file is damaged."""
        try:
            match = Autosave(self._finished, _modified_at(self._finished)).open()
        except (OSError, ConnectkError):
            return None
        match.autosave_path = None
        return match

    @property
    def _finished(self) -> Path:
        """The file of the game that ended last. It is not an autosave, because the game cannot be continued."""
        return self.folder / "finished" / "last.json"

    def update(self, match: LocalMatch) -> None:
        """Save the game. A game without moves is not saved.

        A game that is over is removed from the autosaves, and is kept until the next game ends.
        """
        try:
            if match.is_over:
                self.delete(match)
                save_game(match, self._finished)
            elif match.game.moves or match.autosave_path:
                self._save(match)
                self.save_error = ""
        except FileNotWritable as error:
            self.save_error = error.reason
        except OSError as error:
            self.save_error = error.strerror or str(error)

    def _save(self, match: LocalMatch) -> None:
        path = match.autosave_path or self._new_file(match)
        try:
            save_game(match, path)
        except (OSError, FileNotWritable):
            if match.autosave_path is None:
                path.unlink(missing_ok=True)
            raise
        match.autosave_path = path

    def delete(self, match: LocalMatch) -> None:
        if match.autosave_path:
            match.autosave_path.unlink(missing_ok=True)
            match.autosave_path = None

    def check_writable(self) -> None:
        """Check whether the folder is writable. If it is not, set `save_error`."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder) as file:
                file.write(b"connectk" * 512)
            self.save_error = ""
        except OSError as error:
            self.save_error = error.strerror or str(error)

    def trouble(self, texts: Texts) -> str:
        """A sentence that tells the user that games cannot be saved, and why."""
        return texts("kept.trouble", folder=self.folder, reason=localize_reason(self.save_error, texts))

    def _new_file(self, match: LocalMatch) -> Path:
        """Create a file with a new name. No other process can take the same name at the same time."""
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
