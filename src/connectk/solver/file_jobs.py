"""Solves the positions that are listed in files of any size. A file has lines of moves, JSON lines, or a Parquet
table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from connectk.cluster.files import expand_path, lines_between, open_to_read, size_of
from connectk.cluster.job import Source, TaskResult, names_digest
from connectk.cluster.tables import Format, to_parquet
from connectk.errors import ConnectkError, FileNotReadable, NotationError
from connectk.rules import Variant
from connectk.solver.batch_solver import CoreBoard, SolverPool, question_of
from connectk.solver.solution import Goal
from connectk.watch import Watch

if TYPE_CHECKING:
    import pyarrow as pa

EMPTY_BOARD_TEXT = "-"  # how a line writes the empty board


class ListedPosition(NamedTuple):
    """A position to solve, and its expected score if the list contains one."""

    moves: str
    expected: int | None = None


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """The settings for solving positions, and the format of the output."""

    variant: Variant
    goal: Goal
    table_mb: float | None
    book: bool
    form: Format

    def plan(self, sources: Sequence[NamedSource]) -> dict[str, Any]:
        inputs = names_digest(source.name for source in sources)
        options = {"variant": str(self.variant), "goal": self.goal, "book": self.book, "form": self.form}
        return {"job": "solve", "format": 1, "inputs": inputs, **options}


def inputs_of(paths: Iterable[str], options: SolveOptions) -> list[NamedSource]:
    """One source for each file."""
    try:
        return [_input(path, options) for path in chain.from_iterable(map(expand_path, paths))]
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise FileNotReadable(", ".join(paths), reason or str(error)) from error


def _input(path: str, options: SolveOptions) -> NamedSource:
    if path.endswith(".parquet"):
        return TableFile(path, _groups_in(path), options)
    return LineFile(path, size_of(path), options)


class NamedSource(Source, Protocol):
    """A source of positions whose name becomes part of the job's plan."""

    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class GivenLines:
    """Lines in memory, such as those of standard input. They are sent to the workers as part of the tasks."""

    lines: Sequence[bytes]
    options: SolveOptions
    kind = "given"
    first = 16

    @property
    def length(self) -> int:
        return len(self.lines)

    @property
    def name(self) -> str:
        return hashlib.sha256(b"\n".join(self.lines)).hexdigest()

    def task(self, start: int, stop: int) -> tuple[Callable[..., TaskResult], tuple[Any, ...]]:
        return solve_given, (self.lines[start:stop], self.options)


@dataclass(frozen=True, slots=True)
class LineFile:
    """A text file with one position per line. A line holds moves or a board such as `4xo.5x`, then optionally the
    expected score. A line may also be JSON with `moves` or `start`, and optionally `expected`."""

    path: str
    length: int  # bytes
    options: SolveOptions
    kind = "lines"
    first = 1 << 9

    @property
    def name(self) -> str:
        return f"{self.path} {self.length}"

    def task(self, start: int, stop: int) -> tuple[Callable[..., TaskResult], tuple[Any, ...]]:
        return solve_lines, (self.path, start, stop, self.options)


@dataclass(frozen=True, slots=True)
class TableFile:
    """A Parquet file with a column `moves` and optionally a column `expected`."""

    path: str
    length: int  # groups of rows
    options: SolveOptions
    kind = "groups"
    first = 1

    @property
    def name(self) -> str:
        return f"{self.path} {self.length}"

    def task(self, start: int, stop: int) -> tuple[Callable[..., TaskResult], tuple[Any, ...]]:
        return solve_groups, (self.path, start, stop, self.options)


def solve_given(lines: Sequence[bytes], options: SolveOptions) -> TaskResult:
    """Runs in a worker: solves some lines."""
    return _solve([_read(line) for line in lines if line.strip()], options)


def solve_lines(path: str, start: int, stop: int, options: SolveOptions) -> TaskResult:
    """Runs in a worker: solves the lines between two byte offsets of a file."""
    return solve_given(list(lines_between(path, start, stop)), options)


def solve_groups(path: str, start: int, stop: int, options: SolveOptions) -> TaskResult:
    """Runs in a worker: solves some row groups of a table."""
    return _solve([position for group in range(start, stop) for position in _group(path, group)], options)


def _group(path: str, group: int) -> Iterator[ListedPosition]:
    import pyarrow.parquet as pq

    with open_to_read(path) as file:
        table = pq.ParquetFile(file).read_row_group(group, columns=["moves", "expected"])
    expected = table["expected"].to_pylist() if "expected" in table.column_names else [None] * table.num_rows
    yield from map(ListedPosition, table["moves"].to_pylist(), expected)


def _groups_in(path: str) -> int:
    import pyarrow.parquet as pq

    with open_to_read(path) as file:
        table = pq.ParquetFile(file)
        if "moves" not in table.schema_arrow.names:
            raise ValueError("a table of positions has a column moves")
        return int(table.num_row_groups)


def _read(line: bytes) -> ListedPosition | str:
    """The position of a line. If the line is malformed, its text is returned instead."""
    text = line.decode("utf-8", "replace").strip()
    try:
        if text.startswith("{"):
            facts = json.loads(text)
            return ListedPosition(str(facts.get("moves") or facts["start"]), facts.get("expected"))
        moves, *expected = text.split()
        return ListedPosition(moves, int(expected[0]) if expected else None)
    except (ValueError, KeyError):
        return text


def _solve(positions: Sequence[ListedPosition | str], options: SolveOptions) -> TaskResult:
    """One row for each position, in order. If a position is unreadable, its row holds the error."""
    rows: list[dict[str, Any]] = []
    questions: list[CoreBoard] = []
    for one in positions:
        row, question = _question(one, options.variant)
        rows.append(row)
        if question is not None:
            questions.append(question)
    found = SolverPool(options.goal, 1, options.table_mb, options.book).answers(iter(questions), Watch())
    for row in rows:
        if row["error"] is None:
            answer = next(found)
            row |= {"score": answer.lower, "nodes": answer.nodes}
    return TaskResult(_written(rows, options.form), len(rows))


def _question(one: ListedPosition | str, variant: Variant) -> tuple[dict[str, Any], CoreBoard | None]:
    row: dict[str, Any] = dict.fromkeys(SCORE_COLUMNS)
    if isinstance(one, str):
        return row | {"moves": one, "error": str(NotationError("notation.question"))}, None
    row |= {"moves": one.moves, "expected": one.expected}
    try:
        return row, question_of("" if one.moves == EMPTY_BOARD_TEXT else one.moves, variant)
    except ConnectkError as error:
        return row | {"error": str(error)}, None


SCORE_COLUMNS = ("moves", "score", "nodes", "expected", "error")


def schema() -> pa.Schema:
    """The Arrow schema of a table of scores."""
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("moves", pa.string(), nullable=False),
            pa.field("score", pa.int16()),
            pa.field("nodes", pa.int64()),
            pa.field("expected", pa.int16()),
            pa.field("error", pa.string()),
        ]
    )


def _written(rows: list[dict[str, Any]], form: Format) -> bytes:
    if form == "jsonl":
        return "".join(f"{json.dumps(_without_none(row))}\n" for row in rows).encode()
    import pyarrow as pa

    return to_parquet(pa.Table.from_pylist(rows, schema()))


def _without_none(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}
