"""Creates, changes and reads matches. No other module changes a match."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any, NamedTuple

from cachetools import LRUCache

from connectk.notation.start import parse_start
from connectk.play import ruling
from connectk.play.decide_and_store import Decider
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
from connectk.play.match import Match, MatchSetup, Seat
from connectk.play.match_cache import LiveMatch, LiveMatches, MatchStep, in_thread_if_long
from connectk.play.protocols import MATCH_DELETED, MATCH_OVER, Change, Feed, MatchStore, NewMatch, News, RecordedEvent
from connectk.play.refusals import BadSwapDiscs, KeyReused, MatchEventLimitReached, MatchNotFound, Refusal
from connectk.play.secrets_and_codes import hash_secret, invitation_code_for, new_match_id, new_secret, secret_matches
from connectk.rules import Position, Side, Variant

EVENTS_PAGE_SIZE = 100  # the number of events in one answer
MAX_CACHED_PAGE_MOVES = 100_000  # of the matches at the ends of pages, from which the next pages continue
MAX_EVENTS, MAX_EVENTS_PER_CELL = 1000, 4  # after this many events, a match can only be played to its end
MIN_RUN_OF_PLACED_DISCS = 4  # a side has at most three of the five discs that may be placed
REPEATABLE_EVENTS = (TakenBack, TakeBackAsked, Redone, DrawOffered, Declined)
Decide = Callable[[Match], Event | None]  # returns None if nothing has to change


def steady_clock() -> Callable[[], float]:
    """A clock in seconds since 1970. It reads the system time only once, so later changes of the system time do not
    affect it."""
    since = time.time() - time.monotonic()
    return lambda: since + time.monotonic()


def _page_size(match: Match) -> int:
    return EVENTS_PAGE_SIZE + len(match.moves) + len(match.undone)


class Access(NamedTuple):
    """A match, and the sides that the client may play in it. A spectator may play none."""

    match: Match
    sides: frozenset[Side]


class Receipt(NamedTuple):
    """The number of the event that a request has stored, and the match as it is now."""

    seq: int
    match: Match


@dataclass(frozen=True, slots=True)
class SeatGrant:
    """The answer to a client that has created or joined a match. No other answer contains these secrets."""

    match: Match
    sides: frozenset[Side]
    secret: str | None
    invitation: str | None = None


class MatchNews(NamedTuple):
    """News that some process has stored an event.

    If `match` is None, only the number of the last event is known. If `name` is None, messages may have been lost, and
    subscribers check everything.
    """

    name: str | None  # the id of the match or the code of the room
    seq: int
    match: Match | None = None  # the match after the event
    event: Event | None = None  # None if the match was created
    is_own: bool = False  # stored by this process


class MatchService(Decider[LiveMatch, Change, RecordedEvent]):
    """Creates, changes and reads matches. For a match in memory, subscribers get every event, once and in order. For
    any other match they get only the number of its last event."""

    def __init__(self, store: MatchStore, feed: Feed, now: Callable[[], float] | None = None) -> None:
        super().__init__(store)
        self.store, self.feed, self._clock = store, feed, now or steady_clock()
        self.live = LiveMatches(store)
        self._pages: LRUCache[tuple[str, int], Match] = LRUCache(MAX_CACHED_PAGE_MOVES, getsizeof=_page_size)
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

    async def create(self, setup: MatchSetup, moves: Sequence[int] = (), mine: Set[Side] = frozenset()) -> SeatGrant:
        """Create a match. Its creator gets the seats in `mine`, and a code for inviting somebody."""
        check_swap_discs(setup.start.variant, setup.swap_discs if setup.swap else 1, is_empty=setup.start.ply == 0)
        secret = new_secret() if mine else None
        invitation = invitation_code_for(secret) if secret else new_secret()
        first, second = (_with_holder(seat, side in mine, secret) for side, seat in zip(Side, setup.seats, strict=True))
        setup = replace(setup, invitation=hash_secret(invitation), first=first, second=second)
        made = await in_thread_if_long(len(moves), _new_match, new_match_id(), setup, moves, self.now())
        await self.finish_even_if_cancelled(self._create(made))
        return SeatGrant(made.after, frozenset(mine), secret, invitation)

    async def _create(self, made: NewMatch) -> None:
        await self.store.create(made)
        self.add_new(made)

    def add_new(self, made: NewMatch) -> None:
        """Put a match that was just stored into memory, and publish it."""
        self.live.put(LiveMatch(made.after))
        self._publish(MatchNews(made.after.id, made.after.seq, made.after, is_own=True))

    async def get(self, match_id: str) -> Match:
        return (await self._load_current(match_id)).match

    async def _load_current(self, match_id: str) -> LiveMatch:
        live = await self.live.find(match_id)
        await self.refresh(live)
        return live

    async def admit(self, match_id: str, secret: str | None) -> Access:
        """The match, and the sides that the owner of this secret may play.

        Raises `MatchNotFound` if the match is private and the secret is neither a seat's nor the invitation.
        """
        match = await self.get(match_id)
        sides = match.sides_of(secret) if secret else frozenset()
        if not (sides or match.setup.public or (secret and secret_matches(secret, match.setup.invitation))):
            raise MatchNotFound
        return Access(match, sides)

    def invitation_for(self, match: Match, secret: str | None) -> str | None:
        """The invitation code if this is the secret of the match's creator and a seat is still free, else None."""
        invitation = invitation_code_for(secret) if secret and match.is_waiting else None
        return invitation if invitation and secret_matches(invitation, match.setup.invitation) else None

    async def join(self, match_id: str, invitation: str | None, name: str, secret: str | None = None) -> SeatGrant:
        """Take the free seat. Of several simultaneous requests exactly one succeeds. A client that sends its own secret
        may repeat the request if it gets no answer."""
        await self.admit(match_id, invitation)
        secret = secret or new_secret()
        holder = hash_secret(secret)
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
        """Drop a disc.

        A request with a `key` that was used before drops no second disc. `took` is the thinking time that the player
        reports. The drop counts from the time of its arrival here, even if it is stored later.
        """
        received = self.now()

        def decide(match: Match) -> Event:
            at = max(received, match.turn_began)  # the request may arrive before the previous drop is stored
            return ruling.drop(match, seat, column, at_ply, at, seen, thought, took)

        live = await self.live.find(match_id)
        if live.match.is_overdue(received):
            with suppress(Refusal):  # another process may have stored a drop in time
                await self.call_time(match_id)
        return await self._change(
            match_id, decide, key and _key_for_seat(live.match.seat(seat), seat, key), (column, at_ply)
        )

    async def take_back(self, match_id: str, sides: Set[Side], to_ply: int | None = None) -> Receipt:
        return await self._change(match_id, lambda match: ruling.take_back(match, sides, to_ply, self.now()))

    async def redo(self, match_id: str, sides: Set[Side], to_ply: int | None = None) -> Receipt:
        return await self._change(match_id, lambda match: ruling.redo(match, sides, to_ply, self.now()))

    async def swap(self, match_id: str, sides: Set[Side]) -> Receipt:
        """Let the second player take over the first player's side."""
        received = self.now()
        return await self._change(match_id, lambda match: ruling.swap(match, sides, max(received, match.turn_began)))

    async def extend(self, match_id: str, sides: Set[Side]) -> Receipt:
        """Let the second player place two more discs and leave the choice of a side to the first player."""
        received = self.now()
        return await self._change(match_id, lambda match: ruling.extend(match, sides, max(received, match.turn_began)))

    async def resign(self, match_id: str, sides: Set[Side]) -> Receipt:
        return await self._change(match_id, lambda match: ruling.resign(match, sides, self.now()))

    async def offer_draw(self, match_id: str, sides: Set[Side]) -> Receipt:
        return await self._change(match_id, lambda match: ruling.offer_draw(match, sides, self.now()))

    async def decline(self, match_id: str, sides: Set[Side]) -> Receipt:
        return await self._change(match_id, lambda match: ruling.decline(match, sides, self.now()))

    async def expire_offer(self, match_id: str, made_at_seq: int) -> Receipt:
        return await self._change(match_id, lambda match: ruling.expire_offer(match, made_at_seq, self.now()))

    async def accept(self, match_id: str, sides: Set[Side]) -> Receipt:
        """Accept a draw, a take-back or a rematch."""
        made = new_match_id()
        return await self._change(match_id, lambda match: ruling.accept(match, sides, made, self.now()))

    async def rematch(self, match_id: str, sides: Set[Side], start: str | None = None) -> Receipt:
        """Offer a rematch with the sides swapped, or one that begins from a fair start. The rematch is made at once if
        only one person plays, or if the opponent has already offered such a rematch."""
        made = new_match_id()
        return await self._change(match_id, lambda match: ruling.rematch(match, sides, made, self.now(), start))

    async def next_game(self, match_id: str) -> Receipt:
        made = new_match_id()
        return await self._change(match_id, lambda match: ruling.next_game(match, made, self.now()))

    async def call_time(self, match_id: str) -> Receipt:
        return await self._change(match_id, lambda match: ruling.call_time(match, self.now()))

    async def abort(self, match_id: str) -> Receipt:
        """End the match as a draw, because an administrator has ordered this or the match's room is closed."""
        return await self._change(match_id, lambda match: ruling.abort(match, self.now()))

    async def forfeit(self, match_id: str, side: Side) -> Receipt:
        return await self._change(match_id, lambda match: ruling.forfeit(match, side, self.now()))

    def events_to_replay(self, match: Match, seq: int) -> int:
        """The number of events to replay before the events after the number `seq` can be sent."""
        live = self.live.in_memory(match.id)
        if live and live.steps_after(seq) is not None:
            return 0
        return min(match.seq, EVENTS_PAGE_SIZE if (match.id, seq) in self._pages else seq + EVENTS_PAGE_SIZE)

    async def steps_after(self, match_id: str, seq: int) -> list[MatchStep]:
        """The next events after the number `seq`, at most `EVENTS_PAGE_SIZE` of them, each with the match after it."""
        live = await self._load_current(match_id)
        steps = live.steps_after(seq)
        if steps is None:
            steps = await self._replay(live.match, seq)
            if steps and _page_size(steps[-1].match) <= MAX_CACHED_PAGE_MOVES:
                self._pages[match_id, steps[-1].match.seq] = steps[-1].match
        return steps

    async def _replay(self, match: Match, seq: int) -> list[MatchStep]:
        """The events after the number `seq`, read from the store, each with the match after it.

        The replay begins at the previous page if that is cached, otherwise at the start of the match.
        """
        before = self._pages.get((match.id, seq))
        if before is None:
            async with self._replay_lock:  # one at a time, because a replay takes much memory and processor time
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
            raise MatchEventLimitReached
        many = event.to_ply - match.ply if isinstance(event, Redone) else 0
        return await in_thread_if_long(many, _change_of, match, event, key)

    async def _append(self, change: Change) -> None:
        await self.store.append(change)

    async def _events_after(self, live: LiveMatch) -> Sequence[RecordedEvent]:
        return await self.store.events_after(live.match.id, live.match.seq)

    def _is_pending(self, live: LiveMatch, event: RecordedEvent) -> bool:
        return live.pending is not None and is_same(live.pending.recorded.event, event.event)

    def _add_own(self, live: LiveMatch, change: Change) -> None:
        if change.rematch and not self.live.in_memory(change.rematch.after.id):
            self.add_new(change.rematch)
        self._add(live, change.recorded, change.after, is_own=True)

    def _add_foreign(self, live: LiveMatch, event: RecordedEvent) -> None:
        self._add(live, event)

    def _add(self, live: LiveMatch, recorded: RecordedEvent, after: Match | None = None, is_own: bool = False) -> None:
        live.add(recorded, after)
        self._publish(MatchNews(live.match.id, live.match.seq, live.match, recorded.event, is_own))

    def _on_news(self, news: News) -> None:
        """Add an event of another process to memory, and tell subscribers. The store is read only if the news does not
        contain the event."""
        if news.name and news.seq == MATCH_DELETED:
            self.live.drop([news.name])
        live = self.live.in_memory(news.name) if news.name else None
        if live and news.seq == MATCH_OVER and not live.match.result:
            self._tasks.spawn(self.catch_up(live))  # this process does not listen to the match
        if live and news.recorded and live.seq == news.seq - 1:
            self.add_stored(live, news.recorded)
        else:
            self._publish(MatchNews(news.name, news.seq))


def check_swap_discs(variant: Variant, discs: int, *, is_empty: bool) -> None:
    """Raise `BadSwapDiscs` if the discs placed before the choice of a side could complete a line."""
    if discs > 1 and not (is_empty and variant.run >= MIN_RUN_OF_PLACED_DISCS):
        raise BadSwapDiscs


def _replay_steps(match: Match, recorded: Sequence[RecordedEvent]) -> list[MatchStep]:
    """The last page of these events, each with the match after it. Earlier states are not kept, to save memory."""
    early = max(0, len(recorded) - EVENTS_PAGE_SIZE)
    match = match.after_all([item.event for item in recorded[:early]])
    steps: list[MatchStep] = []
    for item in recorded[early:]:
        match = match.after(item.event)
        steps.append(MatchStep(item.event, match))
    return steps


def _new_match(match_id: str, setup: MatchSetup, moves: Sequence[int], now: float) -> NewMatch:
    """A new match in which these moves are already played."""
    made = Match.new(match_id, setup, now)
    sides = cycle((made.position.side_to_move, made.position.side_to_move.other))
    drops = [Dropped(side, column, now) for side, column in zip(sides, moves, strict=False)]
    return NewMatch(made, [RecordedEvent(drop) for drop in drops], made.after_all(drops))


def _change_of(match: Match, event: Event | None, key: str | None) -> Change | None:
    """An event with the match before and after it. Raises a refusal if the rules do not allow the event."""
    if event is None:
        return None
    rematch = _rematch_of(match, event) if isinstance(event, RematchMade) else None
    return Change(match, match.after(event), RecordedEvent(event, key), rematch)


def _rematch_of(match: Match, event: RematchMade) -> NewMatch:
    """The match that follows this one: the same setup, but the players have changed sides. A rematch from a fair start
    needs no swap rule."""
    first, second = (match.seat(match.original(side.other)) for side in Side)
    setup = replace(match.setup, first=first, second=second, previous=match.id)
    if event.start:
        start = parse_start(event.start, setup.start.variant)
        setup = replace(setup, start=start, swap=False, swap_discs=1)
    return _new_match(event.match, setup, (), event.at)


def _with_holder(seat: Seat, mine: bool, secret: str | None) -> Seat:
    return replace(seat, holder=hash_secret(secret)) if mine and secret else seat


def _key_for_seat(seat: Seat, side: Side, key: str) -> str:
    """The idempotency key together with its seat, so that the keys of the two players cannot collide."""
    return f"{seat.holder or side}"[:12] + f":{key}"


def _repeated_receipt(live: LiveMatch, key: str, meant: tuple[int, int]) -> Receipt:
    """The answer to a repeated drop. Raises `KeyReused` if the key was first used for another column or ply."""
    used = live.keys[key]
    if not isinstance(used.event, Dropped) or (used.event.column, used.ply - 1) != meant:
        raise KeyReused
    return Receipt(used.seq, live.match)
