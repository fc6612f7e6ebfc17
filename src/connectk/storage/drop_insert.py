"""Inserts drops into PostgreSQL with one statement, because drops are by far the most frequent change. Decision 4 gives
the figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeGuard

from sqlalchemy import Connection, text

from connectk.play.events import MATCH_EVENT_NAMES as KINDS
from connectk.play.events import Dropped, facts_of
from connectk.play.protocols import Change
from connectk.storage.notices import notice_columns, notices_of

MAX_DROPS_PER_STATEMENT = 64  # the drops in one statement
DROP_COLUMNS = ("match", "seq", "kind", "at", "facts", "key", "ply", "column", "ended", "deadline")
# The statement takes one round trip with autocommit. It inserts the events first and in the given order, so that of two
# processes that want the same event number, the slower process waits at its first event.
INSERT_DROPS_STATEMENT = text("""
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
    SELECT pg_notify(channel, message)
    FROM unnest(CAST(:channels AS text[]), CAST(:messages AS text[])) AS notices (channel, message)
""")


def all_drops(works: Sequence[object]) -> TypeGuard[Sequence[Change]]:
    """Whether these changes are all drops, and few enough for one statement."""
    return len(works) <= MAX_DROPS_PER_STATEMENT and all(
        isinstance(work, Change) and isinstance(work.recorded.event, Dropped) for work in works
    )


def insert_drops(connection: Connection, changes: Sequence[Change]) -> None:
    """Insert drops. They are durable when this returns. The connection must commit each statement at once
    (autocommit)."""
    rows = [_drop_row(change) for change in changes]
    columns = dict(zip(DROP_COLUMNS, map(list, zip(*rows, strict=True)), strict=True))
    connection.execute(INSERT_DROPS_STATEMENT, columns | notice_columns(notices_of(changes)))


def _drop_row(change: Change) -> tuple[Any, ...]:
    """The values of one drop for `DROP_COLUMNS`, in the same order."""
    event, key, before, after = change.recorded.event, change.recorded.key, change.before, change.after
    facts, ended = json.dumps(facts_of(event)), after.result is not None
    happened = after.id, after.seq, KINDS[Dropped], event.at, facts, key
    return (*happened, before.ply, after.moves[-1], ended, after.deadline)
