"""Matches: the one door through which everything that happens to them goes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any, NamedTuple

from cachetools import LRUCache

from connectk.play import ruling
from connectk.play.deciding import Decider
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
from connectk.play.live import LiveMatch, LiveMatches, MatchStep, in_thread_if_long
from connectk.play.match import Match, Seat, Setup
from connectk.play.protocols import MATCH_DELETED, Change, Feed, Made, MatchStore, News, Recorded
from connectk.play.refusals import KeyReused, MatchNotFound, MatchTooLong, Refusal
from connectk.rules import Position, Side

EVENTS_PAGE_SIZE = 100  # events that are told at once
MAX_CACHED_PAGES = 64  # matches at the end of a page of events that someone has read, for whoever reads the next
MAX_EVENTS, MAX_EVENTS_PER_CELL = 1000, 4  # after which a match can only be played to its end
REPEATABLE_EVENTS = (TakenBack, TakeBackAsked, Redone, DrawOffered, Declined)
Decide = Callable[[Match], Event | None]  # None: it is so already


def steady_clock(offset: float | None = None) -> Callable[[], float]:
    """Seconds since 1970, as they were known at the start and counted on since: a jump of the time of day changes
    nothing. Processes on one machine that share the offset agree."""
    since = time.time() - time.monotonic() if offset is None else offset
    return lambda: since + time.monotonic()


class Access(NamedTuple):
    """A match, and the sides that the one who asked plays."""

    match: Match
    sides: frozenset[Side]


class Receipt(NamedTuple):
    """The number under which something was stored, and the match as it stands."""

    seq: int
    match: Match


@dataclass(frozen=True, slots=True)
class SeatGrant:
    """What someone who enters a match is given; the secrets are shown this once."""

    match: Match
    sides: frozenset[Side]
    secret: str | None
    invitation: str | None = None


class MatchNews(NamedTuple):
    """Something that has happened to a match, here or in another process. Without the match: there are events up to
    this number, which the store has. Without a name, too: something may have been missed, so look at everything."""

    name: str | None  # of the match; or of a room, whose news come the same way
    seq: int
    match: Match | None = None  # after the event
    event: Event | None = None  # None: the match was made
    is_own: bool = False  # this process has done it


class MatchService(Decider[LiveMatch, Change, Recorded]):
    """The rules of a match at the door. Whoever subscribes is told of every event of the matches in memory, once and in
    order; of the others, that there is news."""

    def __init__(self, store: MatchStore, feed: Feed, now: Callable[[], float] | None = None) -> None:
        super().__init__(store)
        self.store, self.feed, self._clock = store, feed, now or steady_clock()
        self.live = LiveMatches(store)
        self._pages: LRUCache[tuple[str, int], Match] = LRUCache(MAX_CACHED_PAGES)
        self._replay_lock = asyncio.Lock()
        self._listeners: list[Callable[[MatchNews], object]] = []
        feed.subscribe(self._on_news)

    def subscribe(self, listener: Callable[[MatchNews], object]) -> None:
        self._listeners.append(listener)

    def _publish(self, news: MatchNews) -> None:
        for listener in self._listeners:
            listener(news)

    def now(self) -> float:
        return round(self._clock(), 3)

    async def create(self, setup: Setup, moves: Sequence[int] = (), mine: Set[Side] = frozenset()) -> SeatGrant:
        """A new match; the one who makes it gets the seats that are `mine`, and a code to invite others with."""
        secret = new_secret() if mine else None
        invitation = invitation_of(secret) if secret else new_secret()
        first, second = (_with_holder(seat, side in mine, secret) for side, seat in zip(Side, setup.seats, strict=True))
        setup = replace(setup, invitation=hash_of(invitation), first=first, second=second)
        made = await in_thread_if_long(len(moves), _new_match, new_match_id(), setup, moves, self.now())
        await self.finish_even_if_cancelled(self._create(made))
        return SeatGrant(made.after, frozenset(mine), secret, invitation)

    async def _create(self, made: Made) -> None:
        await self.store.create(made)
        self.add_new(made)

    def add_new(self, made: Made) -> None:
        """A match that has just been stored."""
        self.live.put(LiveMatch(made.after))
        self._publish(MatchNews(made.after.id, made.after.seq, made.after, is_own=True))

    async def get(self, match_id: str) -> Match:
        return (await self._load_current(match_id)).match

    async def _load_current(self, match_id: str) -> LiveMatch:
        live = await self.live.find(match_id)
        await self.refresh(live)
        return live

    async def admit(self, match_id: str, secret: str | None) -> Access:
        """Whoever holds a seat's secret plays; a private match can be watched with its invitation only."""
        match = await self.get(match_id)
        sides = match.sides_of(secret) if secret else frozenset()
        if not (sides or match.setup.public or (secret and opens(secret, match.setup.invitation))):
            raise MatchNotFound
        return Access(match, sides)

    def invitation_for(self, match: Match, secret: str | None) -> str | None:
        """The code once more, for whoever made a match, as long as a seat is free."""
        invitation = invitation_of(secret) if secret and match.is_waiting else None
        return invitation if invitation and opens(invitation, match.setup.invitation) else None

    async def join(self, match_id: str, invitation: str | None, name: str, secret: str | None = None) -> SeatGrant:
        """Take the free seat; exactly one of those who try at once gets it. Whoever brings the secret that the seat
        shall have may ask again when no answer came: whoever can name it holds the seat already."""
        await self.admit(match_id, invitation)
        secret = secret or new_secret()
        holder = hash_of(secret)
        joined = await self._change(match_id, lambda match: ruling.join(match, name, holder, self.now()))
        return SeatGrant(joined.match, joined.match.sides_of(secret), secret)

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
        return min(match.seq, EVENTS_PAGE_SIZE if (match.id, seq) in self._pages else seq + EVENTS_PAGE_SIZE)

    async def steps_after(self, match_id: str, seq: int) -> list[MatchStep]:
        """What happened after this number, in order, each with the match after it; a page of them at most."""
        live = await self._load_current(match_id)
        steps = live.steps_after(seq)
        if steps is None:
            steps = await self._replay(live.match, seq)
            if steps:
                self._pages[match_id, steps[-1].match.seq] = steps[-1].match
        return steps

    async def _replay(self, match: Match, seq: int) -> list[MatchStep]:
        """From the store, played on from the end of the page before where someone has just read that."""
        before = self._pages.get((match.id, seq))
        if before is None:
            async with (
                self._replay_lock
            ):  # one at a time: a long match is much to hold and to share the interpreter with
                steps = await self._replay_from_start(match.id, seq)
        else:
            steps = _replay_steps(before, await self.store.events_after(match.id, seq, EVENTS_PAGE_SIZE))
        return [step for step in steps if step.match.seq > seq]

    async def _replay_from_start(self, match_id: str, seq: int) -> list[MatchStep]:
        found = await self.store.load(match_id, seq + EVENTS_PAGE_SIZE)
        if found is None:
            raise MatchNotFound
        return await in_thread_if_long(len(found[1]), _replay_steps, *found)

    async def _change(
        self, match_id: str, decide: Decide, key: str | None = None, meant: tuple[int, int] = (0, 0)
    ) -> Receipt:
        live = await self.live.find(match_id)
        change = await self.decide_and_store(live, lambda live: self._decided(live, decide, key))
        if change:
            return Receipt(change.after.seq, change.after)
        return _repeated_receipt(live, key, meant) if key else Receipt(live.match.seq, live.match)

    async def _decided(self, live: LiveMatch, decide: Decide, key: str | None) -> Change | None:
        if key and key in live.keys:
            return None
        match, event = live.match, decide(live.match)
        if match.seq >= MAX_EVENTS + MAX_EVENTS_PER_CELL * match.setup.start.variant.cells and isinstance(
            event, REPEATABLE_EVENTS
        ):
            raise MatchTooLong
        many = event.to_ply - match.ply if isinstance(event, Redone) else 0
        return await in_thread_if_long(many, _change_of, match, event, key)

    async def _append(self, change: Change) -> None:
        await self.store.append(change)

    async def _events_after(self, live: LiveMatch) -> Sequence[Recorded]:
        return await self.store.events_after(live.match.id, live.match.seq)

    def _is_pending(self, live: LiveMatch, event: Recorded) -> bool:
        return live.pending is not None and is_same(live.pending.recorded.event, event.event)

    def _add_own(self, live: LiveMatch, change: Change) -> None:
        if change.rematch and not self.live.in_memory(change.rematch.after.id):
            self.add_new(change.rematch)
        self._add(live, change.recorded, change.after, is_own=True)

    def _add_foreign(self, live: LiveMatch, event: Recorded) -> None:
        self._add(live, event)

    def _add(self, live: LiveMatch, recorded: Recorded, after: Match | None = None, is_own: bool = False) -> None:
        live.add(recorded, after)
        self._publish(MatchNews(live.match.id, live.match.seq, live.match, recorded.event, is_own))

    def _on_news(self, news: News) -> None:
        """What came with the news need not be read from the store."""
        if news.name and news.seq == MATCH_DELETED:
            self.live.drop([news.name])
        live = self.live.in_memory(news.name) if news.name else None
        if live and news.recorded and live.seq == news.seq - 1:
            self.add_stored(live, news.recorded)
        else:
            self._publish(MatchNews(news.name, news.seq))


def _replay_steps(match: Match, recorded: Sequence[Recorded]) -> list[MatchStep]:
    """The last page of what happened next; the matches on the way there are not kept."""
    early = max(0, len(recorded) - EVENTS_PAGE_SIZE)
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


def _with_holder(seat: Seat, mine: bool, secret: str | None) -> Seat:
    return replace(seat, holder=hash_of(secret)) if mine and secret else seat


def _own_key(seat: Seat, side: Side, key: str) -> str:
    """A key belongs to whoever holds the seat; the same key of the other person is another one."""
    return f"{seat.holder or side}"[:12] + f":{key}"


def _repeated_receipt(live: LiveMatch, key: str, meant: tuple[int, int]) -> Receipt:
    """The answer to a drop that was made already; the same key for another column or another moment is a mistake."""
    used = live.keys[key]
    if not isinstance(used.event, Dropped) or (used.event.column, used.ply - 1) != meant:
        raise KeyReused
    return Receipt(used.seq, live.match)
