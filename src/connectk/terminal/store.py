"""Games in files: those a person saves or opens, and those in progress, of which `--resume` continues one."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path

from connectk.errors import ConnectkError
from connectk.notation import SavedGame, parse_game, write_saved_game
from connectk.system import state_folder, write_whole
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


class DamagedGame(ConnectkError):
    """A kept game whose file no longer holds one."""

    key = "error.DamagedGame"

    def __init__(self, path: Path, reason: ConnectkError) -> None:
        self.path, self.reason = path, reason
        super().__init__(path, reason)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"file": self.path, "reason": self.reason.localize(texts)}


def open_game(path: Path) -> SavedGame:
    """A game from a file: our own format, a game file for the referee, or moves on the classic board."""
    try:
        data = path.expanduser().read_bytes()
    except OSError as error:
        raise NoSavedGame(path) from error
    return parse_game(data)


def save_game(match: LocalMatch, path: Path) -> None:
    """The game as our own format writes it."""
    write_whole(path.expanduser(), lambda: write_saved_game(match.saved()))


@dataclass(frozen=True)
class Autosave:
    """One game in progress: its file, and when it was played last."""

    path: Path
    when: datetime

    def open(self) -> LocalMatch:
        """The game as it was left; `DamagedGame` names the file that holds none."""
        try:
            saved = open_game(self.path)
        except ConnectkError as error:
            raise DamagedGame(self.path, error) from error
        match = LocalMatch.of(saved)
        match.seats = {**match.seats, **saved.players}  # our own file: it may name a bot's file
        match.autosave_path = self.path
        return match


class Autosaves:
    """Games in progress, each in a file of its own from its first move to its end; none takes another's place.

    `trouble` says why the last one could not be kept; nothing when it could.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or state_folder() / "games"
        self.save_error = ""

    def all(self) -> list[Autosave]:
        """Every kept game, the one played last first."""
        found = [Autosave(path, _when(path)) for path in self.folder.glob("*.json") if path.is_file()]
        return sorted(found, key=lambda autosave: (autosave.when, autosave.path.name), reverse=True)

    def update(self, match: LocalMatch) -> None:
        """The game as it is now. One that is over needs no keeping, nor one in which nothing happened yet."""
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
        """Find out, before a game is played, whether it could be kept."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder) as file:
                file.write(b"connectk" * 512)
            self.save_error = ""
        except OSError as error:
            self.save_error = error.strerror or str(error)

    def _new_file(self, match: LocalMatch) -> Path:
        """A name that no other game has, not even one that begins elsewhere at this moment."""
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


def _when(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime)
