"""Builds an opening book: solves its deepest positions on many cores, then writes all scores to a file.

The work is cut into chunks of neighbouring positions. The positions of a chunk are solved with the same table. The
scores of each finished chunk are written atomically to a small file, so that an interrupted build can resume.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue

from connectk import _native
from connectk.cluster import Pool, Task
from connectk.cluster.job import ChunkSizer, timed
from connectk.errors import SearchStopped, UnsupportedVariant
from connectk.rules import Variant
from connectk.solver.book import OpeningBook
from connectk.watch import STOP_POLL_INTERVAL_SECONDS, Answer, Progress, Stop, Watch

POSITIONS_PER_CHUNK = 1024  # positions
BYTES_PER_KEY = 8
MAX_BOOK_BOARD_BITS = 63
DEFAULT_TABLE_MB = 256.0  # of each job
MAX_FRONTIER_OF_EVEN_WIDTH = 80_000  # with the layers above it less than `OpeningBook` takes
CHUNK_FILE_FORMAT = 1  # the version of the chunk files' format

Solved = Iterator[tuple[int, bytes]]  # the number of a chunk and its scores


def build(
    variant: Variant,
    discs: int,
    out: Path,
    *,
    jobs: int,
    table_mb: float = DEFAULT_TABLE_MB,
    stop: Stop | None = None,
    progress: Progress | None = None,
    pool: Pool | None = None,
) -> OpeningBook:
    """Build the book of all positions up to `discs` discs and write it to `out`. An interrupted build is resumed.

    The work runs on threads of this process or, if `pool` is given, on the workers of the pool. `progress` reports the
    number of solved positions. Raises `SearchStopped` if `stop` ends the build; the finished chunks are kept for the
    next run.
    """
    keys = frontier_keys(variant, discs)
    _require_few_if_even(variant, len(keys) // BYTES_PER_KEY)
    parts = _Parts(out.with_name(out.name + ".parts"), variant, discs, keys)
    _solve_missing(parts, variant, jobs, table_mb, Watch(stop, progress), pool)
    book = _write_book(variant, discs, out, keys, parts.scores())
    parts.remove()
    return book


def build_from_scores(variant: Variant, discs: int, out: Path, scores: bytes) -> OpeningBook:
    """Build a book from given scores: one signed byte for each position of `frontier_keys`, in the order of that
    list."""
    keys = frontier_keys(variant, discs)
    if len(scores) * BYTES_PER_KEY != len(keys):
        raise ValueError(f"{len(keys) // BYTES_PER_KEY} positions need as many scores; there are {len(scores)}")
    return _write_book(variant, discs, out, keys, scores)


def _write_book(variant: Variant, discs: int, out: Path, keys: bytes, scores: bytes) -> OpeningBook:
    file = _native.write_book(variant.width, variant.height, variant.run, discs, keys, scores)
    book = OpeningBook(file, str(out))
    _write_whole(out, file)
    return book


def _require_few_if_even(variant: Variant, positions: int) -> None:
    """Refuse a book that `OpeningBook` could not read, before its positions are solved."""
    if variant.width % 2 == 0 and positions >= MAX_FRONTIER_OF_EVEN_WIDTH:
        raise UnsupportedVariant(variant, "error.UnsupportedVariant.even_book", most=MAX_FRONTIER_OF_EVEN_WIDTH)


def frontier_keys(variant: Variant, discs: int) -> bytes:
    """The keys of the positions that must be solved for a book of this depth. Each key has eight bytes, and the keys
    are in ascending order."""
    if variant.width * (variant.height + 1) > MAX_BOOK_BOARD_BITS:
        raise UnsupportedVariant(variant, "error.UnsupportedVariant.book", most=MAX_BOOK_BOARD_BITS)
    return _native.book_frontier(variant.width, variant.height, variant.run, discs)


def check(
    book: OpeningBook,
    positions: int,
    *,
    seed: int,
    jobs: int,
    table_mb: float = DEFAULT_TABLE_MB,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> int:
    """Solve random positions of the deepest layer again, and return how many differ from the book.

    `progress` reports the number of solved positions. Raises `SearchStopped` if `stop` ends the check.
    """
    keys = frontier_keys(book.variant, book.discs)
    total = len(keys) // BYTES_PER_KEY
    chosen = sorted(random.Random(seed).sample(range(total), min(positions, total)))
    chunks = dict(_chunks(b"".join(keys[BYTES_PER_KEY * i : BYTES_PER_KEY * (i + 1)] for i in chosen)))
    shape = (book.variant.width, book.variant.height, book.variant.run)
    watch = Watch(stop, progress)
    done = differ = 0
    for index, scores in _solve_chunks(book.variant, chunks, jobs, table_mb, watch):
        for key, score in zip(_numbers(chunks[index]), _signed(scores), strict=True):
            differ += book.stored_score(*_native.book_board(*shape, key)) != score
        done += len(scores)
        watch.report_throttled(done, len(chosen))
    if done < len(chosen):
        raise SearchStopped(())
    return differ


class _Parts:
    """The folder that holds the finished chunks of a build."""

    def __init__(self, folder: Path, variant: Variant, discs: int, keys: bytes) -> None:
        self._folder = folder
        self._keys = keys
        plan = json.dumps({"format": CHUNK_FILE_FORMAT, "variant": str(variant), "discs": discs, "bytes": len(keys)})
        folder.mkdir(parents=True, exist_ok=True)
        plan_file = folder / "plan.json"
        if plan_file.exists() and plan_file.read_text(encoding="utf-8") != plan:
            raise ValueError(f"{folder} holds the parts of another book; remove it or choose another file to build")
        _write_whole(plan_file, plan.encode())

    def missing(self) -> dict[int, bytes]:
        """The chunks whose file is missing or incomplete, each under its number."""
        return {
            index: keys
            for index, keys in _chunks(self._keys)
            if not self._file(index).exists() or self._file(index).stat().st_size * BYTES_PER_KEY != len(keys)
        }

    def save(self, index: int, scores: bytes) -> None:
        _write_whole(self._file(index), scores)

    def scores(self) -> bytes:
        return b"".join(self._file(index).read_bytes() for index, _ in _chunks(self._keys))

    def remove(self) -> None:
        shutil.rmtree(self._folder)

    @property
    def positions(self) -> int:
        return len(self._keys) // BYTES_PER_KEY

    def _file(self, index: int) -> Path:
        return self._folder / f"{index:06}.scores"


def _solve_missing(
    parts: _Parts, variant: Variant, jobs: int, table_mb: float, watch: Watch, pool: Pool | None
) -> None:
    missing = parts.missing()
    done = parts.positions - sum(len(keys) for keys in missing.values()) // BYTES_PER_KEY
    watch.report(done, parts.positions)
    here = _solve_chunks(variant, missing, jobs, table_mb, watch)
    for index, scores in solve_in_pool(pool, variant, missing, table_mb, watch) if pool else here:
        parts.save(index, scores)
        done += len(scores)
        watch.report_throttled(done, parts.positions)
    if done < parts.positions:
        raise SearchStopped(())


def _solve_chunks(variant: Variant, chunks: dict[int, bytes], jobs: int, table_mb: float, watch: Watch) -> Solved:
    """Yields the number and the scores of each chunk as it is finished, until a stop. Each thread uses one solver with
    one table for all its chunks."""
    flag, local = _native.StopFlag(), threading.local()

    def solve(index: int) -> tuple[int, bytes]:
        if not hasattr(local, "solver"):
            local.solver = _native.Solver(variant.width, variant.height, variant.run, table_bytes=int(table_mb * 2**20))
        return index, _native.solve_keys(local.solver, chunks[index], flag)

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            yield from _as_they_end([pool.submit(solve, index) for index in chunks], watch)
        finally:
            flag.set()  # on a stop or Ctrl-C, running chunks are abandoned and waiting chunks are cancelled
            pool.shutdown(cancel_futures=True)


def _as_they_end(futures: list[Future[Answer]], watch: Watch) -> Iterator[Answer]:
    """Yields the results of futures as they finish, until a stop. The finished futures come through a queue, because
    polling thousands of futures is slow."""
    ended: SimpleQueue[Future[Answer]] = SimpleQueue()
    for future in futures:
        future.add_done_callback(ended.put)
    left = len(futures)
    while left and not watch.should_stop():
        try:
            future = ended.get(timeout=STOP_POLL_INTERVAL_SECONDS)
        except Empty:
            continue
        left -= 1
        yield future.result()


def solve_in_pool(pool: Pool, variant: Variant, chunks: dict[int, bytes], table_mb: float, watch: Watch) -> Solved:
    """Solve chunks with the workers of a pool. A task has several chunks, so that the overhead of tasks stays small."""
    sizes, waiting = ChunkSizer(), list(chunks)

    def tasks() -> Iterator[Task]:
        while waiting:
            some = waiting[: sizes.units("chunks", 1, len(waiting), pool.workers)]
            del waiting[: len(some)]
            yield Task(timed, (solve_chunk_task, (variant, [chunks[index] for index in some], table_mb)), some)

    for task, (solved, seconds) in pool.run(tasks(), watch):
        sizes.learn("chunks", len(solved), seconds)
        yield from zip(task.note, solved, strict=True)


_thread_local = threading.local()


def solve_chunk_task(variant: Variant, chunks: list[bytes], table_mb: float) -> list[bytes]:
    """Runs in a worker: computes the scores of some chunks with the solver of the worker's thread."""
    wanted = (variant, table_mb)
    if getattr(_thread_local, "made_for", None) != wanted:
        size = int(table_mb * 2**20)
        _thread_local.solver = _native.Solver(variant.width, variant.height, variant.run, table_bytes=size)
        _thread_local.made_for = wanted
    return [_native.solve_keys(_thread_local.solver, keys) for keys in chunks]


def _chunks(keys: bytes) -> Iterator[tuple[int, bytes]]:
    for index, start in enumerate(range(0, len(keys), POSITIONS_PER_CHUNK * BYTES_PER_KEY)):
        yield index, keys[start : start + POSITIONS_PER_CHUNK * BYTES_PER_KEY]


def _numbers(keys: bytes) -> list[int]:
    return [int.from_bytes(keys[i : i + BYTES_PER_KEY], sys.byteorder) for i in range(0, len(keys), BYTES_PER_KEY)]


def _signed(scores: bytes) -> list[int]:
    return memoryview(scores).cast("b").tolist()


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    draft = path.with_name(path.name + ".draft")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
