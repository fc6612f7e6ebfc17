"""The games of a tournament, each a saved game that every part of the program reads."""

from __future__ import annotations

from pathlib import Path

from connectk.arena.match import Record
from connectk.notation import write_saved_game
from connectk.rules import Variant


class GameFolder:
    """Keeps a game as `0001.json`; without a folder it keeps nothing."""

    def __init__(self, folder: Path | None, variant: Variant) -> None:
        self._folder, self._variant = folder, variant

    def keep(self, record: Record) -> None:
        if self._folder is None:
            return
        self._folder.mkdir(exist_ok=True)
        file = self._folder / f"{record.number:04}.json"
        part = file.with_suffix(".part")
        part.write_text(write_saved_game(record.saved_game(self._variant)), encoding="utf-8")
        part.replace(file)  # a reader sees the whole game or none
