"""The interfaces that a match service depends on: a store, and a feed from the server's other processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from connectk.play.events import Event
from connectk.play.match import Match

MATCH_DELETED = -1  # in place of an event's number


class Conflict(Exception):
    """Another process has changed the match; the caller refreshes and retries."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event with the idempotency key of its request."""

    event: Event
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """A new match, its opening events, and the match after them."""

    match: Match
    opening: Sequence[Recorded]
    after: Match


@dataclass(frozen=True, slots=True)
class Change:
    """One event, the match before and after it, and the rematch that it creates."""

    before: Match
    after: Match
    recorded: Recorded
    rematch: Made | None = None


class MatchStore(Protocol):
    """Stores matches. A write is durable when its method returns."""

    @property
    def is_shared(self) -> bool:
        """Whether another process may change the same matches."""
        ...

    async def create(self, made: Made) -> None: ...

    async def load(self, match_id: str, limit: int | None = None) -> tuple[Match, list[Recorded]] | None:
        """A match as it was created, and its events, at most `limit`."""
        ...

    async def events_after(self, match_id: str, seq: int, limit: int | None = None) -> list[Recorded]: ...

    async def append(self, change: Change) -> None:
        """Store an event and its rematch; raises `Conflict` if its number, its ply or its key is taken."""
        ...

    async def public_matches(self, limit: int) -> list[str]:
        """Ids of open public matches, the most recently played first."""
        ...

    async def open_matches(self, since: float, until: float, limit: int) -> list[str]:
        """Ids of open matches with a clock or a computer player, whose last event happened between these times."""
        ...

    async def overdue_matches(self, before: float, limit: int) -> list[str]:
        """Ids of open matches in which the side to move ran out of time before this moment."""
        ...

    async def purge(self, before: float, limit: int) -> list[str]:
        """Delete some matches without an event since then; returns their ids."""
        ...

    async def is_ready(self) -> bool: ...

    async def close(self) -> None: ...


class News(NamedTuple):
    """A change stored by another process: the name of the match or room, the number of its last event, and the event
    if known. Without a name: messages may have been lost, so subscribers check everything."""

    name: str | None
    seq: int = 0
    recorded: Recorded | None = None


NewsListener: TypeAlias = Callable[[News], None]
EphemeralListener: TypeAlias = Callable[[str, str, str], None]  # name, process, text


class Feed(Protocol):
    """Messages between the processes of one server. News are sent by the store, within the transaction."""

    def subscribe(self, listener: NewsListener) -> None: ...

    def send_ephemeral(self, name: str, text: str) -> None:
        """Send the other processes a message about a match or a room that is not stored, such as presence."""
        ...

    def on_ephemeral(self, listener: EphemeralListener) -> None: ...

    async def start(self) -> None: ...

    async def close(self) -> None: ...


class LocalFeed:
    """The feed of a server with a single process."""

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
