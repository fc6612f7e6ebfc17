"""Everything a server is made of, put together in one place."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Set
from contextlib import suppress
from typing import Any

from cachetools import LRUCache

from connectk.aio import BackgroundTasks
from connectk.errors import ConnectkError
from connectk.play.audiences import AudiencePresence, Audiences
from connectk.play.driver import MatchDriver, Move
from connectk.play.match import Match
from connectk.play.protocols import Feed, LocalFeed
from connectk.play.service import Admission, MatchService, Receipt, steady_clock
from connectk.rooms import ruling
from connectk.rooms.service import RoomService
from connectk.rooms.standings import GameScore
from connectk.rules import Side
from connectk.server import monitoring, schemas, views
from connectk.server.analysis import Analyst
from connectk.server.limits import Limits, source_of
from connectk.server.monitoring import log
from connectk.server.network import Network
from connectk.server.roomhub import RoomHub
from connectk.server.settings import Settings
from connectk.storage.admin import BLOCK, CLOSE, END
from connectk.storage.database import open_database
from connectk.storage.store import SqlMatchStore
from connectk.thinking.pool import ThinkingPool
from connectk.thinking.process import ThinkingProcess
from connectk.thinking.queue import Asker

ADOPT_INTERVAL_SECONDS = 2.0  # between looks for matches that another process has left behind
ORPHAN_WINDOW_SECONDS = 20.0  # in which a match that has come to a halt is looked at
ORDERS_INTERVAL_SECONDS = 2.0  # between looks for what an administrator has ordered
LONGEST_START = 60.0  # seconds that an analysis may take to be ready
OVERDUE_SECONDS = 1.0  # after which somebody should have called time
HEARTBEAT_SECONDS = 5.0  # between messages to other processes about who is connected
TICK, TICKS = 0.5, 10  # seconds between looks at the rooms, and looks until those of other processes are read
CLOCK = "CONNECTK_CLOCK_OFFSET"
PURGE, PURGED_AT_ONCE = 3600.0, 200  # seconds between looks for old matches, and how many go in one transaction
DAY = 86_400.0
SHORTEST_THOUGHT = 0.02  # seconds, however little time is left
MAX_OWNERS = 20_000
UPLOAD_MEGABYTES = 128  # that reading a file may take
COMPUTER_SHARE = 0.5  # of the time left on its clock that a computer player may use for one move
GOODBYE: schemas.ComeBackMessage = {"type": "come_back", "seconds": 1}

Act = Callable[[MatchService, str, Set[Side]], Awaitable[Receipt]]


class Host:
    """The service with its store, its audiences, its thinkers and its limits."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        database = open_database(settings.database)
        self.store = SqlMatchStore(database, monitoring.on_commit, _log_store_failure)
        offset = os.environ.get(CLOCK)  # the same for all workers, whenever they started
        self.service = MatchService(self.store, self._feed(database), steady_clock(float(offset) if offset else None))
        self.audiences = Audiences(self.service, views.encode_step)
        self._presence = AudiencePresence(self.audiences, self.service.feed, _presence_message)
        self._players = ThinkingPool(settings.thinkers, most_each=2)
        self._analysts = ThinkingPool(settings.thinkers, most_address=settings.address_waiting)
        self.uploads = ThinkingPool(settings.thinkers, most_address=settings.address_waiting, make=_upload_process)
        self.limits = Limits(settings)
        self.analyst = Analyst(self._analysts, settings.analysis_seconds, self.limits.analyses)
        self.driver = MatchDriver(self.service, self._think, _log_failure)
        self.rooms = RoomService(self.service, self.store, settings.room_games, _log_room_failure)
        self.hub = RoomHub(self.rooms, self.service.feed, self._rate)
        self.blocked: frozenset[str] = frozenset()
        self.network = Network(settings)
        self.stopping = asyncio.Event()
        self.close_asked = asyncio.Event()
        self._owners: LRUCache[str, str] = LRUCache(MAX_OWNERS)
        self._chores = BackgroundTasks()
        self.service.subscribe(monitoring.log_change)
        self.service.subscribe(self.limits.hear)

    def _feed(self, database: Any) -> Feed:
        if database.dialect.name == "postgresql":
            from connectk.storage.feed import PostgresFeed

            return PostgresFeed(database.url, _log_feed_failure)
        return LocalFeed()

    async def start(self) -> None:
        self.loop = asyncio.get_running_loop()
        await self.service.feed.start()
        chores = [self._adopt_orphans(), self._follow_orders(), self._keep_rooms()]
        if self.store.is_shared:
            chores.append(self._heartbeat())
        if self.settings.keep_days:
            chores.append(self._purge())
        if self.settings.closable:
            chores.append(self._be_ready())
        for chore in chores:
            self._chores.spawn(chore)

    async def close(self) -> None:
        """What is stored stays; who thinks is stopped."""
        await self._chores.close()
        await self.driver.close()
        await self.hub.close()
        await self.rooms.close()
        await self.service.finish()
        self._players.close()
        self._analysts.close()
        self.uploads.close()
        await self.service.feed.close()
        await self.store.close()

    async def work(self, asker: Asker, job: str, *arguments: Any) -> Any:
        """A job of `uploads`, in a process that is ended when it takes too long or nobody waits any more."""
        self.limits.uploads.take(asker.address)
        return (await self.uploads.think(asker, job, arguments, self.settings.upload_seconds)).value

    def say_goodbye(self) -> None:
        """Tell every socket to come back in a moment."""
        self.stopping.set()
        message = views.encode(GOODBYE)
        for subscriber in self.audiences.everyone():
            subscriber.put(message)
        for visitor in self.hub.everyone():
            visitor.say(message)

    def measure(self) -> None:
        monitoring.sockets.set(len(self.audiences) + len(self.hub))
        monitoring.matches.set(len(self.service.live))
        monitoring.waiting.labels("move").set(self._players.turns.waiting)
        monitoring.waiting.labels("upload").set(self.uploads.turns.waiting)
        monitoring.waiting.labels("analysis").set(self._analysts.turns.waiting)

    def remember_owner(self, admission: Admission, address: str) -> None:
        """For whom a match's computer players think; after a restart, for whoever plays there next."""
        if admission.sides:
            self._owners[admission.match.id] = address

    def own(self, match: Match, address: str) -> None:
        """A match that this address has made, and that counts as its own until it is over."""
        self.remember_owner(Admission(match, frozenset(Side)), address)
        self.limits.own(match, address)

    async def answer(self, address: str, act: Act, admission: Admission) -> Receipt:
        """Something that may begin a rematch, which counts as a match that the asker has made."""
        match = await self.service.get(admission.match.id)
        if match.result and not match.next_match:
            self.limits.open_match(address)
        receipt = await act(self.service, match.id, admission.sides)
        if receipt.match.next_match and not match.next_match:
            self.own(await self.service.get(receipt.match.next_match), address)
        return receipt

    async def _think(self, match: Match, player: str) -> Move:
        demo = all(seat.player for seat in match.seats)
        asker = Asker(self._owners.get(match.id, match.id), match.id, demo)
        answer = await self._players.think(
            asker, "choose", (player, match.position, match.id), self._seconds_for(match, demo)
        )
        column, thought = answer.value
        told = {name: value for name, value in thought.items() if value not in (None, (), False)}
        return Move(column, told, answer.seconds)

    def _seconds_for(self, match: Match, demo: bool) -> float:
        seconds = self.settings.demo_seconds if demo else self.settings.move_seconds
        left = match.left(match.position.side_to_move, self.service.now())
        return seconds if left is None else max(SHORTEST_THOUGHT, min(seconds, left * COMPUTER_SHARE))

    async def _adopt_orphans(self) -> None:
        """Everything once after the start; where other processes may die, again and again what has come to a halt."""
        await self._look(0.0, self.service.now())
        while self.store.is_shared:
            await asyncio.sleep(ADOPT_INTERVAL_SECONDS)
            halted = self.service.now() - ADOPT_INTERVAL_SECONDS - self.settings.move_seconds
            await self._look(halted - ORPHAN_WINDOW_SECONDS, halted)

    async def _look(self, since: float, until: float) -> None:
        try:
            await self.driver.adopt_overdue(self.service.now() - OVERDUE_SECONDS)
            await self.driver.adopt_orphans(since, until)
        except Exception as error:  # the database may be away; the next look comes soon
            log.warning("orphans_not_adopted", failed=monitoring.failure(error))

    async def _follow_orders(self) -> None:
        """What `connectk admin` has ordered: addresses not to serve, matches to end."""
        while True:
            try:
                self.blocked = frozenset(map(source_of, await self.store.orders(BLOCK)))
                for match_id in await self.store.orders(END):
                    with suppress(ConnectkError):
                        await self.service.abort(match_id)
                    await self.store.forget_order(END, match_id)
                for code in await self.store.orders(CLOSE):
                    with suppress(ConnectkError):
                        await self.rooms.change(code, lambda room: ruling.close(room, self.service.now()))
                    await self.store.forget_order(CLOSE, code)
            except Exception as error:  # the database may be away; the next look comes soon
                log.warning("orders_not_read", failed=monitoring.failure(error))
            await asyncio.sleep(ORDERS_INTERVAL_SECONDS)

    async def _heartbeat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            self._presence.heartbeat([match_id for match_id, _ in self.audiences.open_audiences()])
            self.hub.heartbeat()

    async def _keep_rooms(self) -> None:
        """Take up every room that is open, then look after what must happen by itself."""
        while True:
            try:
                await self.rooms.take_up()
                for number in range(TICKS):
                    thorough = self.store.is_shared and number == 0
                    await self.rooms.tick(self.settings.room_hours * 3600, thorough)
                    await asyncio.sleep(TICK)
            except Exception as error:  # the database may be away; the next look comes soon
                log.warning("rooms_not_kept", failed=monitoring.failure(error))
                await asyncio.sleep(TICK)

    async def _rate(self, code: str, games: list[GameScore], fixed: dict[int, float]) -> Any:
        """A room's ratings, from a process of its own: to fit them takes long."""
        answer = await self.uploads.think(Asker(code, code), "rated", (games, fixed), self.settings.upload_seconds)
        return answer.value

    async def _be_ready(self) -> None:
        """For the people at this machine: their first hint need not wait until a process has started."""
        await self._analysts.think(Asker("", ""), "be_ready", (), LONGEST_START)

    async def _purge(self) -> None:
        """Delete matches that nobody has touched for as many days as they are kept, a few at a time."""
        while True:
            try:
                before = self.service.now() - self.settings.keep_days * DAY
                while purged := await self.store.purge(before, PURGED_AT_ONCE):
                    self._forget_purged(purged)
                    log.info("matches_purged", count=len(purged))
            except Exception as error:  # the database may be away; the next time comes
                log.warning("purge_failed", failed=monitoring.failure(error))
            await asyncio.sleep(PURGE)

    def _forget_purged(self, match_ids: list[str]) -> None:
        self.service.live.drop(match_ids)
        for match_id in match_ids:
            self.limits.disown(match_id)


def _upload_process() -> ThinkingProcess:
    return ThinkingProcess("connectk.server.uploads", UPLOAD_MEGABYTES, heeds_stop=False)


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


def _log_room_failure(error: Exception) -> None:
    log.warning("room_not_settled", failed=monitoring.failure(error))


def _log_feed_failure(error: Exception) -> None:
    log.error("news_not_heard", failed=monitoring.failure(error))


def _log_store_failure(error: Exception) -> None:
    monitoring.store_failures.inc()
    original = getattr(error, "orig", None)
    log.error("not_stored", failed=monitoring.failure(error), database_says=str(original or "").splitlines()[:1])


def _log_failure(match: Match, error: BaseException) -> None:
    log.error("player_failed", match=match.id, ply=match.ply, failed=monitoring.failure(error))
