"""The matches that are being played, in memory, the least used forgotten first."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from connectk.errors import ConnectkError
from connectk.play.events import Dropped, Event, Redone, TakenBack
from connectk.play.keys import is_match_id
from connectk.play.match import Match
from connectk.play.protocols import MatchStore, Recorded
from connectk.play.refusals import MatchDamaged, MatchNotFound

T = TypeVar("T")
UNREADABLE = (ConnectkError, KeyError, IndexError, TypeError, ValueError, AttributeError)
LONG = 200  # events
REMEMBERED = 4  # steps of each match, for those who are only a little behind; the store has them all


class Used(NamedTuple):
    """What an idempotency key was used for: the event, its number, and the discs on the board after it."""

    seq: int
    event: Event
    ply: int


class MatchStep(NamedTuple):
    """An event, and the match after it."""

    event: Event
    match: Match


@dataclass(slots=True)
class LiveMatch:
    """A match in memory: as it stands, its last steps, and the idempotency keys that were used."""

    match: Match
    recent: deque[MatchStep] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    keys: dict[str, Used] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    next_look: asyncio.Future[None] | None = None

    def add(self, recorded: Recorded, after: Match | None = None) -> None:
        """What happened next; `after` is the match once it has, where someone has worked that out."""
        self.match = after or self.match.after(recorded.event)
        self.recent.append(MatchStep(recorded.event, self.match))
        if recorded.key:
            self.keys[recorded.key] = Used(self.match.seq, recorded.event, self.match.ply)

    @classmethod
    def played(cls, match: Match, recorded: Sequence[Recorded]) -> LiveMatch:
        """A match as it was made, with all that has happened to it."""
        early = max(0, len(recorded) - REMEMBERED)
        live = cls(match.after_all([item.event for item in recorded[:early]]))
        live._note_keys(match, recorded[:early])
        for item in recorded[early:]:
            live.add(item)
        return live

    def _note_keys(self, match: Match, recorded: Sequence[Recorded]) -> None:
        """What has to be known of each moment is how many discs lay there."""
        ply = match.ply
        for seq, item in enumerate(recorded, match.seq + 1):
            if isinstance(item.event, Dropped):
                ply += 1
            elif isinstance(item.event, TakenBack | Redone):
                ply = item.event.to_ply
            if item.key:
                self.keys[item.key] = Used(seq, item.event, ply)

    def steps_after(self, seq: int) -> list[MatchStep] | None:
        """The steps after this number; None where memory does not reach back so far."""
        wanted = self.match.seq - seq
        return None if wanted > len(self.recent) else [step for step in self.recent if step.match.seq > seq]


_aside = ThreadPoolExecutor(1, "replay")  # one thread: more would share the interpreter with everybody's drops


async def in_thread_if_long(length: int, work: Callable[..., T], *arguments: Any) -> T:
    """Work that grows with the length of a match; a long one must not keep the others waiting."""
    if length < LONG:
        return work(*arguments)
    return await asyncio.get_running_loop().run_in_executor(_aside, lambda: work(*arguments))


class Pages:
    """Matches as they were at the end of a page of events that someone has read, for whoever reads the next."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._matches: OrderedDict[tuple[str, int], Match] = OrderedDict()

    def get(self, match_id: str, seq: int) -> Match | None:
        return self._matches.get((match_id, seq))

    def put(self, match: Match) -> None:
        self._matches[match.id, match.seq] = match
        if len(self._matches) > self._most:
            self._matches.popitem(last=False)


class LiveMatches:
    """Finds a match in memory or in the store."""

    def __init__(self, store: MatchStore, most: int = 2000) -> None:
        self._store, self._most = store, most
        self._matches: OrderedDict[str, LiveMatch] = OrderedDict()

    def __len__(self) -> int:
        return len(self._matches)

    def in_memory(self, match_id: str) -> LiveMatch | None:
        return self._matches.get(match_id)

    async def find(self, match_id: str) -> LiveMatch:
        live = self._matches.get(match_id) or await self._load(match_id)
        if match_id in self._matches:
            self._matches.move_to_end(match_id)
        return live

    async def refresh(self, live: LiveMatch) -> None:
        """Bring a match up to date where another process may have played."""
        if self._store.is_shared:
            await self.catch_up(live)

    async def _load(self, match_id: str) -> LiveMatch:
        played = await self._read(match_id) if is_match_id(match_id) else None
        if played is None:
            raise MatchNotFound
        # Two may have loaded at once; all must share one value and its lock.
        return self._matches.get(match_id) or self.put(played)

    async def _read(self, match_id: str) -> LiveMatch | None:
        """What is stored may have come from a backup that somebody has written."""
        try:
            found = await self._store.load(match_id)
            return None if found is None else await in_thread_if_long(len(found[1]), LiveMatch.played, *found)
        except UNREADABLE as error:
            raise MatchDamaged from error

    def put(self, live: LiveMatch) -> LiveMatch:
        self._matches[live.match.id] = live
        self._forget()
        return live

    def drop(self, match_ids: Sequence[str]) -> None:
        """Those that are no longer in the store."""
        for match_id in match_ids:
            self._matches.pop(match_id, None)

    def _forget(self) -> None:
        while len(self._matches) > self._most:
            match_id, live = next(iter(self._matches.items()))
            if live.lock.locked():
                self._matches.move_to_end(match_id)
                return
            del self._matches[match_id]

    async def catch_up(self, live: LiveMatch) -> None:
        """Add what another process has stored. However many ask at once, all share the next look that begins."""
        if live.next_look is None:
            live.next_look = asyncio.ensure_future(self._look(live))
        await asyncio.shield(live.next_look)

    async def _look(self, live: LiveMatch) -> None:
        async with live.looking:
            live.next_look = None  # who asks from now on may know of something newer
            for recorded in await self._missing(live):
                live.add(recorded)

    async def _missing(self, live: LiveMatch) -> list[Recorded]:
        seq = live.match.seq
        recorded = await self._store.events_after(live.match.id, seq)
        # While we read, someone in this process may have added some of them.
        return recorded[live.match.seq - seq :]
