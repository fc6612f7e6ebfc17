"""A match store and a feed in memory, and a helper that waits for a condition."""

import asyncio
from collections.abc import Callable

from connectk.play.match import Match
from connectk.play.protocols import Change, LocalFeed, NewMatch, News, NewsListener, RecordedEvent, StoreConflict
from connectk.play.service import MatchService


class MemoryStore:
    is_shared = False

    def __init__(self) -> None:
        self.matches: dict[str, Match] = {}
        self.events: dict[str, list[RecordedEvent]] = {}

    async def create(self, made: NewMatch) -> None:
        self.matches[made.match.id], self.events[made.match.id] = made.match, list(made.opening)

    async def load(self, match_id: str, limit: int | None = None) -> tuple[Match, list[RecordedEvent]] | None:
        return (self.matches[match_id], self.events[match_id][:limit]) if match_id in self.matches else None

    async def events_after(self, match_id: str, seq: int, limit: int | None = None) -> list[RecordedEvent]:
        return self.events[match_id][seq:][:limit]

    async def append(self, change: Change) -> None:
        if change.after.seq != len(self.events[change.after.id]) + 1:
            raise StoreConflict
        self.events[change.after.id].append(change.recorded)
        if change.rematch:
            await self.create(change.rematch)

    async def public_matches(self, limit: int) -> list[str]:
        return list(self.matches)[:limit]

    async def open_matches(self, since: float, until: float, limit: int) -> list[str]:
        return list(self.matches)[:limit]

    async def overdue_matches(self, before: float, limit: int) -> list[str]:
        return []

    async def purge(self, before: float, limit: int) -> list[str]:
        return []

    async def is_ready(self) -> bool:
        return True

    async def close(self) -> None:
        pass


class RemoteFeed(LocalFeed):
    """A feed that publishes other processes' news at the test's command. `sent` records the ephemeral messages."""

    def __init__(self) -> None:
        self.listeners: list[NewsListener] = []
        self.sent: list[str] = []

    def subscribe(self, listener: NewsListener) -> None:
        self.listeners.append(listener)

    def publish(self, news: News) -> None:
        for listener in self.listeners:
            listener(news)

    def send_ephemeral(self, name: str, text: str) -> None:
        self.sent.append(text)


async def until(service: MatchService, match_id: str, condition: Callable[[Match], object]) -> Match:
    """Wait until the match meets the condition, and return the match."""
    changed = asyncio.Event()
    service.subscribe(lambda news: changed.set())
    while not condition(match := await service.get(match_id)):
        async with asyncio.timeout(60):
            await changed.wait()
        changed.clear()
    return match
