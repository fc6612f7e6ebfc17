"""The events of a room. A room is defined by its setup and its events, which are numbered from 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias


class Pair(NamedTuple):
    """Two members who play each other. `first` moves first.

    If there is no match, `winner` gets the point without a game.
    """

    first: int
    second: int
    match: str | None
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody joined. `holder` is the hash of the member's secret, `player` the name of a computer player. Events
    stored by older versions have no `team` and no `waiting`."""

    name: str
    kind: str
    holder: str | None
    player: str | None
    at: float
    team: int | None = None  # the index of the member's team
    waiting: bool = False  # the host has to admit the member first


@dataclass(frozen=True, slots=True)
class Admitted:
    """The host has let in members who were waiting."""

    members: tuple[int, ...]
    at: float


@dataclass(frozen=True, slots=True)
class TeamChanged:
    """The host moved a member to another team."""

    member: int
    team: int
    at: float


@dataclass(frozen=True, slots=True)
class Renamed:
    member: int
    name: str
    at: float


@dataclass(frozen=True, slots=True)
class Left:
    """A member left, or was removed by the host."""

    member: int
    at: float


@dataclass(frozen=True, slots=True)
class Returned:
    """A member who was away is back and will be paired again."""

    member: int
    at: float


@dataclass(frozen=True, slots=True)
class Challenged:
    by: int
    to: int
    at: float


@dataclass(frozen=True, slots=True)
class Accepted:
    by: int
    to: int
    at: float


@dataclass(frozen=True, slots=True)
class Declined:
    """A challenge was declined, or withdrawn."""

    by: int
    to: int
    at: float


@dataclass(frozen=True, slots=True)
class Begun:
    """The host started the tournament; from now on members are paired. `seeds` are the members of a knock-out
    tournament by their places in the draw."""

    at: float
    seeds: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Paused:
    """The host has paused the room. No new game starts, and nobody loses because they are absent."""

    at: float


@dataclass(frozen=True, slots=True)
class Resumed:
    at: float


@dataclass(frozen=True, slots=True)
class RoundStopped:
    """The host wants the next round now. The open games of this round end as draws."""

    round: int
    at: float


@dataclass(frozen=True, slots=True)
class HostInvited:
    """A host has requested a code that makes one more person a host. `holder` is the hash of the code."""

    holder: str
    at: float


@dataclass(frozen=True, slots=True)
class HostAdded:
    """A member has become a host, either with a code or because another host chose them.

    `holder` is the hash of the new host's secret. If `instead` is given, the host with that hash is no longer a host.
    """

    holder: str | None
    member: int | None
    instead: str | None
    at: float


@dataclass(frozen=True, slots=True)
class HostLeft:
    """The person with this hash is no longer a host."""

    holder: str
    at: float


@dataclass(frozen=True, slots=True)
class Locked:
    """The host locked the room, so that nobody else can join."""

    at: float


@dataclass(frozen=True, slots=True)
class Unlocked:
    at: float


@dataclass(frozen=True, slots=True)
class Paired:
    """Members were paired. Their matches are stored in the same transaction as this event."""

    round: int
    pairs: tuple[Pair, ...]
    byes: tuple[int, ...]
    at: float


@dataclass(frozen=True, slots=True)
class Failed:
    """A bot cannot continue its match and says why. It resigns next."""

    meeting: int
    member: int
    words: str
    at: float


@dataclass(frozen=True, slots=True)
class Scored:
    """A match ended. `no_show` is the member who lost without ever dropping a disc. `gone` is the member who lost
    because they were disconnected for too long."""

    meeting: int
    winner: int | None
    reason: str
    no_show: int | None
    at: float
    gone: int | None = None


@dataclass(frozen=True, slots=True)
class Closed:
    """The room was closed, because all games are over, the host closed it, or nothing happened in it for too long."""

    at: float


Event: TypeAlias = (
    Joined
    | Admitted
    | TeamChanged
    | Renamed
    | Left
    | Returned
    | Challenged
    | Accepted
    | Declined
    | Begun
    | Paused
    | Resumed
    | Locked
    | Unlocked
    | HostInvited
    | HostAdded
    | HostLeft
    | Paired
    | RoundStopped
    | Failed
    | Scored
    | Closed
)

ROOM_EVENT_CLASSES: dict[str, type[Event]] = {
    "joined": Joined,
    "admitted": Admitted,
    "team_changed": TeamChanged,
    "renamed": Renamed,
    "left": Left,
    "returned": Returned,
    "challenged": Challenged,
    "accepted": Accepted,
    "declined": Declined,
    "begun": Begun,
    "paused": Paused,
    "resumed": Resumed,
    "locked": Locked,
    "unlocked": Unlocked,
    "host_invited": HostInvited,
    "host_added": HostAdded,
    "host_left": HostLeft,
    "paired": Paired,
    "round_stopped": RoundStopped,
    "failed": Failed,
    "scored": Scored,
    "closed": Closed,
}
ROOM_EVENT_NAMES = {kind: name for name, kind in ROOM_EVENT_CLASSES.items()}


def facts_of(event: Event) -> dict[str, Any]:
    """The event's fields as plain JSON values, without `at`."""
    return {name: getattr(event, name) for name in event.__slots__ if name != "at"}


def event_from(kind: str, at: float, facts: Mapping[str, Any]) -> Event:
    """Make an event from its kind, its time and the fields that `facts_of` returned."""
    values: dict[str, Any] = {name: tuple(fact) if isinstance(fact, list) else fact for name, fact in facts.items()}
    if kind == "paired":
        values["pairs"] = tuple(Pair(*pair) for pair in values["pairs"])
    return ROOM_EVENT_CLASSES[kind](**values, at=at)
