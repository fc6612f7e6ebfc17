"""Writes tables as CSV for spreadsheets. No spreadsheet reads a name in such a table as a formula."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence

FORMULA_STARTS = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
)  # a spreadsheet takes a cell that begins with one of these for a formula
DECIMAL_POINT_LANGUAGES = ("en",)  # in all others a comma is the decimal sign, and semicolons separate the cells


def write_csv(columns: Sequence[str], rows: Iterable[Sequence[object]], language: str = "en") -> bytes:
    """The table as UTF-8 text, in the format that a spreadsheet in this language reads. The text begins with a byte
    order mark, so that spreadsheets recognize UTF-8."""
    text, has_point = io.StringIO(), language in DECIMAL_POINT_LANGUAGES
    write = csv.writer(text, delimiter="," if has_point else ";")
    write.writerow(map(_harmless, columns))
    for row in rows:
        write.writerow(_harmless(cell) if has_point else _with_comma(_harmless(cell)) for cell in row)
    return text.getvalue().encode("utf-8-sig")


def _with_comma(cell: object) -> object:
    """A number as text with a decimal comma; other cells are unchanged. In a language with a decimal comma, a
    spreadsheet reads 25.1 as 25 January."""
    return str(cell).replace(".", ",") if isinstance(cell, float) else cell


def _harmless(cell: object) -> object:
    """The cell, but with an apostrophe in front if a spreadsheet would read it as a formula. Formulas may also begin
    with spaces or with a full-width sign."""
    if not isinstance(cell, str):
        return cell
    narrow = unicodedata.normalize("NFKC", cell[:8])
    return f"'{cell}" if narrow.startswith(FORMULA_STARTS) or narrow.lstrip().startswith(FORMULA_STARTS) else cell
