"""Creates the parts of a server and runs its background loops."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Set
from contextlib import suppress
from functools import partial
from typing import Any

from cachetools import LRUCache

from connectk.aio import BackgroundTasks, repeat
from connectk.errors import ConnectkError
from connectk.play.audiences import AudiencePresence, Audiences
from connectk.play.clock import SharedClock
from connectk.play.driver import MatchDriver, Move
from connectk.play.match import Match
from connectk.play.protocols import Feed, LocalFeed
from connectk.play.service import Access, MatchService, Receipt
from connectk.rooms import ruling
from connectk.rooms.service import RoomService
from connectk.rooms.standings import GameScore
from connectk.rules import Side
from connectk.server import monitoring, schemas, views
from connectk.server.analysis import AnalysisService
from connectk.server.fairplay import FairPlayChecker
from connectk.server.fairstarts import FairStarts
from connectk.server.limits import Limits, network_of
from connectk.server.link_previews import PreviewPictures
from connectk.server.monitoring import log
from connectk.server.network import LanAccess
from connectk.server.offences import OFFENCE_REPORT_INTERVAL_SECONDS, OffenceLog
from connectk.server.openings import OpeningCounter
from connectk.server.phrases import PhraseRelay
from connectk.server.roomgrades import RoomGrader
from connectk.server.roomhub import RoomHub
from connectk.server.settings import Settings
from connectk.server.sharing import LimitSharing
from connectk.storage.admin import BLOCK_ADDRESS, CLOSE_ROOM, END_MATCH, EVICT_ROOM
from connectk.storage.database import open_database
from connectk.storage.shared_limits import PostgresLimitStore, RedisLimitStore, SharedLimitStore
from connectk.storage.store import SqlMatchStore
from connectk.storage.strangers import SqlStrangerStore
from connectk.strangers.service import StrangerService
from connectk.thinking.pool import ThinkingPool
from connectk.thinking.process import LONG_NICE_STEPS, ThinkingProcess
from connectk.thinking.queue import Requester

ADOPT_INTERVAL_SECONDS = 2.0  # between two scans for matches whose process has died
ORPHAN_WINDOW_SECONDS = 20.0  # a scan covers the matches that stalled within this time
ADMIN_POLL_INTERVAL_SECONDS = 2.0  # between two polls for the administrator's orders
ANALYSIS_START_TIMEOUT_SECONDS = 60.0
OVERDUE_MATCH_DELAY_SECONDS = 1.0  # after a clock has run out, another process waits this long before it ends the match
HEARTBEAT_SECONDS = 5.0  # between two presence messages to other processes
ROOM_TICK_SECONDS = 0.5
STRANGER_TICK_SECONDS, STRANGER_WATCH_SECONDS = 0.5, 2.0
OPENINGS_INTERVAL_SECONDS = 2.0
FAIR_PLAY_INTERVAL_SECONDS = 5.0  # between two searches for rated games that are over
TICKS_PER_ROOM_SCAN = 10  # at every tenth tick, the store is checked for rooms that other processes left unfinished
CLOCK_INTERVAL_SECONDS = 10.0  # between two readings of the database's clock
MAX_SILENT_CORRECTION_SECONDS = 0.5
PURGE_INTERVAL_SECONDS = 3600.0
PURGE_BATCH_SIZE = 200  # matches deleted in one transaction
SECONDS_PER_DAY = 86_400.0
MIN_THINKING_SECONDS = 0.02  # a computer player may use this even if less time is left on its clock
MAX_CACHED_OWNERS = 20_000
UPLOAD_MEGABYTES = 128  # memory limit of a process that reads uploads
MAX_CLOCK_SHARE = 0.5  # a computer player may use half of its remaining time for one move
COME_BACK_MESSAGE: schemas.ComeBackMessage = {"type": "come_back", "seconds": 1}

OfferAction = Callable[[MatchService, str, Set[Side]], Awaitable[Receipt]]


class Host:
    """All parts of a server process: matches, rooms, audiences, worker processes and limits."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        database = open_database(settings.database, serving=True)
        self.store = SqlMatchStore(database, monitoring.on_commit, _log_store_failure)
        self._clock = SharedClock() if self.store.is_shared else None  # all servers follow the database's clock
        self.service = MatchService(self.store, self._feed(database), self._clock)
        self.audiences = Audiences(self.service, views.encode_step)
        self.phrases = PhraseRelay(self.audiences, self.service.feed)
        self._presence = AudiencePresence(self.audiences, self.service.feed, _presence_message)
        self._players = ThinkingPool(settings.thinkers, max_per_client=2)
        self._short_analysts = ThinkingPool(settings.thinkers, max_waiting_per_address=settings.address_waiting)
        self._analysts = ThinkingPool(
            settings.thinkers, max_waiting_per_address=settings.address_waiting, make=_make_analysis_process
        )
        self.uploads = ThinkingPool(
            settings.thinkers, max_waiting_per_address=settings.address_waiting, make=_make_upload_process
        )
        self.limits, self.offences = Limits(settings, self.store.is_writing), OffenceLog()
        self.previews = PreviewPictures(self.uploads, self.limits.previews, settings.upload_seconds)
        self._sharing = self._limit_sharing(database)
        self.analysis = AnalysisService(
            self._short_analysts, self._analysts, settings.analysis_seconds, self.limits.analyses
        )
        self.grader = RoomGrader(self.analysis)
        self.driver = MatchDriver(self.service, self._think, _log_failure)
        self.rooms = RoomService(self.service, self.store, settings.room_games, _log_as("room_not_settled"))
        strangers = SqlStrangerStore(self.store)
        self.strangers = StrangerService(self.service, strangers, settings.same_address_rated)
        self._fair_play = FairPlayChecker(self.service, strangers, self._analysts)
        self.openings = OpeningCounter(self.store)
        self._fair_starts = FairStarts(self.run_job)
        self.hub = RoomHub(self.rooms, self.service.feed, self._fit_ratings)
        self.blocked: frozenset[str] = frozenset()
        self.network = LanAccess(settings)
        self.stopping = asyncio.Event()
        self._owners: LRUCache[str, str] = LRUCache(MAX_CACHED_OWNERS)
        self._background = BackgroundTasks()
        self._room_ticks = 0
        self.service.subscribe(monitoring.log_change)
        self.service.subscribe(self.limits.on_match_news)
        self.rooms.on_deleted = self._evict_room
        self.rooms.absent_sides = self.strangers.absent_sides = self._presence.absent_sides
        self.strangers.on_new_match = self.track_match

    def _feed(self, database: Any) -> Feed:
        if database.dialect.name == "postgresql":
            from connectk.storage.feed import PostgresFeed

            return PostgresFeed(database.url, _log_as("notifications_lost", "error"))
        return LocalFeed()

    def _limit_sharing(self, database: Any) -> LimitSharing | None:
        """The object that shares the rate limits with other servers. None if this server is alone."""
        levels: SharedLimitStore
        if self.settings.shared_limits:
            levels = RedisLimitStore(self.settings.shared_limits)
        elif self.store.is_shared:
            levels = PostgresLimitStore(database)
        else:
            return None
        return LimitSharing(levels, self.limits.shareable, _log_as("limits_not_shared"))

    async def start(self) -> None:
        self.loop = asyncio.get_running_loop()
        await self.service.feed.start()
        if self._clock:
            await self._read_clock(self._clock)
        self._background.spawn(self._adopt_orphans())
        self._repeat(self._carry_out_orders, ADMIN_POLL_INTERVAL_SECONDS, "orders_not_read")
        self._repeat(self._tick_rooms, ROOM_TICK_SECONDS, "rooms_not_kept")
        self._repeat(self.strangers.tick, STRANGER_TICK_SECONDS, "strangers_not_paired")
        self._repeat(self.strangers.watch, STRANGER_WATCH_SECONDS, "strangers_not_settled")
        self._repeat(self.openings.count_some, OPENINGS_INTERVAL_SECONDS, "openings_not_counted")
        self._repeat(self._fair_play.check_all, FAIR_PLAY_INTERVAL_SECONDS, "games_not_compared")
        self._repeat(self.strangers.purge, PURGE_INTERVAL_SECONDS, "profiles_not_purged")
        self._repeat(self._report_offences, OFFENCE_REPORT_INTERVAL_SECONDS, "offences_not_reported")
        if self.store.is_shared:
            self._repeat(self._heartbeat, HEARTBEAT_SECONDS, "presence_not_sent")
        if self._clock:
            self._repeat(partial(self._read_clock, self._clock), CLOCK_INTERVAL_SECONDS, "clock_not_read")
        if self._sharing:
            self._background.spawn(self._sharing.run())
        if self.settings.keep_days or self.settings.room_keep_days:
            self._repeat(self._purge, PURGE_INTERVAL_SECONDS, "purge_failed")
        if self.settings.closable:
            self._background.spawn(self._warm_up())

    def _repeat(self, work: Callable[[], Awaitable[object]], interval_seconds: float, event: str) -> None:
        """Repeats some work in the background. A failure, for example while the database is down, is logged."""
        self._background.spawn(repeat(work, interval_seconds, _log_as(event)))

    async def close(self) -> None:
        """Stops the background loops and the thinking processes, and closes the store."""
        await self._background.close()
        self.offences.report()
        await self.driver.close()
        await self.hub.close()
        await self.rooms.close()
        await self.strangers.close()
        await self.service.finish()
        self._players.close()
        self._short_analysts.close()
        self._analysts.close()
        self.uploads.close()
        await self.service.feed.close()
        if self._sharing:
            await self._sharing.close()
        await self.store.close()

    async def run_job(self, requester: Requester, job: str, *arguments: Any) -> Any:
        """Runs a job of `uploads` in a process that is killed if it takes too long or the client disconnects."""
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
        monitoring.waiting.labels("hint").set(self._short_analysts.queue.waiting)
        monitoring.waiting.labels("upload").set(self.uploads.queue.waiting)
        monitoring.waiting.labels("analysis").set(self._analysts.queue.waiting)

    def remember_owner(self, access: Access, address: str) -> None:
        """Remembers which address is charged for the thinking time of a match's computer players.

        After a restart of the server, it is the address that continues the match first.
        """
        if access.sides:
            self._owners[access.match.id] = address

    def track_match(self, match: Match, address: str) -> None:
        """Counts a match for the address that has created it, until the match is over."""
        self.remember_owner(Access(match, frozenset(Side)), address)
        self.limits.track_match(match, address)

    async def run_offer_action(self, address: str, action: OfferAction, access: Access) -> Receipt:
        """Runs an action that may create a rematch. A new rematch is counted for this address."""
        match = await self.service.get(access.match.id)
        if match.result and not match.next_match:
            self.limits.charge_new_match(address)
        receipt = await action(self.service, match.id, access.sides)
        if receipt.match.next_match and not match.next_match:
            self.track_match(await self.service.get(receipt.match.next_match), address)
        return receipt

    async def run_fair_rematch(self, address: str, access: Access) -> Receipt:
        """Offers or makes a rematch that begins from a fair start."""
        variant = access.match.setup.start.variant
        start = await self._fair_starts.draw(variant, Requester(address, access.match.id))
        return await self.run_offer_action(address, partial(MatchService.rematch, start=start), access)

    async def _think(self, match: Match, player: str) -> Move:
        demo = all(seat.player for seat in match.seats)
        requester = Requester(self._owners.get(match.id, match.id), match.id, demo)
        job = "choose_side" if match.can_swap else "choose_fair_disc" if match.is_placing else "choose"
        answer = await self._players.think(
            requester, job, (player, match.position, match.id), self._seconds_for(match, demo)
        )
        column, thought = answer.value
        shown = {name: value for name, value in thought.items() if value not in (None, (), False)}
        return Move(column, shown, answer.seconds)

    def _seconds_for(self, match: Match, demo: bool) -> float:
        seconds = self.settings.demo_seconds if demo else self.settings.move_seconds
        left = match.left(match.turn, self.service.now())
        return seconds if left is None else max(MIN_THINKING_SECONDS, min(seconds, left * MAX_CLOCK_SHARE))

    async def _adopt_orphans(self) -> None:
        """Takes over all open matches once after the start.

        If other processes may share the database, it then keeps looking for matches without recent events, because
        their process may have died.
        """
        try:
            await self._adopt(0.0, self.service.now())
        except Exception as error:
            _log_as("orphans_not_adopted")(error)
        if self.store.is_shared:
            await asyncio.sleep(ADOPT_INTERVAL_SECONDS)
            await repeat(self._adopt_stalled, ADOPT_INTERVAL_SECONDS, _log_as("orphans_not_adopted"))

    async def _adopt_stalled(self) -> None:
        stalled = self.service.now() - ADOPT_INTERVAL_SECONDS - self.settings.move_seconds
        await self._adopt(stalled - ORPHAN_WINDOW_SECONDS, stalled)

    async def _adopt(self, since: float, until: float) -> None:
        await self.driver.adopt_overdue(self.service.now() - OVERDUE_MATCH_DELAY_SECONDS)
        await self.driver.adopt_orphans(since, until)

    async def _carry_out_orders(self) -> None:
        """Carries out the orders of `connectk admin`: block addresses, end matches, close rooms, evict rooms."""
        self.blocked = frozenset(map(network_of, await self.store.orders(BLOCK_ADDRESS)))
        for match_id in await self.store.orders(END_MATCH):
            with suppress(ConnectkError):
                await self.strangers.end_unrated(match_id)
                await self.service.abort(match_id)
            await self.store.forget_order(END_MATCH, match_id)
        for code in await self.store.orders(CLOSE_ROOM):
            with suppress(ConnectkError):
                await self.rooms.change(code, lambda room: ruling.close(room, self.service.now()))
            await self.store.forget_order(CLOSE_ROOM, code)
        for code in await self.store.orders(EVICT_ROOM):
            self.evict_room(code)
            await self.store.forget_order(EVICT_ROOM, code)

    async def _report_offences(self) -> None:
        self.offences.report()

    async def _heartbeat(self) -> None:
        self._presence.heartbeat([match_id for match_id, _ in self.audiences.open_audiences()])
        self.hub.heartbeat()

    async def _read_clock(self, clock: SharedClock) -> None:
        changed = clock.correct(await self.store.clock())
        if abs(changed) > MAX_SILENT_CORRECTION_SECONDS:
            log.warning("clock_corrected", seconds=round(changed, 3))

    async def _tick_rooms(self) -> None:
        """Scores games and pairs members. Every tenth tick also loads the open rooms, and checks the store for work
        that other processes have left unfinished."""
        is_scan = self._room_ticks % TICKS_PER_ROOM_SCAN == 0
        if is_scan:
            await self.rooms.load_open_rooms()
        await self.rooms.tick(self.settings.room_hours * 3600, check_store=is_scan and self.store.is_shared)
        self._room_ticks += 1  # not after a failure, so that a scan that failed is tried again

    async def _fit_ratings(self, code: str, games: list[GameScore], fixed: dict[int, float]) -> Any:
        """Computes a room's ratings in another process, because this takes long."""
        answer = await self.uploads.think(
            Requester(code, code), "fit_ratings", (games, fixed), self.settings.upload_seconds
        )
        return answer.value

    async def _warm_up(self) -> None:
        """Starts an analysis process in advance, so that the first hint does not wait for it."""
        await self._short_analysts.think(Requester("", ""), "warm_up", (), ANALYSIS_START_TIMEOUT_SECONDS)

    async def _purge(self) -> None:
        """Deletes old matches and rooms in small batches. Matches are old if they have not changed for `keep_days`, and
        rooms if they have not changed for `room_keep_days`."""
        if days := self.settings.keep_days:
            await self._purge_matches(self.service.now() - days * SECONDS_PER_DAY)
        if days := self.settings.room_keep_days:
            await self._purge_rooms(self.service.now() - days * SECONDS_PER_DAY)

    async def _purge_matches(self, before: float) -> None:
        while purged := await self.store.purge(before, PURGE_BATCH_SIZE):
            self.service.live.drop(purged)
            for match_id in purged:
                self.limits.release_match(match_id)
            log.info("matches_purged", count=len(purged))

    async def _purge_rooms(self, before: float) -> None:
        while purged := await self.store.purge_rooms(before, PURGE_BATCH_SIZE):
            for code in purged:
                self._evict_room(code)
            log.info("rooms_purged", count=len(purged))

    def evict_room(self, code: str) -> None:
        """Removes a room and its matches from memory, after the room was deleted or changed in the database."""
        self._evict_room(code)
        self.grader.clear()
        self.service.live.drop_room(code)

    def _evict_room(self, code: str) -> None:
        """Removes a room from memory, after it was deleted or changed in the database. Its members are disconnected.
        When they connect again, they get its new state or learn that it is gone."""
        self.rooms.evict(code)
        self.hub.disconnect(code)


def _make_analysis_process() -> ThinkingProcess:
    return ThinkingProcess(nice_steps=LONG_NICE_STEPS)


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


def _log_as(event: str, level: str = "warning") -> Callable[[Exception], None]:
    return lambda error: getattr(log, level)(event, failed=monitoring.describe_error(error))


def _log_store_failure(error: Exception) -> None:
    monitoring.store_failures.inc()
    original = getattr(error, "orig", None)
    log.error("not_stored", failed=monitoring.describe_error(error), database_says=str(original or "").splitlines()[:1])


def _log_failure(match: Match, error: BaseException) -> None:
    log.error("player_failed", match=match.id, ply=match.ply, failed=monitoring.describe_error(error))
