"""The interfaces that a match service depends on: a store, and a feed from the server's other processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from connectk.play.events import Event
from connectk.play.match import Match

MATCH_DELETED, MATCH_OVER = -1, -2  # used in place of an event's number


class StoreConflict(Exception):
    """Another process has changed the match first. The caller must read the new state and decide again."""


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event with the idempotency key of its request."""

    event: Event
    key: str | None = None


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A new match as it was created, its opening events, and the match after these events."""

    match: Match
    opening: Sequence[RecordedEvent]
    after: Match


@dataclass(frozen=True, slots=True)
class Change:
    """One event, the match before and after it, and the rematch if the event creates one."""

    before: Match
    after: Match
    recorded: RecordedEvent
    rematch: NewMatch | None = None


class MatchStore(Protocol):
    """Stores matches. When a method that writes returns, the write is durable."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may change the same matches."""
        ...

    async def create(self, made: NewMatch) -> None: ...

    async def load(self, match_id: str, limit: int | None = None) -> tuple[Match, list[RecordedEvent]] | None:
        """A match as it was created, and its events. With `limit`, only the first `limit` events are read."""
        ...

    async def events_after(self, match_id: str, seq: int, limit: int | None = None) -> list[RecordedEvent]: ...

    async def append(self, change: Change) -> None:
        """Store an event and its rematch. Raises `StoreConflict` if the event's number, ply or key is taken."""
        ...

    async def public_matches(self, limit: int) -> list[str]:
        """Ids of open public matches, the most recently played first."""
        ...

    async def open_matches(self, since: float, until: float, limit: int) -> list[str]:
        """Ids of open matches with a clock or a computer player, whose last event was between these two times."""
        ...

    async def overdue_matches(self, before: float, limit: int) -> list[str]:
        """Ids of open matches in which the clock of the side to move ran out before the time `before`."""
        ...

    async def purge(self, before: float, limit: int) -> list[str]:
        """Delete at most `limit` matches that have not changed since the time `before`; returns their ids."""
        ...

    async def is_ready(self) -> bool: ...

    async def close(self) -> None: ...


class News(NamedTuple):
    """News that another process has stored a change in a match or a room.

    `name` is the match or room and `seq` the number of its last event. If the message has room for it, the event itself
    is included. News of a match goes to the processes that listen to it. News of rooms, and of finished or deleted
    matches, goes to every process. If `name` is None, messages may have been lost, and subscribers check everything.
    """

    name: str | None
    seq: int = 0
    recorded: RecordedEvent | None = None


NewsListener: TypeAlias = Callable[[News], None]
EphemeralListener: TypeAlias = Callable[[str, str, str], None]  # name, process, text


class Feed(Protocol):
    """Carries messages between the processes of one or several servers. The store sends news in the same transaction as
    its write."""

    def subscribe(self, listener: NewsListener) -> None: ...

    async def listen(self, name: str) -> None:
        """Start to receive the events of a match. Every event that is stored after this call returns is received.

        Each call of `listen` needs its own call of `unlisten`.
        """
        ...

    def unlisten(self, name: str) -> None: ...

    def send_ephemeral(self, name: str, text: str) -> None:
        """Send the other processes a message about a match or a room, for example about who is connected. It is not
        stored."""
        ...

    def on_ephemeral(self, listener: EphemeralListener) -> None: ...

    async def start(self) -> None: ...

    async def close(self) -> None: ...


class LocalFeed:
    """The feed of a server with a single process."""

    def subscribe(self, listener: NewsListener) -> None:
        pass

    async def listen(self, name: str) -> None:
        pass

    def unlisten(self, name: str) -> None:
        pass

    def send_ephemeral(self, name: str, text: str) -> None:
        pass

    def on_ephemeral(self, listener: EphemeralListener) -> None:
        pass

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        pass
