"""The tables. Events are what happened; drops are the discs that lie on the board now, replayed to draw it."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

metadata = MetaData()

matches = Table(
    "matches",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", Float, nullable=False),
    Column("setup", JSON, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("attended", Boolean, nullable=False),  # has a clock or a computer player, so it goes on by itself
    Column("ended", Boolean, nullable=False),
    Column("changed", Float, nullable=False),
    Column("deadline", Float),  # when the side to move runs out of time
    Index("matches_by_state", "ended", "public", "changed"),
)
WITH_A_DEADLINE = matches.c.deadline.is_not(None)
Index("matches_by_deadline", matches.c.deadline, postgresql_where=WITH_A_DEADLINE, sqlite_where=WITH_A_DEADLINE)
Index("matches_by_change", matches.c.changed)

events = Table(
    "events",
    metadata,
    Column("match", String(32), ForeignKey("matches.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("at", Float, nullable=False),
    Column("facts", JSON, nullable=False),
    Column("key", String(80)),
    UniqueConstraint("match", "key", name="one_event_for_each_key"),
)

# The key is (match, ply), so two drops for one ply cannot both exist.
drops = Table(
    "drops",
    metadata,
    Column("match", String(32), ForeignKey("matches.id"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("column", Integer, nullable=False),
    Column("at", Float, nullable=False),
)
