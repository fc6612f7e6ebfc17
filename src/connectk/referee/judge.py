"""The fast referee, in the core: the same verdicts as `judge_plainly`, for one file, or for many on all cores."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence

from connectk import _native
from connectk.notation.gamefile import parse_integer
from connectk.referee.verdict import Code, Offence, Verdict
from connectk.rules import Cell, Side
from connectk.system import cores

AnyPath = str | bytes | os.PathLike[str] | os.PathLike[bytes]
STANDARD_INPUT = "-"
MAX_BATCH_FILES = 256  # per thread


def judge_bytes(data: bytes) -> Verdict:
    """The verdict on the bytes of a game file."""
    return _verdict(_native.judge(data))


def judge_file(path: AnyPath) -> Verdict:
    """The verdict on a game file; `Code.FILE_ERROR` if it cannot be read."""
    return judge_files([path])[0]


def judge_files(paths: Iterable[AnyPath]) -> list[Verdict]:
    """The verdicts on many game files, judged in this thread with the GIL released."""
    return [_verdict(judged) for judged in _native.judge_files([os.fsencode(path) for path in paths])]


# Indexing a tuple is faster than calling the enumeration.
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


def find_game_files(paths: Iterable[str]) -> Iterator[str]:
    """The files themselves, and all files in and below folders, by name. Links to folders are not followed."""
    for path in paths:
        if path != STANDARD_INPUT and os.path.isdir(path):  # noqa: PTH112
            yield from _files_below(path)
        else:
            yield path


def _files_below(folder: str) -> Iterator[str]:
    try:
        found = list(entries_of(folder))
    except OSError:
        yield folder  # the verdict on it says that it cannot be read
        return
    for path, is_folder in found:
        yield from _files_below(path) if is_folder else (path,)


def entries_of(folder: str) -> Iterator[tuple[str, bool]]:
    """The entries of a folder, by name, and whether each is a folder itself; skips pipes and other special files."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False):
            yield entry.path, True
        elif entry.is_file() or (entry.is_symlink() and not entry.is_dir()):
            yield entry.path, False


def judge_many(paths: Sequence[str], workers: int | None = None) -> Iterator[Verdict]:
    """The verdicts in the order of the paths, by default with one thread per core; `-` is standard input."""
    from concurrent.futures import ThreadPoolExecutor  # slow to import, and rarely needed

    workers = workers or cores()
    size = max(1, min(MAX_BATCH_FILES, len(paths) // (4 * workers)))
    batches = [paths[start : start + size] for start in range(0, len(paths), size)]
    if len(batches) == 1:
        yield from _judge_batch(batches[0])
        return
    with ThreadPoolExecutor(workers) as pool:
        try:
            for verdicts in pool.map(_judge_batch, batches):
                yield from verdicts
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _judge_batch(paths: Sequence[str]) -> list[Verdict]:
    if STANDARD_INPUT in paths:
        return [_judge_standard_input() if path == STANDARD_INPUT else judge_files([path])[0] for path in paths]
    return judge_files(paths)


def _judge_standard_input() -> Verdict:
    try:
        return judge_bytes(sys.stdin.buffer.read())
    except OSError:
        return Verdict(Code.FILE_ERROR)
