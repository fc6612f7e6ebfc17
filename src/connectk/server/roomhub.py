"""Tells everyone who is connected to a room what happens there, how it stands, and who is there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Protocol

from cachetools import LRUCache

from connectk.aio import BackgroundTasks
from connectk.arena.ratings import Rating
from connectk.play.presence import Presence
from connectk.play.protocols import Feed
from connectk.play.refusals import Refusal
from connectk.rooms.events import Event, Joined, Left, Paired, Scored
from connectk.rooms.room import Room
from connectk.rooms.service import RoomNews, RoomService
from connectk.rooms.standings import GameScore, games_of
from connectk.server import roomviews, schemas
from connectk.server.views import encode

DELAY_SECONDS = 0.3  # in which changes of the table, comings and goings are told together
RATING_INTERVAL_SECONDS = 3.0  # from one fit of a room's ratings to the next
MAX_RATED_ROOMS = 500  # whose ratings are kept

Rate = Callable[[str, list[GameScore], dict[int, float]], Awaitable[dict[int, Rating]]]


class RoomSubscriber(Protocol):
    """One socket at a room."""

    member: int | None

    def say(self, message: str) -> None: ...

    def step(self, event: Event, room: Room) -> None: ...


class RoomHub:
    """The sockets of every room in this process."""

    def __init__(self, rooms: RoomService, feed: Feed, rate: Rate) -> None:
        self._rooms, self._rate = rooms, rate
        self._visitors: dict[str, set[RoomSubscriber]] = {}
        # With how many games they were made from.
        self._ratings: LRUCache[str, tuple[int, dict[int, Rating]]] = LRUCache(MAX_RATED_ROOMS)
        self._presence: Presence[list[int]] = Presence(feed, self._own, self._tell_present, [], DELAY_SECONDS)
        self._due: set[str] = set()  # rooms whose standings are told soon
        self._rating: set[str] = set()
        self._fitting: dict[str, asyncio.Lock] = {}
        self._tasks = BackgroundTasks()
        rooms.subscribe(self._hear)

    def __len__(self) -> int:
        return sum(map(len, self._visitors.values()))

    def everyone(self) -> list[RoomSubscriber]:
        return [visitor for some in self._visitors.values() for visitor in some]

    def enter(self, code: str, visitor: RoomSubscriber) -> None:
        self._visitors.setdefault(code, set()).add(visitor)
        self._presence.changed(code)
        self._tell_standings_soon(code)

    def leave(self, code: str, visitor: RoomSubscriber) -> None:
        some = self._visitors.get(code, set())
        some.discard(visitor)
        if not some:
            self._visitors.pop(code, None)
        self._presence.changed(code)

    def view(self, room: Room) -> schemas.RoomView:
        return roomviews.room_view(room, self.ratings(room), self.here(room.code))

    def ratings(self, room: Room) -> dict[int, Rating]:
        return self._ratings.get(room.code, (0, {}))[1]

    def here(self, code: str) -> set[int]:
        """Members who are connected, to this process or another."""
        return {number for number in self._everywhere(code) if number}

    def _everywhere(self, code: str) -> list[int]:
        return sum(self._presence.elsewhere(code), self._own(code) or [])

    def _own(self, code: str) -> list[int] | None:
        """Members, and 0 for each who only looks on."""
        visitors = self._visitors.get(code)
        return [visitor.member or 0 for visitor in visitors] if visitors else None

    def heartbeat(self) -> None:
        self._presence.heartbeat(list(self._visitors))

    def _hear(self, news: RoomNews) -> None:
        event, room = news
        visitors = self._visitors.get(room.code)
        if not visitors:
            return
        message = encode(roomviews.changed_view(event, room))
        for visitor in list(visitors):
            visitor.say(message)
            visitor.step(event, room)
        if isinstance(event, Joined | Left | Paired | Scored):
            self._tell_standings_soon(room.code)

    def _tell_present(self, code: str) -> None:
        watching = self._everywhere(code).count(0)
        self._say(code, {"type": "present", "here": sorted(self.here(code)), "watching": watching})

    def _tell_standings_soon(self, code: str) -> None:
        if code not in self._due:
            self._due.add(code)
            asyncio.get_running_loop().call_later(DELAY_SECONDS, self._start_telling, code)

    def _start_telling(self, code: str) -> None:
        self._due.discard(code)
        if code in self._visitors:
            self._tasks.spawn(self._tell_standings(code))

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
            await asyncio.sleep(RATING_INTERVAL_SECONDS)
        except Refusal:
            return  # the thinkers are busy; the next result asks again
        finally:
            self._rating.discard(room.code)
        self._tell_standings_soon(room.code)

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

    async def close(self) -> None:
        await self._tasks.close()
