"""The matches that are being played, in memory, the least used forgotten first."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from connectk.play.events import Event
from connectk.play.match import Match
from connectk.play.protocols import MatchStore, Recorded
from connectk.play.refusals import MatchNotFound

REMEMBERED = 4  # steps of each match, for those who are only a little behind; the store has them all


class Step(NamedTuple):
    """An event, and the match after it."""

    event: Event
    match: Match


@dataclass(slots=True)
class Table:
    """A match in memory: as it stands, its last steps, and the idempotency keys that were used."""

    match: Match
    recent: deque[Step] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    keys: dict[str, tuple[int, Event]] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def add(self, recorded: Recorded) -> None:
        self.match = self.match.after(recorded.event)
        self.recent.append(Step(recorded.event, self.match))
        if recorded.key:
            self.keys[recorded.key] = self.match.seq, recorded.event

    def steps_after(self, seq: int) -> list[Step] | None:
        """The steps after this number; None where memory does not reach back so far."""
        wanted = self.match.seq - seq
        return None if wanted > len(self.recent) else [step for step in self.recent if step.match.seq > seq]


class Tables:
    """Finds a match in memory or in the store."""

    def __init__(self, store: MatchStore, most: int = 2000) -> None:
        self._store, self._most = store, most
        self._tables: OrderedDict[str, Table] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tables)

    def in_memory(self, match_id: str) -> Table | None:
        return self._tables.get(match_id)

    async def find(self, match_id: str) -> Table:
        table = self._tables.get(match_id) or await self._load(match_id)
        if match_id in self._tables:
            self._tables.move_to_end(match_id)
        return table

    async def refresh(self, table: Table) -> None:
        """Bring the table up to date where another process may have played."""
        if self._store.is_shared:
            await self.catch_up(table)

    async def _load(self, match_id: str) -> Table:
        found = await self._store.load(match_id)
        if found is None:
            raise MatchNotFound
        # Two may have loaded at once; all must share one table and its lock.
        return self._tables.get(match_id) or self.put(found[0], found[1])

    def put(self, match: Match, recorded: Sequence[Recorded] = ()) -> Table:
        table = self._tables[match.id] = Table(match)
        for item in recorded:
            table.add(item)
        self._forget()
        return table

    def drop(self, match_ids: Sequence[str]) -> None:
        """Those that are no longer in the store."""
        for match_id in match_ids:
            self._tables.pop(match_id, None)

    def _forget(self) -> None:
        while len(self._tables) > self._most:
            match_id, table = next(iter(self._tables.items()))
            if table.lock.locked():
                self._tables.move_to_end(match_id)
                return
            del self._tables[match_id]

    async def catch_up(self, table: Table) -> None:
        """Add what another process has stored."""
        for recorded in await self._missing(table):
            table.add(recorded)

    async def _missing(self, table: Table) -> list[Recorded]:
        seq = table.match.seq
        recorded = await self._store.events_after(table.match.id, seq)
        # While we read, someone in this process may have added some of them.
        return recorded[table.match.seq - seq :]
