"""Broadcasts the events of each match to its subscribers, each event exactly once and in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from connectk.aio import BackgroundTasks
from connectk.play.live import MatchStep
from connectk.play.presence import Presence
from connectk.play.protocols import Feed
from connectk.play.refusals import MatchNotFound
from connectk.play.service import EVENTS_PAGE_SIZE, MatchNews, MatchService
from connectk.rules import Side

PRESENCE_DELAY_SECONDS = 0.2  # in which changes of presence are sent together
MAX_QUEUED_PER_SUBSCRIBER = 256  # a slower client is disconnected; after reconnecting it resumes by number

Count = dict[str, int]  # how many are connected, by side and as spectators


@dataclass(eq=False, slots=True)
class Subscriber:
    """A queue of messages for one connection."""

    sides: frozenset[Side]
    queue: deque[str] = field(default_factory=deque)
    is_slow: bool = False
    on_slow: Callable[[], object] = bool  # called to abort a send that is stuck
    send_now: Callable[[str], bool] = lambda message: False  # whether it was sent at once and need not be queued
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
        """The next message; None if the client was too slow."""
        while not self.queue and not self.is_slow:
            self._wake.clear()
            await self._wake.wait()
        return None if self.is_slow else self.queue.popleft()


@dataclass(slots=True)
class Audience:
    """The subscribers of one match; all have received the events up to `seq`."""

    seq: int
    subscribers: set[Subscriber] = field(default_factory=set)

    def broadcast(self, message: str) -> None:
        for subscriber in self.subscribers:
            subscriber.put(message)

    def count(self) -> Count:
        """How many hold each side, and how many only watch, in this process."""
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
        """Subscribe to all events after this number, starting with the missed ones."""
        missed = await self._missed(match_id, after)
        while self._is_ahead(match_id, missed[-1].match.seq if missed else after):
            missed = await self._missed(match_id, after)
        self._add(match_id, subscriber, after, missed)
        await self._catch_up(match_id)  # with events between the read and the subscription

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
            if audience.subscribers:
                audience.broadcast(self._encode(step))
            audience.seq = step.match.seq


class AudiencePresence(Presence[Count]):
    """Broadcasts to each audience how many are connected to its match, over all processes."""

    def __init__(self, audiences: Audiences, feed: Feed, encode: Callable[[Count], str]) -> None:
        super().__init__(feed, self._count, self._broadcast_counts, Audience(0).count(), PRESENCE_DELAY_SECONDS)
        self._audiences, self._encode = audiences, encode
        audiences.on_presence = self.changed

    def _count(self, match_id: str) -> Count | None:
        audience = self._audiences.audience(match_id)
        return audience.count() if audience else None

    def _broadcast_counts(self, match_id: str) -> None:
        audience = self._audiences.audience(match_id)
        if audience:
            counts = [audience.count(), *self.remote(match_id)]
            audience.broadcast(self._encode({name: sum(count[name] for count in counts) for name in counts[0]}))
