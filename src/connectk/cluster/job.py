"""Runs a long job in chunks, so that it can be resumed. A task takes a few seconds: it processes one chunk and saves
the result.

A job has sources, such as a folder of game files or a file of lines. The length of a source is counted in units: files,
bytes or games. A chunk is the range of units from `start` to `stop` of one source. Its result is saved atomically as a
part, a file whose name contains `start` and `stop`. A resumed job processes the gaps between the saved parts; its
chunks may have other sizes.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from connectk.cluster.files import Folder
from connectk.cluster.pool import Pool, Task
from connectk.errors import JobInUse, JobMismatch, PoolLost
from connectk.watch import Progress, Stop, Watch

MIN_TASK_SECONDS, MAX_TASK_SECONDS = 1.0, 3.0  # target duration of a task; a lost scheduler costs each worker one task
MAX_TASK_GROWTH = 8  # a task is at most this many times as large as the largest one measured
PLAN_FILE = "plan.json"
Answer = TypeVar("Answer")
PART_FILE_PATTERN = re.compile(r"(\d{6})-(\d{15})-(\d{15})\.part")


class TaskResult(NamedTuple):
    """The content of a part, and its number of rows."""

    content: bytes
    rows: int


class Source(Protocol):
    """An input of a job, divided into units."""

    @property
    def kind(self) -> str:
        """A name for the speed of this source. Sources of the same kind take about the same time for each unit."""
        ...

    @property
    def length(self) -> int: ...

    @property
    def first(self) -> int:
        """The number of units in the first task, when no task has been timed yet."""
        ...

    def task(self, start: int, stop: int) -> tuple[Callable[..., TaskResult], tuple[Any, ...]]:
        """The call that processes these units."""
        ...


class Chunk(NamedTuple):
    """A range of units of one source, processed by one task."""

    source: int
    start: int
    stop: int

    @property
    def name(self) -> str:
        return f"{self.source:06}-{self.start:015}-{self.stop:015}.part"


class PartsFolder:
    """The folder of the finished parts. `plan` identifies the job. If the folder has parts of another job, an error is
    raised."""

    def __init__(self, folder: Folder, plan: dict[str, Any]) -> None:
        self.folder = folder
        folder.make()
        if not folder.try_lock():
            raise JobInUse(folder.place)
        text = json.dumps(plan, sort_keys=True).encode()
        if PLAN_FILE in folder.names():
            if folder.read(PLAN_FILE) != text:
                raise JobMismatch(folder.place)
        else:
            folder.write(PLAN_FILE, text)
        self._chunks: dict[int, list[Chunk]] = {}
        for found in map(PART_FILE_PATTERN.fullmatch, folder.names()):
            if found:
                self._remember(Chunk(*map(int, found.groups())))

    def save(self, chunk: Chunk, content: bytes) -> None:
        self.folder.write(chunk.name, content)
        self._remember(chunk)

    def _remember(self, chunk: Chunk) -> None:
        self._chunks.setdefault(chunk.source, []).append(chunk)

    def gaps(self, source: int, length: int) -> Iterator[tuple[int, int]]:
        """Yields each range of a source's units that has no part yet. A range is its first unit and the unit after its
        last one."""
        done = 0
        for chunk in self.chunks(source):
            if done < min(chunk.start, length):
                yield done, min(chunk.start, length)
            done = max(done, chunk.stop)
        if done < length:
            yield done, length

    def chunks(self, source: int) -> list[Chunk]:
        """The finished chunks of a source, in order."""
        return sorted(self._chunks.get(source, []))

    def contents(self, sources: int) -> Iterator[bytes]:
        """Yields the contents of all parts in the order of the sources and their units. Raises an error if parts
        overlap or leave a gap."""
        for source in range(sources):
            done = 0
            for chunk in self.chunks(source):
                if chunk.start != done:
                    raise JobMismatch(self.folder.place)
                done = chunk.stop
                yield self.folder.read(chunk.name)

    def remove(self) -> None:
        self.folder.remove_all()

    def close(self) -> None:
        self.folder.release()

    def __enter__(self) -> PartsFolder:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def run_job(
    pool: Pool,
    sources: Sequence[Source],
    parts: PartsFolder,
    *,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> None:
    """Process the chunks that have no part yet. Each part is saved before its progress is reported. After a stop, the
    finished parts remain."""
    watch = Watch(stop, progress)
    sizes = ChunkSizer()
    missing = {index: list(parts.gaps(index, source.length)) for index, source in enumerate(sources)}
    total = sum(source.length for source in sources)
    left = sum(end - start for gaps in missing.values() for start, end in gaps)
    job = _JobProgress(total, left, watch)
    tasks = _tasks(pool, sources, missing, sizes, job)
    try:
        for task, (result, seconds) in pool.run(tasks, watch):
            chunk: Chunk = task.note
            sizes.learn(sources[chunk.source].kind, chunk.stop - chunk.start, seconds)
            parts.save(chunk, result.content)
            job.done(chunk.stop - chunk.start, result.rows)
    except PoolLost as lost:
        lost.place = parts.folder.place
        raise


def timed(function: Callable[..., Answer], arguments: tuple[Any, ...]) -> tuple[Answer, float]:
    """Runs in a worker: calls the function and returns its result and the seconds that it took."""
    started = time.monotonic()
    answer = function(*arguments)
    return answer, time.monotonic() - started


def _tasks(
    pool: Pool,
    sources: Sequence[Source],
    missing: dict[int, list[tuple[int, int]]],
    sizes: ChunkSizer,
    job: _JobProgress,
) -> Iterator[Task]:
    """Yields the tasks one by one. The size of a task depends on the measured time of earlier tasks."""
    for index, source in enumerate(sources):
        for start, end in missing[index]:
            while start < end:
                units = sizes.units(source.kind, source.first, job.unassigned, pool.workers)
                stop = min(end, start + units)
                job.unassigned -= stop - start
                yield Task(timed, source.task(start, stop), Chunk(index, start, stop))
                start = stop


class _JobProgress:
    """Counts finished units and rows, and reports the counts."""

    def __init__(self, total: int, left: int, watch: Watch) -> None:
        self.unassigned = left
        self._total, self._done, self._rows, self._watch = total, total - left, 0, watch
        watch.report(self._done, total)

    def done(self, units: int, rows: int) -> None:
        self._done += units
        self._rows += rows
        self._watch.report(self._done, self._total, rows=self._rows)


class ChunkSizer:
    """Chooses how many units a task has, from the measured time per unit.

    A task is long enough that its overhead hardly matters. Near the end of the job tasks are smaller, so that all
    workers finish at about the same time.
    """

    def __init__(self) -> None:
        self._rates: dict[str, float] = {}  # units a second
        self._largest: dict[str, int] = {}  # the largest number of units that was measured

    def learn(self, kind: str, units: int, seconds: float) -> None:
        rate = units / max(seconds, 1e-6)
        self._rates[kind] = (self._rates.get(kind, rate) + rate) / 2
        self._largest[kind] = max(units, self._largest.get(kind, 0))

    def units(self, kind: str, first: int, left: float, workers: int) -> int:
        """The number of units in the next task. It is `first` if no task of this kind has been measured yet."""
        rate = self._rates.get(kind)
        if rate is None:
            return first
        fitting = min(rate * MAX_TASK_SECONDS, max(rate * MIN_TASK_SECONDS, left / (3 * workers)))
        return max(1, min(round(fitting), MAX_TASK_GROWTH * self._largest[kind]))


def names_digest(names: Iterator[str]) -> str:
    """A fingerprint of the names of the inputs. It is part of a job's plan, so that other inputs make a different
    job."""
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode("utf-8", "surrogateescape") + b"\n")
    return digest.hexdigest()
