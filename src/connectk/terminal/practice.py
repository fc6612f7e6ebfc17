"""What this person has practised, in a file beside the kept games."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from connectk.puzzles.practice import Practice
from connectk.system import write_whole
from connectk.terminal.store import state_folder


class KeptPractice:
    """Written after every answer; a file that is missing or makes no sense is a new beginning."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or state_folder() / "practice.json"
        self.practice = self._read()

    def _read(self) -> Practice:
        try:
            return Practice.from_json(json.loads(self.path.read_bytes()))
        except FileNotFoundError:
            return Practice()
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            with suppress(OSError):  # what cannot be read is put aside, not written over
                self.path.replace(self.path.with_suffix(".damaged"))
            return Practice()

    def save(self) -> None:
        """Where that cannot be, it is forgotten with the program."""
        with suppress(OSError):
            write_whole(self.path, lambda: json.dumps(self.practice.to_json()) + "\n")
