"""The immutable state of a match, and how each kind of event changes it."""

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
    Extended,
    Joined,
    Redone,
    RematchMade,
    RematchOffered,
    Swapped,
    TakeBackAsked,
    TakenBack,
)
from connectk.play.secrets_and_codes import secret_matches
from connectk.rules import Position, Result, Side

ADDED_DISCS = 2  # the discs that the second player may place before giving the choice of a side back
SNAPSHOT_INTERVAL_MOVES = 64  # so that `at_ply` need not replay a long game from its start


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The seconds of each side, and the seconds that are added after each drop."""

    seconds: float
    increment: float = 0.0


@dataclass(frozen=True, slots=True)
class ClockTimes:
    """The seconds left on each side's clock at the beginning of a turn."""

    first: float
    second: float

    def of(self, side: Side) -> float:
        return self.first if side is Side.FIRST else self.second

    @property
    def swapped(self) -> ClockTimes:
        return ClockTimes(self.second, self.first)

    def spend(self, side: Side, seconds: float, control: TimeControl) -> ClockTimes:
        left = self.of(side) - seconds + control.increment
        return ClockTimes(left, self.second) if side is Side.FIRST else ClockTimes(self.first, left)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat for a person or a computer player; a person's seat is free until it has a holder."""

    name: str
    player: str | None = None  # the computer player's name in the registry; None for a person
    holder: str | None = None  # the hash of the secret

    @property
    def is_free(self) -> bool:
        return self.player is None and self.holder is None


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """The settings with which a match was created."""

    start: Position
    first: Seat
    second: Seat
    public: bool = False
    control: TimeControl | None = None
    invitation: str | None = None  # the hash of the invitation code
    previous: str | None = None  # the match that this is a rematch of
    room: str | None = None  # the code of the room that created it
    swap: bool = False  # whether the second player may take over the first player's side
    swap_discs: int = 1  # how many discs the first player places before that choice: 1, or 3 in a three-disc start
    strangers: bool = False  # whether the server has paired two people who do not know each other

    @property
    def is_arranged(self) -> bool:
        """Whether the server has paired the players. If so, the clock starts without waiting for the first drop."""
        return self.room is not None or self.strangers

    @property
    def seats(self) -> tuple[Seat, Seat]:
        return self.first, self.second

    @property
    def swap_ply(self) -> int:
        """The number of discs on the board when the second player first chooses a side. The second side is then to
        move."""
        return self.start.ply + self.swap_discs - (self.start.side_to_move is Side.SECOND)


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer of one side that the other side has not answered yet: "take_back", "draw", "rematch" or "fair_rematch".
    A fair rematch has a `start` after which perfect play is a draw."""

    what: str
    side: Side
    to_ply: int | None = None
    start: str | None = None


def rematch_kind(start: str | None) -> str:
    """The name of the offer of a rematch that begins from this start."""
    return "fair_rematch" if start else "rematch"


@dataclass(frozen=True, slots=True)
class Match:
    """A game with its seats, its clock, and the open offer, if there is one."""

    id: str
    setup: MatchSetup
    created: float
    seats: tuple[Seat, Seat]
    position: Position
    moves: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()  # moves that were taken back and can be redone, the next one to redo last
    seconds: tuple[float, ...] = ()  # how long each move took
    times: tuple[ClockTimes, ...] = ()  # at each ply; empty without a clock
    turn_began: float = 0.0
    ended: Result | None = None
    offer: Offer | None = None
    next_match: str | None = None
    seq: int = 0
    swapped_at: int | None = None  # the number of the event with which the players swapped sides
    extended_at: int | None = None  # the number of the event since which two more discs are placed
    snapshots: tuple[Position, ...] = ()  # the positions at regular intervals

    @classmethod
    def new(cls, match_id: str, setup: MatchSetup, created: float) -> Match:
        control = setup.control
        times = (ClockTimes(control.seconds, control.seconds),) if control else ()
        return cls(match_id, setup, created, setup.seats, setup.start, times=times, turn_began=created)

    @property
    def ply(self) -> int:
        return self.position.ply

    @property
    def result(self) -> Result | None:
        """The result of the match, on the board or otherwise; None while the match is open."""
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
        """Whether only one person plays: the other seat is a computer's, or this person holds both seats."""
        people = [seat for seat in self.seats if seat.player is None]
        return len({seat.holder for seat in people}) <= 1

    def seat(self, side: Side) -> Seat:
        return self.seats[side.value]

    def sides_held_by(self, holder: str) -> frozenset[Side]:
        """The sides whose seats belong to the owner of the secret with this hash."""
        return frozenset(side for side in Side if self.seat(side).holder == holder)

    def sides_of(self, secret: str) -> frozenset[Side]:
        return frozenset(side for side in Side if secret_matches(secret, self.seat(side).holder))

    def sides_at(self, seq: int, sides: frozenset[Side]) -> frozenset[Side]:
        """The sides that a player had after the event number `seq`, computed from the player's current `sides`. They
        differ if the seats were exchanged in between."""
        was_other_seat = sum(seq < number for number in self._exchanges) % 2 == 1
        return frozenset(side.other for side in sides) if was_other_seat else sides

    @property
    def _exchanges(self) -> list[int]:
        """The numbers of the events that exchanged the seats."""
        return [number for number in (self.extended_at, self.swapped_at) if number is not None]

    @property
    def exchanges(self) -> int:
        """The number of times that the seats were exchanged."""
        return len(self._exchanges)

    def original(self, side: Side) -> Side:
        """The original side of the player who now has this side."""
        return side.other if self.exchanges % 2 else side

    @property
    def choice_ply(self) -> int:
        """The number of discs on the board when a side is chosen, including two more discs that the second player has
        placed."""
        return self.setup.swap_ply + (0 if self.extended_at is None else ADDED_DISCS)

    def turn_at(self, ply: int) -> Side:
        """The side of the player who drops the next disc when `ply` discs are on the board. Before a side is chosen,
        the first player places the discs of both sides."""
        return Side.FIRST if self.setup.swap and ply < self.choice_ply else tuple(Side)[ply % 2]

    @property
    def turn(self) -> Side:
        """The side whose player is to act. The colour of the next disc may differ: it is `position.side_to_move`."""
        return self.turn_at(self.ply)

    @property
    def is_placing(self) -> bool:
        """Whether the next disc is dropped before a side is chosen, so that either player may end up with it."""
        return self.setup.swap and self.ply < self.choice_ply

    @property
    def can_swap(self) -> bool:
        """Whether the side to move may swap sides instead of dropping a disc."""
        return self.setup.swap and self.swapped_at is None and self.is_running and self.ply == self.choice_ply

    @property
    def can_extend(self) -> bool:
        """Whether the side to move may place two more discs and let the opponent choose a side."""
        return self.can_swap and self.setup.swap_discs > 1 and self.extended_at is None

    @property
    def first_ply_to_keep(self) -> int:
        """The earliest ply to which moves can be taken back. An exchange of seats cannot be taken back."""
        if self.swapped_at is not None:
            return self.choice_ply
        return self.setup.start.ply if self.extended_at is None else self.setup.swap_ply

    @property
    def clock_runs(self) -> bool:
        """Whether the clock runs. It starts with the first drop, so that nobody loses time before seeing the board.

        In a match that the server has paired, it starts with the match, so that nobody has to wait for an absent
        player.
        """
        return bool(self.times) and self.is_running and (bool(self.moves) or self.setup.is_arranged)

    def left(self, side: Side, now: float) -> float | None:
        """The seconds left on a side's clock; None if the match has no clock."""
        if not self.times:
            return None
        runs = self.clock_runs and side is self.turn and not self.seat(side).player
        return self.times[-1].of(side) - (max(0.0, now - self.turn_began) if runs else 0.0)

    @property
    def deadline(self) -> float | None:
        """The time at which the clock of the side to move runs out; None while no clock runs.

        A computer player has no deadline, because its clock pauses while it waits for a processor.
        """
        if not self.clock_runs or self.seat(self.turn).player:
            return None
        return self.turn_began + self.times[-1].of(self.turn)

    def is_overdue(self, now: float) -> bool:
        return self.deadline is not None and now >= self.deadline

    def after(self, event: Event) -> Match:
        """The state of the match after one more event."""
        if isinstance(event, Dropped):  # the fast path: almost all events are drops
            return _after_drops(self, [event])
        return replace(_after(event, self), seq=self.seq + 1)

    def after_all(self, events: Iterable[Event]) -> Match:
        """The state of the match after all these events. Consecutive drops are played together, so that the work grows
        only linearly with the number of events."""
        match = self
        for kind, run in groupby(events, type):
            if kind is Dropped:
                match = _after_drops(match, [event for event in run if isinstance(event, Dropped)])
            else:
                for event in run:
                    match = match.after(event)
        return match

    def at_ply(self, ply: int) -> Position:
        """The position at the moment when `ply` discs were on the board."""
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
    """The taken-back moves that can still be redone after these drops.

    A drop equal to the next taken-back move keeps the moves after it. Any other drop removes them all.
    """
    undone = list(match.undone)
    for drop in drops:
        if not undone:
            break
        if undone.pop() != drop.column:
            return ()
    return tuple(undone)


def _with_drops(match: Match, drops: Sequence[Dropped], **facts: Any) -> Match:
    """The match after these drops.

    A drop takes its `took` seconds off the clock or, without `took`, the time since the turn began. The first drop of a
    match costs no time, because the clock starts with it, unless the server has paired the players.
    """
    position, began, control = match.position, match.turn_began, match.setup.control
    seconds, times, snapshots = [], list(match.times[-1:]), list(match.snapshots)
    for number, drop in enumerate(drops, len(match.moves) + 1):
        took = max(0.0, drop.at - began) if drop.took is None else drop.took
        if control:
            is_free = number == 1 and not match.setup.is_arranged
            times.append(times[-1].spend(match.turn_at(position.ply), 0.0 if is_free else took, control))
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
def _(event: Swapped, match: Match) -> Match:
    return replace(_with_seats_exchanged(match, event.at), swapped_at=match.seq + 1)


@_after.register
def _(event: Extended, match: Match) -> Match:
    return replace(_with_seats_exchanged(match, event.at), extended_at=match.seq + 1)


def _with_seats_exchanged(match: Match, now: float) -> Match:
    """Exchange the seats and the clocks. The time used in this turn is first taken off the clock of the player who
    acts."""
    first, second = match.seats
    times = _stopped_clock(match, now)
    return replace(
        match,
        seats=(second, first),
        times=(*times[:-1], *(left.swapped for left in times[-1:])),
        turn_began=now,
        undone=(),
        offer=None,
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
    return replace(match, offer=Offer(rematch_kind(event.start), event.side, start=event.start))


@_after.register
def _(event: Declined, match: Match) -> Match:
    return replace(match, offer=None)


@_after.register
def _(event: Ended, match: Match) -> Match:
    """Stop the clock, and charge the side to move the time since its turn began."""
    times = _stopped_clock(match, event.at)
    return replace(match, ended=event.result, times=times, turn_began=event.at, offer=None)


def _stopped_clock(match: Match, now: float) -> tuple[ClockTimes, ...]:
    """The clock times at each ply. If the clock runs, the time used in this turn is taken off the clock of the side to
    move."""
    if not match.clock_runs:
        return match.times
    spent = max(0.0, now - match.turn_began)
    return (*match.times[:-1], match.times[-1].spend(match.turn, spent, TimeControl(0)))


@_after.register
def _(event: RematchMade, match: Match) -> Match:
    return replace(match, next_match=event.match, offer=None)
