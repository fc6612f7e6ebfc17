"""Converts verdicts to rows of a readable table, JSON, CSV and Parquet."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from connectk.referee.reasons import reason_for
from connectk.referee.verdict import Code, Verdict
from connectk.texts import Texts

if TYPE_CHECKING:
    import pyarrow

MAX_CELLS_SHOWN = 8
# The columns of a table: the path, then the fields of `Verdict.facts`.
VERDICT_COLUMNS = ("path", "code", "name", "line", "moves", "winner", "winning_cells", "first_code", "first_line")


def json_line(path: str, verdict: Verdict) -> str:
    return json.dumps({"path": path, **verdict.facts()})


def table_row(path: str, verdict: Verdict) -> dict[str, object]:
    """One row with the columns `VERDICT_COLUMNS`. The winning cells are JSON text or None, because a table cannot hold
    lists."""
    facts = verdict.facts()
    cells = json.dumps(facts["winning_cells"]) if facts["winning_cells"] else None
    return {"path": path, **facts, "winning_cells": cells}


def table_lines(
    paths: Sequence[str], verdicts: Iterable[Verdict], texts: Texts, width: int | None = None
) -> Iterator[str]:
    """Yields the lines of a readable table as the verdicts arrive; the header comes first. A row that is wider than
    `width` continues on the next line."""
    heads = [texts(f"judge.{head}") for head in ("file", "code", "name", "line", "won")]
    titles = {code: texts(f"code.{code:d}") for code in Code}
    widths = [max([len(heads[0]), *map(len, paths)]), len(heads[1]), max(map(len, [heads[2], *titles.values()]))]
    indent = " " * (widths[0] + widths[1] + 4)
    yield _table_line(heads, widths)
    for path, verdict in zip(paths, verdicts, strict=True):
        line = "" if verdict.line is None else str(verdict.line)
        won, cells = _win(verdict, texts), [path, f"{verdict.code:d}", titles[verdict.code], line]
        whole = _table_line([*cells, won], widths)
        if width is None or len(whole) <= width:
            yield whole
        else:
            yield _table_line([*cells, ""], widths)
            yield from _below(won, indent, width)
        yield from _below(reason_for(path, verdict, texts), indent, width)


def _below(text: str, indent: str, width: int | None) -> list[str]:
    """The lines of a text that is printed below a row of the table, aligned with the third cell; no lines for an empty
    text."""
    if width is None:
        return [f"{indent}{text}"] if text else []
    room = max(20, width - len(indent))
    return [f"{indent}{line}" for line in textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False)]


def _table_line(cells: list[str], widths: list[int]) -> str:
    file, code, name, line, won = cells
    return f"{file:<{widths[0]}}  {code:>{widths[1]}}  {name:<{widths[2]}}  {line:>8}  {won}".rstrip()


def _win(verdict: Verdict, texts: Texts) -> str:
    """The winner and the cells of the winning line: `player 1: 1,1 2,1 3,1 4,1`. Each cell is its column and its row,
    counted from 1."""
    if verdict.winner is None:
        return ""
    cells = [f"{cell.column + 1},{cell.row + 1}" for cell in verdict.winning_cells[:MAX_CELLS_SHOWN]]
    more = ["..."] if len(verdict.winning_cells) > MAX_CELLS_SHOWN else []
    return texts("judge.player", number=verdict.winner.value + 1, cells=" ".join(cells + more))


def summary_lines(counts: Counter[Code], texts: Texts) -> Iterator[str]:
    """Yields the lines of a summary. They say how many files have each code."""
    files = counts.total()
    valid = sum(count for code, count in counts.items() if code.is_valid_game)
    yield texts("judge.files", count=files, valid=valid, invalid=files - valid)
    for code in sorted(counts):
        yield f"  {counts[code]:>9,}  {code:d} {texts(f'code.{code:d}')}"


def parquet_table(rows: list[dict[str, object]]) -> pyarrow.Table:
    """The rows as an Arrow table; needs pyarrow. The winning cells are JSON text, because a column number may be too
    large for any integer type."""
    import pyarrow as pa

    return pa.Table.from_pylist(rows, parquet_schema())


def parquet_schema() -> pyarrow.Schema:
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("path", pa.string(), nullable=False),
            pa.field("code", pa.int8(), nullable=False),
            pa.field("name", pa.string(), nullable=False),
            pa.field("line", pa.int64()),
            pa.field("moves", pa.int64(), nullable=False),
            pa.field("winner", pa.string()),
            pa.field("winning_cells", pa.string()),
            pa.field("first_code", pa.int8()),
            pa.field("first_line", pa.int64()),
        ]
    )
