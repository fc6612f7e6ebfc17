"""Sends the events of a room, its standings and the list of connected members to everybody in the room."""

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
from connectk.rooms.events import Admitted, Begun, Event, Joined, Left, Paired, Scored, TeamChanged
from connectk.rooms.room import Room
from connectk.rooms.service import RoomNews, RoomService
from connectk.rooms.standings import GameScore, rating_games
from connectk.server import roomviews, schemas
from connectk.server.views import encode

PUBLISH_DELAY_SECONDS = 0.3  # changes of the standings and of presence within this time go into one message
RATING_INTERVAL_SECONDS = 3.0  # between two fits of a room's ratings
MAX_RATED_ROOMS = 500  # rooms whose ratings are cached

Rate = Callable[[str, list[GameScore], dict[int, float]], Awaitable[dict[int, Rating]]]


class RoomSubscriber(Protocol):
    """A socket that is connected to a room."""

    member: int | None

    def send(self, message: str) -> None: ...

    def disconnect(self) -> None: ...

    def on_event(self, event: Event, room: Room) -> None: ...


class RoomHub:
    """The sockets of all rooms in this process."""

    def __init__(self, rooms: RoomService, feed: Feed, rate: Rate) -> None:
        self._rooms, self._fit_ratings = rooms, rate
        self._subscribers: dict[str, set[RoomSubscriber]] = {}
        # For each room, the number of rated games and the ratings fitted from them.
        self._ratings: LRUCache[str, tuple[int, dict[int, Rating]]] = LRUCache(MAX_RATED_ROOMS)
        self._presence: Presence[list[int]] = Presence(
            feed, self._local_members, self._publish_presence, [], PUBLISH_DELAY_SECONDS
        )
        self._pending_standings: set[str] = set()  # rooms whose standings are about to be sent
        self._updating: set[str] = set()
        self._fit_locks: dict[str, asyncio.Lock] = {}
        self._tasks = BackgroundTasks()
        rooms.subscribe(self._on_room_news)

    def __len__(self) -> int:
        return sum(map(len, self._subscribers.values()))

    def everyone(self) -> list[RoomSubscriber]:
        return [subscriber for some in self._subscribers.values() for subscriber in some]

    def enter(self, code: str, subscriber: RoomSubscriber) -> None:
        self._subscribers.setdefault(code, set()).add(subscriber)
        self._presence.changed(code)
        self._schedule_standings(code)

    def leave(self, code: str, subscriber: RoomSubscriber) -> None:
        some = self._subscribers.get(code, set())
        some.discard(subscriber)
        if not some:
            self._subscribers.pop(code, None)
        self._presence.changed(code)

    def disconnect(self, code: str) -> None:
        """Closes all sockets of a room and clears its cached ratings. The clients then connect again."""
        self._ratings.pop(code, None)
        for subscriber in list(self._subscribers.get(code, ())):
            subscriber.disconnect()

    def view(self, room: Room) -> schemas.RoomView:
        return roomviews.room_view(room, self.ratings(room), self.connected_members(room.code))

    def ratings(self, room: Room) -> dict[int, Rating]:
        return self._ratings.get(room.code, (0, {}))[1]

    def connected_members(self, code: str) -> set[int]:
        """The members who are connected to this process or another one."""
        return {number for number in self._all_connected(code) if number}

    def _all_connected(self, code: str) -> list[int]:
        return sum(self._presence.remote(code), self._local_members(code) or [])

    def _local_members(self, code: str) -> list[int] | None:
        """The number of each member who is connected to this process, and a 0 for each spectator. None if nobody is
        connected."""
        subscribers = self._subscribers.get(code)
        return [subscriber.member or 0 for subscriber in subscribers] if subscribers else None

    def heartbeat(self) -> None:
        self._presence.heartbeat(list(self._subscribers))

    def _on_room_news(self, news: RoomNews) -> None:
        event, room = news
        subscribers = self._subscribers.get(room.code)
        if not subscribers:
            return
        message = encode(roomviews.changed_view(event, room))
        for subscriber in list(subscribers):
            subscriber.send(message)
            subscriber.on_event(event, room)
        if isinstance(event, Joined | Admitted | TeamChanged | Begun | Left | Paired | Scored):
            self._schedule_standings(room.code)

    def _publish_presence(self, code: str) -> None:
        watching = self._all_connected(code).count(0)
        self._broadcast(code, {"type": "present", "here": sorted(self.connected_members(code)), "watching": watching})

    def _schedule_standings(self, code: str) -> None:
        if code not in self._pending_standings:
            self._pending_standings.add(code)
            asyncio.get_running_loop().call_later(PUBLISH_DELAY_SECONDS, self._start_publishing, code)

    def _start_publishing(self, code: str) -> None:
        self._pending_standings.discard(code)
        if code in self._subscribers:
            self._tasks.spawn(self._publish_standings(code))

    async def _publish_standings(self, code: str) -> None:
        try:
            room = await self._rooms.get(code)
        except Refusal:
            return
        self._broadcast(code, roomviews.standings_message(room, self.ratings(room)))
        await self._update_ratings(room)

    def _broadcast(self, code: str, message: schemas.RoomServerMessage) -> None:
        text = encode(message)
        for subscriber in list(self._subscribers.get(code, ())):
            subscriber.send(text)

    async def _update_ratings(self, room: Room) -> None:
        """Computes the ratings in another process and sends the standings again. It does so at most once in
        `RATING_INTERVAL_SECONDS`."""
        if room.code in self._updating or self._is_rated(room):
            return
        self._updating.add(room.code)
        try:
            await self._fit_and_cache(room)
            room = await self._rooms.get(room.code)  # games may have ended meanwhile
            self._broadcast(room.code, roomviews.standings_message(room, self.ratings(room)))
            await asyncio.sleep(RATING_INTERVAL_SECONDS)
        except Refusal:
            return  # the pool is busy; the next result tries again
        finally:
            self._updating.discard(room.code)
        self._schedule_standings(room.code)

    async def rated(self, room: Room) -> dict[int, Rating]:
        """The ratings after all games so far. If the worker processes are busy, the last computed ratings. Concurrent
        callers share one computation."""
        with suppress(Refusal):
            async with self._fit_locks.setdefault(room.code, asyncio.Lock()):
                if not self._is_rated(room):
                    await self._fit_and_cache(room)
        self._fit_locks.pop(room.code, None)
        return self.ratings(room)

    def _is_rated(self, room: Room) -> bool:
        return len(rating_games(room)[0]) == self._ratings.get(room.code, (0, {}))[0]

    async def _fit_and_cache(self, room: Room) -> None:
        games, fixed = rating_games(room)
        self._ratings[room.code] = len(games), await self._fit_ratings(room.code, games, fixed)

    async def close(self) -> None:
        await self._tasks.close()
