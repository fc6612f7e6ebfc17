"""A long job, cut into spans: each is a task of some seconds, and each result a file that is there whole or not at all.

A job has sources, such as a folder of game files or a file of lines, each with a length in units of its own: files,
bytes, games. A task works on the units from `start` to `stop` of one source and answers with bytes, which are kept
under that name. A run that was stopped finds the gaps between the kept parts and fills them, however it is cut now.
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

LEAST_SECONDS, MOST_SECONDS = 1.0, 10.0  # that a task should take
GROWTH = 8  # a task is at most so many times as large as one that was measured
PLAN = "plan.json"
Answer = TypeVar("Answer")
PART = re.compile(r"(\d{6})-(\d{15})-(\d{15})\.part")


class Piece(NamedTuple):
    """What a task answers: the content of its part, and how many rows that has."""

    content: bytes
    rows: int


class Source(Protocol):
    """Something to work on, unit by unit."""

    @property
    def kind(self) -> str:
        """Sources of one kind take about the same time for a unit."""
        ...

    @property
    def length(self) -> int: ...

    @property
    def first(self) -> int:
        """Units of the first task, when nothing is known of the time that they take."""
        ...

    def task(self, start: int, stop: int) -> tuple[Callable[..., Piece], tuple[Any, ...]]:
        """The call that works on these units."""
        ...


class Span(NamedTuple):
    """Units of one source."""

    source: int
    start: int
    stop: int

    @property
    def name(self) -> str:
        return f"{self.source:06}-{self.start:015}-{self.stop:015}.part"


class Parts:
    """The folder of what is done. `plan` says whose it is: parts of another job are refused."""

    def __init__(self, folder: Folder, plan: dict[str, Any]) -> None:
        self.folder = folder
        folder.make()
        if not folder.take():
            raise JobInUse(folder.place)
        text = json.dumps(plan, sort_keys=True).encode()
        if PLAN in folder.names():
            if folder.read(PLAN) != text:
                raise JobMismatch(folder.place)
        else:
            folder.write(PLAN, text)
        self._spans: dict[int, list[Span]] = {}
        for found in map(PART.fullmatch, folder.names()):
            if found:
                self._remember(Span(*map(int, found.groups())))

    def save(self, span: Span, content: bytes) -> None:
        self.folder.write(span.name, content)
        self._remember(span)

    def _remember(self, span: Span) -> None:
        self._spans.setdefault(span.source, []).append(span)

    def gaps(self, source: int, length: int) -> Iterator[tuple[int, int]]:
        """What is missing of a source, from where to where."""
        done = 0
        for span in self.spans(source):
            if done < min(span.start, length):
                yield done, min(span.start, length)
            done = max(done, span.stop)
        if done < length:
            yield done, length

    def spans(self, source: int) -> list[Span]:
        """What is done of a source, in order."""
        return sorted(self._spans.get(source, []))

    def contents(self, sources: int) -> Iterator[bytes]:
        """All parts, in the order of the sources and their units. Two that overlap would tell something twice."""
        for source in range(sources):
            done = 0
            for span in self.spans(source):
                if span.start != done:
                    raise JobMismatch(self.folder.place)
                done = span.stop
                yield self.folder.read(span.name)

    def remove(self) -> None:
        self.folder.remove_all()

    def close(self) -> None:
        self.folder.let_go()

    def __enter__(self) -> Parts:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def run_spans(
    pool: Pool,
    sources: Sequence[Source],
    parts: Parts,
    *,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> None:
    """Do what is missing. A part is on the disk before the progress tells of it; any stop leaves what is done."""
    watch = Watch(stop, progress)
    sizes = Sizes()
    missing = {index: list(parts.gaps(index, source.length)) for index, source in enumerate(sources)}
    total = sum(source.length for source in sources)
    left = sum(end - start for gaps in missing.values() for start, end in gaps)
    standing = _Standing(total, left, watch)
    tasks = _tasks(pool, sources, missing, sizes, standing)
    try:
        for task, (piece, seconds) in pool.run(tasks, watch):
            span: Span = task.note
            sizes.learn(sources[span.source].kind, span.stop - span.start, seconds)
            parts.save(span, piece.content)
            standing.done(span.stop - span.start, piece.rows)
    except PoolLost as lost:
        lost.place = parts.folder.place
        raise


def timed(function: Callable[..., Answer], arguments: tuple[Any, ...]) -> tuple[Answer, float]:
    """What a worker does: the call, and the seconds it took there."""
    started = time.monotonic()
    answer = function(*arguments)
    return answer, time.monotonic() - started


def _tasks(
    pool: Pool,
    sources: Sequence[Source],
    missing: dict[int, list[tuple[int, int]]],
    sizes: Sizes,
    standing: _Standing,
) -> Iterator[Task]:
    """One task after the other, each as large as seems right when its turn comes."""
    for index, source in enumerate(sources):
        for start, end in missing[index]:
            while start < end:
                units = sizes.units(source.kind, source.first, standing.unbegun, pool.workers)
                stop = min(end, start + units)
                standing.unbegun -= stop - start
                yield Task(timed, source.task(start, stop), Span(index, start, stop))
                start = stop


class _Standing:
    """How far the job is."""

    def __init__(self, total: int, left: int, watch: Watch) -> None:
        self.unbegun = left
        self._total, self._done, self._rows, self._watch = total, total - left, 0, watch
        watch.tell(self._done, total)

    def done(self, units: int, rows: int) -> None:
        self._done += units
        self._rows += rows
        self._watch.tell(self._done, self._total, rows=self._rows)


class Sizes:
    """How many units make a task of a good length: long enough to be worth its way, short near the end so that all
    workers are done at the same time."""

    def __init__(self) -> None:
        self._rates: dict[str, float] = {}  # units a second
        self._largest: dict[str, int] = {}  # that were measured

    def learn(self, kind: str, units: int, seconds: float) -> None:
        rate = units / max(seconds, 1e-6)
        self._rates[kind] = (self._rates.get(kind, rate) + rate) / 2
        self._largest[kind] = max(units, self._largest.get(kind, 0))

    def units(self, kind: str, first: int, left: float, workers: int) -> int:
        """Of the next task; `first` when nothing is known yet."""
        rate = self._rates.get(kind)
        if rate is None:
            return first
        fitting = min(rate * MOST_SECONDS, max(rate * LEAST_SECONDS, left / (3 * workers)))
        return max(1, min(round(fitting), GROWTH * self._largest[kind]))


def digest_of(names: Iterator[str]) -> str:
    """A fingerprint of many names, for a plan."""
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode("utf-8", "surrogateescape") + b"\n")
    return digest.hexdigest()
