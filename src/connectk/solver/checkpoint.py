"""A file that keeps what a long search has found, so that the search can be continued after a crash.

The first line has a hash of everything after it, the second line describes the search as JSON, and the rest is the
saved positions of the table, compressed. A file replaces the previous one only when it is complete.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from connectk.errors import FileNotReadable, FileNotWritable, JobInUse
from connectk.files import require_writable, write_file
from connectk.rules import Position
from connectk.solver.bitboards import bitboards_of
from connectk.system import lock

MAGIC = b"connectk checkpoint 1 "
SAVED_POSITION_BYTES = 20
MAX_SAVED_POSITIONS = 1 << 20  # 20 MB before they are compressed
MIN_SAVED_POSITIONS = 1 << 10
TABLE_BYTES_PER_SAVED_POSITION = 256  # of a small table only a small part is saved, so that saving needs little memory
SAVE_INTERVAL_SECONDS = 60.0
MAX_SAVE_INTERVAL_SECONDS = 240.0
MAX_SAVING_SHARE = 0.05  # of the time, unless the interval would become too long
COMPRESSION_LEVEL = 1
Bits = tuple[int, int]  # the discs of the side to move, and all discs


class KnownBounds(NamedTuple):
    """The bounds of the score of one position of a search that is split into tasks, and whether it was split."""

    lower: int
    upper: int
    is_split: bool


class SavedSearch(NamedTuple):
    """The content of a checkpoint. `nodes` and `seconds` are those of all runs. `positions` are those of the table."""

    nodes: int = 0
    seconds: float = 0.0
    split: Mapping[Bits, KnownBounds] = {}  # only of a search that is split into tasks
    positions: bytes = b""


class Checkpoint:
    """The file of one search. While it is open, no other process can open it."""

    def __init__(self, path: Path, position: Position) -> None:
        self.path = path.expanduser()
        self._position = position
        self._lock_path = self.path.with_name(f".{self.path.name}.lock")
        require_writable(self.path)
        self._lock = self._take_lock()
        self._remove_drafts()
        self.saved_at: float | None = None  # in this run
        self.error: FileNotWritable | None = None  # of the latest save, if it failed
        self._next_save = time.monotonic() + SAVE_INTERVAL_SECONDS

    def load(self) -> SavedSearch:
        """The saved search; a new one if there is no file yet. Raises `FileNotReadable` if the file is damaged or has
        another position."""
        if not self.path.exists():
            return SavedSearch()
        try:
            content = self.path.read_bytes()
        except OSError as error:
            raise FileNotReadable(str(self.path), error.strerror or str(error)) from error
        head, _, body = content.partition(b"\n")
        if head != MAGIC + hashlib.sha256(body).hexdigest().encode():
            raise FileNotReadable(str(self.path), "error.because.damaged_checkpoint")
        description, _, positions = body.partition(b"\n")
        facts: dict[str, Any] = json.loads(description)
        if facts["position"] != self._identity():
            raise FileNotReadable(str(self.path), "error.because.other_position")
        split = {(own, everyone): KnownBounds(*known) for own, everyone, *known in facts["split"]}
        return SavedSearch(facts["nodes"], facts["seconds"], split, zlib.decompress(positions))

    def save_if_due(self, search: Callable[[], SavedSearch]) -> None:
        """Replace the file if the last save was long enough ago. A failure is kept in `error`, and the next save is
        tried after the same time, because a disk may be full only for a while."""
        started = time.monotonic()
        if started < self._next_save:
            return
        try:
            self.save(search())
        except FileNotWritable as error:
            self.error = error
        self._next_save = time.monotonic() + next_interval(time.monotonic() - started)

    def save(self, search: SavedSearch) -> None:
        """Replace the file. If this fails, the previous file is kept and `FileNotWritable` is raised."""
        facts = {
            "position": self._identity(),
            "nodes": search.nodes,
            "seconds": round(search.seconds, 3),
            "split": [[*bits, *known] for bits, known in search.split.items()],
        }
        body = json.dumps(facts).encode() + b"\n" + zlib.compress(search.positions, COMPRESSION_LEVEL)
        write_file(self.path, MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        self.saved_at, self.error = time.monotonic(), None

    @property
    def seconds_since_save(self) -> float | None:
        """The time since the last save in this run; None before the first one."""
        return None if self.saved_at is None else time.monotonic() - self.saved_at

    def close(self) -> None:
        """Let other processes use the file."""
        self._lock_path.unlink(missing_ok=True)
        os.close(self._lock)

    def _identity(self) -> list[str]:
        """The board and its discs: the same position reached by other moves continues the same search."""
        return [str(self._position.variant), *(f"{bits:x}" for bits in bitboards_of(self._position))]

    def _remove_drafts(self) -> None:
        """Remove the unfinished files of a process that was killed while it wrote."""
        pattern = re.compile(re.escape(f".{self.path.name[:100]}-") + r"[a-z0-9_]{8}")
        for draft in self.path.parent.iterdir():
            if pattern.fullmatch(draft.name):
                draft.unlink(missing_ok=True)

    def _take_lock(self) -> int:
        try:
            file = os.open(self._lock_path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise FileNotWritable(str(self.path), error.strerror or str(error)) from error
        if not lock(file):
            os.close(file)
            raise JobInUse(str(self.path))
        return file


def next_interval(seconds: float) -> float:
    """The time between two saves, if a save takes so many seconds: at most a few minutes, as they would be lost."""
    return min(max(SAVE_INTERVAL_SECONDS, seconds / MAX_SAVING_SHARE), MAX_SAVE_INTERVAL_SECONDS)


def saved_position_limit(table_bytes: int) -> int:
    """How many positions of a table of this size are saved."""
    return min(max(table_bytes // TABLE_BYTES_PER_SAVED_POSITION, MIN_SAVED_POSITIONS), MAX_SAVED_POSITIONS)
