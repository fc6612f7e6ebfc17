"""Inserts drops, by far the most frequent change, into PostgreSQL with one statement; decision 4 has the figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeGuard

from sqlalchemy import Connection, text

from connectk.play.events import NAMES as KINDS
from connectk.play.events import Dropped, facts_of
from connectk.play.protocols import Change
from connectk.storage.feed import CHANNEL, messages_of

MAX_DROPS = 64  # of one statement
DROP_FIELDS = ("match", "seq", "kind", "at", "facts", "key", "ply", "column", "ended", "deadline")
# One round trip with autocommit. The events are inserted first and in the given order, so that of two processes that
# want the same number, the slower one waits at the first event.
INSERT_DROPS = text("""
    WITH happened AS (
        INSERT INTO events (match, seq, kind, at, facts, key)
        SELECT * FROM unnest(
            CAST(:match AS text[]), CAST(:seq AS int[]), CAST(:kind AS text[]),
            CAST(:at AS float8[]), CAST(:facts AS json[]), CAST(:key AS text[])
        )
        RETURNING match
    ), dropped AS (
        INSERT INTO drops (match, ply, "column", at)
        SELECT * FROM unnest(
            CAST(:match AS text[]), CAST(:ply AS int[]), CAST(:column AS int[]), CAST(:at AS float8[])
        )
        WHERE (SELECT count(*) FROM happened) > 0
    ), changed AS (
        UPDATE matches SET ended = new.ended, changed = new.changed, deadline = new.deadline
        FROM unnest(
            CAST(:match AS text[]), CAST(:ended AS bool[]), CAST(:at AS float8[]), CAST(:deadline AS float8[])
        ) AS new (id, ended, changed, deadline)
        WHERE matches.id = new.id AND (SELECT count(*) FROM happened) > 0
    )
    SELECT pg_notify(:channel, news) FROM unnest(CAST(:news AS text[])) AS news
""")


def all_drops(works: Sequence[object]) -> TypeGuard[Sequence[Change]]:
    """Whether all works are drops, and fit into one statement."""
    return len(works) <= MAX_DROPS and all(
        isinstance(work, Change) and isinstance(work.recorded.event, Dropped) for work in works
    )


def insert_drops(connection: Connection, changes: Sequence[Change]) -> None:
    """Insert all of them; the connection must be in autocommit mode, and they are durable on return."""
    rows = [_drop_row(change) for change in changes]
    columns = dict(zip(DROP_FIELDS, map(list, zip(*rows, strict=True)), strict=True))
    connection.execute(INSERT_DROPS, columns | {"channel": CHANNEL, "news": messages_of(changes)})


def _drop_row(change: Change) -> tuple[Any, ...]:
    """In the order of `DROP_FIELDS`."""
    event, key, before, after = change.recorded.event, change.recorded.key, change.before, change.after
    facts, ended = json.dumps(facts_of(event)), after.result is not None
    happened = after.id, after.seq, KINDS[Dropped], event.at, facts, key
    return (*happened, before.ply, after.moves[-1], ended, after.deadline)
