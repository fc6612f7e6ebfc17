"""A copy of the sources that a test may change, and that runs in its own process."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import connectk._native

ROOT = Path(__file__).parents[1]
SET_UP_SCRIPT = """
import sys
sys.meta_path = [finder for finder in sys.meta_path if "editable" not in type(finder).__module__]
sys.path[:0] = [".", "src"]
import connectk
assert connectk.__file__.startswith({folder!r})
"""


class SourceCopy:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("src/connectk", "tools"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "docs"))
        shutil.copy(connectk._native.__file__, folder / "src/connectk")

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def add_after(self, name: str, line: str, more: str) -> None:
        """Insert a line into a file after the first occurrence of a given line."""
        text = (self.folder / name).read_text(encoding="utf-8")
        assert line in text, name
        self.write(name, text.replace(line, line + more, 1))

    def run(self, script: str) -> str:
        """Run a script with the copy and return what it prints."""
        done = subprocess.run(
            [sys.executable, "-c", SET_UP_SCRIPT.format(folder=str(self.folder)) + script],
            cwd=self.folder,
            env=os.environ | {"COLUMNS": "200"},
            capture_output=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr
        return done.stdout
