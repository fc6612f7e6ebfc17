"""Rooms: the one door through which everything that happens in them goes, and what settles them by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from connectk.errors import ConnectkError
from connectk.play.keys import hash_of, new_code, new_match_id, new_secret, opens, read_code
from connectk.play.live import UNREADABLE
from connectk.play.match import Match, Seat, Setup
from connectk.play.protocols import Conflict, Made
from connectk.play.refusals import Busy, MatchDamaged, MatchNotFound, Refusal
from connectk.play.service import MatchService
from connectk.rooms import ruling
from connectk.rooms.events import Closed, Event, Pair, Paired
from connectk.rooms.pairing import Plan, Two, opening_of, plan
from connectk.rooms.protocols import RoomChange, RoomMade, RoomStore
from connectk.rooms.room import Meeting, Room, RoomSetup
from connectk.rooms.ruling import RoomNotFound
from connectk.rules import Position, Side

T = TypeVar("T")
TRIES = 20
MOST_CLOSED = 200  # rooms that are over, kept in memory for those who look at them
Decided = tuple[Event, tuple[Made, ...]]
Decide = Callable[[Room], Event | Decided | None]  # None: it is so already
Told = Callable[[Event, Room], None]


@dataclass(slots=True)
class LiveRoom:
    """A room in memory. Whoever changes it holds the lock; whoever makes pairings holds the other one."""

    room: Room
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    settling: asyncio.Lock = field(default_factory=asyncio.Lock)


class RoomService:
    """Accepts what the rules of a room allow, stores it, and only then tells."""

    def __init__(
        self,
        matches: MatchService,
        store: RoomStore,
        most_meetings: int = 2000,
        on_failure: Callable[[Exception], None] = lambda error: None,
    ) -> None:
        self._matches, self._store, self._most_meetings = matches, store, most_meetings
        self._on_failure = on_failure
        self._rooms: dict[str, LiveRoom] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.on_step: list[Told] = []  # every event of every room in memory, once and in order
        matches.on_change.append(self._match_changed)
        matches.listen(self._hear)

    # --- what people do

    async def create(self, setup: RoomSetup) -> tuple[Room, str]:
        """A new room and the host's secret, which is shown this once."""
        secret = new_secret()
        setup = replace(setup, host=hash_of(secret))
        while True:
            room = Room.new(new_code(), setup, self._matches.now())
            try:
                await self._matches.see_through(self._store.create_room(RoomMade(room)))
            except Conflict:
                continue  # the code is taken
            self._rooms[room.code] = LiveRoom(room)
            return room, secret

    async def get(self, code: str) -> Room:
        return (await self._fresh(code)).room

    async def change(self, code: str, decide: Decide) -> Room:
        """Decide, store, tell; then whatever follows by itself."""
        room = await self._change(await self._fresh(code), decide)
        self._settle_soon(code)
        return room

    def is_host(self, room: Room, secret: str | None) -> bool:
        return secret is not None and opens(secret, room.setup.host)

    def member_of(self, room: Room, secret: str | None) -> int | None:
        """Who it is that has this secret."""
        holder = hash_of(secret) if secret else None
        return next((m.number for m in room.present if holder and m.holder == holder), None)

    # --- what happens by itself

    async def take_up(self) -> None:
        """Every room that is open, after a start."""
        for code in await self._store.open_rooms():
            with suppress(Refusal):
                await self._find(code)

    async def tick(self, idle_seconds: float, thorough: bool = False) -> None:
        """Call those who have not shown up, begin what waited for a rest, end what everybody has left."""
        for code, live in list(self._rooms.items()):
            if not live.room.closed and self._matches.now() - live.room.changed > idle_seconds:
                await self.change(code, lambda room: ruling.close(room, self._matches.now()))
            elif not live.room.closed or any(live.room.open_meetings):
                await self.settle(code, thorough)
        self._forget()

    def _forget(self) -> None:
        closed = [code for code, live in self._rooms.items() if live.room.closed and not live.lock.locked()]
        for code in closed[: max(0, len(closed) - MOST_CLOSED)]:
            del self._rooms[code]

    async def settle(self, code: str, thorough: bool = False) -> None:
        """Note what has ended, then make the pairings that follow; the same whoever does it, and done once. A
        thorough look asks the store, too, where another process may have died after it had stored."""
        live = await self._find(code)
        async with live.settling:
            for meeting in list(live.room.open_meetings):
                await self._settle_meeting(live, meeting, thorough)
            while not live.room.closed and plan(live.room, self._matches.now()):
                before = live.room.seq
                await self._change(live, self._next)
                if live.room.seq == before:
                    return

    async def _settle_meeting(self, live: LiveRoom, meeting: Meeting, thorough: bool) -> None:
        assert meeting.match
        try:
            match = await self._ended_if_need_be(live.room, meeting, await self._look(meeting.match, thorough))
        except (MatchNotFound, MatchDamaged):
            match = None
        if match is None or match.result:
            result, dropped = (match.result, _who_dropped(match)) if match else (None, frozenset[Side]())
            now = self._matches.now()
            await self._change(live, lambda room: ruling.score(room, meeting.number, result, dropped, now))

    async def _look(self, match_id: str, thorough: bool) -> Match:
        """In memory where it is there: the feed keeps it up to date, and this is asked often."""
        known = None if thorough else self._matches.live.in_memory(match_id)
        return known.match if known else await self._matches.get(match_id)

    async def _ended_if_need_be(self, room: Room, meeting: Meeting, match: Match) -> Match:
        """The match, after those have lost it who left the room or never came to the board."""
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

    def _next(self, room: Room) -> Decided | Event | None:
        """The event that the room's plan asks for, on the room as it is now."""
        now = self._matches.now()
        planned = plan(room, now) if not room.closed else None
        if planned is None:
            return None
        if planned.is_over or len(room.meetings) + len(planned.pairs) > self._most_meetings:
            return Closed(now)
        return self._paired(room, planned, now)

    def _paired(self, room: Room, planned: Plan, now: float) -> Decided:
        made = tuple(_match_of(room, pair, now) for pair in planned.pairs)
        pairs = [Pair(*pair, one.match.id) for pair, one in zip(planned.pairs, made, strict=True)]
        pairs += [Pair(*pair, None, winner) for pair, winner in planned.walkovers]
        return Paired(planned.round, tuple(pairs), planned.byes, now), made

    # --- how it is kept

    async def _find(self, code: str) -> LiveRoom:
        return self._rooms.get(code) or await self._load(code)

    async def _load(self, code: str) -> LiveRoom:
        if read_code(code) != code:
            raise RoomNotFound
        try:
            found = await self._store.load_room(code)
            room = found and found[0]
            for event in found[1] if found else ():
                room = room and room.after(event)
        except UNREADABLE as error:
            raise MatchDamaged from error
        if room is None:
            raise RoomNotFound
        return self._rooms.setdefault(code, LiveRoom(room))  # two may have loaded at once

    async def _fresh(self, code: str) -> LiveRoom:
        live = await self._find(code)
        if self._store.is_shared:
            await self._catch_up(live)
        return live

    async def _catch_up(self, live: LiveRoom) -> None:
        """What another process has stored; while we read, someone here may have added some of it."""
        seq = live.room.seq
        for number, event in enumerate(await self._store.room_events_after(live.room.code, seq), start=seq + 1):
            if number == live.room.seq + 1:
                self._add(live, event, live.room.after(event))

    async def _change(self, live: LiveRoom, decide: Decide) -> Room:
        return await self._matches.see_through(self._change_now(live, decide))

    async def _change_now(self, live: LiveRoom, decide: Decide) -> Room:
        async with live.lock:
            for _ in range(TRIES):
                decided = decide(live.room)
                if decided is None:
                    return live.room
                event, made = decided if isinstance(decided, tuple) else (decided, ())
                after = live.room.after(event)
                try:
                    await self._store.append_room(RoomChange(event, after, made))
                except Conflict:
                    await self._catch_up(live)
                    continue
                if live.room.seq == after.seq - 1:  # or else a reader has already seen it in the store
                    self._add(live, event, after)
                for one in made:
                    self._matches.welcome(one)
                self._matches.feed.publish(after.code, after.seq)
                return after
        raise Busy

    def _add(self, live: LiveRoom, event: Event, after: Room) -> None:
        live.room = after
        for tell in self.on_step:
            tell(event, after)

    # --- what we hear

    def _match_changed(self, match: Match, event: object) -> None:
        if match.result and match.setup.room:
            self._settle_soon(match.setup.room)

    def _hear(self, name: str | None, seq: int, recorded: object) -> None:
        """Another process has changed a room, or something may have been missed."""
        for code in list(self._rooms) if name is None else [name]:
            live = self._rooms.get(code)
            if live and (name is None or seq > live.room.seq):
                self._start(self._catch_up(live))

    def _settle_soon(self, code: str) -> None:
        self._start(self.settle(code))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(self._quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _quietly(self, work: Coroutine[Any, Any, None]) -> None:
        """A room that is gone, or a database that is away: the next look comes soon."""
        try:
            await work
        except ConnectkError:
            return
        except Exception as error:
            self._on_failure(error)

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _who_dropped(match: Match) -> frozenset[Side]:
    first = match.setup.start.side_to_move
    return frozenset({0: set(), 1: {first}}.get(len(match.moves), set(Side)))


def _match_of(room: Room, pair: Two, now: float) -> Made:
    """A private match between two members: the secret by which each is known in the room opens their seat."""
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
