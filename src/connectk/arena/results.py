"""The results file: one line for the tournament, one for each game that ended, each safe on the disk at once.

A tournament may grow: more games, more players. Then another line tells it as it is now.
"""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from connectk.arena.match import Record
from connectk.arena.openings import openings_of
from connectk.arena.reading import FORMAT, VERSION, Results, read_results, whole_lines
from connectk.arena.tournament import Key, Tournament
from connectk.errors import BadTournament, FileNotWritable
from connectk.notation import write_moves
from connectk.system import lock, sync_folder

GROWING = ("players", "bots", "games")


class ResultsFile:
    """The games of one tournament. Opening it reads what is there; the file appears with the first game."""

    def __init__(self, path: Path, tournament: Tournament) -> None:
        self.path, self.tournament = path, tournament
        self._file, self._told = -1, False  # whether the file's latest tournament line is this one
        self._kept = Results(str(path))
        if path.exists():
            self._resume()
        else:
            self._check_folder()
        self.openings = tuple(self._openings())

    @property
    def records(self) -> dict[Key, Record]:
        return self._kept.records

    def _check_folder(self) -> None:
        if not (self.path.parent.is_dir() and os.access(self.path.parent, os.W_OK)):
            raise FileNotWritable(str(self.path), "error.because.not_yours")

    def _resume(self) -> None:
        self._open(os.O_RDWR | os.O_APPEND)
        data = self.path.read_bytes()
        self._kept = read_results(data, str(self.path))
        if self._kept.header:
            self._join()
        os.ftruncate(self._file, len(whole_lines(data)))

    def _join(self) -> None:
        """Go on with the tournament of the file, which may have grown; another one is refused."""
        header, wanted = self._kept.header, self.tournament
        before = tuple(header["players"])
        players = (*before, *(name for name in wanted.players if name not in before))
        self.tournament = replace(wanted, players=players, games=max(wanted.games, header["games"]))
        identity = self.tournament.identity()
        if missing := [name for name in before if name not in wanted.players]:
            raise self._other("players", players=", ".join(before), missing=", ".join(missing))
        if self.tournament.gauntlet and wanted.players[0] != before[0]:
            raise self._other("gauntlet", name=before[0])
        for key, value in identity.items():
            if key not in GROWING and _kept_value(header, key) != value:
                raise self._other("value", what=key, before=_said(header.get(key)), now=_said(value))
        changed = [name for name in before if header["bots"].get(name) != identity["bots"].get(name)]
        if changed:
            raise self._other("bots", names=", ".join(changed))
        self._told = all(header.get(key) == identity[key] for key in GROWING)

    def _other(self, difference: str, /, **told: object) -> BadTournament:
        said = BadTournament(f"error.BadTournament.other.{difference}", **told)
        return BadTournament("error.BadTournament.other", path=self.path, difference=said)

    def _openings(self) -> list[tuple[int, ...]]:
        wanted, known = self.tournament, self._kept.openings
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

    def append(self, *records: Record) -> None:
        """Keep games; when this returns they survive a crash of the machine."""
        is_new = self._file < 0
        if is_new:
            self._open(os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL)
        lines = [*([] if self._told else [self._header()]), *(record.to_json() for record in records)]
        self._write("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines).encode())
        self._told = True
        self.records.update((record.key, record) for record in records)
        if is_new:
            sync_folder(self.path.absolute().parent)

    def _write(self, data: bytes) -> None:
        """All or nothing: what a full disk cut short is taken back."""
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
        return {"format": FORMAT, "version": VERSION, **self.tournament.identity(), "openings": openings}

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _kept_value(header: dict[str, Any], key: str) -> Any:
    """What the file says; one of version 1 has drawn its openings and knows no clock for a game."""
    return header.get(key, "balanced" if key == "openings_from" else None)


def _said(value: object) -> object:
    if value is None:
        return BadTournament("error.BadTournament.not_given")
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
