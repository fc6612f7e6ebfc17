"""The events of a room, as values. A room is its setup followed by its events, which are numbered from 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias


class Pair(NamedTuple):
    """Two members who play each other; `first` moves first. Without a match it is a walkover for `winner`."""

    first: int
    second: int
    match: str | None
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Joined:
    """A new member; `holder` is the hash of the member's secret, `player` the name of a computer player."""

    name: str
    kind: str
    holder: str | None
    player: str | None
    at: float


@dataclass(frozen=True, slots=True)
class Renamed:
    member: int
    name: str
    at: float


@dataclass(frozen=True, slots=True)
class Left:
    """A member has left, or was removed by the host."""

    member: int
    at: float


@dataclass(frozen=True, slots=True)
class Returned:
    """A member who was away is back, and is paired again."""

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
    """The host has started the room: pairings are made from now on."""

    at: float


@dataclass(frozen=True, slots=True)
class Paired:
    """Members were paired; their matches are stored in the same transaction."""

    round: int
    pairs: tuple[Pair, ...]
    byes: tuple[int, ...]
    at: float


@dataclass(frozen=True, slots=True)
class Scored:
    """A match has ended; `no_show` is the member who never dropped a disc."""

    meeting: int
    winner: int | None
    reason: str
    no_show: int | None
    at: float


@dataclass(frozen=True, slots=True)
class Closed:
    """All games are over, or the host has closed the room."""

    at: float


Event: TypeAlias = (
    Joined | Renamed | Left | Returned | Challenged | Accepted | Declined | Begun | Paired | Scored | Closed
)

KINDS: dict[str, type[Event]] = {
    "joined": Joined,
    "renamed": Renamed,
    "left": Left,
    "returned": Returned,
    "challenged": Challenged,
    "accepted": Accepted,
    "declined": Declined,
    "begun": Begun,
    "paired": Paired,
    "scored": Scored,
    "closed": Closed,
}
NAMES = {kind: name for name, kind in KINDS.items()}


def facts_of(event: Event) -> dict[str, Any]:
    """The facts as plain JSON values, without the time."""
    return {name: getattr(event, name) for name in event.__slots__ if name != "at"}


def event_from(kind: str, at: float, facts: Mapping[str, Any]) -> Event:
    """The event that `facts_of` described."""
    values = dict(facts)
    if kind == "paired":
        values["pairs"] = tuple(Pair(*pair) for pair in values["pairs"])
        values["byes"] = tuple(values["byes"])
    return KINDS[kind](**values, at=at)
