"""Many game files: finding them, and judging them on all cores."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from connectk.referee.judge import judge_bytes, judge_files
from connectk.referee.verdict import Code, Verdict
from connectk.system import cores

STANDARD_INPUT = "-"
LARGEST_BATCH = 256  # files that a thread takes at once


def find_game_files(paths: Iterable[str]) -> Iterator[str]:
    """Files as they are; of a folder all files in it and below it, by name. Links to folders are not followed."""
    for path in paths:
        if path != STANDARD_INPUT and Path(path).is_dir():
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
    """What is in a folder, by name, and whether it is a folder itself; pipes and the like are passed over."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False):
            yield entry.path, True
        elif entry.is_file() or (entry.is_symlink() and not entry.is_dir()):
            yield entry.path, False


def judge_many(paths: Sequence[str], workers: int | None = None) -> Iterator[Verdict]:
    """The verdicts in the order of the paths, made by as many threads as there are cores; `-` is standard input."""
    workers = workers or cores()
    size = max(1, min(LARGEST_BATCH, len(paths) // (4 * workers)))
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
