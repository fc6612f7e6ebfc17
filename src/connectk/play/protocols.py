"""What a match service needs from outside: somewhere to keep matches, and the other processes of a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from connectk.play.events import Event
from connectk.play.match import Match

MATCH_DELETED = -1  # told in place of an event's number: the match has been deleted


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


class News(NamedTuple):
    """What another process has stored: a match or a room by its name, the number of its last event, and where it is
    known the event. Without a name: something may have been missed, so look at everything."""

    name: str | None
    seq: int = 0
    recorded: Recorded | None = None


NewsListener: TypeAlias = Callable[[News], None]
EphemeralListener: TypeAlias = Callable[[str, str, str], None]  # name, process, text


class Feed(Protocol):
    """What the processes of one server tell each other. News come from the store, with the transaction."""

    def subscribe(self, listener: NewsListener) -> None: ...

    def send_ephemeral(self, name: str, text: str) -> None:
        """Tell the other processes something about a match or a room that is not kept, such as who is connected."""
        ...

    def on_ephemeral(self, listener: EphemeralListener) -> None: ...

    async def start(self) -> None: ...

    async def close(self) -> None: ...


class LocalFeed:
    """There is no other process."""

    def subscribe(self, listener: NewsListener) -> None:
        pass

    def send_ephemeral(self, name: str, text: str) -> None:
        pass

    def on_ephemeral(self, listener: EphemeralListener) -> None:
        pass

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        pass
