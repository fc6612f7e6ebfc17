"""The match service: every change of a match goes through it."""

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

EVENTS_PAGE_SIZE = 100  # of events in one answer
MAX_CACHED_PAGES = 64  # matches at the end of a page that was read, to continue from with the next page
MAX_EVENTS, MAX_EVENTS_PER_CELL = 1000, 4  # after which a match can only be played to its end
REPEATABLE_EVENTS = (TakenBack, TakeBackAsked, Redone, DrawOffered, Declined)
Decide = Callable[[Match], Event | None]  # None: nothing has to change


def steady_clock(offset: float | None = None) -> Callable[[], float]:
    """Seconds since 1970, read once at the start and counted by the monotonic clock, so a change of the system time
    has no effect. Processes on one machine that share the offset agree."""
    since = time.time() - time.monotonic() if offset is None else offset
    return lambda: since + time.monotonic()


class Access(NamedTuple):
    """A match, and the sides that the client plays."""

    match: Match
    sides: frozenset[Side]


class Receipt(NamedTuple):
    """The number of the stored event, and the current match."""

    seq: int
    match: Match


@dataclass(frozen=True, slots=True)
class SeatGrant:
    """The answer to creating or joining a match; the secrets are only shown here."""

    match: Match
    sides: frozenset[Side]
    secret: str | None
    invitation: str | None = None


class MatchNews(NamedTuple):
    """An event of a match, from this or another process. Without the match: the store has events up to this number.
    Without a name: messages may have been lost, so subscribers check everything."""

    name: str | None  # of the match or room
    seq: int
    match: Match | None = None  # after the event
    event: Event | None = None  # None: the match was created
    is_own: bool = False  # stored by this process


class MatchService(Decider[LiveMatch, Change, Recorded]):
    """Creates, changes and reads matches. Subscribers get every event of the matches in memory, once and in order; for
    other matches they only get the number of the last event."""

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
        """Create a match; the creator gets the seats in `mine`, and an invitation code."""
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
        """Add a match that was just stored, and publish it."""
        self.live.put(LiveMatch(made.after))
        self._publish(MatchNews(made.after.id, made.after.seq, made.after, is_own=True))

    async def get(self, match_id: str) -> Match:
        return (await self._load_current(match_id)).match

    async def _load_current(self, match_id: str) -> LiveMatch:
        live = await self.live.find(match_id)
        await self.refresh(live)
        return live

    async def admit(self, match_id: str, secret: str | None) -> Access:
        """The client's access: a seat's secret to play it; a private match needs at least the invitation."""
        match = await self.get(match_id)
        sides = match.sides_of(secret) if secret else frozenset()
        if not (sides or match.setup.public or (secret and opens(secret, match.setup.invitation))):
            raise MatchNotFound
        return Access(match, sides)

    def invitation_for(self, match: Match, secret: str | None) -> str | None:
        """The invitation code again, for the creator of a match while a seat is free."""
        invitation = invitation_of(secret) if secret and match.is_waiting else None
        return invitation if invitation and opens(invitation, match.setup.invitation) else None

    async def join(self, match_id: str, invitation: str | None, name: str, secret: str | None = None) -> SeatGrant:
        """Take the free seat; of concurrent requests exactly one succeeds. A client that sends the secret for the seat
        can repeat the request after a lost answer."""
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
        """Drop a disc; a repeated `key` does not drop a second one. `took` is the thinking time the player reports.
        The time of the drop is when the request arrived, even if it then waits to be stored."""
        received = self.now()

        def decide(match: Match) -> Event:
            at = max(received, match.turn_began)  # the request may arrive before the previous drop is stored
            return ruling.drop(match, seat, column, at_ply, at, seen, thought, took)

        live = await self.live.find(match_id)
        if live.match.is_overdue(received):
            with suppress(Refusal):  # another process may have stored a drop in time
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
        """Accept a draw, a take-back or a rematch."""
        made = new_match_id()
        return await self._change(match_id, lambda match: ruling.accept(match, sides, made, self.now()))

    async def rematch(self, match_id: str, sides: Set[Side]) -> Receipt:
        """Offer a rematch, or create it if the opponent has offered one or is a computer; the sides are swapped."""
        made = new_match_id()
        return await self._change(match_id, lambda match: ruling.rematch(match, sides, made, self.now()))

    async def call_time(self, match_id: str) -> Receipt:
        return await self._change(match_id, lambda match: ruling.call_time(match, self.now()))

    async def abort(self, match_id: str) -> Receipt:
        """End it as a draw, by an administrator's order."""
        return await self._change(match_id, lambda match: ruling.abort(match, self.now()))

    async def forfeit(self, match_id: str, side: Side) -> Receipt:
        return await self._change(match_id, lambda match: ruling.forfeit(match, side, self.now()))

    def events_to_replay(self, match: Match, seq: int) -> int:
        """How many events must be replayed to send those after this number."""
        live = self.live.in_memory(match.id)
        if live and live.steps_after(seq) is not None:
            return 0
        return min(match.seq, EVENTS_PAGE_SIZE if (match.id, seq) in self._pages else seq + EVENTS_PAGE_SIZE)

    async def steps_after(self, match_id: str, seq: int) -> list[MatchStep]:
        """The events after this number, in order, each with the match after it; at most one page."""
        live = await self._load_current(match_id)
        steps = live.steps_after(seq)
        if steps is None:
            steps = await self._replay(live.match, seq)
            if steps:
                self._pages[match_id, steps[-1].match.seq] = steps[-1].match
        return steps

    async def _replay(self, match: Match, seq: int) -> list[MatchStep]:
        """Read from the store and replay, from the end of the previous page if it is cached."""
        before = self._pages.get((match.id, seq))
        if before is None:
            async with self._replay_lock:  # one at a time: a long match takes much memory and processor time
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
        """An event that comes with the news is added without reading the store."""
        if news.name and news.seq == MATCH_DELETED:
            self.live.drop([news.name])
        live = self.live.in_memory(news.name) if news.name else None
        if live and news.recorded and live.seq == news.seq - 1:
            self.add_stored(live, news.recorded)
        else:
            self._publish(MatchNews(news.name, news.seq))


def _replay_steps(match: Match, recorded: Sequence[Recorded]) -> list[MatchStep]:
    """The last page of steps; matches before it are not kept."""
    early = max(0, len(recorded) - EVENTS_PAGE_SIZE)
    match = match.after_all([item.event for item in recorded[:early]])
    steps: list[MatchStep] = []
    for item in recorded[early:]:
        match = match.after(item.event)
        steps.append(MatchStep(item.event, match))
    return steps


def _new_match(match_id: str, setup: Setup, moves: Sequence[int], now: float) -> Made:
    """A new match with its opening moves played."""
    made = Match.new(match_id, setup, now)
    sides = cycle((made.position.side_to_move, made.position.side_to_move.other))
    drops = [Dropped(side, column, now) for side, column in zip(sides, moves, strict=False)]
    return Made(made, [Recorded(drop) for drop in drops], made.after_all(drops))


def _change_of(match: Match, event: Event | None, key: str | None) -> Change | None:
    """The match after the event, computed once; raises if the rules refuse it."""
    if event is None:
        return None
    rematch = _rematch_of(match, event) if isinstance(event, RematchMade) else None
    return Change(match, match.after(event), Recorded(event, key), rematch)


def _rematch_of(match: Match, event: RematchMade) -> Made:
    """The same seats with the sides swapped."""
    swapped = replace(match.setup, first=match.seats[1], second=match.seats[0], previous=match.id)
    return _new_match(event.match, swapped, (), event.at)


def _with_holder(seat: Seat, mine: bool, secret: str | None) -> Seat:
    return replace(seat, holder=hash_of(secret)) if mine and secret else seat


def _own_key(seat: Seat, side: Side, key: str) -> str:
    """A key is scoped to the holder of the seat, so that the two players cannot collide."""
    return f"{seat.holder or side}"[:12] + f":{key}"


def _repeated_receipt(live: LiveMatch, key: str, meant: tuple[int, int]) -> Receipt:
    """The answer to a repeated drop; raises `KeyReused` if the key was used for another column or ply."""
    used = live.keys[key]
    if not isinstance(used.event, Dropped) or (used.event.column, used.ply - 1) != meant:
        raise KeyReused
    return Receipt(used.seq, live.match)
