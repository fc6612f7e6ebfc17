"""The room service: every change of a room goes through it, and it settles finished games by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from connectk.aio import BackgroundTasks
from connectk.errors import ConnectkError
from connectk.play.deciding import Decider, Live
from connectk.play.keys import hash_of, new_code, new_match_id, new_secret, opens, read_code
from connectk.play.live import LOAD_ERRORS
from connectk.play.match import Match, Seat, Setup
from connectk.play.protocols import Conflict, Made
from connectk.play.refusals import MatchDamaged, MatchNotFound, Refusal
from connectk.play.service import MatchNews, MatchService
from connectk.rooms import ruling
from connectk.rooms.events import Closed, Event, Pair, Paired
from connectk.rooms.pairing import MemberPair, Plan, opening_of, plan
from connectk.rooms.protocols import NewRoom, RoomChange, RoomStore
from connectk.rooms.room import Meeting, Room, RoomSetup
from connectk.rooms.ruling import RoomNotFound
from connectk.rules import Position, Side

MAX_CLOSED_ROOMS = 200  # cached in memory for spectators
Decided = tuple[Event, tuple[Made, ...]]
Decide = Callable[[Room], Event | Decided | None]  # None: nothing to change


class RoomNews(NamedTuple):
    """An event, and the room after it."""

    event: Event
    room: Room


@dataclass(eq=False, slots=True)
class LiveRoom(Live[RoomChange]):
    """A room in memory. `settle_lock` is held while its games are settled and pairings are made."""

    room: Room
    settle_lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def seq(self) -> int:
        return self.room.seq


class RoomService(Decider[LiveRoom, RoomChange, Event]):
    """Checks changes against the rules of a room, stores them, and makes the changes that follow from them.
    Subscribers get every event of the rooms in memory once and in order."""

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
        self._background = BackgroundTasks(on_failure)
        self._subscribers: list[Callable[[RoomNews], object]] = []
        matches.subscribe(self._on_match_news)

    def subscribe(self, subscriber: Callable[[RoomNews], object]) -> None:
        self._subscribers.append(subscriber)

    # --- changes by users

    async def create(self, setup: RoomSetup) -> tuple[Room, str]:
        """Creates a room; returns it with the host's secret, which is not stored and cannot be read again."""
        secret = new_secret()
        setup = replace(setup, host=hash_of(secret))
        while True:
            room = Room.new(new_code(), setup, self._matches.now())
            try:
                await self.finish_even_if_cancelled(self._store.create_room(NewRoom(room)))
            except Conflict:
                continue  # the code is taken
            self._rooms[room.code] = LiveRoom(room)
            return room, secret

    async def get(self, code: str) -> Room:
        return (await self._current(code)).room

    async def change(self, code: str, decide: Decide) -> Room:
        """Decides, stores and publishes a change; then settles the room in the background."""
        room = await self._change(await self._current(code), decide)
        self._schedule_settle(code)
        return room

    def is_host(self, room: Room, secret: str | None) -> bool:
        return secret is not None and opens(secret, room.setup.host)

    def member_of(self, room: Room, secret: str | None) -> int | None:
        """The number of the member with this secret."""
        holder = hash_of(secret) if secret else None
        return next((m.number for m in room.present if holder and m.holder == holder), None)

    # --- changes by time and by results

    async def load_open_rooms(self) -> None:
        """Loads the open rooms into memory after a start."""
        for code in await self._store.open_rooms():
            with suppress(Refusal):
                await self._get_live(code)

    async def tick(self, idle_seconds: float, check_store: bool = False) -> None:
        """Settles every room: forfeits for no-shows, pairings after a rest; closes rooms that have been idle."""
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
        """Scores the games that have ended, then makes the pairings that follow. Every process comes to the same
        result, and only the first one is stored. `check_store` reads the matches from the store, in case another
        process died after it had stored a result."""
        live = await self._get_live(code)
        async with live.settle_lock:
            for meeting in list(live.room.open_meetings):
                await self._settle_meeting(live, meeting, check_store)
            while not live.room.closed and plan(live.room, self._matches.now()):
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
            result, dropped = (match.result, _sides_that_dropped(match)) if match else (None, frozenset[Side]())
            now = self._matches.now()
            await self._change(live, lambda room: ruling.score(room, meeting.number, result, dropped, now))

    async def _read_match(self, match_id: str, check_store: bool) -> Match:
        """Prefers the cached match: the feed keeps it up to date, and this is called often."""
        cached = None if check_store else self._matches.live.in_memory(match_id)
        return cached.match if cached else await self._matches.get(match_id)

    async def _forfeit_absent(self, room: Room, meeting: Meeting, match: Match) -> Match:
        """The match, forfeited if a player has left the room or never came to the board."""
        if match.result:
            return match
        with suppress(Refusal):
            if room.closed:
                return (await self._matches.abort(match.id)).match
            gone = [side for side in Side if room.members[meeting.members[side.value] - 1].left]
            if gone:
                return (await self._matches.forfeit(match.id, gone[0])).match
            if self._is_no_show(room, match):
                return (await self._matches.forfeit(match.id, match.position.side_to_move)).match
        return match

    def _is_no_show(self, room: Room, match: Match) -> bool:
        if len(match.moves) > 1 or match.seat(match.position.side_to_move).player:
            return False
        return self._matches.now() >= match.turn_began + room.setup.show

    def _next_event(self, room: Room) -> Decided | Event | None:
        """The next event of the room's plan."""
        now = self._matches.now()
        planned = plan(room, now) if not room.closed else None
        if planned is None:
            return None
        if planned.is_over or len(room.meetings) + len(planned.pairs) > self._max_meetings:
            return Closed(now)
        return self._paired_event(room, planned, now)

    def _paired_event(self, room: Room, planned: Plan, now: float) -> Decided:
        made = tuple(_new_match(room, pair, now) for pair in planned.pairs)
        pairs = [Pair(*pair, one.match.id) for pair, one in zip(planned.pairs, made, strict=True)]
        pairs += [Pair(*pair, None, winner) for pair, winner in planned.walkovers]
        return Paired(planned.round, tuple(pairs), planned.byes, now), made

    # --- storage

    async def _get_live(self, code: str) -> LiveRoom:
        return self._rooms.get(code) or await self._load(code)

    async def _load(self, code: str) -> LiveRoom:
        if read_code(code) != code:
            raise RoomNotFound
        try:
            found = await self._store.load_room(code)
            room = found and found[0]
            for event in found[1] if found else ():
                room = room and room.after(event)
        except LOAD_ERRORS as error:
            raise MatchDamaged from error
        if room is None:
            raise RoomNotFound
        return self._rooms.setdefault(code, LiveRoom(room))  # another task may have loaded it meanwhile

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
        """Settles the room of a match that has ended; reads events that another process has stored."""
        if news.match and news.match.result and news.match.setup.room and news.is_own:
            self._schedule_settle(news.match.setup.room)
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
    """Ignores refusals, such as for a room that is gone; the next tick tries again."""
    with suppress(ConnectkError):
        await work


def _sides_that_dropped(match: Match) -> frozenset[Side]:
    first = match.setup.start.side_to_move
    return frozenset({0: set(), 1: {first}}.get(len(match.moves), set(Side)))


def _new_match(room: Room, pair: MemberPair, now: float) -> Made:
    """A private match between two members; each member's secret for the room also opens their seat."""
    position = Position.start(room.setup.variant)
    for column in opening_of(room, pair):
        position = position.drop(column)
    first, second = (_seat(room, number) for number in pair)
    setup = Setup(position, first, second, control=room.setup.control, room=room.code)
    match = Match.new(new_match_id(), setup, now)
    return Made(match, (), match)


def _seat(room: Room, number: int) -> Seat:
    member = room.members[number - 1]
    return Seat(member.name, player=member.player, holder=member.holder)
