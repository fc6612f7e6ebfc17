"""Builds the parts of a server and runs its background loops."""

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
from connectk.play.service import Access, MatchService, Receipt, steady_clock
from connectk.rooms import ruling
from connectk.rooms.service import RoomService
from connectk.rooms.standings import GameScore
from connectk.rules import Side
from connectk.server import monitoring, schemas, views
from connectk.server.analysis import AnalysisService
from connectk.server.limits import Limits, network_of
from connectk.server.monitoring import log
from connectk.server.network import LanAccess
from connectk.server.roomhub import RoomHub
from connectk.server.settings import Settings
from connectk.storage.admin import BLOCK, CLOSE, END
from connectk.storage.database import open_database
from connectk.storage.store import SqlMatchStore
from connectk.thinking.pool import ThinkingPool
from connectk.thinking.process import ThinkingProcess
from connectk.thinking.queue import Requester

ADOPT_INTERVAL_SECONDS = 2.0  # between scans for matches whose process has died
ORPHAN_WINDOW_SECONDS = 20.0  # a scan covers the matches that stalled within this time
ORDERS_INTERVAL_SECONDS = 2.0  # between polls for the administrator's orders
ANALYSIS_START_TIMEOUT_SECONDS = 60.0
OVERDUE_SECONDS = 1.0  # how long after a flag falls another process ends the match
HEARTBEAT_SECONDS = 5.0  # between presence messages to other processes
ROOM_TICK_SECONDS = 0.5
TICKS_PER_ROOM_SCAN = 10  # every so many ticks, the store is checked for what other processes left undone
CLOCK_OFFSET_VARIABLE = "CONNECTK_CLOCK_OFFSET"
PURGE_INTERVAL_SECONDS = 3600.0
PURGE_BATCH_SIZE = 200  # matches deleted in one transaction
SECONDS_PER_DAY = 86_400.0
MIN_THINKING_SECONDS = 0.02  # even when less time is left on the clock
MAX_CACHED_OWNERS = 20_000
UPLOAD_MEGABYTES = 128  # memory limit of a process that reads uploads
MAX_CLOCK_SHARE = 0.5  # of its remaining time that a computer player may use for one move
COME_BACK_MESSAGE: schemas.ComeBackMessage = {"type": "come_back", "seconds": 1}

OfferAction = Callable[[MatchService, str, Set[Side]], Awaitable[Receipt]]


class Host:
    """The services of a server process: matches, rooms, audiences, thinking pools and limits."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        database = open_database(settings.database)
        self.store = SqlMatchStore(database, monitoring.on_commit, _log_store_failure)
        offset = os.environ.get(CLOCK_OFFSET_VARIABLE)  # the same for all workers, so that their clocks agree
        self.service = MatchService(self.store, self._feed(database), steady_clock(float(offset) if offset else None))
        self.audiences = Audiences(self.service, views.encode_step)
        self._presence = AudiencePresence(self.audiences, self.service.feed, _presence_message)
        self._players = ThinkingPool(settings.thinkers, max_per_client=2)
        self._analysts = ThinkingPool(settings.thinkers, max_waiting_per_address=settings.address_waiting)
        self.uploads = ThinkingPool(
            settings.thinkers, max_waiting_per_address=settings.address_waiting, make=_make_upload_process
        )
        self.limits = Limits(settings)
        self.analysis = AnalysisService(self._analysts, settings.analysis_seconds, self.limits.analyses)
        self.driver = MatchDriver(self.service, self._think, _log_failure)
        self.rooms = RoomService(self.service, self.store, settings.room_games, _log_room_failure)
        self.hub = RoomHub(self.rooms, self.service.feed, self._fit_ratings)
        self.blocked: frozenset[str] = frozenset()
        self.network = LanAccess(settings)
        self.stopping = asyncio.Event()
        self._owners: LRUCache[str, str] = LRUCache(MAX_CACHED_OWNERS)
        self._background = BackgroundTasks()
        self.service.subscribe(monitoring.log_change)
        self.service.subscribe(self.limits.on_match_news)

    def _feed(self, database: Any) -> Feed:
        if database.dialect.name == "postgresql":
            from connectk.storage.feed import PostgresFeed

            return PostgresFeed(database.url, _log_feed_failure)
        return LocalFeed()

    async def start(self) -> None:
        self.loop = asyncio.get_running_loop()
        await self.service.feed.start()
        loops = [self._adopt_orphans(), self._poll_admin_orders(), self._run_rooms()]
        if self.store.is_shared:
            loops.append(self._heartbeat())
        if self.settings.keep_days:
            loops.append(self._purge())
        if self.settings.closable:
            loops.append(self._warm_up())
        for loop in loops:
            self._background.spawn(loop)

    async def close(self) -> None:
        """Stops the background loops and the thinking processes, and closes the store."""
        await self._background.close()
        await self.driver.close()
        await self.hub.close()
        await self.rooms.close()
        await self.service.finish()
        self._players.close()
        self._analysts.close()
        self.uploads.close()
        await self.service.feed.close()
        await self.store.close()

    async def run_job(self, requester: Requester, job: str, *arguments: Any) -> Any:
        """Runs a job of `uploads` in a process that is killed on timeout or when the client disconnects."""
        self.limits.uploads.take(requester.address)
        return (await self.uploads.think(requester, job, arguments, self.settings.upload_seconds)).value

    def announce_shutdown(self) -> None:
        """Tells every socket to reconnect in a moment."""
        self.stopping.set()
        message = views.encode(COME_BACK_MESSAGE)
        for subscriber in self.audiences.all_subscribers():
            subscriber.put(message)
        for room_subscriber in self.hub.everyone():
            room_subscriber.send(message)

    def update_metrics(self) -> None:
        monitoring.sockets.set(len(self.audiences) + len(self.hub))
        monitoring.matches.set(len(self.service.live))
        monitoring.waiting.labels("move").set(self._players.queue.waiting)
        monitoring.waiting.labels("upload").set(self.uploads.queue.waiting)
        monitoring.waiting.labels("analysis").set(self._analysts.queue.waiting)

    def remember_owner(self, access: Access, address: str) -> None:
        """Remembers which address the thinking time of a match's computer players is charged to. After a restart it is
        the next address that plays the match."""
        if access.sides:
            self._owners[access.match.id] = address

    def track_match(self, match: Match, address: str) -> None:
        """Counts a match for the address that created it until it is over."""
        self.remember_owner(Access(match, frozenset(Side)), address)
        self.limits.track_match(match, address)

    async def run_offer_action(self, address: str, action: OfferAction, access: Access) -> Receipt:
        """Runs an action that may start a rematch; the rematch is counted for this address."""
        match = await self.service.get(access.match.id)
        if match.result and not match.next_match:
            self.limits.charge_new_match(address)
        receipt = await action(self.service, match.id, access.sides)
        if receipt.match.next_match and not match.next_match:
            self.track_match(await self.service.get(receipt.match.next_match), address)
        return receipt

    async def _think(self, match: Match, player: str) -> Move:
        demo = all(seat.player for seat in match.seats)
        requester = Requester(self._owners.get(match.id, match.id), match.id, demo)
        answer = await self._players.think(
            requester, "choose", (player, match.position, match.id), self._seconds_for(match, demo)
        )
        column, thought = answer.value
        shown = {name: value for name, value in thought.items() if value not in (None, (), False)}
        return Move(column, shown, answer.seconds)

    def _seconds_for(self, match: Match, demo: bool) -> float:
        seconds = self.settings.demo_seconds if demo else self.settings.move_seconds
        left = match.left(match.position.side_to_move, self.service.now())
        return seconds if left is None else max(MIN_THINKING_SECONDS, min(seconds, left * MAX_CLOCK_SHARE))

    async def _adopt_orphans(self) -> None:
        """Scans all matches once after the start. With other processes, which may die, it then keeps scanning the
        matches that have recently stalled."""
        await self._adopt(0.0, self.service.now())
        while self.store.is_shared:
            await asyncio.sleep(ADOPT_INTERVAL_SECONDS)
            stalled = self.service.now() - ADOPT_INTERVAL_SECONDS - self.settings.move_seconds
            await self._adopt(stalled - ORPHAN_WINDOW_SECONDS, stalled)

    async def _adopt(self, since: float, until: float) -> None:
        try:
            await self.driver.adopt_overdue(self.service.now() - OVERDUE_SECONDS)
            await self.driver.adopt_orphans(since, until)
        except Exception as error:  # the database may be down; try again at the next poll
            log.warning("orphans_not_adopted", failed=monitoring.describe_error(error))

    async def _poll_admin_orders(self) -> None:
        """Carries out the orders of `connectk admin`: addresses to block, matches to end, rooms to close."""
        while True:
            try:
                self.blocked = frozenset(map(network_of, await self.store.orders(BLOCK)))
                for match_id in await self.store.orders(END):
                    with suppress(ConnectkError):
                        await self.service.abort(match_id)
                    await self.store.forget_order(END, match_id)
                for code in await self.store.orders(CLOSE):
                    with suppress(ConnectkError):
                        await self.rooms.change(code, lambda room: ruling.close(room, self.service.now()))
                    await self.store.forget_order(CLOSE, code)
            except Exception as error:  # the database may be down; try again at the next poll
                log.warning("orders_not_read", failed=monitoring.describe_error(error))
            await asyncio.sleep(ORDERS_INTERVAL_SECONDS)

    async def _heartbeat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            self._presence.heartbeat([match_id for match_id, _ in self.audiences.open_audiences()])
            self.hub.heartbeat()

    async def _run_rooms(self) -> None:
        """Loads the open rooms, then settles their games and makes pairings at every tick."""
        while True:
            try:
                await self.rooms.load_open_rooms()
                for number in range(TICKS_PER_ROOM_SCAN):
                    check_store = self.store.is_shared and number == 0
                    await self.rooms.tick(self.settings.room_hours * 3600, check_store)
                    await asyncio.sleep(ROOM_TICK_SECONDS)
            except Exception as error:  # the database may be down; try again at the next poll
                log.warning("rooms_not_kept", failed=monitoring.describe_error(error))
                await asyncio.sleep(ROOM_TICK_SECONDS)

    async def _fit_ratings(self, code: str, games: list[GameScore], fixed: dict[int, float]) -> Any:
        """Fits a room's ratings in another process, because that takes long."""
        answer = await self.uploads.think(Requester(code, code), "rated", (games, fixed), self.settings.upload_seconds)
        return answer.value

    async def _warm_up(self) -> None:
        """Starts an analysis process in advance, so that the first hint comes at once."""
        await self._analysts.think(Requester("", ""), "warm_up", (), ANALYSIS_START_TIMEOUT_SECONDS)

    async def _purge(self) -> None:
        """Deletes matches that have not changed for `keep_days`, one batch at a time."""
        while True:
            try:
                before = self.service.now() - self.settings.keep_days * SECONDS_PER_DAY
                while purged := await self.store.purge(before, PURGE_BATCH_SIZE):
                    self._forget_purged(purged)
                    log.info("matches_purged", count=len(purged))
            except Exception as error:  # the database may be down; try again at the next purge
                log.warning("purge_failed", failed=monitoring.describe_error(error))
            await asyncio.sleep(PURGE_INTERVAL_SECONDS)

    def _forget_purged(self, match_ids: list[str]) -> None:
        self.service.live.drop(match_ids)
        for match_id in match_ids:
            self.limits.release_match(match_id)


def _make_upload_process() -> ThinkingProcess:
    return ThinkingProcess("connectk.server.uploads", UPLOAD_MEGABYTES, honours_stop=False)


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
    log.warning("room_not_settled", failed=monitoring.describe_error(error))


def _log_feed_failure(error: Exception) -> None:
    log.error("news_not_heard", failed=monitoring.describe_error(error))


def _log_store_failure(error: Exception) -> None:
    monitoring.store_failures.inc()
    original = getattr(error, "orig", None)
    log.error("not_stored", failed=monitoring.describe_error(error), database_says=str(original or "").splitlines()[:1])


def _log_failure(match: Match, error: BaseException) -> None:
    log.error("player_failed", match=match.id, ply=match.ply, failed=monitoring.describe_error(error))
