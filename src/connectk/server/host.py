"""Everything a server is made of, put together in one place."""

from __future__ import annotations

import asyncio
from typing import Any

from connectk.play.attendant import Attendant, Move
from connectk.play.events import NAMES, Dropped, Event
from connectk.play.match import Match
from connectk.play.protocols import Feed, LocalFeed
from connectk.play.rooms import Presence, Rooms
from connectk.play.service import MatchService
from connectk.play.thinking import ThinkingPool
from connectk.rules import Position, Side
from connectk.server import monitoring, views
from connectk.server.analysis import Analyst
from connectk.server.limits import Limiter
from connectk.server.monitoring import log
from connectk.server.settings import Settings
from connectk.storage.database import open_database
from connectk.storage.store import SqlMatchStore

LOOK_AROUND = 2.0  # seconds between looks for matches that another process has left behind
LEFT_BEHIND = 20.0  # seconds in which a match that has come to a halt is looked at
OVERDUE = 1.0  # seconds after which somebody should have called time
SAY_AGAIN = 5.0  # seconds between words about who is connected
PURGE, PURGED_AT_ONCE = 3600.0, 200  # seconds between looks for old matches, and how many go in one transaction
DAY = 86_400.0
ENGINE_SHARE = 0.5  # of the time left on its clock that a computer player may use for one move


class Host:
    """The service with its store, its rooms, its thinkers and its limits."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        database = open_database(settings.database)
        self.store = SqlMatchStore(database, monitoring.on_commit)
        self.service = MatchService(self.store, self._feed(database))
        self.rooms = Rooms(self.service, views.encode_step)
        self._presence = Presence(self.rooms, _presence_message)
        self._players = ThinkingPool(settings.thinkers, most_each=2)
        self._analysts = ThinkingPool(settings.thinkers)
        self.analyst = Analyst(self._analysts, settings.analysis_seconds)
        self.attendant = Attendant(self.service, self._think, _log_failure)
        self.seat_limits = Limiter(settings.seat_rate)
        self.address_limits = Limiter(settings.address_rate)
        self.stopping = asyncio.Event()
        self.close_asked = asyncio.Event()
        self._chores: list[asyncio.Task[None]] = []
        self.service.on_change.append(_log_change)

    def _feed(self, database: Any) -> Feed:
        if database.dialect.name == "postgresql":
            from connectk.storage.feed import PostgresFeed

            return PostgresFeed(database.url)
        return LocalFeed()

    async def start(self) -> None:
        await self.service.feed.start()
        chores = [self._look_around()]
        if self.store.is_shared:
            chores.append(self._say_again())
        if self.settings.keep_days:
            chores.append(self._purge())
        self._chores = [asyncio.ensure_future(chore) for chore in chores]

    async def close(self) -> None:
        """What is stored stays; who thinks is stopped."""
        for chore in self._chores:
            chore.cancel()
        await self.attendant.close()
        self._players.close()
        self._analysts.close()
        await self.service.feed.close()
        await self.store.close()

    def say_goodbye(self) -> None:
        """Tell every socket to come back in a moment."""
        self.stopping.set()
        message = views.encode({"type": "come_back", "seconds": 1})
        for subscriber in self.rooms.everyone():
            subscriber.put(message)

    def measure(self) -> None:
        monitoring.sockets.set(len(self.rooms))
        monitoring.matches.set(len(self.service.live))
        monitoring.waiting.labels("move").set(self._players.turns.waiting)
        monitoring.waiting.labels("analysis").set(self._analysts.turns.waiting)

    async def _think(self, match_id: str, player: str, position: Position, left: float | None) -> Move:
        seconds = self.settings.move_seconds
        if left is not None:
            seconds = max(0.02, min(seconds, left * ENGINE_SHARE))
        column, thought = await self._players.think(match_id, "choose", (player, position), seconds)
        return Move(column, {name: value for name, value in thought.items() if value not in (None, (), False)})

    async def _look_around(self) -> None:
        """Everything once after the start; where other processes may die, again and again what has come to a halt."""
        await self._look(0.0, self.service.now())
        while self.store.is_shared:
            await asyncio.sleep(LOOK_AROUND)
            halted = self.service.now() - LOOK_AROUND - self.settings.move_seconds
            await self._look(halted - LEFT_BEHIND, halted)

    async def _look(self, since: float, until: float) -> None:
        try:
            await self.attendant.look_at_clocks(self.service.now() - OVERDUE)
            await self.attendant.look_around(since, until)
        except Exception as error:  # the database may be away; the next look comes soon
            log.warning("look_around_failed", error=repr(error))

    async def _say_again(self) -> None:
        while True:
            await asyncio.sleep(SAY_AGAIN)
            self._presence.say_again()

    async def _purge(self) -> None:
        """Delete matches that nobody has touched for as many days as they are kept, a few at a time."""
        while True:
            try:
                before = self.service.now() - self.settings.keep_days * DAY
                while purged := await self.store.purge(before, PURGED_AT_ONCE):
                    self.service.live.drop(purged)
                    log.info("matches_purged", count=len(purged))
            except Exception as error:  # the database may be away; the next time comes
                log.warning("purge_failed", error=repr(error))
            await asyncio.sleep(PURGE)


def _presence_message(count: dict[str, int]) -> str:
    here = {side: count[str(side)] > 0 for side in Side}
    return views.encode(
        {
            "type": "presence",
            "first": here[Side.FIRST],
            "second": here[Side.SECOND],
            "watching": count["watching"],
        }
    )


def _log_change(match: Match, event: Event | None) -> None:
    if isinstance(event, Dropped):
        by = "player" if match.seat(event.side).player else "person"
        monitoring.drops.labels(by).inc()
        log.info("drop_played", match=match.id, seq=match.seq, ply=match.ply - 1, column=event.column, by=by)
    else:
        log.info("match_changed", match=match.id, seq=match.seq, event_kind=NAMES[type(event)] if event else "made")


def _log_failure(match: Match, error: BaseException) -> None:
    log.error("player_failed", match=match.id, ply=match.ply, error=repr(error))
