"""The inputs of a judging job: single game files, folders of game files, and shards.

A shard is one file with many games: a file of JSON lines (`.jsonl`), a Parquet table with the columns `path` and
`game`, or a tar archive of game files. A path may be a URL. Folders are listed one at a time, and only when they are
needed, so the memory does not depend on the number of games.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tarfile
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from connectk.cluster.files import expand_path, is_url, lines_between, open_to_read, size_of
from connectk.cluster.job import Source, TaskResult, names_digest
from connectk.cluster.tables import Format, from_parquet, to_parquet
from connectk.errors import JobMismatch
from connectk.referee.judge import STDIN_PATH, entries_of, judge_bytes, judge_files
from connectk.referee.reasons import judged_as_saved
from connectk.referee.verdict import Code, Verdict
from connectk.referee.verdict_rows import json_line, parquet_table, table_row

if TYPE_CHECKING:
    import pyarrow as pa

ROW_BATCH_SIZE = 4096  # verdicts
TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
Judged = Iterable[tuple[str, Verdict]]
Call = tuple[Callable[..., TaskResult], tuple[Any, ...]]


def has_many(path: str) -> bool:
    """Whether a path is a shard or a URL. Any other path is a local game file."""
    return is_shard(path) or is_url(path)


def is_shard(path: str) -> bool:
    """Whether this file holds many games."""
    return path.endswith((".jsonl", ".parquet", *TAR_SUFFIXES))


class GameCollection:
    """The games in some files and folders, divided into the sources of a job. `digest` is a fingerprint of the games'
    names."""

    def __init__(self, paths: Iterable[str], form: Format) -> None:
        self.sources: list[Source] = []
        names: list[str] = []
        loose: list[str] = []
        for path in chain.from_iterable(map(expand_path, paths)):
            if is_shard(path):
                self._add_loose(loose, form, names)
                loose = []
                self.sources.append(_shard(path, form))
                names.append(f"{path} {self.sources[-1].length}")
            else:
                loose.append(path)
        self._add_loose(loose, form, names)
        self.digest = names_digest(iter(names))

    def _add_loose(self, paths: list[str], form: Format, names: list[str]) -> None:
        if paths:
            files = GameFiles(paths, form)
            self.sources.append(files)
            names.append(files.digest)

    @property
    def plan(self) -> dict[str, Any]:
        return {"job": "judge", "format": 1, "inputs": self.digest}


def _shard(path: str, form: Format) -> Source:
    """The source of a shard. A shard that cannot be read becomes a single game file, whose verdict is `FILE_ERROR`."""
    try:
        size = size_of(path)
        if path.endswith(".jsonl"):
            return JsonLines(path, size, form)
        return ParquetTable(path, _groups_in(path), form) if path.endswith(".parquet") else Archive(path, form)
    except (OSError, ValueError):
        return GameFiles([path], form)


@dataclass(frozen=True, slots=True)
class FileRange:
    """Consecutive game files, sorted by name. They are the paths in `given`, or `count` files of `folder` after the
    first `skip` files."""

    count: int
    given: tuple[str, ...] = ()
    folder: str = ""
    skip: int = 0

    def paths(self) -> list[str]:
        if self.given:
            return list(self.given)
        files = [path for path, is_folder in entries_of(self.folder) if not is_folder]
        return files[self.skip : self.skip + self.count]


class GameFiles:
    """Files that hold one game each, in the order of `find_game_files`."""

    kind, first = "files", 64

    def __init__(self, paths: Sequence[str], form: Format) -> None:
        self._form = form
        self._ranges: list[FileRange] = []
        self.digest = names_digest(self._walked(paths))
        self._starts = [0]
        for run in self._ranges:
            self._starts.append(self._starts[-1] + run.count)
        self.length = self._starts[-1]
        self._listed: tuple[int, list[str]] = (-1, [])
        self._input = sys.stdin.buffer.read() if STDIN_PATH in paths else b""
        self.digest += hashlib.sha256(self._input).hexdigest()

    def _walked(self, paths: Sequence[str]) -> Iterator[str]:
        """Yields the names of all given files and of all files below the given folders. Also records these files as
        ranges."""
        for path in paths:
            if path != STDIN_PATH and not is_url(path) and os.path.isdir(path):  # noqa: PTH112
                yield from self._below(path)
            else:
                self._ranges.append(FileRange(1, (path,)))
                yield path

    def _below(self, folder: str) -> Iterator[str]:
        try:
            entries = list(entries_of(folder))
        except OSError:
            self._ranges.append(FileRange(1, (folder,)))
            yield folder
            return
        begun = files = 0
        for path, is_folder in entries:
            if is_folder:
                self._add_range(folder, begun, files)
                begun = files
                yield from self._below(path)
            else:
                files += 1
                yield path
        self._add_range(folder, begun, files)

    def _add_range(self, folder: str, begun: int, ended: int) -> None:
        if ended > begun:
            self._ranges.append(FileRange(ended - begun, (), folder, begun))

    def paths(self, start: int, stop: int) -> Iterator[str]:
        """The names of the files from index `start` to `stop`."""
        number = bisect_right(self._starts, start) - 1
        while start < stop:
            here = self._list(number)
            end = min(stop, self._starts[number + 1])
            yield from here[start - self._starts[number] : end - self._starts[number]]
            start, number = end, number + 1

    def _list(self, number: int) -> list[str]:
        if self._listed[0] != number:
            run = self._ranges[number]
            names = run.paths()
            if len(names) != run.count:
                raise JobMismatch(run.folder)
            self._listed = number, names
        return self._listed[1]

    def task(self, start: int, stop: int) -> Call:
        paths = [path if is_url(path) else os.fsencode(path) for path in self.paths(start, stop)]
        given = self._input if os.fsencode(STDIN_PATH) in paths else b""
        return judge_paths, (paths, given, self._form)


@dataclass(frozen=True, slots=True)
class JsonLines:
    """A file of JSON lines, with a game on each line."""

    path: str
    length: int  # bytes
    form: Format
    kind = "jsonl"
    first = 1 << 16

    def task(self, start: int, stop: int) -> Call:
        return judge_lines, (self.path, start, stop, self.form)


@dataclass(frozen=True, slots=True)
class ParquetTable:
    """A Parquet file with a game in each row."""

    path: str
    length: int  # groups of rows
    form: Format
    kind = "parquet"
    first = 1

    def task(self, start: int, stop: int) -> Call:
        return judge_table, (self.path, start, stop, self.form)


@dataclass(frozen=True, slots=True)
class Archive:
    """A tar archive of game files. One worker reads the whole archive as a stream."""

    path: str
    form: Format
    kind = "tar"
    first = length = 1

    def task(self, start: int, stop: int) -> Call:
        return judge_archive, (self.path, self.form)


def judge_paths(paths: list[str | bytes], given: bytes, form: Format) -> TaskResult:
    """Runs in a worker: judges files."""
    return _task_result(_judged_paths(paths, given), form)


def _judged_paths(paths: list[str | bytes], given: bytes) -> Iterator[tuple[str, Verdict]]:
    for start in range(0, len(paths), ROW_BATCH_SIZE):
        some = paths[start : start + ROW_BATCH_SIZE]
        names = [path if isinstance(path, str) else path.decode("utf-8", "backslashreplace") for path in some]
        plain = not given and all(isinstance(path, bytes) for path in some)
        judged = judge_files(some) if plain else (_judge_one(path, given) for path in some)
        yield from zip(names, map(judged_as_saved, some, judged), strict=True)


def _judge_one(path: str | bytes, given: bytes) -> Verdict:
    if path == os.fsencode(STDIN_PATH):
        return judge_bytes(given)
    if isinstance(path, bytes):
        return judge_files([path])[0]
    try:
        with open_to_read(path) as file:
            return judge_bytes(file.read())
    except OSError:
        return Verdict(Code.FILE_ERROR)


def judge_lines(path: str, start: int, stop: int, form: Format) -> TaskResult:
    """Runs in a worker: judges the games in some lines of a file."""
    return _task_result(verdicts_in_lines(path, start, stop), form)


def verdicts_in_lines(path: str, start: int, stop: int) -> Iterator[tuple[str, Verdict]]:
    """The verdicts on the games in some lines. The verdict is `FILE_ERROR` for a line that is not JSON or has no
    game."""
    at = start
    for line in lines_between(path, start, stop):
        if line.strip():
            yield _judge_line(line, f"{path}:{at}")
        at += len(line) + 1


def _judge_line(line: bytes, name: str) -> tuple[str, Verdict]:
    try:
        facts = json.loads(line)
        return str(facts.get("path", name)), judge_bytes(facts["game"].encode())
    except (ValueError, KeyError, AttributeError, TypeError):
        return name, Verdict(Code.FILE_ERROR)


def judge_table(path: str, start: int, stop: int, form: Format) -> TaskResult:
    """Runs in a worker: judges the games in some row groups of a table."""
    return _task_result((judged for group in range(start, stop) for judged in _verdicts_in_group(path, group)), form)


def _verdicts_in_group(path: str, group: int) -> Iterator[tuple[str, Verdict]]:
    import pyarrow.parquet as pq

    with open_to_read(path) as file:
        table = pq.ParquetFile(file).read_row_group(group, columns=["path", "game"])
    for name, game in zip(table["path"].to_pylist(), table["game"].to_pylist(), strict=True):
        yield name, judge_bytes(game if isinstance(game, bytes) else game.encode())


def _groups_in(path: str) -> int:
    import pyarrow.parquet as pq

    with open_to_read(path) as file:
        table = pq.ParquetFile(file)
        if not {"path", "game"} <= set(table.schema_arrow.names):
            raise ValueError("a table of games has the columns path and game")
        return int(table.num_row_groups)


def judge_archive(path: str, form: Format) -> TaskResult:
    """Runs in a worker: judges the files of an archive."""
    return _task_result(verdicts_in_archive(path), form)


def verdicts_in_archive(path: str) -> Iterator[tuple[str, Verdict]]:
    """Yields the name and the verdict of each file in an archive. If the archive is damaged, the last verdict is
    `FILE_ERROR`."""
    try:
        with open_to_read(path) as file, tarfile.open(fileobj=file, mode="r|*") as archive:
            for member in archive:
                vars(archive)["members"] = []  # tarfile would keep them all in memory
                content = archive.extractfile(member) if member.isfile() else None
                if content is not None:
                    yield f"{path}/{member.name}", judge_bytes(content.read())
    except (OSError, EOFError, tarfile.TarError, zlib.error):
        yield path, Verdict(Code.FILE_ERROR)


def _task_result(judged: Judged, form: Format) -> TaskResult:
    sys.set_int_max_str_digits(0)  # a column may have thousands of digits
    if form == "jsonl":
        lines = [f"{json_line(name, verdict)}\n" for name, verdict in judged]
        return TaskResult("".join(lines).encode(), len(lines))
    table = _table(iter(judged))
    return TaskResult(to_parquet(table), table.num_rows)


def _table(judged: Iterator[tuple[str, Verdict]]) -> pa.ParquetTable:
    """Builds a table batch by batch. All rows at once as dictionaries would take a hundred times as much memory as the
    table."""
    import pyarrow as pa

    tables = [parquet_table([])]
    while rows := [table_row(name, verdict) for name, verdict in islice(judged, ROW_BATCH_SIZE)]:
        tables.append(parquet_table(rows))
    return pa.concat_tables(tables)


def judge_all(paths: Iterable[str]) -> Iterator[tuple[str, Verdict]]:
    """Judges all games in this process, one after the other. Yields the name and the verdict of each game."""
    for source in GameCollection(paths, "jsonl").sources:
        if isinstance(source, GameFiles):
            given = source.task(0, source.length)[1]
            yield from _judged_paths(given[0], given[1])
        elif isinstance(source, JsonLines):
            yield from verdicts_in_lines(source.path, 0, source.length)
        elif isinstance(source, ParquetTable):
            yield from (judged for group in range(source.length) for judged in _verdicts_in_group(source.path, group))
        elif isinstance(source, Archive):
            yield from verdicts_in_archive(source.path)


def codes_in(content: bytes, form: Format) -> Iterator[Code]:
    """The verdict codes in one part of a job's output."""
    if form == "jsonl":
        yield from (Code(json.loads(line)["code"]) for line in content.splitlines())
    else:
        yield from (Code(code) for code in from_parquet(content)["code"].to_pylist())
