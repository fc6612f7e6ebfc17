"""Reads local files and URLs (through fsspec), and handles folders in which files are written atomically."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from connectk.errors import FileNotWritable, MissingExtra
from connectk.files import open_to_write
from connectk.system import lock, sync_folder


def is_url(path: str) -> bool:
    """Whether this is a URL such as `s3://...` rather than a local path."""
    return "://" in path


def _filesystem(url: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError:
        raise MissingExtra("urls", "cluster") from None
    filesystem, path = fsspec.core.url_to_fs(url)
    return filesystem, str(path)


def open_to_read(path: str) -> IO[bytes]:
    if not is_url(path):
        return Path(path).open("rb")
    filesystem, inside = _filesystem(path)
    file: IO[bytes] = filesystem.open(inside, "rb")
    return file


def size_of(path: str) -> int:
    if not is_url(path):
        return Path(path).stat().st_size
    filesystem, inside = _filesystem(path)
    return int(filesystem.size(inside))


def expand_path(path: str) -> list[str]:
    """The files that a URL names, sorted: those that match its `*`, or all files in its folder. A local path is
    returned unchanged."""
    if not is_url(path):
        return [path]
    filesystem, inside = _filesystem(path)
    if "*" in inside:
        return sorted(filesystem.unstrip_protocol(found) for found in filesystem.glob(inside))
    if filesystem.isdir(inside):
        return sorted(filesystem.unstrip_protocol(found) for found in filesystem.find(inside))
    return [path]


class Folder:
    """A local folder, or a folder at a URL. A file gets its name only when it is complete."""

    def __init__(self, place: str) -> None:
        self.place = place.rstrip("/") or "/"
        self._filesystem: Any = None
        self._lock = -1
        if is_url(place):
            self._filesystem, self._inside = _filesystem(self.place)
        else:
            self._inside = str(Path(self.place).absolute())

    def path(self, name: str) -> str:
        return f"{self.place}/{name}"

    def make(self) -> None:
        try:
            if self._filesystem is not None:
                self._filesystem.makedirs(self._inside, exist_ok=True)
            else:
                Path(self._inside).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = "error.because.not_folder" if isinstance(error, FileExistsError) else error.strerror or str(error)
            raise FileNotWritable(self.place, reason) from error

    def names(self) -> list[str]:
        """The names of all complete files."""
        if self._filesystem is None:
            found = [entry.name for entry in os.scandir(self._inside)] if Path(self._inside).is_dir() else []
        else:
            self._filesystem.invalidate_cache(self._inside)
            exists = self._filesystem.isdir(self._inside)
            found = [path.rpartition("/")[2] for path in self._filesystem.ls(self._inside, False)] if exists else []
        return sorted(name for name in found if not name.startswith("."))

    def read(self, name: str) -> bytes:
        with open_to_read(self.path(name)) as file:
            return file.read()

    def write(self, name: str, content: bytes) -> None:
        with self.writing(name) as file:
            file.write(content)

    @contextmanager
    def writing(self, name: str) -> Iterator[IO[bytes]]:
        """Open a file for writing. It has a temporary name until it is complete. If writing fails, it is deleted."""
        if self._filesystem is None:
            with open_to_write(Path(self._inside, name)) as file:
                yield file
            sync_folder(Path(self._inside))
            return
        draft = f".{name}.{uuid.uuid4().hex[:8]}"
        try:
            with self._filesystem.open(f"{self._inside}/{draft}", "wb") as file:
                yield file
            self._filesystem.mv(f"{self._inside}/{draft}", f"{self._inside}/{name}")
        except OSError as error:
            self.remove(draft)
            raise FileNotWritable(self.path(name), error.strerror or str(error)) from error
        except BaseException:
            self.remove(draft)
            raise

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        if self._filesystem is None:
            Path(self._inside, name).unlink(missing_ok=True)
        elif self._filesystem.exists(f"{self._inside}/{name}"):
            self._filesystem.rm_file(f"{self._inside}/{name}")

    def remove_drafts(self, names: Sequence[str]) -> None:
        """Remove the temporary files that a killed process left behind for these names. Only one process may write
        these files."""
        if self._filesystem is not None:
            found = self._filesystem.ls(self._inside, False) if self._filesystem.isdir(self._inside) else []
            found = [path.rpartition("/")[2] for path in found]
        else:
            found = [path.name for path in Path(self._inside).glob(".*") if path.is_file()]
        for name in found:
            if name.startswith(tuple(f".{complete}" for complete in names)):
                self.remove(name)

    def remove_all(self) -> None:
        """Remove the folder and its files. A local folder with subfolders is not removed."""
        self.release()
        if self._filesystem is not None:
            self._filesystem.rm(self._inside, recursive=True)
            return
        for entry in list(os.scandir(self._inside)):
            if entry.is_file():
                Path(entry.path).unlink()
        Path(self._inside).rmdir()

    def try_lock(self) -> bool:
        """Lock the folder. Returns False if another process holds the lock. Always True for a URL, which cannot be
        locked."""
        if self._filesystem is not None:
            return True
        self._lock = os.open(Path(self._inside, ".lock"), os.O_RDWR | os.O_CREAT, 0o644)
        return lock(self._lock)

    def release(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def folder_and_name(path: str) -> tuple[Folder, str]:
    """The folder and the name of a file."""
    if is_url(path):
        place, _, name = path.rpartition("/")
        return Folder(place), name
    return Folder(str(Path(path).absolute().parent)), Path(path).name


def parts_folder_of(out: str) -> Folder:
    """The folder for the parts of a file. It is next to the file. Raises an error if the file's own folder does not
    exist."""
    parts = Folder(f"{out.rstrip('/')}.parts")
    if not is_url(out) and not Path(parts.place).absolute().parent.is_dir():
        raise FileNotWritable(out, "error.because.no_folder")
    return parts


def lines_between(path: str, start: int, stop: int) -> Iterator[bytes]:
    """Yields the lines that begin between the bytes `start` and `stop`. Each line is complete, so the last one may end
    after `stop`.

    In this way several workers can share one file without counting its lines first.
    """
    with open_to_read(path) as file:
        if start:
            file.seek(start - 1)
            start += len(file.readline()) - 1  # skip the rest of a line that began earlier
        while start < stop and (line := file.readline()):
            start += len(line)
            yield line.rstrip(b"\r\n")
