"""Keeps matches in memory, so that most requests need not read the store."""

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
from connectk.play.decide_and_store import LiveEvents
from connectk.play.events import Dropped, Event, Redone, TakenBack
from connectk.play.match import Match
from connectk.play.protocols import Change, MatchStore, RecordedEvent
from connectk.play.refusals import DatabaseUnavailable, MatchDamaged, MatchNotFound
from connectk.play.secrets_and_codes import is_match_id

T = TypeVar("T")
LOAD_ERRORS = (ConnectkError, KeyError, IndexError, TypeError, ValueError, AttributeError)
MIN_EVENTS_FOR_THREAD = 200
MAX_CACHED_MATCHES = 2000
LONG_MATCH_MOVES = 500  # longer matches are cached apart, so that they neither fill the memory nor evict the others
MAX_CACHED_LONG_MOVES = 50_000  # of all cached long matches together
MAX_RECENT_STEPS = 4  # kept per match for clients that missed only a few events; the store has all events


class UsedKey(NamedTuple):
    """The effect of a request with an idempotency key: the event, its number, and the ply after it."""

    seq: int
    event: Event
    ply: int


class MatchStep(NamedTuple):
    """One event, and the state of the match after it."""

    event: Event
    match: Match


@dataclass(eq=False, slots=True)
class LiveMatch(LiveEvents[Change]):
    """A match in memory: its state, its last steps, and its used idempotency keys."""

    match: Match
    recent: deque[MatchStep] = field(default_factory=lambda: deque(maxlen=MAX_RECENT_STEPS))
    keys: dict[str, UsedKey] = field(default_factory=dict)

    @property
    def seq(self) -> int:
        return self.match.seq

    def add(self, recorded: RecordedEvent, after: Match | None = None) -> None:
        """Add the next event. `after` is the match after this event. If it is not given, it is computed."""
        self.match = after or self.match.after(recorded.event)
        self.recent.append(MatchStep(recorded.event, self.match))
        if recorded.key:
            self.keys[recorded.key] = UsedKey(self.match.seq, recorded.event, self.match.ply)

    @classmethod
    def played(cls, match: Match, recorded: Sequence[RecordedEvent]) -> LiveMatch:
        """Make a live match by replaying these events from the start of the match."""
        early = max(0, len(recorded) - MAX_RECENT_STEPS)
        live = cls(match.after_all([item.event for item in recorded[:early]]))
        live._note_keys(match, recorded[:early])
        for item in recorded[early:]:
            live.add(item)
        return live

    def _note_keys(self, match: Match, recorded: Sequence[RecordedEvent]) -> None:
        """Remember the idempotency keys of old events, but not the state of the match after each event."""
        ply = match.ply
        for seq, item in enumerate(recorded, match.seq + 1):
            if isinstance(item.event, Dropped):
                ply += 1
            elif isinstance(item.event, TakenBack | Redone):
                ply = item.event.to_ply
            if item.key:
                self.keys[item.key] = UsedKey(seq, item.event, ply)

    def steps_after(self, seq: int) -> list[MatchStep] | None:
        """The events after the number `seq`, each with the match after it. Returns None if some of these events are no
        longer in memory."""
        wanted = self.match.seq - seq
        return None if wanted > len(self.recent) else [step for step in self.recent if step.match.seq > seq]


_replay_thread = ThreadPoolExecutor(
    1, "replay"
)  # one thread: more would compete with the event loop for the interpreter


async def in_thread_if_long(length: int, work: Callable[..., T], *arguments: Any) -> T:
    """Run work whose duration grows with the length of a match. For a long match it runs in a thread, to keep the event
    loop responsive."""
    if length < MIN_EVENTS_FOR_THREAD:
        return work(*arguments)
    return await asyncio.get_running_loop().run_in_executor(_replay_thread, lambda: work(*arguments))


def _move_count(live: LiveMatch) -> int:
    return len(live.match.moves) + len(live.match.undone)


class LiveMatches:
    """Loads matches from the store. The most recently used matches are cached, but only a few long ones. A match that
    is still in use stays in memory too."""

    def __init__(self, store: MatchStore) -> None:
        self._store = store
        self._recent: LRUCache[str, LiveMatch] = LRUCache(MAX_CACHED_MATCHES)
        self._long: LRUCache[str, LiveMatch] = LRUCache(MAX_CACHED_LONG_MOVES, getsizeof=_move_count)
        self._all: WeakValueDictionary[str, LiveMatch] = WeakValueDictionary()

    def __len__(self) -> int:
        return len(self._recent) + len(self._long)

    def in_memory(self, match_id: str) -> LiveMatch | None:
        return self._all.get(match_id)

    async def find(self, match_id: str) -> LiveMatch:
        live = self._all.get(match_id)
        if live is None:
            return self.put(await self._load(match_id))
        self._cache(live)
        return live

    async def _load(self, match_id: str) -> LiveMatch:
        played = await self._read(match_id) if is_match_id(match_id) else None
        if played is None:
            raise MatchNotFound
        # Two tasks may have loaded the match at the same time; they must share one object and its lock.
        return self._all.setdefault(match_id, played)

    async def _read(self, match_id: str) -> LiveMatch | None:
        """Read a match and replay its events. Raises `MatchDamaged` if the stored data is invalid, for example after
        somebody has altered a backup."""
        try:
            found = await self._store.load(match_id)
            return None if found is None else await in_thread_if_long(len(found[1]), LiveMatch.played, *found)
        except DatabaseUnavailable:
            raise
        except LOAD_ERRORS as error:
            raise MatchDamaged from error

    def put(self, live: LiveMatch) -> LiveMatch:
        self._all[live.match.id] = live
        self._cache(live)
        return live

    def _cache(self, live: LiveMatch) -> None:
        match_id, moves = live.match.id, _move_count(live)
        if moves <= LONG_MATCH_MOVES:
            self._recent[match_id] = live
        else:
            self._recent.pop(match_id, None)
            if moves <= MAX_CACHED_LONG_MOVES:
                self._long[match_id] = live

    def drop(self, match_ids: Sequence[str]) -> None:
        """Evict matches that were deleted from the store."""
        for match_id in match_ids:
            self._all.pop(match_id, None)
            self._recent.pop(match_id, None)
            self._long.pop(match_id, None)

    def drop_room(self, code: str) -> None:
        """Evict the matches of a room, except those that are being changed right now. A match that still exists is read
        again when it is needed."""
        idle = [live.match for live in list(self._all.values()) if not live.lock.locked()]
        self.drop([match.id for match in idle if match.setup.room == code])
