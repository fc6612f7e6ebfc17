"""The immutable state of a match after each of its events, with its clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from itertools import groupby
from typing import Any

from connectk.play.events import (
    Declined,
    DrawOffered,
    Dropped,
    Ended,
    Event,
    Joined,
    Redone,
    RematchMade,
    RematchOffered,
    TakeBackAsked,
    TakenBack,
)
from connectk.play.keys import opens
from connectk.rules import Position, Result, Side

SNAPSHOT_INTERVAL_MOVES = 64  # so that `at_ply` need not replay a long game from its start


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Seconds for each side, and the increment after each drop."""

    seconds: float
    increment: float = 0.0


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds left on each side's clock when the turn begins."""

    first: float
    second: float

    def of(self, side: Side) -> float:
        return self.first if side is Side.FIRST else self.second

    def spend(self, side: Side, seconds: float, control: TimeControl) -> Times:
        left = self.of(side) - seconds + control.increment
        return Times(left, self.second) if side is Side.FIRST else Times(self.first, left)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a person, free until it has a holder, or of a computer player."""

    name: str
    player: str | None = None  # as the registry names it; None for a person
    holder: str | None = None  # the hash of the secret

    @property
    def is_free(self) -> bool:
        return self.player is None and self.holder is None


@dataclass(frozen=True, slots=True)
class Setup:
    """The settings with which a match was created."""

    start: Position
    first: Seat
    second: Seat
    public: bool = False
    control: TimeControl | None = None
    invitation: str | None = None  # the hash of the code
    previous: str | None = None  # the match that this is a rematch of
    room: str | None = None  # the code of the room that created it

    @property
    def seats(self) -> tuple[Seat, Seat]:
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class Offer:
    """An open offer of one side: "take_back", "draw" or "rematch"."""

    what: str
    side: Side
    to_ply: int | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A game with its seats, its clock and the open offer."""

    id: str
    setup: Setup
    created: float
    seats: tuple[Seat, Seat]
    position: Position
    moves: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()  # taken back, the newest last: these can be redone
    seconds: tuple[float, ...] = ()  # how long each move took
    times: tuple[Times, ...] = ()  # at each ply, when there is a clock
    turn_began: float = 0.0
    ended: Result | None = None
    offer: Offer | None = None
    next_match: str | None = None
    seq: int = 0
    snapshots: tuple[Position, ...] = ()  # the board at regular intervals

    @classmethod
    def new(cls, match_id: str, setup: Setup, created: float) -> Match:
        control = setup.control
        times = (Times(control.seconds, control.seconds),) if control else ()
        return cls(match_id, setup, created, setup.seats, setup.start, times=times, turn_began=created)

    @property
    def ply(self) -> int:
        return self.position.ply

    @property
    def result(self) -> Result | None:
        """How the match ended, on the board or otherwise; None while it is open."""
        return self.ended or (Result.of(self.position.outcome) if self.position.outcome else None)

    @property
    def is_waiting(self) -> bool:
        first, second = self.seats
        return first.is_free or second.is_free

    @property
    def is_running(self) -> bool:
        return self.result is None and not self.is_waiting

    @property
    def has_one_person(self) -> bool:
        """Whether one person plays alone: the other seat is a computer's, or has the same holder."""
        people = [seat for seat in self.seats if seat.player is None]
        return len({seat.holder for seat in people}) <= 1

    def seat(self, side: Side) -> Seat:
        return self.seats[side.value]

    def sides_of(self, secret: str) -> frozenset[Side]:
        return frozenset(side for side in Side if opens(secret, self.seat(side).holder))

    def left(self, side: Side, now: float) -> float | None:
        """Seconds on a side's clock; None without one."""
        if not self.times:
            return None
        runs = self.is_running and side is self.position.side_to_move and not self.seat(side).player
        return self.times[-1].of(side) - (max(0.0, now - self.turn_began) if runs else 0.0)

    @property
    def deadline(self) -> float | None:
        """When the side to move runs out of time. None for a computer player: it gets less time than its clock shows,
        and its clock stands still while it waits for a processor."""
        if not (self.times and self.is_running) or self.seat(self.position.side_to_move).player:
            return None
        return self.turn_began + self.times[-1].of(self.position.side_to_move)

    def is_overdue(self, now: float) -> bool:
        return self.deadline is not None and now >= self.deadline

    def after(self, event: Event) -> Match:
        """The match after this event."""
        if isinstance(event, Dropped):  # as almost all are
            return _after_drops(self, [event])
        return replace(_after(event, self), seq=self.seq + 1)

    def after_all(self, events: Iterable[Event]) -> Match:
        """The match after all of these events, in linear time: consecutive drops are played together."""
        match = self
        for kind, run in groupby(events, type):
            if kind is Dropped:
                match = _after_drops(match, [event for event in run if isinstance(event, Dropped)])
            else:
                for event in run:
                    match = match.after(event)
        return match

    def at_ply(self, ply: int) -> Position:
        """The board as it was with so many discs."""
        wanted = max(0, min(ply - self.setup.start.ply, len(self.moves)))
        mark = wanted // SNAPSHOT_INTERVAL_MOVES
        position = self.snapshots[mark - 1] if mark else self.setup.start
        for column in self.moves[mark * SNAPSHOT_INTERVAL_MOVES : wanted]:
            position = position.drop(column)
        return position


@singledispatch
def _after(event: Event, match: Match) -> Match:
    raise TypeError(f"{event!r} is not an event")


@_after.register
def _(event: Joined, match: Match) -> Match:
    seats = list(match.seats)
    seats[event.side.value] = Seat(event.name, holder=event.holder)
    return replace(match, seats=(seats[0], seats[1]), turn_began=event.at)


def _after_drops(match: Match, drops: Sequence[Dropped]) -> Match:
    return _with_drops(match, drops, undone=_still_undone(match, drops), seq=match.seq + len(drops))


def _still_undone(match: Match, drops: Sequence[Dropped]) -> tuple[int, ...]:
    """The moves that can still be redone: repeating the taken back moves keeps the rest, another move clears them."""
    undone = list(match.undone)
    for drop in drops:
        if not undone:
            break
        if undone.pop() != drop.column:
            return ()
    return tuple(undone)


def _with_drops(match: Match, drops: Sequence[Dropped], **facts: Any) -> Match:
    """The board and the clock after these drops; one without `took` is charged the time since the turn began."""
    position, began, control = match.position, match.turn_began, match.setup.control
    seconds, times, snapshots = [], list(match.times[-1:]), list(match.snapshots)
    for number, drop in enumerate(drops, len(match.moves) + 1):
        took = max(0.0, drop.at - began) if drop.took is None else drop.took
        if control:
            times.append(times[-1].spend(position.side_to_move, took, control))
        position, began = position.drop(drop.column), drop.at
        seconds.append(round(took, 3))
        if number % SNAPSHOT_INTERVAL_MOVES == 0:
            snapshots.append(position)
    return replace(
        match,
        position=position,
        moves=(*match.moves, *(drop.column for drop in drops)),
        seconds=(*match.seconds, *seconds),
        times=(*match.times, *times[1:]),
        snapshots=tuple(snapshots),
        turn_began=began,
        offer=None,
        **facts,
    )


@_after.register
def _(event: TakeBackAsked, match: Match) -> Match:
    return replace(match, offer=Offer("take_back", event.side, event.to_ply))


@_after.register
def _(event: TakenBack, match: Match) -> Match:
    """Restore the board, the moves and the clock; the turn starts now."""
    kept = event.to_ply - match.setup.start.ply
    return replace(
        match,
        position=match.at_ply(event.to_ply),
        moves=match.moves[:kept],
        undone=(*match.undone, *reversed(match.moves[kept:])),
        seconds=match.seconds[:kept],
        snapshots=match.snapshots[: kept // SNAPSHOT_INTERVAL_MOVES],
        times=match.times[: kept + 1],
        turn_began=event.at,
        offer=None,
    )


@_after.register
def _(event: Redone, match: Match) -> Match:
    again = event.to_ply - match.ply
    side = match.position.side_to_move
    drops = [Dropped(side, column, event.at) for column in reversed(match.undone[-again:])]
    return _with_drops(match, drops, undone=match.undone[:-again])


@_after.register
def _(event: DrawOffered, match: Match) -> Match:
    return replace(match, offer=Offer("draw", event.side))


@_after.register
def _(event: RematchOffered, match: Match) -> Match:
    return replace(match, offer=Offer("rematch", event.side))


@_after.register
def _(event: Declined, match: Match) -> Match:
    return replace(match, offer=None)


@_after.register
def _(event: Ended, match: Match) -> Match:
    """The clock stops where it was."""
    times = match.times
    if times and match.is_running:
        spent = max(0.0, event.at - match.turn_began)
        times = (*times[:-1], times[-1].spend(match.position.side_to_move, spent, TimeControl(0)))
    return replace(match, ended=event.result, times=times, turn_began=event.at, offer=None)


@_after.register
def _(event: RematchMade, match: Match) -> Match:
    return replace(match, next_match=event.match, offer=None)
