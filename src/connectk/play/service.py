"""Matches: the one door through which everything that happens to them goes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from connectk.errors import ConnectkError
from connectk.play import ruling
from connectk.play.events import Dropped, Event, facts_of
from connectk.play.keys import hash_of, new_match_id, new_secret, opens
from connectk.play.match import Match, Seat, Setup
from connectk.play.protocols import Change, Conflict, Feed, MatchStore, Recorded
from connectk.play.refusals import Busy, KeyReused, MatchNotFound, Refusal, SeatTaken
from connectk.play.tables import Step, Table, Tables
from connectk.rules import Position, Side

TRIES = 20
Decide = Callable[[Match], Event]


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

    def __init__(self, store: MatchStore, feed: Feed, now: Callable[[], float] = time.time) -> None:
        self.store, self.feed, self._clock = store, feed, now
        self.tables = Tables(store)
        self.on_change: list[Callable[[Match, Event | None], None]] = []  # told of what this process has done
        feed.listen(self._learn)

    def now(self) -> float:
        return round(self._clock(), 3)

    async def create(self, setup: Setup, moves: Sequence[int] = (), mine: Set[Side] = frozenset()) -> Entry:
        """A new match; the one who makes it gets the seats that are `mine`, and a code to invite others with."""
        secret, invitation = new_secret() if mine else None, new_secret()
        first, second = (_held(seat, side in mine, secret) for side, seat in zip(Side, setup.seats, strict=True))
        setup = replace(setup, invitation=hash_of(invitation), first=first, second=second)
        match = await self._store_new(setup, moves)
        return Entry(match, frozenset(mine), secret, invitation)

    async def _store_new(self, setup: Setup, moves: Sequence[int] = ()) -> Match:
        now = self.now()
        match = made = Match.new(new_match_id(), setup, now)
        opening: list[Recorded] = []
        for column in moves:
            opening.append(Recorded(Dropped(match.position.side_to_move, column, now)))
            match = match.after(opening[-1].event)
        await self.store.create(made, opening)
        self.tables.put(made, opening)
        self._tell(match, None)
        return match

    async def get(self, match_id: str) -> Match:
        return (await self._fresh(match_id)).match

    async def _fresh(self, match_id: str) -> Table:
        table = await self.tables.find(match_id)
        await self.tables.refresh(table)
        return table

    async def admit(self, match_id: str, secret: str | None) -> Admission:
        """Whoever holds a seat's secret plays; a private match can be watched with its invitation only."""
        match = await self.get(match_id)
        sides = match.sides_of(secret) if secret else frozenset()
        if not (sides or match.setup.public or (secret and opens(secret, match.setup.invitation))):
            raise MatchNotFound
        return Admission(match, sides)

    async def join(self, match_id: str, invitation: str | None, name: str, secret: str | None = None) -> Entry:
        """Take the free seat; exactly one of those who try at once gets it. Whoever brings the secret that the seat
        shall have may ask again when no answer came: whoever can name it holds the seat already."""
        match = (await self.admit(match_id, invitation)).match
        secret = secret or new_secret()
        if not match.sides_of(secret):
            match = await self._join(match_id, name, secret)
        return Entry(match, match.sides_of(secret), secret)

    async def _join(self, match_id: str, name: str, secret: str) -> Match:
        try:
            joined = await self._change(match_id, lambda match: ruling.join(match, name, hash_of(secret), self.now()))
            return joined.match
        except SeatTaken:
            match = await self.get(match_id)
            if not match.sides_of(secret):  # or the same request came twice at once
                raise
            return match

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
    ) -> Receipt:
        """Drop a disc; the same `key` sent again drops no second one."""

        def decide(match: Match) -> Event:
            return ruling.drop(match, seat, column, at_ply, self.now(), seen, thought)

        table = await self.tables.find(match_id)
        await self._end_if_time_is_up(table.match)
        return await self._change(
            match_id, decide, key and _own_key(table.match.seat(seat), seat, key), {"column": column}
        )

    async def _end_if_time_is_up(self, match: Match) -> None:
        if match.deadline is not None and self.now() >= match.deadline:
            with suppress(Refusal):  # another process may know better
                await self.call_time(match.id)

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
        offer = (await self.get(match_id)).offer
        if offer and offer.what == "rematch":
            return await self.rematch(match_id, sides)
        return await self._change(match_id, lambda match: ruling.accept(match, sides, self.now()))

    async def rematch(self, match_id: str, sides: Set[Side]) -> Receipt:
        """Offer a rematch, or begin it where the other has offered or is a computer; the sides are swapped."""
        match = await self.get(match_id)
        if match.next_match:
            return Receipt(match.seq, match)
        offer = ruling.offer_rematch(match, sides, self.now())
        if offer:
            return await self._change(match_id, lambda match: ruling.offer_rematch(match, sides, self.now()) or offer)
        swapped = replace(match.setup, first=match.seats[1], second=match.seats[0], previous=match.id)
        made = await self._store_new(swapped)
        return await self._change(match_id, lambda match: ruling.begin_rematch(match, made.id, self.now()))

    async def call_time(self, match_id: str) -> Receipt:
        return await self._change(match_id, lambda match: ruling.call_time(match, self.now()))

    async def forfeit(self, match_id: str, side: Side) -> Receipt:
        return await self._change(match_id, lambda match: ruling.forfeit(match, side, self.now()))

    async def steps_after(self, match_id: str, seq: int) -> list[Step]:
        """What happened after this number, in order, each with the match after it."""
        table = await self._fresh(match_id)
        steps = table.steps_after(seq)
        return steps if steps is not None else await self._replayed(match_id, seq)

    async def _replayed(self, match_id: str, seq: int) -> list[Step]:
        found = await self.store.load(match_id)
        if found is None:
            raise MatchNotFound
        match, steps = found[0], []
        for recorded in found[1]:
            match = match.after(recorded.event)
            steps.append(Step(recorded.event, match))
        return steps[seq:]

    async def _change(
        self, match_id: str, decide: Decide, key: str | None = None, meant: Mapping[str, Any] | None = None
    ) -> Receipt:
        """Finished even when the one who asked has left: what is stored is always told."""
        table = await self.tables.find(match_id)
        return await asyncio.shield(asyncio.ensure_future(self._change_now(table, decide, key, meant or {})))

    async def _change_now(self, table: Table, decide: Decide, key: str | None, meant: Mapping[str, Any]) -> Receipt:
        """Decide on the match as we know it, store, then tell; look again when another process was quicker."""
        async with table.lock:
            for _ in range(TRIES):
                if key and key in table.keys:
                    return _repeated(table, key, meant)
                try:
                    recorded = Recorded(decide(table.match), key)
                except ConnectkError:
                    if await self._has_news(table):
                        continue
                    raise
                try:
                    return await self._store(table, recorded)
                except Conflict:
                    seq = table.match.seq
                    await self.tables.catch_up(table)
                    step = _own_step(table, seq, recorded)
                    if step:
                        return self._tell(step.match, step.event)
        raise Busy

    async def _has_news(self, table: Table) -> bool:
        """Whether what we refuse was refused on an old board."""
        seq = table.match.seq
        await self.tables.refresh(table)
        return table.match.seq != seq

    async def _store(self, table: Table, recorded: Recorded) -> Receipt:
        before = table.match
        after = before.after(recorded.event)
        await self.store.append(Change(before, after, recorded))
        if table.match.seq == before.seq:  # or else a reader has already seen it in the store
            table.add(recorded)
        return self._tell(after, recorded.event)

    def _learn(self, match_id: str | None, seq: int, recorded: Recorded | None) -> None:
        """What another process has stored and tells with the news need not be read from the store."""
        table = self.tables.in_memory(match_id) if match_id and recorded else None
        if table and recorded and table.match.seq == seq - 1:
            table.add(recorded)

    def _tell(self, match: Match, event: Event | None) -> Receipt:
        self.feed.publish(match.id, match.seq)
        for tell in self.on_change:
            tell(match, event)
        return Receipt(match.seq, match)


def _held(seat: Seat, mine: bool, secret: str | None) -> Seat:
    return replace(seat, holder=hash_of(secret)) if mine and secret else seat


def _own_key(seat: Seat, side: Side, key: str) -> str:
    """A key belongs to whoever holds the seat; the same key of the other person is another one."""
    return f"{seat.holder or side}"[:12] + f":{key}"


def _repeated(table: Table, key: str, meant: Mapping[str, Any]) -> Receipt:
    seq, event = table.keys[key]
    facts = facts_of(event)
    if any(facts.get(name) != value for name, value in meant.items()):
        raise KeyReused
    return Receipt(seq, table.match)


def _own_step(table: Table, seq: int, recorded: Recorded) -> Step | None:
    """The step that took our number, if it is our own: the database went away after it had committed."""
    steps = table.steps_after(seq)
    return steps[0] if steps and steps[0].event == recorded.event else None
