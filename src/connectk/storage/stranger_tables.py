"""The tables for people who play strangers: profiles with their devices, seeks, encounters, mutes and reports."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Float, Index, Integer, String, Table

from connectk.storage.tables import metadata

profiles = Table(
    "profiles",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("name_key", String(120), unique=True),  # the form in which names are compared; None for a guest
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("balance", Integer, nullable=False),
    Column("abandoned", JSON, nullable=False),
    Column("paused_until", Float, nullable=False),
    Column("rated_at", Float, nullable=False),
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False),
    Column("opponents", Integer, nullable=False),
    Index("profiles_by_seen", "seen"),
)

# The secrets with which devices use a profile, as hashes.
devices = Table(
    "devices",
    metadata,
    Column("secret", String(64), primary_key=True),
    Column("profile", String(32), nullable=False),
    Column("created", Float, nullable=False),
    Index("devices_by_profile", "profile"),
)

# Codes with which another device gets a profile, as hashes. A code is deleted when it is used.
transfers = Table(
    "transfers",
    metadata,
    Column("code", String(64), primary_key=True),
    Column("profile", String(32), nullable=False),
    Column("expires", Float, nullable=False),
)

# A seek becomes a match when `match` is set, in the transaction that creates the match.
seeks = Table(
    "seeks",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("profile", String(32), nullable=False),
    Column("holder", String(64), nullable=False, unique=True),
    Column("device", String(64), nullable=False),
    Column("address", String(64), nullable=False),
    Column("variant", String(40), nullable=False),
    Column("seconds", Float, nullable=False),
    Column("increment", Float, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("best_of", Integer, nullable=False),
    Column("takes_level", Boolean, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("swap_discs", Integer, nullable=False),
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False),
    Column("match", String(32)),
    Index("seeks_by_seen", "seen"),
)

# The primary key lets a match be settled only once: settling sets `settled` where it is None.
encounters = Table(
    "encounters",
    metadata,
    Column("match", String(32), primary_key=True),
    Column("first", String(32), nullable=False),
    Column("second", String(32), nullable=False),
    Column("pair", String(65), nullable=False),  # both profiles in order, for the limit of games a day
    Column("before", JSON, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("best_of", Integer, nullable=False),
    Column("game", Integer, nullable=False),
    Column("points", JSON, nullable=False),
    Column("created", Float, nullable=False),
    Column("settled", Float),
    Column("counted", Boolean, nullable=False),
    Column("after", JSON(none_as_null=True)),
    Column("scores", JSON(none_as_null=True)),
    Column("abandoned", String(6)),
    Column("next_at", Float),
    Column("evidence", JSON(none_as_null=True)),
    Column("places", String(32)),
    # Which opponent each player has met, as a hash; both are None once they no longer count.
    Column("opponent_of_first", String(32)),
    Column("opponent_of_second", String(32)),
    Index("encounters_by_pair", "pair", "settled"),
    Index("encounters_by_first", "first", "created"),
    Index("encounters_by_second", "second", "created"),
)
IS_OPEN = seeks.c.match.is_(None)
Index("one_open_seek", seeks.c.profile, unique=True, postgresql_where=IS_OPEN, sqlite_where=IS_OPEN)
IS_UNSETTLED = encounters.c.settled.is_(None)
Index("encounters_unsettled", encounters.c.created, postgresql_where=IS_UNSETTLED, sqlite_where=IS_UNSETTLED)
HAS_PLACES = encounters.c.places.is_not(None)
Index("encounters_by_places", encounters.c.places, postgresql_where=HAS_PLACES, sqlite_where=HAS_PLACES)
HAS_OPPONENTS = encounters.c.opponent_of_first.is_not(None)
Index("encounters_with_opponents", encounters.c.created, postgresql_where=HAS_OPPONENTS, sqlite_where=HAS_OPPONENTS)
HAS_NEXT = encounters.c.next_at.is_not(None)
Index("encounters_with_next", encounters.c.next_at, postgresql_where=HAS_NEXT, sqlite_where=HAS_NEXT)

mutes = Table(
    "mutes",
    metadata,
    Column("profile", String(32), primary_key=True),
    Column("muted", String(32), primary_key=True),
)

reports = Table(
    "reports",
    metadata,
    Column("profile", String(32), primary_key=True),  # who reports
    Column("match", String(32), primary_key=True),
    Column("about", String(32), nullable=False),
    Column("reason", String(20), nullable=False),
    Column("at", Float, nullable=False),
    Index("reports_by_about", "about"),
)

STRANGER_TABLES = (profiles, devices, transfers, seeks, encounters, mutes, reports)
