"""Readable books: tables of early positions with their exact scores, as Parquet or CSV for other programs and for
people. The solver itself uses a compact book (`OpeningBook`).

Each row is one position. Only one of two mirror images has a row. The columns are:

- `variant`;
- `moves`: the first order of drops that leads to the position, with columns counted from 1;
- `ply`: the number of discs;
- `score`: the score for the side to move;
- `column_1`, `column_2` and so on: the score of a drop into each column, missing for a full column and in the
  deepest positions.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from connectk.cluster import PartsFolder, Pool, TaskResult, run_job
from connectk.cluster.files import folder_and_name, open_to_read, parts_folder_of
from connectk.cluster.tables import ROW_GROUP_ROWS, require_pyarrow
from connectk.errors import ConnectkError, DamagedBook, SearchStopped
from connectk.notation.moves import write_moves
from connectk.rules import Position, Variant
from connectk.solver.batch_solver import SolverPool, question_of
from connectk.solver.solution import win_score
from connectk.solver.solver import require_supported
from connectk.watch import Progress, Stop, Watch

if TYPE_CHECKING:
    import pyarrow as pa

READABLE_SUFFIXES = (".parquet", ".csv")
FIRST_TASK_POSITIONS = 4

Codes = tuple[int, ...]  # the columns of a position as `Position.column_codes` gives them


class BookPosition(NamedTuple):
    """An open position and the first order of drops that leads to it or to its mirror image."""

    position: Position
    moves: tuple[int, ...]


Layer = dict[Codes, BookPosition]


class BookRow(NamedTuple):
    """One position of a readable book. `scores` has the score of each column, or is None in the positions with the most
    discs."""

    moves: tuple[int, ...]
    score: int
    scores: tuple[int | None, ...] | None


def write_readable_book(
    variant: Variant,
    plies: int,
    out: str,
    pool: Pool,
    *,
    table_mb: float | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> int:
    """Solve every position with up to `plies` discs and write the rows to `out`: a `.parquet` or `.csv` file, or a URL
    of one. Returns the number of rows.

    Solved positions are kept next to the file until it is complete, so the next call continues with them. `progress`
    reports the number of solved positions. Raises `SearchStopped` if `stop` ends the work.
    """
    require_supported(variant)
    write = _writer_for(out)
    layers = list_layers(variant, plies)
    deepest = DeepestLayer(variant, [write_moves(one.moves, variant) for one in layers[plies].values()], table_mb)
    plan = {"job": "book", "format": 1, "variant": str(variant), "plies": plies}
    with PartsFolder(parts_folder_of(out), plan) as parts:
        run_job(pool, [deepest], parts, stop=stop, progress=progress)
        if any(parts.gaps(0, deepest.length)):
            raise SearchStopped(())
        rows = _rows(variant, layers, [score for part in parts.contents(1) for score in json.loads(part)])
        folder, name = folder_and_name(out)
        with folder.writing(name) as file:
            write(file, variant, rows)
        parts.remove()
    return len(rows)


def list_layers(variant: Variant, plies: int) -> list[Layer]:
    """The open positions with each number of discs from 0 to `plies`. Of two mirror images, only one is included."""
    start = Position.start(variant)
    layers: list[Layer] = [{_key(start): BookPosition(start, ())}]
    for _ in range(plies):
        following: Layer = {}
        for position, moves in layers[-1].values():
            for column in position.legal_columns:
                after = position.drop(column)
                if after.outcome is None:
                    following.setdefault(_key(after), BookPosition(after, (*moves, column)))
        layers.append(following)
    return layers


@dataclass(frozen=True, slots=True)
class DeepestLayer:
    """The positions to solve, as a source of a job. All other scores follow from theirs."""

    variant: Variant
    moves: Sequence[str]
    table_mb: float | None
    kind = "positions"
    first = FIRST_TASK_POSITIONS

    @property
    def length(self) -> int:
        return len(self.moves)

    def task(self, start: int, stop: int) -> tuple[Callable[..., TaskResult], tuple[Any, ...]]:
        return solve_moves, (self.variant, self.moves[start:stop], self.table_mb)


def solve_moves(variant: Variant, moves: Sequence[str], table_mb: float | None) -> TaskResult:
    """Runs in a worker: solves the positions after these moves and returns their scores as JSON."""
    questions = iter([question_of(one, variant) for one in moves])
    scores = [found.lower for found in SolverPool("score", 1, table_mb).answers(questions, Watch())]
    return TaskResult(json.dumps(scores).encode(), len(scores))


def _rows(variant: Variant, layers: list[Layer], deepest: list[int]) -> list[BookRow]:
    """Return all rows, beginning with the positions with the fewest discs. `deepest` has the scores of the positions
    with the most discs."""
    known = dict(zip(layers[-1], deepest, strict=True))
    rows = [
        [BookRow(moves, score, None) for (_, moves), score in zip(layers[-1].values(), deepest, strict=True)],
    ]
    for layer in reversed(layers[:-1]):
        scored = {key: _column_scores(one.position, known) for key, one in layer.items()}
        known = {key: max(score for score in scores if score is not None) for key, scores in scored.items()}
        rows.append([BookRow(layer[key].moves, known[key], scores) for key, scores in scored.items()])
    return [row for layer_rows in reversed(rows) for row in layer_rows]


def _column_scores(position: Position, known: dict[Codes, int]) -> tuple[int | None, ...]:
    """The score of a drop into each column, computed from the scores of the positions with one more disc."""

    def score(column: int) -> int:
        after = position.drop(column)
        if after.outcome is None:
            return -known[_key(after)]
        return 0 if after.outcome.winner is None else win_score(position.variant, after.ply)

    return tuple(score(column) if position.can_drop(column) else None for column in range(position.variant.width))


def _key(position: Position) -> Codes:
    """A key that is the same for a position and its mirror image."""
    codes = position.column_codes()
    return min(codes, codes[::-1])


class ReadableBook:
    """A readable book in memory; `load` reads one from a file."""

    def __init__(self, variant: Variant, rows: Iterable[BookRow]) -> None:
        self.variant = variant
        self.rows = list(rows)
        self.plies = max((len(row.moves) for row in self.rows), default=0)
        self._rows: dict[Codes, tuple[Codes, BookRow]] = {}
        for row in self.rows:
            position = Position.from_moves(row.moves, variant)
            self._rows[_key(position)] = position.column_codes(), row

    @classmethod
    def load(cls, path: str | PathLike[str]) -> ReadableBook:
        """Load a book from a Parquet or CSV file; raises `DamagedBook` if the file is not such a book."""
        name = str(path)
        read = _read_parquet if name.endswith(".parquet") else _read_csv
        try:
            with open_to_read(name) as file:
                cells = list(read(file))
            variant = Variant.parse(str(cells[0]["variant"]))
            return cls(variant, [_row_of(one, variant) for one in cells])
        except (ConnectkError, ValueError, KeyError, IndexError, TypeError, csv.Error) as error:
            raise DamagedBook(name, "the file is not a readable book") from error

    def score(self, position: Position) -> int | None:
        """The exact score for the side to move; None if the book does not cover the position."""
        found = self._find(position)
        return None if found is None else found[1].score

    def scores(self, position: Position) -> tuple[int | None, ...] | None:
        """The score of a drop into each column; None for a full column. The result is None if the book does not have
        these scores."""
        found = self._find(position)
        if found is None or found[1].scores is None:
            return None
        codes, row = found
        return row.scores if codes == position.column_codes() else tuple(reversed(row.scores or ()))

    def _find(self, position: Position) -> tuple[Codes, BookRow] | None:
        return self._rows.get(_key(position)) if position.variant == self.variant else None

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<ReadableBook {self.variant} up to {self.plies} discs, {len(self.rows)} positions>"


def _column_names(variant: Variant) -> list[str]:
    return ["variant", "moves", "ply", "score", *(f"column_{column + 1}" for column in range(variant.width))]


def _cells(row: BookRow, variant: Variant) -> list[Any]:
    """The row in the form in which it is written to a file."""
    moves = write_moves(row.moves, variant)
    return [str(variant), moves, len(row.moves), row.score, *(row.scores or (None,) * variant.width)]


def _row_of(cells: dict[str, Any], variant: Variant) -> BookRow:
    """The row that a file contains. The cells of a CSV file are text."""
    from connectk.notation.moves import parse_moves

    moves, score = parse_moves(cells["moves"], variant), int(cells["score"])
    found = [cells[f"column_{column + 1}"] for column in range(variant.width)]
    scores = tuple(None if cell in (None, "") else int(cell) for cell in found)
    if str(variant) != cells["variant"] or len(moves) != int(cells["ply"]):
        raise ValueError("a row that contradicts itself")
    return BookRow(tuple(moves), score, scores if any(one is not None for one in scores) else None)


def _writer_for(out: str) -> Callable[[IO[bytes], Variant, Sequence[BookRow]], None]:
    if out.endswith(".parquet"):
        require_pyarrow()
        return _write_parquet
    if not out.endswith(".csv"):
        raise ValueError(f"a readable book is a file that ends with {' or '.join(READABLE_SUFFIXES)}")
    return _write_csv


def _write_csv(file: IO[bytes], variant: Variant, rows: Sequence[BookRow]) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    write = csv.writer(text, lineterminator="\n")
    write.writerow(_column_names(variant))
    write.writerows(_cells(row, variant) for row in rows)
    text.flush()
    text.detach()


def _write_parquet(file: IO[bytes], variant: Variant, rows: Sequence[BookRow]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetWriter(file, _schema(variant), compression="zstd") as writer:
        for first in range(0, len(rows), ROW_GROUP_ROWS):
            columns = zip(*(_cells(row, variant) for row in rows[first : first + ROW_GROUP_ROWS]), strict=True)
            writer.write_table(pa.table([list(column) for column in columns], schema=_schema(variant)))


def _schema(variant: Variant) -> pa.Schema:
    import pyarrow as pa

    kinds = {"variant": pa.string(), "moves": pa.string()}
    return pa.schema([pa.field(name, kinds.get(name, pa.int16())) for name in _column_names(variant)])


def _read_csv(file: IO[bytes]) -> Iterator[dict[str, Any]]:
    yield from csv.DictReader(io.TextIOWrapper(file, encoding="utf-8", newline=""))


def _read_parquet(file: IO[bytes]) -> Iterator[dict[str, Any]]:
    require_pyarrow()
    import pyarrow.parquet as pq

    yield from pq.read_table(file).to_pylist()
