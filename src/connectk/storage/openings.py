"""Counts the first drops of finished matches for the opening explorer. Each match counts once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Boolean, Column, Connection, Float, Index, Integer, String, Table, delete, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from connectk.play.match import Match
from connectk.play.opening_drops import MAX_BOARD_KEY_CHARS, OpeningDrop, board_key, column_key, is_explored
from connectk.rules import Position
from connectk.storage.rooms import matches_of
from connectk.storage.tables import matches, metadata

opening_counts = Table(
    "opening_counts",
    metadata,
    Column("board", String(MAX_BOARD_KEY_CHARS), primary_key=True),
    Column("column", Integer, primary_key=True),
    Column("by_computer", Boolean, primary_key=True),
    Column("wins", Integer, nullable=False),  # of the player who dropped
    Column("draws", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("changed", Float, nullable=False),
    Index("opening_counts_by_change", "changed"),
)

# The primary key lets a match be counted only once.
counted_matches = Table("counted_matches", metadata, Column("match", String(32), primary_key=True))
NAMES_OF_SCORES = {1.0: "wins", 0.5: "draws", 0.0: "losses"}


class ColumnCounts(NamedTuple):
    """Counts of a column by result: the wins, draws and losses of the players who dropped there."""

    wins: int = 0
    draws: int = 0
    losses: int = 0


NO_COUNTS = ColumnCounts()


def uncounted(connection: Connection, changed_since: float, limit: int) -> list[tuple[Match, float]]:
    """Finished matches that are not counted yet, each with the time of its last change, the earliest first."""
    is_counted = select(counted_matches.c.match).where(counted_matches.c.match == matches.c.id).exists()
    found = select(matches.c.id, matches.c.changed).where(
        matches.c.ended, matches.c.changed >= changed_since, ~is_counted
    )
    changed = {row.id: row.changed for row in connection.execute(found.order_by(matches.c.changed).limit(limit))}
    loaded = matches_of(connection, list(changed))
    return [(loaded[match_id], at) for match_id, at in changed.items() if match_id in loaded]


def count(connection: Connection, match_id: str, drops: Sequence[OpeningDrop], now: float) -> None:
    """Count a match with its first drops. If another server has counted it already, the insertion fails because the
    match's key is taken."""
    connection.execute(insert(counted_matches), {"match": match_id})
    if drops:
        rows = [_row(drop, now) for drop in sorted(drops)]  # in order, so that no two servers wait for each other
        connection.execute(_upsert(connection), rows)


def _row(drop: OpeningDrop, now: float) -> dict[str, Any]:
    score = NAMES_OF_SCORES[drop.score]
    counts = {name: int(name == score) for name in ColumnCounts._fields}
    return {"board": drop.board, "column": drop.column, "by_computer": drop.by_computer, "changed": now, **counts}


def _upsert(connection: Connection) -> Any:
    dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    made = dialect.insert(opening_counts)
    values = {name: opening_counts.c[name] + made.excluded[name] for name in ColumnCounts._fields}
    return made.on_conflict_do_update(
        index_elements=["board", "column", "by_computer"], set_={**values, "changed": made.excluded.changed}
    )


def counts_of(connection: Connection, position: Position) -> dict[tuple[int, bool], ColumnCounts]:
    """The counts of each column that was played in this position. The key is the column, and whether a computer player
    dropped there."""
    if not is_explored(position):
        return {}
    rows = connection.execute(select(opening_counts).where(opening_counts.c.board == board_key(position)))
    return {
        (column_key(position, row.column), row.by_computer): ColumnCounts(row.wins, row.draws, row.losses)
        for row in rows
    }


def delete_old_counts(connection: Connection, before: float) -> None:
    """Delete the counts of columns that nobody has played since the time `before`."""
    connection.execute(delete(opening_counts).where(opening_counts.c.changed < before))
