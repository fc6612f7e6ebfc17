"""The referee to use: the core's, which gives the same answers as the plain one many times faster."""

from __future__ import annotations

import os
from collections.abc import Iterable

from connectk import _native
from connectk.notation.gamefile import parse_integer
from connectk.referee.verdict import Code, Offence, Verdict
from connectk.rules import Cell, Side

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]


def judge_bytes(data: bytes) -> Verdict:
    """The verdict on the bytes of a game file."""
    return _verdict(_native.judge(data))


def judge_file(path: Path) -> Verdict:
    """The verdict on a game file; one that cannot be read is a verdict too, `Code.FILE_ERROR`."""
    return judge_files([path])[0]


def judge_files(paths: Iterable[Path]) -> list[Verdict]:
    """The verdicts on many game files, one after the other; other threads can work meanwhile."""
    return [_verdict(judged) for judged in _native.judge_files([os.fsencode(path) for path in paths])]


# Looking up beats calling the enumeration, and a folder holds many files.
CODES = tuple(Code)
SIDES = tuple(Side)


def _verdict(judged: _native._Judged) -> Verdict:
    code, moves, gravest, first, win = judged
    offence = Offence(CODES[gravest[0]], gravest[1]) if gravest else None
    first_offence = Offence(CODES[first[0]], first[1]) if first and first != gravest else offence
    if win is None:
        return Verdict(CODES[code], moves, offence, first_offence)
    side, line, written, beside = win
    column = parse_integer(written.encode("ascii")) - 1
    cells = tuple([Cell(column + right, row) for right, row in beside])
    return Verdict(CODES[code], moves, offence, first_offence, SIDES[side], line, cells)
