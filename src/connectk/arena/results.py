"""The results file: one line for the tournament, one for each game that ended, each safe on the disk at once."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any

from connectk.arena.match import Record
from connectk.arena.openings import balanced_openings
from connectk.arena.tournament import Tournament
from connectk.errors import BadTournament
from connectk.notation import parse_moves, write_moves
from connectk.system import lock, sync_folder

FORMAT, VERSION = "connectk-arena", 1
START = f'{{"format": "{FORMAT}"'.encode()


class ResultsFile:
    """The games of one tournament. Opening it reads what is there; the file appears with the first game."""

    def __init__(self, path: Path, tournament: Tournament) -> None:
        self.path, self._tournament = path, tournament
        self._file, self._has_header = -1, False
        self.records: dict[int, Record] = {}
        if path.exists():
            self._resume()
        else:
            self._check_folder()
            self._draw_openings()

    def _check_folder(self) -> None:
        if not (self.path.parent.is_dir() and os.access(self.path.parent, os.W_OK)):
            raise BadTournament(f"{self.path} cannot be written: there is no such folder, or it is not yours.")

    def _resume(self) -> None:
        self._open(os.O_RDWR | os.O_APPEND)
        lines = self._whole_lines()
        if not lines:
            self._draw_openings()
            return
        self._check(lines[0])
        self.openings = tuple(parse_moves(moves, self._tournament.variant) for moves in lines[0]["openings"])
        self.records = {facts["number"]: Record.from_json(facts) for facts in lines[1:]}
        self._has_header = True

    def _draw_openings(self) -> None:
        tournament = self._tournament
        self.openings = balanced_openings(tournament.variant, tournament.openings_needed, tournament.seed)

    def _open(self, flags: int) -> None:
        try:
            self._file = os.open(self.path, flags | getattr(os, "O_BINARY", 0), 0o644)
            is_ours = lock(self._file)
        except FileExistsError:
            raise self._in_use() from None
        except OSError as error:
            raise BadTournament(f"{self.path} cannot be opened: {error.strerror}.") from error
        if not is_ours:
            raise self._in_use()

    def _in_use(self) -> BadTournament:
        return BadTournament(f"{self.path} is in use: this tournament is being played already.")

    def _whole_lines(self) -> list[dict[str, Any]]:
        """What is in the file; a last line that was cut short while it was written is removed."""
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if not (data.startswith(START) or START.startswith(data)):
            raise BadTournament(f"{self.path} is not a results file of the arena; nothing was changed in it.")
        try:
            lines = [json.loads(line) for line in whole.splitlines()]
        except ValueError as error:
            raise BadTournament(f"{self.path} is damaged ({error}); nothing was changed in it.") from error
        os.ftruncate(self._file, len(whole))
        return lines

    def _check(self, header: dict[str, Any]) -> None:
        identity = self._tournament.identity()
        if header.get("version") != VERSION:
            raise BadTournament(f"{self.path} has version {header.get('version')!r}; this program reads {VERSION}.")
        for key, value in identity.items():
            if header.get(key) != value:
                advice = "Name another file, or remove this one."
                raise BadTournament(
                    f"{self.path} holds a different tournament: {_change(key, header, value)}. {advice}"
                )

    def append(self, record: Record) -> None:
        """Keep a game; when this returns it survives a crash of the machine."""
        is_new = self._file < 0
        if is_new:
            self._open(os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL)
        lines = [record.to_json()] if self._has_header else [self._header(), record.to_json()]
        self._write("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines).encode())
        self._has_header = True
        self.records[record.number] = record
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
            raise BadTournament(
                f"{self.path} cannot be written: {error.strerror}. The games before are safe."
            ) from error

    def _header(self) -> dict[str, Any]:
        variant = self._tournament.variant
        openings = [write_moves(moves, variant) for moves in self.openings]
        return {"format": FORMAT, "version": VERSION, **self._tournament.identity(), "openings": openings}

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _change(key: str, header: dict[str, Any], value: Any) -> str:
    before = header.get(key)
    if key == "bots" and isinstance(before, dict):
        changed = [name for name in value if before.get(name) != value[name]]
        return f"the file of {', '.join(changed)} has changed since"
    return f"{key} was {_said(before)}, now it is {_said(value)}"


def _said(value: object) -> str:
    return "not given" if value is None else ", ".join(map(str, value)) if isinstance(value, list) else str(value)
