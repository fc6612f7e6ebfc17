"""A room after each of its events, as an immutable value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import singledispatch

from connectk.play.match import TimeControl
from connectk.rooms.events import (
    Accepted,
    Begun,
    Challenged,
    Closed,
    Declined,
    Event,
    Joined,
    Left,
    Paired,
    Renamed,
    Returned,
    Scored,
)
from connectk.rules import Variant

CHALLENGES, ROUND_ROBIN, SWISS, LADDER = ("challenges", "round_robin", "swiss", "ladder")
PERSON, BOT, LEVEL = "person", "bot", "level"
VOID = "void"  # a meeting that counts for nobody: the room was closed, or its match is gone


@dataclass(frozen=True, slots=True)
class RoomSetup:
    """The options of a room. `openings` are the first drops of its games; without any, boards start empty."""

    title: str
    host: str  # the hash of the host's secret
    format: str
    variant: Variant
    control: TimeControl
    who: str = "everyone"  # or "people", or "bots"
    rounds: int = 5  # of a Swiss tournament
    games: int = 1  # of each pair in a round robin
    show: float = 60.0  # seconds for the first disc of each side
    rest: float = 5.0  # seconds between two games of one member
    openings: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a room, by a number from 1 that is never reused."""

    number: int
    name: str
    kind: str
    holder: str | None
    player: str | None
    free_since: float
    left: bool = False
    away: bool = False  # was a no-show, and is not paired until they return

    @property
    def is_available(self) -> bool:
        return not (self.left or self.away)


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two members who play, or played, one match."""

    number: int
    round: int
    first: int
    second: int
    match: str | None
    winner: int | None = None
    reason: str | None = None  # None while it is open
    no_show: int | None = None

    @property
    def is_open(self) -> bool:
        return self.reason is None

    @property
    def counts(self) -> bool:
        return self.reason not in (None, VOID)

    @property
    def members(self) -> tuple[int, int]:
        return self.first, self.second

    def points_of(self, member: int) -> float:
        """1 for the winner, 0.5 for a draw on the board, 0 if nobody came."""
        if self.winner is None:
            return 0.5 if self.match else 0.0
        return float(self.winner == member)


@dataclass(frozen=True, slots=True)
class Challenge:
    by: int
    to: int
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """The members of a room, their meetings and the results."""

    code: str
    setup: RoomSetup
    created: float
    members: tuple[Member, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    byes: tuple[int, ...] = ()  # members, once for each
    challenges: tuple[Challenge, ...] = ()
    round: int = 0
    begun: bool = False
    closed: bool = False
    seq: int = 0
    changed: float = 0.0

    @classmethod
    def new(cls, code: str, setup: RoomSetup, created: float) -> Room:
        return cls(code, setup, created, begun=setup.format == CHALLENGES, changed=created)

    def member(self, number: int) -> Member | None:
        return self.members[number - 1] if 0 < number <= len(self.members) else None

    @property
    def present(self) -> list[Member]:
        """Everyone who has not left."""
        return [member for member in self.members if not member.left]

    @property
    def open_meetings(self) -> Iterator[Meeting]:
        return (meeting for meeting in self.meetings if meeting.is_open)

    def after(self, event: Event) -> Room:
        """The room after this event."""
        return replace(_after(event, self), seq=self.seq + 1, changed=event.at)


@singledispatch
def _after(event: Event, room: Room) -> Room:
    raise TypeError(f"{event!r} is not an event of a room")


@_after.register
def _(event: Joined, room: Room) -> Room:
    member = Member(len(room.members) + 1, event.name, event.kind, event.holder, event.player, event.at)
    return replace(room, members=(*room.members, member))


@_after.register
def _(event: Renamed, room: Room) -> Room:
    return _with_member(room, event.member, name=event.name)


@_after.register
def _(event: Left, room: Room) -> Room:
    left = _with_member(room, event.member, left=True)
    return replace(left, challenges=tuple(c for c in room.challenges if event.member not in (c.by, c.to)))


@_after.register
def _(event: Returned, room: Room) -> Room:
    return _with_member(room, event.member, away=False)


@_after.register
def _(event: Challenged, room: Room) -> Room:
    return replace(room, challenges=(*room.challenges, Challenge(event.by, event.to)))


@_after.register
def _(event: Accepted, room: Room) -> Room:
    wanted = Challenge(event.by, event.to)
    return replace(room, challenges=tuple(replace(c, accepted=True) if c == wanted else c for c in room.challenges))


@_after.register
def _(event: Declined, room: Room) -> Room:
    return replace(room, challenges=_without(room, event.by, event.to))


@_after.register
def _(event: Begun, room: Room) -> Room:
    return replace(room, begun=True)


@_after.register
def _(event: Paired, room: Room) -> Room:
    count = len(room.meetings)
    made = tuple(
        Meeting(count + n, event.round, *pair[:3], pair.winner, None if pair.match else "forfeit")
        for n, pair in enumerate(event.pairs, start=1)
    )
    begun = {frozenset(pair[:2]) for pair in event.pairs}
    challenges = tuple(c for c in room.challenges if frozenset((c.by, c.to)) not in begun)
    return replace(
        room, meetings=room.meetings + made, byes=room.byes + event.byes, round=event.round, challenges=challenges
    )


@_after.register
def _(event: Scored, room: Room) -> Room:
    index = event.meeting - 1
    scored = replace(room.meetings[index], winner=event.winner, reason=event.reason, no_show=event.no_show)
    room = replace(room, meetings=(*room.meetings[:index], scored, *room.meetings[index + 1 :]))
    for number in scored.members:
        room = _with_member(room, number, free_since=event.at)
    return _with_member(room, event.no_show, away=True) if event.no_show else room


@_after.register
def _(event: Closed, room: Room) -> Room:
    return replace(room, closed=True, challenges=())


def _with_member(room: Room, number: int, **changes: object) -> Room:
    members = list(room.members)
    members[number - 1] = replace(members[number - 1], **changes)  # type: ignore[arg-type]
    return replace(room, members=tuple(members))


def _without(room: Room, by: int, to: int) -> tuple[Challenge, ...]:
    return tuple(c for c in room.challenges if (c.by, c.to) != (by, to))
