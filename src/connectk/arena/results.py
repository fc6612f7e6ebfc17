"""The results file. It has a header line for the tournament, then one line for each finished game. Each line is synced
to disk at once.

When the tournament gets more games or players, a new header line is added.
"""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from connectk.arena.match import GameRecord
from connectk.arena.openings import openings_of
from connectk.arena.results_reader import RESULTS_FORMAT, RESULTS_VERSION, Results, read_results, whole_lines
from connectk.arena.tournament import Key, Tournament
from connectk.errors import BadTournament, FileNotWritable
from connectk.notation import write_moves
from connectk.system import lock, sync_folder

GROWABLE_KEYS = ("players", "bots", "games")


class ResultsFile:
    """The games of one tournament, and the file with these games. If the file exists, it is read at once. Otherwise it
    is created with the first game."""

    def __init__(self, path: Path, tournament: Tournament) -> None:
        self.path, self.tournament = path, tournament
        self._file, self._header_written = -1, False  # whether the latest header in the file is this tournament's
        self._stored = Results(str(path))
        if path.exists():
            self._resume()
        else:
            self._check_folder()
        self.openings = tuple(self._openings())

    @property
    def records(self) -> dict[Key, GameRecord]:
        return self._stored.records

    def _check_folder(self) -> None:
        if not (self.path.parent.is_dir() and os.access(self.path.parent, os.W_OK)):
            raise FileNotWritable(str(self.path), "error.because.not_yours")

    def _resume(self) -> None:
        self._open(os.O_RDWR | os.O_APPEND)
        data = self.path.read_bytes()
        self._stored = read_results(data, str(self.path))
        if self._stored.header:
            self._extend()
        os.ftruncate(self._file, len(whole_lines(data)))

    def _extend(self) -> None:
        """Continue the tournament of the file. The new settings may have more players or another number of games; any
        other change is refused."""
        header, wanted = self._stored.header, self.tournament
        before = tuple(header["players"])
        players = (*before, *(name for name in wanted.players if name not in before))
        self.tournament = replace(wanted, players=players)
        identity = self.tournament.identity()
        if missing := [name for name in before if name not in wanted.players]:
            raise self._other("players", players=", ".join(before), missing=", ".join(missing))
        if self.tournament.gauntlet and wanted.players[0] != before[0]:
            raise self._other("gauntlet", name=before[0])
        for key, value in identity.items():
            if key not in GROWABLE_KEYS and _stored_value(header, key) != value:
                raise self._other("value", what=key, before=_value_text(header.get(key)), now=_value_text(value))
        changed = [name for name in before if header["bots"].get(name) != identity["bots"].get(name)]
        if changed:
            raise self._other("bots", names=", ".join(changed))
        self._header_written = all(header.get(key) == identity[key] for key in GROWABLE_KEYS)

    def _other(self, difference: str, /, **facts: object) -> BadTournament:
        detail = BadTournament(f"error.BadTournament.other.{difference}", **facts)
        return BadTournament("error.BadTournament.other", path=self.path, difference=detail)

    def _openings(self) -> list[tuple[int, ...]]:
        wanted, known = self.tournament, self._stored.openings
        count = max(wanted.openings_needed, len(known))
        return openings_of(wanted.openings, wanted.variant, count, wanted.seed, known)

    def _open(self, flags: int) -> None:
        try:
            self._file = os.open(self.path, flags | getattr(os, "O_BINARY", 0), 0o644)
            is_ours = lock(self._file)
        except FileExistsError:
            raise self._in_use() from None
        except OSError as error:
            raise FileNotWritable(str(self.path), error.strerror or str(error)) from error
        if not is_ours:
            raise self._in_use()

    def _in_use(self) -> BadTournament:
        return BadTournament("error.BadTournament.in_use", path=self.path)

    def append(self, *records: GameRecord) -> None:
        """Write games to the file and sync it, so that the games are not lost if the machine crashes."""
        is_new = self._file < 0
        if is_new:
            self._open(os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL)
        lines = [*([] if self._header_written else [self._header()]), *(record.to_json() for record in records)]
        try:
            self._write("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines).encode())
        except BadTournament:
            if is_new:
                self.path.unlink()  # which is empty
            raise
        self._header_written = True
        self.records.update((record.key, record) for record in records)
        if is_new:
            sync_folder(self.path.absolute().parent)

    def _write(self, data: bytes) -> None:
        """Write all of the data or nothing. If the disk is full, the part that has been written is removed again."""
        end = os.fstat(self._file).st_size
        try:
            if os.write(self._file, data) < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, end)
            raise BadTournament("error.BadTournament.disk", path=self.path, reason=error.strerror) from error

    def _header(self) -> dict[str, Any]:
        openings = [write_moves(moves, self.tournament.variant) for moves in self.openings]
        identity = self.tournament.identity()
        return {"format": RESULTS_FORMAT, "version": RESULTS_VERSION, **identity, "openings": openings}

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _stored_value(header: dict[str, Any], key: str) -> Any:
    """The value of a key in the header. Some keys are missing in files of version 1; these keys have a default
    value."""
    return header.get(key, "balanced" if key == "openings_from" else None)


def _value_text(value: object) -> object:
    if value is None:
        return BadTournament("error.BadTournament.not_given")
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
