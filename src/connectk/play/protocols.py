"""What a match service needs from outside: somewhere to keep matches, and someone to tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from connectk.play.events import Event
from connectk.play.match import Match

GONE = -1  # told in place of an event's number: the match has been deleted


class Conflict(Exception):
    """Someone else has changed the match meanwhile; look again."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event with the idempotency key it was asked with."""

    event: Event
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """A new match as it was made, what has happened to it already, and how it stands after that."""

    match: Match
    opening: Sequence[Recorded]
    after: Match


@dataclass(frozen=True, slots=True)
class Change:
    """One event, the match before and after it, and the rematch that it begins."""

    before: Match
    after: Match
    recorded: Recorded
    rematch: Made | None = None


class MatchStore(Protocol):
    """Keeps matches. What a method has answered is on disk."""

    @property
    def is_shared(self) -> bool:
        """Whether another process may change the same matches."""
        ...

    async def create(self, made: Made) -> None: ...

    async def load(self, match_id: str, limit: int | None = None) -> tuple[Match, list[Recorded]] | None:
        """A match as it was made, and all that happened to it, or as much as the limit says."""
        ...

    async def events_after(self, match_id: str, seq: int, limit: int | None = None) -> list[Recorded]: ...

    async def append(self, change: Change) -> None:
        """Keep an event, and the rematch that it begins; `Conflict` when its number, its ply or its key is taken."""
        ...

    async def public_matches(self, limit: int) -> list[str]:
        """Ids of open public matches, the one played last first."""
        ...

    async def open_matches(self, since: float, until: float, limit: int) -> list[str]:
        """Ids of open matches with a clock or a computer player, whose last event happened between these times."""
        ...

    async def overdue_matches(self, before: float, limit: int) -> list[str]:
        """Ids of open matches in which the side to move ran out of time before this moment."""
        ...

    async def purge(self, before: float, limit: int) -> list[str]:
        """Delete some matches to which nothing has happened since; their ids."""
        ...

    async def is_ready(self) -> bool: ...

    async def close(self) -> None: ...


Listener: TypeAlias = Callable[[str | None, int, Recorded | None], None]
Overhearer: TypeAlias = Callable[[str, str, str], None]  # match, process, words


class Feed(Protocol):
    """Tells listeners that a match has news: its id, the number of the last event, and where it is known the event.

    Without an id: something may have been missed, look at everything.
    """

    def listen(self, listener: Listener) -> None: ...

    def publish(self, match_id: str, seq: int) -> None:
        """Called after an event is stored."""
        ...

    def whisper(self, match_id: str, words: str) -> None:
        """Tell the other processes something that is not kept, such as who is connected."""
        ...

    def overhear(self, overhearer: Overhearer) -> None: ...

    async def start(self) -> None: ...

    async def close(self) -> None: ...


class LocalFeed:
    """Everyone who listens is in this process."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def publish(self, match_id: str, seq: int) -> None:
        for listener in self._listeners:
            listener(match_id, seq, None)

    def whisper(self, match_id: str, words: str) -> None:
        """There is nobody else."""

    def overhear(self, overhearer: Overhearer) -> None:
        """There is nobody else."""

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        pass
