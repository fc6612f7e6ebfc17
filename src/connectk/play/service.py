"""Matches: the one door through which everything that happens to them goes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any, NamedTuple, TypeVar

from connectk.errors import ConnectkError
from connectk.play import ruling
from connectk.play.events import (
    Declined,
    DrawOffered,
    Dropped,
    Event,
    Redone,
    RematchMade,
    TakeBackAsked,
    TakenBack,
    is_same,
)
from connectk.play.keys import hash_of, invitation_of, new_match_id, new_secret, opens
from connectk.play.live import LiveMatch, LiveMatches, MatchStep, Pages, in_thread_if_long
from connectk.play.match import Match, Seat, Setup
from connectk.play.protocols import GONE, Change, Conflict, Feed, Listener, Made, MatchStore, Recorded
from connectk.play.refusals import Busy, KeyReused, MatchNotFound, MatchTooLong, Refusal
from connectk.rules import Position, Side

T = TypeVar("T")
TRIES = 20
PAGE = 100  # events that are told at once
MOST_EVENTS, EVENTS_A_CELL = 1000, 4  # after which a match can only be played to its end
ENDLESS = (TakenBack, TakeBackAsked, Redone, DrawOffered, Declined)
Decide = Callable[[Match], Event | None]  # None: it is so already


def steady_clock(offset: float | None = None) -> Callable[[], float]:
    """Seconds since 1970, as they were known at the start and counted on since: a jump of the time of day changes
    nothing. Processes on one machine that share the offset agree."""
    since = time.time() - time.monotonic() if offset is None else offset
    return lambda: since + time.monotonic()


class Admission(NamedTuple):
    """A match, and the sides that the one who asked plays."""

    match: Match
    sides: frozenset[Side]


class Receipt(NamedTuple):
    """The number under which something was stored, and the match as it stands."""

    seq: int
    match: Match


@dataclass(frozen=True, slots=True)
class Entry:
    """What someone who enters a match is given; the secrets are shown this once."""

    match: Match
    sides: frozenset[Side]
    secret: str | None
    invitation: str | None = None


class MatchService:
    """Accepts what the rules of a match allow, stores it, and only then tells the feed."""

    def __init__(self, store: MatchStore, feed: Feed, now: Callable[[], float] | None = None) -> None:
        self.store, self.feed, self._clock = store, feed, now or steady_clock()
        self.live = LiveMatches(store)
        self._pages = Pages()
        self._replaying = asyncio.Lock()
        self._under_way: set[asyncio.Future[Any]] = set()
        self.on_change: list[Callable[[Match, Event | None], None]] = []  # told of what this process has done
        self._listeners: list[Listener] = []
        feed.listen(self._hear)

    def listen(self, listener: Listener) -> None:
        """Be told that a match has news, once this service knows what came with them."""
        self._listeners.append(listener)

    def now(self) -> float:
        return round(self._clock(), 3)

    async def create(self, setup: Setup, moves: Sequence[int] = (), mine: Set[Side] = frozenset()) -> Entry:
        """A new match; the one who makes it gets the seats that are `mine`, and a code to invite others with."""
        secret = new_secret() if mine else None
        invitation = invitation_of(secret) if secret else new_secret()
        first, second = (_held(seat, side in mine, secret) for side, seat in zip(Side, setup.seats, strict=True))
        setup = replace(setup, invitation=hash_of(invitation), first=first, second=second)
        made = await in_thread_if_long(len(moves), _new_match, new_match_id(), setup, moves, self.now())
        await self.see_through(self._create(made))
        return Entry(made.after, frozenset(mine), secret, invitation)

    async def _create(self, made: Made) -> None:
        await self.store.create(made)
        self.welcome(made)

    def welcome(self, made: Made) -> None:
        """A match that has just been stored."""
        self.live.put(LiveMatch(made.after))
        self._tell(made.after, None)

    async def finish(self) -> None:
        """Wait for what is under way: what has been stored is told, however soon the process ends."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    async def get(self, match_id: str) -> Match:
        return (await self._fresh(match_id)).match

    async def _fresh(self, match_id: str) -> LiveMatch:
        live = await self.live.find(match_id)
        await self.live.refresh(live)
        return live

    async def admit(self, match_id: str, secret: str | None) -> Admission:
        """Whoever holds a seat's secret plays; a private match can be watched with its invitation only."""
        match = await self.get(match_id)
        sides = match.sides_of(secret) if secret else frozenset()
        if not (sides or match.setup.public or (secret and opens(secret, match.setup.invitation))):
            raise MatchNotFound
        return Admission(match, sides)

    def invitation_for(self, match: Match, secret: str | None) -> str | None:
        """The code once more, for whoever made a match, as long as a seat is free."""
        invitation = invitation_of(secret) if secret and match.is_waiting else None
        return invitation if invitation and opens(invitation, match.setup.invitation) else None

    async def join(self, match_id: str, invitation: str | None, name: str, secret: str | None = None) -> Entry:
        """Take the free seat; exactly one of those who try at once gets it. Whoever brings the secret that the seat
        shall have may ask again when no answer came: whoever can name it holds the seat already."""
        await self.admit(match_id, invitation)
        secret = secret or new_secret()
        holder = hash_of(secret)
        joined = await self._change(match_id, lambda match: ruling.join(match, name, holder, self.now()))
        return Entry(joined.match, joined.match.sides_of(secret), secret)

    async def drop(
        self,
        match_id: str,
        seat: Side,
        column: int,
        at_ply: int,
        *,
        key: str | None = None,
        seen: Position | None = None,
        thought: Mapping[str, Any] | None = None,
        took: float | None = None,
    ) -> Receipt:
        """Drop a disc; the same `key` sent again drops no second one. `took` is how long the player says it thought.
        The disc counts from when it came here, also where it then waits for its turn to be stored."""
        received = self.now()

        def decide(match: Match) -> Event:
            at = max(received, match.turn_began)  # it may have come before the disc that it answers
            return ruling.drop(match, seat, column, at_ply, at, seen, thought, took)

        live = await self.live.find(match_id)
        if live.match.is_overdue(received):
            with suppress(Refusal):  # another process may know better
                await self.call_time(match_id)
        return await self._change(
            match_id, decide, key and _own_key(live.match.seat(seat), seat, key), (column, at_ply)
        )

    async def take_back(self, match_id: str, sides: Set[Side], to_ply: int | None = None) -> Receipt:
        return await self._change(match_id, lambda match: ruling.take_back(match, sides, to_ply, self.now()))

    async def redo(self, match_id: str, sides: Set[Side], to_ply: int | None = None) -> Receipt:
        return await self._change(match_id, lambda match: ruling.redo(match, sides, to_ply, self.now()))

    async def resign(self, match_id: str, sides: Set[Side]) -> Receipt:
        return await self._change(match_id, lambda match: ruling.resign(match, sides, self.now()))

    async def offer_draw(self, match_id: str, sides: Set[Side]) -> Receipt:
        return await self._change(match_id, lambda match: ruling.offer_draw(match, sides, self.now()))

    async def decline(self, match_id: str, sides: Set[Side]) -> Receipt:
        return await self._change(match_id, lambda match: ruling.decline(match, sides, self.now()))

    async def accept(self, match_id: str, sides: Set[Side]) -> Receipt:
        """Yes to a draw, a take-back or a rematch."""
        made = new_match_id()
        return await self._change(match_id, lambda match: ruling.accept(match, sides, made, self.now()))

    async def rematch(self, match_id: str, sides: Set[Side]) -> Receipt:
        """Offer a rematch, or begin it where the other has offered or is a computer; the sides are swapped."""
        made = new_match_id()
        return await self._change(match_id, lambda match: ruling.rematch(match, sides, made, self.now()))

    async def call_time(self, match_id: str) -> Receipt:
        return await self._change(match_id, lambda match: ruling.call_time(match, self.now()))

    async def abort(self, match_id: str) -> Receipt:
        """An administrator has ended it: nobody wins."""
        return await self._change(match_id, lambda match: ruling.abort(match, self.now()))

    async def forfeit(self, match_id: str, side: Side) -> Receipt:
        return await self._change(match_id, lambda match: ruling.forfeit(match, side, self.now()))

    def events_to_replay(self, match: Match, seq: int) -> int:
        """How much work it is to tell what happened after this number."""
        live = self.live.in_memory(match.id)
        if live and live.steps_after(seq) is not None:
            return 0
        return min(match.seq, PAGE if self._pages.get(match.id, seq) else seq + PAGE)

    async def steps_after(self, match_id: str, seq: int) -> list[MatchStep]:
        """What happened after this number, in order, each with the match after it; a page of them at most."""
        live = await self._fresh(match_id)
        steps = live.steps_after(seq)
        if steps is None:
            steps = await self._replayed(live.match, seq)
            if steps:
                self._pages.put(steps[-1].match)
        return steps

    async def _replayed(self, match: Match, seq: int) -> list[MatchStep]:
        """From the store, played on from the end of the page before where someone has just read that."""
        before = self._pages.get(match.id, seq)
        if before is None:
            async with self._replaying:  # one at a time: a long match is much to hold and to share the interpreter with
                steps = await self._replayed_from_start(match.id, seq)
        else:
            steps = _played_on(before, await self.store.events_after(match.id, seq, PAGE))
        return [step for step in steps if step.match.seq > seq]

    async def _replayed_from_start(self, match_id: str, seq: int) -> list[MatchStep]:
        found = await self.store.load(match_id, seq + PAGE)
        if found is None:
            raise MatchNotFound
        return await in_thread_if_long(len(found[1]), _played_on, *found)

    async def _change(
        self, match_id: str, decide: Decide, key: str | None = None, meant: tuple[int, int] = (0, 0)
    ) -> Receipt:
        live = await self.live.find(match_id)
        return await self.see_through(self._change_now(live, decide, key, meant))

    async def see_through(self, work: Coroutine[Any, Any, T]) -> T:
        """Finished even when the one who asked has left: what is stored is always told."""
        change = asyncio.ensure_future(work)
        self._under_way.add(change)
        change.add_done_callback(self._under_way.discard)
        return await asyncio.shield(change)

    async def _change_now(self, live: LiveMatch, decide: Decide, key: str | None, meant: tuple[int, int]) -> Receipt:
        """Decide on the match as we know it, store, then tell; look again when another process was quicker."""
        async with live.lock:
            for _ in range(TRIES):
                if key and key in live.keys:
                    return _repeated(live, key, meant)
                try:
                    change = await self._decided(live.match, decide, key)
                except ConnectkError:
                    if await self._has_news(live):
                        continue
                    raise
                if change is None:
                    return Receipt(live.match.seq, live.match)
                try:
                    return await self._store(live, change)
                except Conflict:
                    await self.live.catch_up(live)
                    if _is_own_step(live, change):
                        return self._told(change)
        raise Busy

    async def _decided(self, match: Match, decide: Decide, key: str | None) -> Change | None:
        event = decide(match)
        if match.seq >= MOST_EVENTS + EVENTS_A_CELL * match.setup.start.variant.cells and isinstance(event, ENDLESS):
            raise MatchTooLong
        many = event.to_ply - match.ply if isinstance(event, Redone) else 0
        return await in_thread_if_long(many, _change_of, match, event, key)

    async def _has_news(self, live: LiveMatch) -> bool:
        """Whether what we refuse was refused on an old board."""
        seq = live.match.seq
        await self.live.refresh(live)
        return live.match.seq != seq

    async def _store(self, live: LiveMatch, change: Change) -> Receipt:
        await self.store.append(change)
        if live.match.seq == change.before.seq:  # or else a reader has already seen it in the store
            live.add(change.recorded, change.after)
        return self._told(change)

    def _told(self, change: Change) -> Receipt:
        if change.rematch and not self.live.in_memory(change.rematch.after.id):
            self.welcome(change.rematch)
        return self._tell(change.after, change.recorded.event)

    def _hear(self, match_id: str | None, seq: int, recorded: Recorded | None) -> None:
        """What another process has stored and tells with the news need not be read from the store."""
        if match_id and seq == GONE:
            self.live.drop([match_id])
        live = self.live.in_memory(match_id) if match_id and recorded else None
        if live and recorded and live.match.seq == seq - 1:
            live.add(recorded)
        for listener in self._listeners:
            listener(match_id, seq, recorded)

    def _tell(self, match: Match, event: Event | None) -> Receipt:
        self.feed.publish(match.id, match.seq)
        for tell in self.on_change:
            tell(match, event)
        return Receipt(match.seq, match)


def _played_on(match: Match, recorded: Sequence[Recorded]) -> list[MatchStep]:
    """The last page of what happened next; the matches on the way there are not kept."""
    early = max(0, len(recorded) - PAGE)
    match = match.after_all([item.event for item in recorded[:early]])
    steps: list[MatchStep] = []
    for item in recorded[early:]:
        match = match.after(item.event)
        steps.append(MatchStep(item.event, match))
    return steps


def _new_match(match_id: str, setup: Setup, moves: Sequence[int], now: float) -> Made:
    """A match with the moves that it begins with, played once."""
    made = Match.new(match_id, setup, now)
    sides = cycle((made.position.side_to_move, made.position.side_to_move.other))
    drops = [Dropped(side, column, now) for side, column in zip(sides, moves, strict=False)]
    return Made(made, [Recorded(drop) for drop in drops], made.after_all(drops))


def _change_of(match: Match, event: Event | None, key: str | None) -> Change | None:
    """The event played, once for all who need to know how the match stands after it; the rules may refuse it here."""
    if event is None:
        return None
    rematch = _rematch_of(match, event) if isinstance(event, RematchMade) else None
    return Change(match, match.after(event), Recorded(event, key), rematch)


def _rematch_of(match: Match, event: RematchMade) -> Made:
    """The same people with the sides swapped."""
    swapped = replace(match.setup, first=match.seats[1], second=match.seats[0], previous=match.id)
    return _new_match(event.match, swapped, (), event.at)


def _held(seat: Seat, mine: bool, secret: str | None) -> Seat:
    return replace(seat, holder=hash_of(secret)) if mine and secret else seat


def _own_key(seat: Seat, side: Side, key: str) -> str:
    """A key belongs to whoever holds the seat; the same key of the other person is another one."""
    return f"{seat.holder or side}"[:12] + f":{key}"


def _repeated(live: LiveMatch, key: str, meant: tuple[int, int]) -> Receipt:
    """The answer to a drop that was made already; the same key for another column or another moment is a mistake."""
    used = live.keys[key]
    if not isinstance(used.event, Dropped) or (used.event.column, used.ply - 1) != meant:
        raise KeyReused
    return Receipt(used.seq, live.match)


def _is_own_step(live: LiveMatch, change: Change) -> bool:
    """Whether the step that took our number is our own: the database went away after it had committed. A reader may
    have found it there before us."""
    steps = live.steps_after(change.before.seq)
    return steps is not None and any(is_same(step.event, change.recorded.event) for step in steps[:1])
