"""The matches that are being played, in memory."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from cachetools import LRUCache

from connectk.errors import ConnectkError
from connectk.play.deciding import Live
from connectk.play.events import Dropped, Event, Redone, TakenBack
from connectk.play.keys import is_match_id
from connectk.play.match import Match
from connectk.play.protocols import Change, MatchStore, Recorded
from connectk.play.refusals import MatchDamaged, MatchNotFound

T = TypeVar("T")
LOAD_ERRORS = (ConnectkError, KeyError, IndexError, TypeError, ValueError, AttributeError)
MIN_EVENTS_FOR_THREAD = 200  # events
MAX_RECENT_STEPS = 4  # steps of each match, for those who are only a little behind; the store has them all


class Used(NamedTuple):
    """What an idempotency key was used for: the event, its number, and the discs on the board after it."""

    seq: int
    event: Event
    ply: int


class MatchStep(NamedTuple):
    """An event, and the match after it."""

    event: Event
    match: Match


@dataclass(eq=False, slots=True)
class LiveMatch(Live[Change]):
    """A match in memory: as it stands, its last steps, and the idempotency keys that were used."""

    match: Match
    recent: deque[MatchStep] = field(default_factory=lambda: deque(maxlen=MAX_RECENT_STEPS))
    keys: dict[str, Used] = field(default_factory=dict)

    @property
    def seq(self) -> int:
        return self.match.seq

    def add(self, recorded: Recorded, after: Match | None = None) -> None:
        """What happened next; `after` is the match once it has, where someone has worked that out."""
        self.match = after or self.match.after(recorded.event)
        self.recent.append(MatchStep(recorded.event, self.match))
        if recorded.key:
            self.keys[recorded.key] = Used(self.match.seq, recorded.event, self.match.ply)

    @classmethod
    def played(cls, match: Match, recorded: Sequence[Recorded]) -> LiveMatch:
        """A match as it was made, with all that has happened to it."""
        early = max(0, len(recorded) - MAX_RECENT_STEPS)
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


_replay_thread = ThreadPoolExecutor(1, "replay")  # one thread: more would share the interpreter with everybody's drops


async def in_thread_if_long(length: int, work: Callable[..., T], *arguments: Any) -> T:
    """Work that grows with the length of a match; a long one must not keep the others waiting."""
    if length < MIN_EVENTS_FOR_THREAD:
        return work(*arguments)
    return await asyncio.get_running_loop().run_in_executor(_replay_thread, lambda: work(*arguments))


class LiveMatches:
    """Finds a match in memory or in the store. Those used last are kept, and whatever somebody still works with."""

    def __init__(self, store: MatchStore, most: int = 2000) -> None:
        self._store = store
        self._recent: LRUCache[str, LiveMatch] = LRUCache(most)
        self._all: WeakValueDictionary[str, LiveMatch] = WeakValueDictionary()

    def __len__(self) -> int:
        return len(self._recent)

    def in_memory(self, match_id: str) -> LiveMatch | None:
        return self._all.get(match_id)

    async def find(self, match_id: str) -> LiveMatch:
        live = self._all.get(match_id)
        if live is None:
            return self.put(await self._load(match_id))
        self._recent[match_id] = live
        return live

    async def _load(self, match_id: str) -> LiveMatch:
        played = await self._read(match_id) if is_match_id(match_id) else None
        if played is None:
            raise MatchNotFound
        # Two may have loaded at once; all must share one value and its lock.
        return self._all.setdefault(match_id, played)

    async def _read(self, match_id: str) -> LiveMatch | None:
        """What is stored may have come from a backup that somebody has written."""
        try:
            found = await self._store.load(match_id)
            return None if found is None else await in_thread_if_long(len(found[1]), LiveMatch.played, *found)
        except LOAD_ERRORS as error:
            raise MatchDamaged from error

    def put(self, live: LiveMatch) -> LiveMatch:
        self._all[live.match.id] = self._recent[live.match.id] = live
        return live

    def drop(self, match_ids: Sequence[str]) -> None:
        """Those that are no longer in the store."""
        for match_id in match_ids:
            self._all.pop(match_id, None)
            self._recent.pop(match_id, None)
