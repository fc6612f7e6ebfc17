"""Tells everyone who is connected to a room what happens there, how it stands, and who is there."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Protocol

from connectk.arena.ratings import Rating
from connectk.play.protocols import Feed
from connectk.play.refusals import Refusal
from connectk.rooms.events import Event, Joined, Left, Paired, Scored
from connectk.rooms.room import Room
from connectk.rooms.service import RoomService
from connectk.rooms.standings import GameScore, games_of
from connectk.server import roomviews, schemas
from connectk.server.views import encode

SOON = 0.3  # seconds in which changes of the table, comings and goings are told together
BETWEEN_RATINGS = 3.0  # seconds from one fit of a room's ratings to the next
FORGOTTEN = 25.0  # seconds after which a process that is silent counts for nothing
MOST_RATINGS = 500  # rooms whose ratings are kept

Rate = Callable[[str, list[GameScore], dict[int, float]], Awaitable[dict[int, Rating]]]


class RoomListener(Protocol):
    """One socket at a room."""

    member: int | None

    def say(self, message: str) -> None: ...

    def step(self, event: Event, room: Room) -> None: ...


class RoomHub:
    """The sockets of every room in this process."""

    def __init__(self, rooms: RoomService, feed: Feed, rate: Rate) -> None:
        self._rooms, self._feed, self._rate = rooms, feed, rate
        self._visitors: dict[str, set[RoomListener]] = {}
        self._ratings: dict[str, tuple[int, dict[int, Rating]]] = {}  # with how many games they were made from
        self._elsewhere: dict[str, dict[str, tuple[float, list[int]]]] = {}
        self._due: set[tuple[str, str]] = set()
        self._rating: set[str] = set()
        self._fitting: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        rooms.on_step.append(self._step)
        feed.overhear(self._overhear)

    def __len__(self) -> int:
        return sum(map(len, self._visitors.values()))

    def everyone(self) -> list[RoomListener]:
        return [visitor for some in self._visitors.values() for visitor in some]

    def enter(self, code: str, visitor: RoomListener) -> None:
        self._visitors.setdefault(code, set()).add(visitor)
        self._soon(code, "present")
        self._soon(code, "standings")

    def leave(self, code: str, visitor: RoomListener) -> None:
        some = self._visitors.get(code, set())
        some.discard(visitor)
        if not some:
            self._visitors.pop(code, None)
            self._whisper(code)
        self._soon(code, "present")

    def view(self, room: Room) -> schemas.RoomView:
        return roomviews.room_view(room, self.ratings(room), self.here(room.code))

    def ratings(self, room: Room) -> dict[int, Rating]:
        return self._ratings.get(room.code, (0, {}))[1]

    def here(self, code: str) -> set[int]:
        """Members who are connected, to this process or another."""
        recent = time.monotonic() - FORGOTTEN
        said = self._elsewhere.get(code, {}).values()
        return {n for n in self._own(code) if n > 0} | {n for at, some in said if at > recent for n in some if n > 0}

    def _own(self, code: str) -> list[int]:
        """Members, and 0 for each who only looks on."""
        return [visitor.member or 0 for visitor in self._visitors.get(code, ())]

    def say_again(self) -> None:
        for code in self._visitors:
            self._whisper(code)
        self._elsewhere = {code: said for code, said in self._elsewhere.items() if code in self._visitors}

    def _whisper(self, code: str) -> None:
        self._feed.whisper(code, json.dumps(self._own(code)))

    def _overhear(self, code: str, process: str, words: str) -> None:
        if code not in self._visitors:
            return
        said = self._elsewhere.setdefault(code, {})
        before = said.get(process)
        some: list[int] = json.loads(words)
        said[process] = time.monotonic(), some
        if before is None:
            self._whisper(code)
        if before is None or before[1] != some:
            self._soon(code, "present")

    def _step(self, event: Event, room: Room) -> None:
        some = self._visitors.get(room.code)
        if not some:
            return
        message = encode(roomviews.changed_view(event, room))
        for visitor in list(some):
            visitor.say(message)
            visitor.step(event, room)
        if isinstance(event, Joined | Left | Paired | Scored):
            self._soon(room.code, "standings")

    def _soon(self, code: str, what: str) -> None:
        if (code, what) not in self._due:
            self._due.add((code, what))
            asyncio.get_running_loop().call_later(SOON, self._start_telling, code, what)

    def _start_telling(self, code: str, what: str) -> None:
        self._due.discard((code, what))
        if code in self._visitors:
            task = asyncio.ensure_future(self._tell_present(code) if what == "present" else self._tell_standings(code))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _tell_present(self, code: str) -> None:
        self._whisper(code)
        recent = time.monotonic() - FORGOTTEN
        said = self._elsewhere.get(code, {}).values()
        watching = self._own(code).count(0) + sum(some.count(0) for at, some in said if at > recent)
        self._say(code, {"type": "present", "here": sorted(self.here(code)), "watching": watching})

    async def _tell_standings(self, code: str) -> None:
        try:
            room = await self._rooms.get(code)
        except Refusal:
            return
        self._say(code, {"type": "standings", "lines": roomviews.lines_view(room, self.ratings(room))})
        await self._rate_soon(room)

    def _say(self, code: str, message: schemas.RoomServerMessage) -> None:
        text = encode(message)
        for visitor in list(self._visitors.get(code, ())):
            visitor.say(text)

    async def _rate_soon(self, room: Room) -> None:
        """The ratings in a process of their own, not too often; then the table once more."""
        if room.code in self._rating or self._is_rated(room):
            return
        self._rating.add(room.code)
        try:
            await self._fit(room)
            room = await self._rooms.get(room.code)  # games may have ended meanwhile
            self._say(room.code, {"type": "standings", "lines": roomviews.lines_view(room, self.ratings(room))})
            await asyncio.sleep(BETWEEN_RATINGS)
        except Refusal:
            return  # the thinkers are busy; the next result asks again
        finally:
            self._rating.discard(room.code)
        self._soon(room.code, "standings")

    async def rated(self, room: Room) -> dict[int, Rating]:
        """The ratings after all games so far, for one who asks for the table; as they are known, where the thinkers are
        busy. Those who ask at once are answered by one fit."""
        with suppress(Refusal):
            async with self._fitting.setdefault(room.code, asyncio.Lock()):
                if not self._is_rated(room):
                    await self._fit(room)
        self._fitting.pop(room.code, None)
        return self.ratings(room)

    def _is_rated(self, room: Room) -> bool:
        return len(games_of(room)[0]) == self._ratings.get(room.code, (0, {}))[0]

    async def _fit(self, room: Room) -> None:
        games, fixed = games_of(room)
        self._ratings[room.code] = len(games), await self._rate(room.code, games, fixed)
        while len(self._ratings) > MOST_RATINGS:
            del self._ratings[next(iter(self._ratings))]

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
