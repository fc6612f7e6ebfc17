"""A match as it stands after each of its events, with its clock; a value that never changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import singledispatch

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


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Seconds for each side, and seconds given back after each drop."""

    seconds: float
    increment: float = 0.0


@dataclass(frozen=True, slots=True)
class Times:
    """What each side has left when its turn begins."""

    first: float
    second: float

    def of(self, side: Side) -> float:
        return self.first if side is Side.FIRST else self.second

    def spend(self, side: Side, seconds: float, control: TimeControl) -> Times:
        left = self.of(side) - seconds + control.increment
        return Times(left, self.second) if side is Side.FIRST else Times(self.first, left)


@dataclass(frozen=True, slots=True)
class Seat:
    """A person's seat, free until someone holds its secret, or a computer player's."""

    name: str
    player: str | None = None  # as the registry names it; None for a person
    holder: str | None = None  # the hash of the secret

    @property
    def is_free(self) -> bool:
        return self.player is None and self.holder is None


@dataclass(frozen=True, slots=True)
class Setup:
    """What a match was made with."""

    start: Position
    first: Seat
    second: Seat
    public: bool = False
    control: TimeControl | None = None
    invitation: str | None = None  # the hash of the code
    previous: str | None = None  # the match that this is a rematch of

    @property
    def seats(self) -> tuple[Seat, Seat]:
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that one side has offered: "take_back", "draw" or "rematch"."""

    what: str
    side: Side
    to_ply: int | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A game with its seats, its clock and what has been offered."""

    id: str
    setup: Setup
    created: float
    seats: tuple[Seat, Seat]
    position: Position
    moves: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()  # taken back, the newest last: what can be played again
    seconds: tuple[float, ...] = ()  # how long each move took
    times: tuple[Times, ...] = ()  # at each ply, when there is a clock
    turn_began: float = 0.0
    ended: Result | None = None
    offer: Offer | None = None
    next_match: str | None = None
    seq: int = 0

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
        return any(seat.is_free for seat in self.seats)

    @property
    def is_running(self) -> bool:
        return self.result is None and not self.is_waiting

    @property
    def has_one_person(self) -> bool:
        """Whether nobody else need be asked: the other seat is a computer's, or held with the same secret."""
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
        """When the side to move runs out of time. A computer player never does: it is given less time than it has,
        and while it waits for a processor its clock stands still."""
        if not (self.times and self.is_running) or self.seat(self.position.side_to_move).player:
            return None
        return self.turn_began + self.times[-1].of(self.position.side_to_move)

    def after(self, event: Event) -> Match:
        """The match once this has happened."""
        return replace(_after(event, self), seq=self.seq + 1)

    def at_ply(self, ply: int) -> Position:
        """The board as it was with so many discs."""
        position = self.setup.start
        for column in self.moves[: ply - position.ply]:
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


@_after.register
def _(event: Dropped, match: Match) -> Match:
    undone = match.undone[:-1] if match.undone[-1:] == (event.column,) else ()
    return replace(_with_drop(match, event.column, event.at, event.took), undone=undone, offer=None)


def _with_drop(match: Match, column: int, at: float, charged: float | None = None) -> Match:
    took = max(0.0, at - match.turn_began) if charged is None else charged
    control, side = match.setup.control, match.position.side_to_move
    times = (*match.times, match.times[-1].spend(side, took, control)) if control else ()
    return replace(
        match,
        position=match.position.drop(column),
        moves=(*match.moves, column),
        seconds=(*match.seconds, round(took, 3)),
        times=times,
        turn_began=at,
    )


@_after.register
def _(event: TakeBackAsked, match: Match) -> Match:
    return replace(match, offer=Offer("take_back", event.side, event.to_ply))


@_after.register
def _(event: TakenBack, match: Match) -> Match:
    """The board, the moves and the clock are as they were; the turn begins again."""
    kept = event.to_ply - match.setup.start.ply
    return replace(
        match,
        position=match.at_ply(event.to_ply),
        moves=match.moves[:kept],
        undone=(*match.undone, *reversed(match.moves[kept:])),
        seconds=match.seconds[:kept],
        times=match.times[: kept + 1],
        turn_began=event.at,
        offer=None,
    )


@_after.register
def _(event: Redone, match: Match) -> Match:
    undone = list(match.undone)
    while match.ply < event.to_ply:
        match = _with_drop(match, undone.pop(), event.at)
    return replace(match, undone=tuple(undone), offer=None)


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
