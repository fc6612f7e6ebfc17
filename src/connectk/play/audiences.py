"""Who watches which match, telling each of them everything exactly once, in order, and who is connected."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from connectk.play.live import MatchStep
from connectk.play.protocols import Recorded
from connectk.play.refusals import MatchNotFound
from connectk.play.service import PAGE, MatchService
from connectk.rules import Side

LONGEST_QUEUE = 256  # messages; whoever reads slower is sent away and comes back by number


@dataclass(eq=False, slots=True)
class Subscriber:
    """A queue of messages for one who watches or plays."""

    sides: frozenset[Side]
    queue: deque[str] = field(default_factory=deque)
    is_slow: bool = False
    on_slow: Callable[[], object] = bool  # a send that is stuck can be given up
    send_now: Callable[[str], bool] = lambda message: False  # whether it has gone out at once and need not wait
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, message: str) -> None:
        if not self.queue and not self.is_slow and self.send_now(message):
            return
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
class Audience:
    """The subscribers of one match, all told up to `seq`."""

    seq: int
    subscribers: set[Subscriber] = field(default_factory=set)

    def tell(self, message: str) -> None:
        for subscriber in self.subscribers:
            subscriber.put(message)

    def presence(self) -> dict[str, int]:
        """How many hold each side, and how many only watch, in this process."""
        here = list(self.subscribers)
        count = {str(side): sum(side in s.sides for s in here) for side in Side}
        return count | {"watching": sum(not s.sides for s in here)}


class Audiences:
    """Opens an audience for each match that someone is connected to."""

    def __init__(self, service: MatchService, encode: Callable[[MatchStep], str]) -> None:
        self._service, self._encode = service, encode
        self.feed = service.feed
        self._audiences: dict[str, Audience] = {}
        self._count = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self.on_presence: Callable[[str, Audience], None] = lambda match_id, audience: None
        service.listen(self._hear)

    def __len__(self) -> int:
        return self._count

    def audience(self, match_id: str) -> Audience | None:
        return self._audiences.get(match_id)

    def open_audiences(self) -> list[tuple[str, Audience]]:
        return list(self._audiences.items())

    def everyone(self) -> list[Subscriber]:
        return [subscriber for _, audience in self.open_audiences() for subscriber in list(audience.subscribers)]

    async def enter(self, match_id: str, subscriber: Subscriber, after: int) -> None:
        """From now on the subscriber is told everything after this number, first what it has missed."""
        missed = await self._missed(match_id, after)
        while self._is_ahead(match_id, missed[-1].match.seq if missed else after):
            missed = await self._missed(match_id, after)
        self._welcome(match_id, subscriber, after, missed)
        await self._catch_up(match_id)  # with what came after we looked and before there was an audience to tell it to

    async def _missed(self, match_id: str, after: int) -> list[MatchStep]:
        missed = page = await self._service.steps_after(match_id, after)
        while len(page) == PAGE:
            page = await self._service.steps_after(match_id, page[-1].match.seq)
            missed = missed + page
        return missed

    def _is_ahead(self, match_id: str, seq: int) -> bool:
        audience = self._audiences.get(match_id)
        return audience is not None and audience.seq > seq

    def _welcome(self, match_id: str, subscriber: Subscriber, after: int, missed: list[MatchStep]) -> None:
        audience = self._audiences.setdefault(match_id, Audience(missed[-1].match.seq if missed else after))
        for step in missed:
            if step.match.seq <= audience.seq:
                subscriber.put(self._encode(step))
        audience.subscribers.add(subscriber)
        self._count += 1
        self._tell_steps(audience, [step for step in missed if step.match.seq > audience.seq])
        self.on_presence(match_id, audience)

    def leave(self, match_id: str, subscriber: Subscriber) -> None:
        audience = self._audiences.get(match_id)
        if audience is None or subscriber not in audience.subscribers:
            return
        audience.subscribers.discard(subscriber)
        self._count -= 1
        self.on_presence(match_id, audience)
        if not audience.subscribers:
            del self._audiences[match_id]

    def _hear(self, match_id: str | None, seq: int, recorded: Recorded | None) -> None:
        """The service has heard it before us, so what came with the news is in memory."""
        if match_id is None:
            for every in self._audiences:
                self._start(self._catch_up(every))
            return
        audience = self._audiences.get(match_id)
        if audience is None or seq <= audience.seq:
            return
        live = self._service.live.in_memory(match_id)
        steps = live.steps_after(audience.seq) if live and live.match.seq >= seq else None
        if steps is None:
            self._start(self._catch_up(match_id))
        else:
            self._tell_steps(audience, steps)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _catch_up(self, match_id: str) -> None:
        audience = self._audiences.get(match_id)
        if audience is None:
            return
        try:
            steps = await self._missed(match_id, audience.seq)
        except MatchNotFound:
            return
        self._tell_steps(audience, [step for step in steps if step.match.seq > audience.seq])

    def _tell_steps(self, audience: Audience, steps: list[MatchStep]) -> None:
        for step in steps:
            if audience.subscribers:
                audience.tell(self._encode(step))
            audience.seq = step.match.seq


# Who is connected, in this process and in the others. Not an event: it is gone when they are.

SOON = 0.2  # seconds in which comings and goings are told together
FORGOTTEN = 25.0  # seconds after which a process that is silent counts for nothing

Count = dict[str, int]


@dataclass(slots=True)
class _Elsewhere:
    """What other processes have said of a match, and when."""

    counts: dict[str, tuple[float, Count]] = field(default_factory=dict)

    def fresh(self) -> list[Count]:
        oldest = time.monotonic() - FORGOTTEN
        return [count for heard, count in self.counts.values() if heard > oldest]


class Presence:
    """Tells each audience how many are connected, a moment after someone has come or gone."""

    def __init__(self, audiences: Audiences, encode: Callable[[Count], str]) -> None:
        self._audiences, self._encode = audiences, encode
        self._elsewhere: dict[str, _Elsewhere] = {}
        self._due: dict[str, bool] = {}  # whether the other processes are told as well
        self._feed = audiences.feed
        audiences.on_presence = self._changed
        self._feed.overhear(self._overhear)

    def say_again(self) -> None:
        """From time to time, so that others know that this process lives."""
        for match_id, audience in self._audiences.open_audiences():
            self._announce(match_id, audience)
        self._elsewhere = {
            match_id: said for match_id, said in self._elsewhere.items() if self._audiences.audience(match_id)
        }

    def _changed(self, match_id: str, audience: Audience) -> None:
        self._tell_soon(match_id)
        if not audience.subscribers:
            self._announce(match_id, audience)

    def _tell_soon(self, match_id: str, announce: bool = True) -> None:
        if match_id not in self._due:
            asyncio.get_running_loop().call_later(SOON, self._tell, match_id)
        self._due[match_id] = announce or self._due.get(match_id, False)

    def _tell(self, match_id: str) -> None:
        announce = self._due.pop(match_id)
        audience = self._audiences.audience(match_id)
        if audience is None:
            return
        counts = [audience.presence(), *self._elsewhere.get(match_id, _Elsewhere()).fresh()]
        audience.tell(self._encode({name: sum(count[name] for count in counts) for name in counts[0]}))
        if announce:
            self._announce(match_id, audience)

    def _announce(self, match_id: str, audience: Audience) -> None:
        self._feed.whisper(match_id, json.dumps(audience.presence()))

    def _overhear(self, match_id: str, process: str, words: str) -> None:
        """A process that is new here is answered, so that it knows of us."""
        audience = self._audiences.audience(match_id)
        if audience is None:
            return
        said = self._elsewhere.setdefault(match_id, _Elsewhere())
        before = said.counts.get(process)
        count: Count = json.loads(words)
        said.counts[process] = time.monotonic(), count
        if before is None or before[1] != count:
            self._tell_soon(match_id, announce=before is None)
