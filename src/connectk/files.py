"""Writes files to paths that the user gave. A file is written completely or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from connectk.errors import FileNotWritable
from connectk.system import opened_for_writing


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file. If this fails, raise `FileNotWritable`."""
    with open_to_write(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def open_to_write(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing. It gets its name only when it is complete. If this fails, raise `FileNotWritable`."""
    try:
        with opened_for_writing(path.expanduser()) as file:
            yield file
    except OSError as error:
        raise FileNotWritable(str(path), error.strerror or str(error)) from error


def require_writable(*paths: Path | None) -> None:
    """Raise `FileNotWritable` if a path cannot be written. This is called before long work that writes its result to
    the path."""
    for path in filter(None, paths):
        if path.is_dir():
            raise FileNotWritable(str(path), "error.because.folder")
        if not path.absolute().parent.is_dir():
            raise FileNotWritable(str(path), "error.because.no_folder")
