"""The fast referee, which runs in the core. It judges one file, or many files in parallel, and gives the same verdicts
as `judge_plainly`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence

from connectk import _native
from connectk.notation.connect_z_file import parse_integer
from connectk.referee.verdict import Code, Offence, Verdict
from connectk.rules import Cell, Side
from connectk.system import cores

AnyPath = str | bytes | os.PathLike[str] | os.PathLike[bytes]
STDIN_PATH = "-"
MAX_BATCH_FILES = 256  # per thread


def judge_bytes(data: bytes) -> Verdict:
    """The verdict on the bytes of a game file."""
    return _verdict(_native.judge(data))


def judge_file(path: AnyPath) -> Verdict:
    """The verdict on a game file. It is `Code.FILE_ERROR` if the file cannot be read."""
    return judge_files([path])[0]


def judge_files(paths: Iterable[AnyPath]) -> list[Verdict]:
    """The verdicts on many game files. They are judged in this thread, while other Python threads can run."""
    return [_verdict(judged) for judged in _native.judge_files([os.fsencode(path) for path in paths])]


# Indexing a tuple is faster than calling the enumeration.
CODE_BY_NUMBER = tuple(Code)
SIDE_BY_NUMBER = tuple(Side)


def _verdict(judged: _native._Judged) -> Verdict:
    code, moves, gravest, first, win = judged
    offence = Offence(CODE_BY_NUMBER[gravest[0]], gravest[1]) if gravest else None
    first_offence = Offence(CODE_BY_NUMBER[first[0]], first[1]) if first and first != gravest else offence
    if win is None:
        return Verdict(CODE_BY_NUMBER[code], moves, offence, first_offence)
    side, line, written, beside = win
    column = parse_integer(written.encode("ascii")) - 1
    cells = tuple([Cell(column + right, row) for right, row in beside])
    return Verdict(CODE_BY_NUMBER[code], moves, offence, first_offence, SIDE_BY_NUMBER[side], line, cells)


def find_game_files(paths: Iterable[str]) -> Iterator[str]:
    """Yields each given file, and all files below each given folder, sorted by name. Links to folders are ignored."""
    for path in paths:
        if path != STDIN_PATH and os.path.isdir(path):  # noqa: PTH112
            yield from _files_below(path)
        else:
            yield path


def _files_below(folder: str) -> Iterator[str]:
    try:
        found = list(entries_of(folder))
    except OSError:
        yield folder  # the verdict on this path says that it cannot be read
        return
    for path, is_folder in found:
        yield from _files_below(path) if is_folder else (path,)


def entries_of(folder: str) -> Iterator[tuple[str, bool]]:
    """Yields the name of each entry of a folder, and whether the entry is a folder. Pipes and other special files are
    skipped."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False):
            yield entry.path, True
        elif entry.is_file() or (entry.is_symlink() and not entry.is_dir()):
            yield entry.path, False


def judge_many(paths: Sequence[str], workers: int | None = None) -> Iterator[Verdict]:
    """Yields the verdicts on files in the order of the paths. By default, one thread for each core judges them. The
    path `-` means standard input."""
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
    if STDIN_PATH in paths:
        return [_judge_standard_input() if path == STDIN_PATH else judge_files([path])[0] for path in paths]
    return judge_files(paths)


def _judge_standard_input() -> Verdict:
    try:
        return judge_bytes(sys.stdin.buffer.read())
    except OSError:
        return Verdict(Code.FILE_ERROR)
