"""The immutable state of a room, and how each kind of event changes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import singledispatch

from connectk.arena.round_robin import is_annulled
from connectk.play.match import TimeControl
from connectk.rooms.events import (
    Accepted,
    Admitted,
    Begun,
    Challenged,
    Closed,
    Declined,
    Event,
    Failed,
    HostAdded,
    HostInvited,
    HostLeft,
    Joined,
    Left,
    Locked,
    Paired,
    Paused,
    Renamed,
    Resumed,
    Returned,
    RoundStopped,
    Scored,
    TeamChanged,
    Unlocked,
)
from connectk.rules import Variant

CHALLENGES, ROUND_ROBIN, SWISS, LADDER = ("challenges", "round_robin", "swiss", "ladder")
KNOCKOUT, ARENA, TEAMS = ("knockout", "arena", "teams")
FORMATS_IN_ROUNDS = (SWISS, KNOCKOUT, TEAMS)
PERSON_KIND, BOT_KIND, LEVEL_KIND = "person", "bot", "level"
STOPPED_RESULT = "stopped"  # a meeting that the host ended for the next round; it counts as a draw
SECONDS_PER_MINUTE = 60.0
VOID_RESULT = "void"  # a meeting that counts for nobody, because the room was closed or its match no longer exists


@dataclass(frozen=True, slots=True)
class RoomSetup:
    """The options of a room. `openings` are the first drops of its games. If `openings` is empty, games begin on an
    empty board."""

    title: str
    host: str  # the hash of the host's secret
    format: str
    variant: Variant
    control: TimeControl
    who: str = "everyone"  # who may join: "everyone", "people" or "bots"
    rounds: int = 5  # the rounds of a Swiss tournament or between teams
    games: int = 1  # the games of each pair in a round robin
    minutes: float = 30.0  # the length of an arena tournament
    teams: tuple[str, ...] = ()  # the names of the teams that play each other
    approval: bool = False  # whether the host admits each person and bot
    gone: float | None = None  # seconds without a connection after which a game is lost
    show: float = 60.0  # seconds that each side has for its first disc
    rest: float = 5.0  # seconds between two games of one member
    openings: tuple[tuple[int, ...], ...] = ()
    swap: bool = False  # whether the second player of a game may take over the first player's side
    swap_discs: int = 1  # how many discs the first player places before that choice, 1 or 3


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a room; `number` counts from 1 and is never reused."""

    number: int
    name: str
    kind: str
    holder: str | None
    player: str | None
    free_since: float
    left: bool = False
    away: bool = False  # has missed a game, and is not paired until they return
    annulled: bool = False  # left a round robin before half of their games, so these games count for nobody
    team: int | None = None
    waiting: bool = False  # has not been admitted by the host yet

    @property
    def is_available(self) -> bool:
        return not (self.left or self.away or self.waiting)


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two members, and the match that they are playing or have played."""

    number: int
    round: int
    first: int
    second: int
    match: str | None
    winner: int | None = None
    reason: str | None = None  # why the match ended; None while it is open
    no_show: int | None = None
    failure: str | None = None  # why a bot could not go on, in its own words
    gone: int | None = None  # the member who lost because of a lost connection

    @property
    def is_open(self) -> bool:
        return self.reason is None

    @property
    def counts(self) -> bool:
        return self.reason not in (None, VOID_RESULT)

    @property
    def members(self) -> tuple[int, int]:
        return self.first, self.second

    def points_of(self, member: int) -> float:
        """A member's points: 1 for a win, 0.5 for a draw, 0 for a loss, and 0 for both members if neither came."""
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
    """A room with its members, their meetings and the results."""

    code: str
    setup: RoomSetup
    created: float
    members: tuple[Member, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    byes: tuple[int, ...] = ()  # the numbers of members, once for each bye
    resting: tuple[int, ...] = ()  # the numbers of the members who have a bye in this round
    challenges: tuple[Challenge, ...] = ()
    round: int = 0
    begun: bool = False
    locked: bool = False
    closed: bool = False
    hosts: tuple[str, ...] = ()  # the hashes of the secrets that open the host's rights
    host_code: str | None = None  # the hash of the code for one more host
    host_code_at: float = 0.0
    seeds: tuple[int, ...] = ()  # the members of a knock-out tournament, by their places in the draw
    begun_at: float = 0.0
    paused_at: float | None = None  # None while the room is not paused
    resumed_at: float = 0.0
    paused_seconds: float = 0.0  # of the pauses that are over
    stopped_round: int = 0  # the last round that the host has stopped
    seq: int = 0
    changed: float = 0.0

    @classmethod
    def new(cls, code: str, setup: RoomSetup, created: float) -> Room:
        begun = setup.format == CHALLENGES
        return cls(code, setup, created, begun=begun, hosts=(setup.host,), changed=created)

    def member(self, number: int) -> Member | None:
        return self.members[number - 1] if 0 < number <= len(self.members) else None

    @property
    def present(self) -> list[Member]:
        """The members who have not left the room."""
        return [member for member in self.members if not member.left]

    @property
    def admitted(self) -> list[Member]:
        """The members who have not left and are not waiting for the host to let them in."""
        return [member for member in self.present if not member.waiting]

    @property
    def contenders(self) -> list[Member]:
        """The members whose games count.

        Members who left a round robin before half of their games do not count, nor do members who wait to be let in.
        """
        return [member for member in self.members if not (member.annulled or member.waiting)]

    @property
    def ends(self) -> float | None:
        """The time at which an arena tournament ends. None before the arena begins, while it is paused, and in other
        formats."""
        if self.setup.format != ARENA or not self.begun or self.paused_at is not None:
            return None
        return self.begun_at + self.setup.minutes * SECONDS_PER_MINUTE + self.paused_seconds

    def is_stopped(self, meeting: Meeting) -> bool:
        """Whether this meeting belongs to a round that the host has stopped."""
        return 0 < meeting.round <= self.stopped_round

    @property
    def scored_meetings(self) -> Iterator[Meeting]:
        """The meetings that give points to their members."""
        annulled = {member.number for member in self.members if member.annulled}
        return (meeting for meeting in self.meetings if meeting.counts and annulled.isdisjoint(meeting.members))

    @property
    def open_meetings(self) -> Iterator[Meeting]:
        return (meeting for meeting in self.meetings if meeting.is_open)

    def after(self, event: Event) -> Room:
        """The state of the room after one more event."""
        return replace(_after(event, self), seq=self.seq + 1, changed=event.at)


@singledispatch
def _after(event: Event, room: Room) -> Room:
    raise TypeError(f"{event!r} is not an event of a room")


@_after.register
def _(event: Joined, room: Room) -> Room:
    number = len(room.members) + 1
    joined = Member(number, event.name, event.kind, event.holder, event.player, event.at)
    joined = replace(joined, team=event.team, waiting=event.waiting)
    return replace(room, members=(*room.members, joined))


@_after.register
def _(event: Admitted, room: Room) -> Room:
    for number in event.members:
        room = _with_member(room, number, waiting=False)
    return room


@_after.register
def _(event: TeamChanged, room: Room) -> Room:
    return _with_member(room, event.member, team=event.team)


@_after.register
def _(event: Renamed, room: Room) -> Room:
    return _with_member(room, event.member, name=event.name)


@_after.register
def _(event: Left, room: Room) -> Room:
    left = _with_member(room, event.member, left=True, annulled=_will_be_annulled(room, event.member))
    hosts = tuple(holder for holder in room.hosts if holder != room.members[event.member - 1].holder)
    return replace(left, hosts=hosts, challenges=tuple(c for c in room.challenges if event.member not in (c.by, c.to)))


def _will_be_annulled(room: Room, number: int) -> bool:
    if room.setup.format != ROUND_ROBIN:
        return False
    played = sum(number in meeting.members for meeting in room.scored_meetings)
    return is_annulled(played, room.setup.games * (len(room.contenders) - 1))


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
    return replace(room, begun=True, begun_at=event.at, seeds=event.seeds)


@_after.register
def _(event: Paused, room: Room) -> Room:
    return replace(room, paused_at=event.at)


@_after.register
def _(event: Resumed, room: Room) -> Room:
    paused = room.paused_seconds + event.at - (event.at if room.paused_at is None else room.paused_at)
    return replace(room, paused_at=None, paused_seconds=paused, resumed_at=event.at)


@_after.register
def _(event: RoundStopped, room: Room) -> Room:
    return replace(room, stopped_round=event.round)


@_after.register
def _(event: HostInvited, room: Room) -> Room:
    return replace(room, host_code=event.holder, host_code_at=event.at)


@_after.register
def _(event: HostAdded, room: Room) -> Room:
    added = event.holder if event.member is None else room.members[event.member - 1].holder
    hosts = tuple(holder for holder in room.hosts if holder not in (added, event.instead))
    return replace(room, hosts=(*hosts, added) if added else hosts, host_code=room.host_code if event.member else None)


@_after.register
def _(event: HostLeft, room: Room) -> Room:
    return replace(room, hosts=tuple(holder for holder in room.hosts if holder != event.holder))


@_after.register
def _(event: Locked, room: Room) -> Room:
    return replace(room, locked=True)


@_after.register
def _(event: Unlocked, room: Room) -> Room:
    return replace(room, locked=False)


@_after.register
def _(event: Paired, room: Room) -> Room:
    count = len(room.meetings)
    made = tuple(
        Meeting(count + n, event.round, *pair[:3], pair.winner, None if pair.match else "forfeit")
        for n, pair in enumerate(event.pairs, start=1)
    )
    begun = {frozenset(pair[:2]) for pair in event.pairs}
    challenges = tuple(c for c in room.challenges if frozenset((c.by, c.to)) not in begun)
    resting = event.byes if event.round > room.round else room.resting + event.byes
    paired = replace(room, meetings=room.meetings + made, byes=room.byes + event.byes, resting=resting)
    return replace(paired, round=event.round, challenges=challenges)


@_after.register
def _(event: Failed, room: Room) -> Room:
    index = event.meeting - 1
    failed = replace(room.meetings[index], failure=event.words)
    return replace(room, meetings=(*room.meetings[:index], failed, *room.meetings[index + 1 :]))


@_after.register
def _(event: Scored, room: Room) -> Room:
    index = event.meeting - 1
    scored = replace(room.meetings[index], winner=event.winner, reason=event.reason)
    scored = replace(scored, no_show=event.no_show, gone=event.gone)
    room = replace(room, meetings=(*room.meetings[:index], scored, *room.meetings[index + 1 :]))
    for number in scored.members:
        room = _with_member(room, number, free_since=event.at)
    absent = event.no_show or event.gone
    return _with_member(room, absent, away=True) if absent else room


@_after.register
def _(event: Closed, room: Room) -> Room:
    return replace(room, closed=True, challenges=())


def _with_member(room: Room, number: int, **changes: object) -> Room:
    members = list(room.members)
    members[number - 1] = replace(members[number - 1], **changes)  # type: ignore[arg-type]
    return replace(room, members=tuple(members))


def _without(room: Room, by: int, to: int) -> tuple[Challenge, ...]:
    return tuple(c for c in room.challenges if (c.by, c.to) != (by, to))
