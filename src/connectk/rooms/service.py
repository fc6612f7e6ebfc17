"""Creates, changes and reads rooms, scores finished games, and pairs the members. No other module changes a room."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from connectk.aio import BackgroundTasks
from connectk.errors import ConnectkError
from connectk.play.decide_and_store import Decider, LiveEvents
from connectk.play.match import Match, MatchSetup, Seat
from connectk.play.match_cache import LOAD_ERRORS
from connectk.play.protocols import MATCH_DELETED, NewMatch, StoreConflict
from connectk.play.refusals import DatabaseUnavailable, MatchDamaged, MatchNotFound, Refusal
from connectk.play.secrets_and_codes import (
    hash_secret,
    new_match_id,
    new_room_code,
    new_secret,
    parse_room_code,
    secret_matches,
)
from connectk.play.service import MatchNews, MatchService
from connectk.rooms import ruling
from connectk.rooms.events import Closed, Event, Pair, Paired
from connectk.rooms.pairing import next_plan, opening_of
from connectk.rooms.plans import MemberPair, PairingPlan
from connectk.rooms.protocols import NewRoom, RoomChange, RoomStore
from connectk.rooms.room import Meeting, Room, RoomSetup
from connectk.rooms.ruling import RoomNotFound
from connectk.rules import Position, Result, Side

MAX_CLOSED_ROOMS = 200  # the closed rooms that stay in memory for spectators
Decided = tuple[Event, tuple[NewMatch, ...]]
Decide = Callable[[Room], Event | Decided | None]  # returns None if nothing has to change


class RoomNews(NamedTuple):
    """One event of a room, and the room after it."""

    event: Event
    room: Room


@dataclass(eq=False, slots=True)
class LiveRoom(LiveEvents[RoomChange]):
    """A room in memory. `settle_lock` is held while finished games are scored and new pairs are made."""

    room: Room
    settle_lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def seq(self) -> int:
        return self.room.seq


class RoomService(Decider[LiveRoom, RoomChange, Event]):
    """Decides on changes by the rules of a room, stores them, and makes the changes that follow from them. Subscribers
    get every event of the rooms in memory, once and in order."""

    def __init__(
        self,
        matches: MatchService,
        store: RoomStore,
        max_meetings: int = 2000,
        on_failure: Callable[[Exception], None] = lambda error: None,
    ) -> None:
        super().__init__(store)
        self._matches, self._store, self._max_meetings = matches, store, max_meetings
        self._rooms: dict[str, LiveRoom] = {}
        self._evictions = 0  # how many times a room was evicted by `evict`
        self._background = BackgroundTasks(on_failure)
        self._subscribers: list[Callable[[RoomNews], object]] = []
        self.on_deleted: Callable[[str], object] = self.evict  # called with the code, or with a match's id
        # Returns the sides of a match with nobody connected; empty if this process cannot tell.
        self.absent_sides: Callable[[str], Set[Side]] = lambda match_id: frozenset()
        self._absent_since: dict[tuple[str, Side], float] = {}
        matches.subscribe(self._on_match_news)

    def subscribe(self, subscriber: Callable[[RoomNews], object]) -> None:
        self._subscribers.append(subscriber)

    # --- changes by users

    async def create(self, setup: RoomSetup) -> tuple[Room, str]:
        """Create a room, and return it with the secret of its host. Only a hash of the secret is stored, so the secret
        can never be shown again."""
        secret = new_secret()
        setup = replace(setup, host=hash_secret(secret))
        while True:
            room = Room.new(new_room_code(), setup, self._matches.now())
            try:
                await self.finish_even_if_cancelled(self._store.create_room(NewRoom(room)))
            except StoreConflict:
                continue  # the code is taken
            self._rooms[room.code] = LiveRoom(room)
            return room, secret

    async def get(self, code: str) -> Room:
        return (await self._current(code)).room

    async def change(self, code: str, decide: Decide) -> Room:
        """Decide on a change, store and publish it, and then settle the room in the background."""
        room = await self._change(await self._current(code), decide)
        self._schedule_settle(code)
        return room

    def is_host(self, room: Room, secret: str | None) -> bool:
        return secret is not None and any(secret_matches(secret, holder) for holder in room.hosts)

    def member_of(self, room: Room, secret: str | None) -> int | None:
        """The number of the member who has this secret and has not left. None if there is no such member."""
        holder = hash_secret(secret) if secret else None
        return next((m.number for m in room.present if holder and m.holder == holder), None)

    # --- changes by time and by results

    def evict(self, code: str) -> None:
        """Evict a room that was deleted or changed directly in the database. If it still exists, it is read again when
        needed."""
        self._rooms.pop(code, None)
        self._evictions += 1

    async def load_open_rooms(self) -> None:
        """Load the open rooms into memory after the server has started."""
        for code in await self._store.open_rooms():
            with suppress(Refusal):
                await self._get_live(code)

    async def tick(self, idle_seconds: float, check_store: bool = False) -> None:
        """Settle every room regularly: a member may have failed to come, or a pause may be over. Rooms in which nothing
        has happened for `idle_seconds` are closed."""
        for code, live in list(self._rooms.items()):
            if not live.room.closed and self._matches.now() - live.room.changed > idle_seconds:
                await self.change(code, lambda room: ruling.close(room, self._matches.now()))
            elif not live.room.closed or any(live.room.open_meetings):
                await self.settle(code, check_store)
        self._evict_closed()

    def _evict_closed(self) -> None:
        closed = [code for code, live in self._rooms.items() if live.room.closed and not live.lock.locked()]
        for code in closed[: max(0, len(closed) - MAX_CLOSED_ROOMS)]:
            del self._rooms[code]

    async def settle(self, code: str, check_store: bool = False) -> None:
        """Score the games that have ended, then make the next pairs. Every process computes the same, and only the
        first result is stored.

        With `check_store`, matches are read from the store, to find those whose process died just after it had stored
        their end.
        """
        live = await self._get_live(code)
        async with live.settle_lock:
            for meeting in list(live.room.open_meetings):
                await self._settle_meeting(live, meeting, check_store)
            while not live.room.closed and next_plan(live.room, self._matches.now()):
                before = live.room.seq
                await self._change(live, self._next_event)
                if live.room.seq == before:
                    return

    async def _settle_meeting(self, live: LiveRoom, meeting: Meeting, check_store: bool) -> None:
        assert meeting.match
        try:
            match = await self._forfeit_absent(live.room, meeting, await self._read_match(meeting.match, check_store))
        except (MatchNotFound, MatchDamaged):
            match = None
        if match is None or match.result:
            for side in Side:
                self._absent_since.pop((meeting.match, side), None)
            result, acted = (_first_result(match), _sides_that_acted(match)) if match else (None, frozenset[Side]())
            now = self._matches.now()
            await self._change(live, lambda room: ruling.score(room, meeting.number, result, acted, now))

    async def _read_match(self, match_id: str, check_store: bool) -> Match:
        """The match, from memory if possible, because this method is called often.

        The end of a match is always known in memory, because every process is told of it.
        """
        cached = None if check_store else self._matches.live.in_memory(match_id)
        return cached.match if cached else await self._matches.get(match_id)

    async def _forfeit_absent(self, room: Room, meeting: Meeting, match: Match) -> Match:
        """Return the match, after ending it if the room is closed, or if a member has left or never came."""
        if match.result:
            return match
        with suppress(Refusal):
            if room.closed or room.is_stopped(meeting):
                return (await self._matches.abort(match.id)).match
            seats = ((side, meeting.members[match.original(side).value]) for side in Side)
            gone = [side for side, number in seats if room.members[number - 1].left]
            if gone:
                return (await self._matches.forfeit(match.id, gone[0])).match
            if self._is_no_show(room, match) and self._is_no_show(room, match := await self._matches.get(match.id)):
                return (await self._matches.forfeit(match.id, match.turn)).match
            for side in self._sides_gone(room, match):
                return (await self._matches.forfeit(match.id, side)).match
        return match

    def _is_no_show(self, room: Room, match: Match) -> bool:
        has_acted = match.original(match.turn) in _sides_that_acted(match)
        if room.paused_at is not None or has_acted or match.seat(match.turn).player:
            return False
        return self._matches.now() >= max(match.turn_began, room.resumed_at) + room.setup.show

    def _sides_gone(self, room: Room, match: Match) -> list[Side]:
        """The sides that have been disconnected for too long, the longest absence first.

        The time counts from the moment when this process noticed it, so that nobody loses because a server was
        restarted.
        """
        if room.setup.gone is None:
            return []
        now, absent = self._matches.now(), set(self.absent_sides(match.id)) if room.paused_at is None else set()
        for side in Side:
            if side in absent and not match.seat(side).player:
                self._absent_since.setdefault((match.id, side), now)
            else:
                self._absent_since.pop((match.id, side), None)
        since = {side: self._absent_since.get((match.id, side), now) for side in Side}
        return sorted((side for side in Side if now - since[side] >= room.setup.gone), key=since.__getitem__)

    def _next_event(self, room: Room) -> Decided | Event | None:
        """The next event of the room's plan, with the matches that it creates; None if there is nothing to do now."""
        now = self._matches.now()
        planned = next_plan(room, now) if not room.closed else None
        if planned is None:
            return None
        if planned.is_over or len(room.meetings) + len(planned.pairs) > self._max_meetings:
            return Closed(now)
        return self._paired_event(room, planned, now)

    def _paired_event(self, room: Room, planned: PairingPlan, now: float) -> Decided:
        made = tuple(_new_match(room, pair, now) for pair in planned.pairs)
        pairs = [Pair(*pair, one.match.id) for pair, one in zip(planned.pairs, made, strict=True)]
        pairs += [Pair(*pair, None, winner) for pair, winner in planned.walkovers]
        return Paired(planned.round, tuple(pairs), planned.byes, now), made

    # --- storage

    async def _get_live(self, code: str) -> LiveRoom:
        return self._rooms.get(code) or await self._load(code)

    async def _load(self, code: str) -> LiveRoom:
        if parse_room_code(code) != code:
            raise RoomNotFound
        try:
            evictions = -1
            while evictions != self._evictions:  # the room may have been evicted while it was read
                evictions = self._evictions
                found = await self._store.load_room(code)
            room = found and found[0]
            for event in found[1] if found else ():
                room = room and room.after(event)
        except DatabaseUnavailable:
            raise
        except LOAD_ERRORS as error:
            raise MatchDamaged from error
        if room is None:
            raise RoomNotFound
        return self._rooms.setdefault(code, LiveRoom(room))  # another task may have loaded the room meanwhile

    async def _current(self, code: str) -> LiveRoom:
        live = await self._get_live(code)
        await self.refresh(live)
        return live

    async def _change(self, live: LiveRoom, decide: Decide) -> Room:
        async def decided(live: LiveRoom) -> RoomChange | None:
            found = decide(live.room)
            if found is None:
                return None
            event, made = found if isinstance(found, tuple) else (found, ())
            return RoomChange(event, live.room.after(event), made)

        change = await self.decide_and_store(live, decided)
        return change.after if change else live.room

    async def _append(self, change: RoomChange) -> None:
        await self._store.append_room(change)

    async def _events_after(self, live: LiveRoom) -> Sequence[Event]:
        return await self._store.room_events_after(live.room.code, live.room.seq)

    def _is_pending(self, live: LiveRoom, event: Event) -> bool:
        return live.pending is not None and live.pending.event == event

    def _add_own(self, live: LiveRoom, change: RoomChange) -> None:
        for made in change.matches:
            self._matches.add_new(made)
        self._add(live, change.event, change.after)

    def _add_foreign(self, live: LiveRoom, event: Event) -> None:
        self._add(live, event, live.room.after(event))

    def _add(self, live: LiveRoom, event: Event, after: Room) -> None:
        live.room = after
        for subscriber in self._subscribers:
            subscriber(RoomNews(event, after))

    # --- events from matches and from other processes

    def _on_match_news(self, news: MatchNews) -> None:
        """Settle the room of a match that has ended, and read room events that another process has stored."""
        if news.match and news.match.result and news.match.setup.room and news.is_own:
            self._schedule_settle(news.match.setup.room)
        if news.name and news.seq == MATCH_DELETED:
            self.on_deleted(news.name)
        for code in list(self._rooms) if news.name is None else [news.name]:
            live = self._rooms.get(code)
            if live and (news.name is None or news.seq > live.seq):
                self._spawn(self.catch_up(live))

    def _schedule_settle(self, code: str) -> None:
        self._spawn(self.settle(code))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self._background.spawn(_ignore_refusals(work))

    async def close(self) -> None:
        await self._background.close()
        await self.finish()


async def _ignore_refusals(work: Coroutine[Any, Any, None]) -> None:
    """Run `work` and ignore its refusals, because the next `tick` tries again."""
    with suppress(ConnectkError):
        await work


def _first_result(match: Match) -> Result | None:
    """The result of a match, with the sides that the players had when the match was made."""
    result = match.result
    return replace(result, winner=match.original(result.winner)) if result and result.winner else result


def _sides_that_acted(match: Match) -> frozenset[Side]:
    """The sides whose players have dropped a disc or chosen a side. Each player counts as the side that they had when
    the match was made."""
    if match.exchanges:
        return frozenset(Side) if match.moves else frozenset({Side.SECOND})
    return frozenset(map(match.turn_at, range(match.setup.start.ply, match.ply)))


def _new_match(room: Room, pair: MemberPair, now: float) -> NewMatch:
    """A private match between two members. A member's secret for the room also opens their seat in the match."""
    position = Position.start(room.setup.variant)
    for column in opening_of(room, pair):
        position = position.drop(column)
    first, second = (_seat(room, number) for number in pair)
    rules = room.setup
    setup = MatchSetup(
        position, first, second, control=rules.control, room=room.code, swap=rules.swap, swap_discs=rules.swap_discs
    )
    match = Match.new(new_match_id(), setup, now)
    return NewMatch(match, (), match)


def _seat(room: Room, number: int) -> Seat:
    member = room.members[number - 1]
    return Seat(member.name, player=member.player, holder=member.holder)
