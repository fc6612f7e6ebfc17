"""Broadcasts the events of each match to its subscribers, each event exactly once and in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from connectk.aio import BackgroundTasks
from connectk.play.events import Extended, Swapped
from connectk.play.match import Match
from connectk.play.match_cache import MatchStep
from connectk.play.presence import Presence
from connectk.play.protocols import Feed
from connectk.play.refusals import MatchNotFound
from connectk.play.service import EVENTS_PAGE_SIZE, MatchNews, MatchService
from connectk.rules import Side

PRESENCE_DELAY_SECONDS = 0.2  # changes of presence within this time are sent together
PRESENCE_SECONDS_PER_SUBSCRIBER = 0.001  # so at most a thousand such messages a second are sent for one match
MAX_QUEUED_PER_SUBSCRIBER = 256  # messages; a client that lags further is disconnected and reconnects

Count = dict[str, int]  # the number of connections, by side and as spectators


@dataclass(eq=False, slots=True)
class Subscriber:
    """The messages that wait to be sent over one connection."""

    sides: frozenset[Side]
    holder: str | None = None  # the hash of the secret of the seat
    queue: deque[str] = field(default_factory=deque)
    is_slow: bool = False
    on_slow: Callable[[], object] = bool  # called to abort a send that is stuck
    send_now: Callable[[str], bool] = lambda message: False  # True if it has sent the message at once
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, message: str) -> None:
        if not self.queue and not self.is_slow and self.send_now(message):
            return
        if len(self.queue) >= MAX_QUEUED_PER_SUBSCRIBER:
            self.is_slow = True
            self.on_slow()
        else:
            self.queue.append(message)
        self._wake.set()

    async def get(self) -> str | None:
        """Wait for the next message and return it. Returns None if the queue overflowed because the client reads too
        slowly."""
        while not self.queue and not self.is_slow:
            self._wake.clear()
            await self._wake.wait()
        return None if self.is_slow else self.queue.popleft()


@dataclass(slots=True)
class Audience:
    """The subscribers of one match. All of them have received the events up to the number `seq`."""

    seq: int
    subscribers: set[Subscriber] = field(default_factory=set)

    def broadcast(self, message: str) -> None:
        for subscriber in self.subscribers:
            subscriber.put(message)

    def follow_exchange(self, match: Match) -> None:
        """Update the sides of each subscriber after players have exchanged their seats."""
        for subscriber in self.subscribers:
            if subscriber.holder:
                subscriber.sides = match.sides_held_by(subscriber.holder)

    def count(self) -> Count:
        """Count the connections to this process, separately for the first side, the second side and spectators."""
        subscribers = list(self.subscribers)
        return {str(side): sum(side in s.sides for s in subscribers) for side in Side} | {
            "watching": sum(not s.sides for s in subscribers)
        }


class Audiences:
    """The audiences of all matches with at least one subscriber."""

    def __init__(self, service: MatchService, encode: Callable[[MatchStep], str]) -> None:
        self._service, self._encode = service, encode
        self._audiences: dict[str, Audience] = {}
        self._count = 0
        self._tasks = BackgroundTasks()
        self.on_presence: Callable[[str], object] = lambda match_id: None
        service.subscribe(self._on_news)

    def __len__(self) -> int:
        return self._count

    def audience(self, match_id: str) -> Audience | None:
        return self._audiences.get(match_id)

    def open_audiences(self) -> list[tuple[str, Audience]]:
        return list(self._audiences.items())

    def all_subscribers(self) -> list[Subscriber]:
        return [subscriber for _, audience in self.open_audiences() for subscriber in list(audience.subscribers)]

    async def enter(self, match_id: str, subscriber: Subscriber, after: int) -> None:
        """Send a subscriber all events after the number `after`: first the stored ones, then each new one."""
        try:
            await self._service.feed.listen(match_id)
            await self._enter(match_id, subscriber, after)
        except BaseException:
            audience = self._audiences.get(match_id)
            if audience is None or subscriber not in audience.subscribers:  # otherwise `leave` will unlisten
                self._service.feed.unlisten(match_id)
            raise

    async def _enter(self, match_id: str, subscriber: Subscriber, after: int) -> None:
        missed = await self._missed(match_id, after)
        while self._is_ahead(match_id, missed[-1].match.seq if missed else after):
            missed = await self._missed(match_id, after)
        self._add(match_id, subscriber, after, missed)
        await self._catch_up(match_id)  # with the events that were stored between the read and the subscription

    async def _missed(self, match_id: str, after: int) -> list[MatchStep]:
        missed = page = await self._service.steps_after(match_id, after)
        while len(page) == EVENTS_PAGE_SIZE:
            page = await self._service.steps_after(match_id, page[-1].match.seq)
            missed = missed + page
        return missed

    def _is_ahead(self, match_id: str, seq: int) -> bool:
        audience = self._audiences.get(match_id)
        return audience is not None and audience.seq > seq

    def _add(self, match_id: str, subscriber: Subscriber, after: int, missed: list[MatchStep]) -> None:
        audience = self._audiences.setdefault(match_id, Audience(missed[-1].match.seq if missed else after))
        for step in missed:
            if step.match.seq <= audience.seq:
                subscriber.put(self._encode(step))
        audience.subscribers.add(subscriber)
        self._count += 1
        self._broadcast_steps(audience, [step for step in missed if step.match.seq > audience.seq])
        self.on_presence(match_id)

    def leave(self, match_id: str, subscriber: Subscriber) -> None:
        audience = self._audiences.get(match_id)
        if audience is None or subscriber not in audience.subscribers:
            return
        audience.subscribers.discard(subscriber)
        self._count -= 1
        self._service.feed.unlisten(match_id)
        if not audience.subscribers:
            del self._audiences[match_id]
        self.on_presence(match_id)

    def _on_news(self, news: MatchNews) -> None:
        if news.name is None:
            for every in self._audiences:
                self._tasks.spawn(self._catch_up(every))
            return
        audience = self._audiences.get(news.name)
        if audience is None or news.seq <= audience.seq:
            return
        if news.match and news.event and news.seq == audience.seq + 1:
            self._broadcast_steps(audience, [MatchStep(news.event, news.match)])
        else:
            self._tasks.spawn(self._catch_up(news.name))

    async def _catch_up(self, match_id: str) -> None:
        audience = self._audiences.get(match_id)
        if audience is None:
            return
        try:
            steps = await self._missed(match_id, audience.seq)
        except MatchNotFound:
            return
        self._broadcast_steps(audience, [step for step in steps if step.match.seq > audience.seq])

    def _broadcast_steps(self, audience: Audience, steps: list[MatchStep]) -> None:
        for step in steps:
            if isinstance(step.event, Swapped | Extended):
                audience.follow_exchange(step.match)
                self.on_presence(step.match.id)
            if audience.subscribers:
                audience.broadcast(self._encode(step))
            audience.seq = step.match.seq


class AudiencePresence(Presence[Count]):
    """Tells each audience how many connections its match has in all server processes."""

    def __init__(self, audiences: Audiences, feed: Feed, encode: Callable[[Count], str]) -> None:
        super().__init__(feed, self._count, self._broadcast_counts, Audience(0).count(), PRESENCE_DELAY_SECONDS)
        self._audiences, self._encode = audiences, encode
        audiences.on_presence = self.changed

    def _count(self, match_id: str) -> Count | None:
        audience = self._audiences.audience(match_id)
        return audience.count() if audience else None

    def _is_anybody_here(self, name: str) -> bool:
        return self._audiences.audience(name) is not None  # counting thousands for each new one takes too long

    def _delay_for(self, name: str) -> float:
        audience = self._audiences.audience(name)
        subscribers = len(audience.subscribers) if audience else 0
        return max(PRESENCE_DELAY_SECONDS, subscribers * PRESENCE_SECONDS_PER_SUBSCRIBER)

    def absent_sides(self, match_id: str) -> frozenset[Side]:
        """The sides whose players have no connection to any server process.

        Empty if this process has no subscriber to the match, because then it does not know who is connected.
        """
        local = self._count(match_id)
        if local is None:
            return frozenset()
        counts = [local, *self.remote(match_id)]
        return frozenset(side for side in Side if not any(count[str(side)] for count in counts))

    def _broadcast_counts(self, match_id: str) -> None:
        audience = self._audiences.audience(match_id)
        if audience:
            counts = [audience.count(), *self.remote(match_id)]
            audience.broadcast(self._encode({name: sum(count[name] for count in counts) for name in counts[0]}))
