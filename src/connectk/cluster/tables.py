"""Joins the parts of a job into one file or into shards. The output does not depend on the sizes of the parts."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Literal

from connectk.cluster.files import Folder, folder_and_name
from connectk.errors import MissingExtra

if TYPE_CHECKING:
    import pyarrow as pa

Format = Literal["parquet", "jsonl"]
ROW_GROUP_ROWS = 1 << 16  # the rows of one row group in a Parquet file
MAX_ROWS_PER_SHARD = 1 << 20  # the rows of one file, if the output is a folder


def require_pyarrow(what: str = "parquet") -> None:
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise MissingExtra(what, "tables") from None


def to_parquet(table: pa.Table) -> bytes:
    """The bytes of a small table as Parquet. They are the content of a part."""
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()


def from_parquet(content: bytes) -> pa.Table:
    import pyarrow.parquet as pq

    return pq.read_table(io.BytesIO(content))


def join(contents: Iterator[bytes], out: str, form: Format, schema: pa.Schema | None = None) -> list[str]:
    """Write the parts to one file. If `out` ends with /, write them to shards in a folder. Returns the names of the
    files.

    The parts are streamed: only a few parts and one row group are in memory at a time.
    """
    write: Callable[[IO[bytes], RowStream], None] = (
        write_jsonl if form == "jsonl" else lambda file, rows: write_parquet(file, rows, schema)
    )
    rows: RowStream = JsonRowStream(contents) if form == "jsonl" else ParquetRowStream(contents)
    if not out.endswith("/"):
        folder, name = folder_and_name(out)
        with folder.writing(name) as file:
            write(file, rows)
        return [out]
    return list(write_shards(Folder(out), rows, form, write))


def write_shards(
    folder: Folder,
    rows: RowStream,
    form: Format,
    write: Callable[[IO[bytes], RowStream], None],
    size: int | None = None,
    prefix: str = "",
    first: int = 0,
) -> Iterator[str]:
    """Write files named `00000.parquet` and so on, each with `size` or `MAX_ROWS_PER_SHARD` rows.

    If there are no rows, one file without rows is written. The names begin with `prefix`, and the numbers start at
    `first`.
    """
    folder.make()
    number = first
    while number == first or rows.has_more():
        name = f"{prefix}{number:05}.{form}"
        rows.set_limit(size or MAX_ROWS_PER_SHARD)
        with folder.writing(name) as file:
            write(file, rows)
        yield folder.path(name)
        number += 1


class RowStream(ABC):
    """The rows of all parts, one after the other. `set_limit` sets the number of further rows that may be taken."""

    def __init__(self, contents: Iterator[bytes]) -> None:
        self._contents = contents
        self._limit: int | None = None

    def set_limit(self, rows: int) -> None:
        self._limit = rows

    @abstractmethod
    def has_more(self) -> bool:
        """Whether any rows are left."""


class JsonRowStream(RowStream):
    """Rows as lines of JSON."""

    def __init__(self, contents: Iterator[bytes]) -> None:
        super().__init__(line for content in contents for line in content.splitlines(keepends=True))
        self._next: bytes | None = None

    def has_more(self) -> bool:
        if self._next is None:
            self._next = next(self._contents, None)
        return self._next is not None

    def lines(self) -> Iterator[bytes]:
        while self._limit != 0 and self.has_more():
            line, self._next = self._next, None
            assert line is not None
            if self._limit is not None:
                self._limit -= 1
            yield line


def write_jsonl(file: IO[bytes], rows: RowStream) -> None:
    assert isinstance(rows, JsonRowStream)
    for line in rows.lines():
        file.write(line)


class ParquetRowStream(RowStream):
    """Rows as Arrow tables."""

    def __init__(self, contents: Iterator[bytes]) -> None:
        super().__init__(contents)
        self._waiting: list[pa.Table] = []

    def has_more(self) -> bool:
        return self._gather(1) > 0

    def _gather(self, wanted: int) -> int:
        rows: int = sum(table.num_rows for table in self._waiting)
        while rows < wanted and (content := next(self._contents, None)) is not None:
            self._waiting.append(from_parquet(content))
            rows += self._waiting[-1].num_rows
        return rows

    def groups(self) -> Iterator[pa.Table]:
        import pyarrow as pa

        while wanted := min(ROW_GROUP_ROWS, ROW_GROUP_ROWS if self._limit is None else self._limit):
            rows = min(wanted, self._gather(wanted))
            if rows == 0:
                return
            table = pa.concat_tables(self._waiting).combine_chunks()
            self._waiting = [table.slice(rows)]
            if self._limit is not None:
                self._limit -= rows
            yield table.slice(0, rows)


def write_parquet(file: IO[bytes], rows: RowStream, schema: pa.Schema | None) -> None:
    import pyarrow.parquet as pq

    assert isinstance(rows, ParquetRowStream)
    with pq.ParquetWriter(file, schema) as writer:
        for table in rows.groups():
            writer.write_table(table, row_group_size=ROW_GROUP_ROWS)
