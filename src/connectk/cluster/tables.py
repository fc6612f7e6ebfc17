"""Joins the parts of a job into one file or into shards; the output does not depend on how the job was cut."""

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
ROW_GROUP_ROWS = 1 << 16  # of a row group in a Parquet file
SHARD_ROWS = 1 << 20  # of one file, if the output is a folder


def require_pyarrow(what: str = "parquet") -> None:
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise MissingExtra(what, "tables") from None


def to_parquet(table: pa.Table) -> bytes:
    """A small table as the content of a part."""
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()


def from_parquet(content: bytes) -> pa.Table:
    import pyarrow.parquet as pq

    return pq.read_table(io.BytesIO(content))


def join(contents: Iterator[bytes], out: str, form: Format, schema: pa.Schema | None = None) -> list[str]:
    """Write the parts to a file, or to shards in a folder if `out` ends with /; returns the names of the files.

    Streams: only a few parts and one row group are in memory at a time.
    """
    write: Callable[[IO[bytes], Rows], None] = (
        write_jsonl if form == "jsonl" else lambda file, rows: write_parquet(file, rows, schema)
    )
    rows: Rows = JsonRows(contents) if form == "jsonl" else TableRows(contents)
    if not out.endswith("/"):
        folder, name = folder_and_name(out)
        with folder.writing(name) as file:
            write(file, rows)
        return [out]
    return list(write_shards(Folder(out), rows, form, write))


def write_shards(
    folder: Folder, rows: Rows, form: Format, write: Callable[[IO[bytes], Rows], None], size: int | None = None
) -> Iterator[str]:
    """Write `00000.parquet` and so on, `size` rows each, by default `SHARD_ROWS`; at least one file, even if empty."""
    folder.make()
    number = 0
    while number == 0 or rows.more():
        name = f"{number:05}.{form}"
        rows.allow(size or SHARD_ROWS)
        with folder.writing(name) as file:
            write(file, rows)
        yield folder.path(name)
        number += 1


class Rows(ABC):
    """A stream of the rows of all parts, limited by `allow`."""

    def __init__(self, contents: Iterator[bytes]) -> None:
        self._contents = contents
        self._allowed: int | None = None

    def allow(self, rows: int) -> None:
        self._allowed = rows

    @abstractmethod
    def more(self) -> bool:
        """Whether any rows are left."""


class JsonRows(Rows):
    """Rows as lines of JSON."""

    def __init__(self, contents: Iterator[bytes]) -> None:
        super().__init__(line for content in contents for line in content.splitlines(keepends=True))
        self._next: bytes | None = None

    def more(self) -> bool:
        if self._next is None:
            self._next = next(self._contents, None)
        return self._next is not None

    def lines(self) -> Iterator[bytes]:
        while self._allowed != 0 and self.more():
            line, self._next = self._next, None
            assert line is not None
            if self._allowed is not None:
                self._allowed -= 1
            yield line


def write_jsonl(file: IO[bytes], rows: Rows) -> None:
    assert isinstance(rows, JsonRows)
    for line in rows.lines():
        file.write(line)


class TableRows(Rows):
    """Rows as Arrow tables."""

    def __init__(self, contents: Iterator[bytes]) -> None:
        super().__init__(contents)
        self._waiting: list[pa.Table] = []

    def more(self) -> bool:
        return self._gather(1) > 0

    def _gather(self, wanted: int) -> int:
        rows: int = sum(table.num_rows for table in self._waiting)
        while rows < wanted and (content := next(self._contents, None)) is not None:
            self._waiting.append(from_parquet(content))
            rows += self._waiting[-1].num_rows
        return rows

    def groups(self) -> Iterator[pa.Table]:
        import pyarrow as pa

        while wanted := min(ROW_GROUP_ROWS, ROW_GROUP_ROWS if self._allowed is None else self._allowed):
            rows = min(wanted, self._gather(wanted))
            if rows == 0:
                return
            table = pa.concat_tables(self._waiting).combine_chunks()
            self._waiting = [table.slice(rows)]
            if self._allowed is not None:
                self._allowed -= rows
            yield table.slice(0, rows)


def write_parquet(file: IO[bytes], rows: Rows, schema: pa.Schema | None) -> None:
    import pyarrow.parquet as pq

    assert isinstance(rows, TableRows)
    with pq.ParquetWriter(file, schema) as writer:
        for table in rows.groups():
            writer.write_table(table, row_group_size=ROW_GROUP_ROWS)
