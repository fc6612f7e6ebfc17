"""Counts the openings of finished matches in the background, for the opening explorer."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from connectk.play.opening_drops import opening_drops
from connectk.play.protocols import StoreConflict
from connectk.rules import Position
from connectk.server.schemas import ExplorerAnswer, OpeningCountsView
from connectk.storage import openings
from connectk.storage.openings import NO_COUNTS, ColumnCounts
from connectk.storage.store import SqlMatchStore

BATCH_MATCHES, MAX_BATCHES = 5, 10  # read at once, and in one round
COMMIT_LAG_SECONDS = 60.0  # another server may store an event this long after the event's time


class OpeningCounter:
    """Counts the first drops of each finished match once, even if another server has ended the match."""

    def __init__(self, store: SqlMatchStore) -> None:
        self._store = store
        self._counted_until = 0.0

    async def count_some(self) -> None:
        for _ in range(MAX_BATCHES):
            since = self._counted_until - COMMIT_LAG_SECONDS
            read = partial(openings.uncounted, changed_since=since, limit=BATCH_MATCHES)
            found = await self._store.query(read)
            for match, changed in found:
                count = partial(openings.count, match_id=match.id, drops=opening_drops(match), now=changed)
                with suppress(StoreConflict):  # another server has counted it
                    await self._store.transact(count)
                self._counted_until = max(self._counted_until, changed)
            if len(found) < BATCH_MATCHES:
                return

    async def explore(self, position: Position) -> ExplorerAnswer:
        """Counts of how often each column of a position was played on this server, and of the results of these
        matches."""
        counts = await self._store.query(partial(openings.counts_of, position=position))
        columns = sorted({column for column, _ in counts})
        return {
            "columns": [
                {
                    "column": column,
                    "people": _view(counts.get((column, False), NO_COUNTS)),
                    "computers": _view(counts.get((column, True), NO_COUNTS)),
                }
                for column in columns
            ]
        }


def _view(counts: ColumnCounts) -> OpeningCountsView:
    return {"wins": counts.wins, "draws": counts.draws, "losses": counts.losses}
