"""Who watches which match, and telling each of them everything exactly once, in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from connectk.play.protocols import Recorded
from connectk.play.refusals import MatchNotFound
from connectk.play.service import MatchService
from connectk.play.tables import Step
from connectk.rules import Side

LONGEST_QUEUE = 256  # messages; whoever reads slower is sent away and comes back by number


@dataclass(eq=False, slots=True)
class Subscriber:
    """A queue of messages for one who watches or plays."""

    sides: frozenset[Side]
    queue: deque[str] = field(default_factory=deque)
    is_slow: bool = False
    on_slow: Callable[[], object] = bool  # a send that is stuck can be given up
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, message: str) -> None:
        if len(self.queue) >= LONGEST_QUEUE:
            self.is_slow = True
            self.on_slow()
        else:
            self.queue.append(message)
        self._wake.set()

    async def get(self) -> str | None:
        """The next message; None when this reader was too slow."""
        while not self.queue and not self.is_slow:
            self._wake.clear()
            await self._wake.wait()
        return None if self.is_slow else self.queue.popleft()


@dataclass(slots=True)
class Room:
    """The subscribers of one match, all told up to `seq`."""

    seq: int
    subscribers: set[Subscriber] = field(default_factory=set)

    def tell(self, message: str) -> None:
        for subscriber in self.subscribers:
            subscriber.put(message)

    def presence(self) -> dict[str, int]:
        """How many hold each side, and how many only watch, in this process."""
        count = {str(side): sum(side in s.sides for s in self.subscribers) for side in Side}
        return count | {"watching": sum(not s.sides for s in self.subscribers)}


class Rooms:
    """Opens a room for each match that someone is connected to."""

    def __init__(self, service: MatchService, encode: Callable[[Step], str]) -> None:
        self._service, self._encode = service, encode
        self.feed = service.feed
        self._rooms: dict[str, Room] = {}
        self._count = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self.on_presence: Callable[[str, Room], None] = lambda match_id, room: None
        service.feed.listen(self._hear)

    def __len__(self) -> int:
        return self._count

    def room(self, match_id: str) -> Room | None:
        return self._rooms.get(match_id)

    def open_rooms(self) -> list[tuple[str, Room]]:
        return list(self._rooms.items())

    def everyone(self) -> list[Subscriber]:
        return [subscriber for room in self._rooms.values() for subscriber in room.subscribers]

    async def enter(self, match_id: str, subscriber: Subscriber, after: int) -> None:
        """From now on the subscriber is told everything after this number, first what it has missed."""
        missed = await self._service.steps_after(match_id, after)
        while self._is_ahead(match_id, missed[-1].match.seq if missed else after):
            missed = await self._service.steps_after(match_id, after)
        self._welcome(match_id, subscriber, after, missed)
        await self._catch_up(match_id)  # with what came after we looked and before there was a room to tell it to

    def _is_ahead(self, match_id: str, seq: int) -> bool:
        room = self._rooms.get(match_id)
        return room is not None and room.seq > seq

    def _welcome(self, match_id: str, subscriber: Subscriber, after: int, missed: list[Step]) -> None:
        room = self._rooms.setdefault(match_id, Room(missed[-1].match.seq if missed else after))
        for step in missed:
            if step.match.seq <= room.seq:
                subscriber.put(self._encode(step))
        room.subscribers.add(subscriber)
        self._count += 1
        self._tell_steps(room, [step for step in missed if step.match.seq > room.seq])
        self.on_presence(match_id, room)

    def leave(self, match_id: str, subscriber: Subscriber) -> None:
        room = self._rooms.get(match_id)
        if room is None or subscriber not in room.subscribers:
            return
        room.subscribers.discard(subscriber)
        self._count -= 1
        self.on_presence(match_id, room)
        if not room.subscribers:
            del self._rooms[match_id]

    def _hear(self, match_id: str | None, seq: int, recorded: Recorded | None) -> None:
        """The service has heard it before us, so what came with the news is on its table."""
        if match_id is None:
            for every in self._rooms:
                self._start(self._catch_up(every))
            return
        room = self._rooms.get(match_id)
        if room is None or seq <= room.seq:
            return
        table = self._service.tables.in_memory(match_id)
        steps = table.steps_after(room.seq) if table and table.match.seq >= seq else None
        if steps is None:
            self._start(self._catch_up(match_id))
        else:
            self._tell_steps(room, steps)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _catch_up(self, match_id: str) -> None:
        room = self._rooms.get(match_id)
        if room is None:
            return
        try:
            steps = await self._service.steps_after(match_id, room.seq)
        except MatchNotFound:
            return
        self._tell_steps(room, [step for step in steps if step.match.seq > room.seq])

    def _tell_steps(self, room: Room, steps: list[Step]) -> None:
        for step in steps:
            if room.subscribers:
                room.tell(self._encode(step))
            room.seq = step.match.seq
