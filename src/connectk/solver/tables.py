"""How much memory a table may take."""

from __future__ import annotations

from math import isfinite

from connectk import _native
from connectk.errors import TableTooLarge

MB = 2**20


def table_bytes(table_mb: float | None, tables: int = 1) -> int:
    """The bytes of so many MB, 0 for a table that grows with the work; refused when the machine cannot give them."""
    if table_mb is None:
        return 0
    if not isfinite(table_mb) or table_mb <= 0:
        raise ValueError("a table needs some memory: a number of MB above 0")
    most = _native.available_memory() // tables
    if table_mb * MB > most:
        raise TableTooLarge(table_mb, most // MB, tables)
    return max(1, int(table_mb * MB))
