"""The events of a match. A match is defined by its setup and its events, which are numbered from 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from connectk.rules import EndReason, Result, Side


@dataclass(frozen=True, slots=True)
class Joined:
    """A person took a free seat; `holder` is the hash of the seat's secret."""

    side: Side
    name: str
    holder: str
    at: float


@dataclass(frozen=True, slots=True)
class Dropped:
    """A disc was dropped.

    `thought` is the computer player's report about its choice. `took` is the number of seconds to take off the player's
    clock; if it is None, the time since the turn began is taken off.
    """

    side: Side
    column: int
    at: float
    thought: Mapping[str, Any] | None = None
    took: float | None = None


@dataclass(frozen=True, slots=True)
class Swapped:
    """The second player took over the first player's side instead of dropping a disc. `side` is the second player's
    side before the swap."""

    side: Side
    at: float


@dataclass(frozen=True, slots=True)
class Extended:
    """The second player asked to place two more discs, after which the first player chooses a side.

    The seats are exchanged, so that the player who places the discs has the first seat. `side` is the second player's
    side before the exchange.
    """

    side: Side
    at: float


@dataclass(frozen=True, slots=True)
class TakeBackAsked:
    side: Side
    to_ply: int
    at: float


@dataclass(frozen=True, slots=True)
class TakenBack:
    to_ply: int
    at: float


@dataclass(frozen=True, slots=True)
class Redone:
    """Moves that had been taken back were replayed."""

    to_ply: int
    at: float


@dataclass(frozen=True, slots=True)
class DrawOffered:
    side: Side
    at: float


@dataclass(frozen=True, slots=True)
class RematchOffered:
    """A rematch was offered. It starts from the board `start`, or from the start of this match if `start` is None."""

    side: Side
    at: float
    start: str | None = None


@dataclass(frozen=True, slots=True)
class Declined:
    """An offer was declined or withdrawn."""

    side: Side
    at: float


@dataclass(frozen=True, slots=True)
class Ended:
    """The match ended by resignation, agreement, time or forfeit, before the game was over on the board."""

    result: Result
    at: float


@dataclass(frozen=True, slots=True)
class RematchMade:
    """A rematch was created with the sides swapped. A player's secret for this match also opens their seat in the
    rematch.

    The rematch starts from the board `start`, or from the start of this match if `start` is None.
    """

    match: str
    at: float
    start: str | None = None


Event: TypeAlias = (
    Joined
    | Dropped
    | Swapped
    | Extended
    | TakeBackAsked
    | TakenBack
    | Redone
    | DrawOffered
    | RematchOffered
    | Declined
    | Ended
    | RematchMade
)

MATCH_EVENT_CLASSES: dict[str, type[Event]] = {
    "joined": Joined,
    "dropped": Dropped,
    "swapped": Swapped,
    "extended": Extended,
    "take_back_asked": TakeBackAsked,
    "taken_back": TakenBack,
    "redone": Redone,
    "draw_offered": DrawOffered,
    "rematch_offered": RematchOffered,
    "declined": Declined,
    "ended": Ended,
    "rematch_made": RematchMade,
}
MATCH_EVENT_NAMES = {kind: name for name, kind in MATCH_EVENT_CLASSES.items()}


def facts_of(event: Event) -> dict[str, Any]:
    """The event's fields as plain JSON values, without `at` and without fields that are None."""
    facts = ((name, getattr(event, name)) for name in event.__slots__ if name != "at")
    return {name: _plain(value) for name, value in facts if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, Side):
        return str(value)
    if isinstance(value, EndReason):
        return value.value
    if isinstance(value, Result):
        return _plain(asdict(value))
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def is_same(one: Event, other: Event) -> bool:
    """Whether two events are equal. An event from the store may have lists where the other has tuples."""
    return type(one) is type(other) and one.at == other.at and facts_of(one) == facts_of(other)


def event_from(kind: str, at: float, facts: Mapping[str, Any]) -> Event:
    """Make an event from its kind, its time, and its fields as returned by `facts_of`."""
    values = dict(facts)
    if "side" in values:
        values["side"] = Side[values["side"].upper()]
    if "result" in values:
        values["result"] = result_from(values["result"])
    return MATCH_EVENT_CLASSES[kind](**values, at=at)


def result_from(value: Mapping[str, Any]) -> Result:
    winner = value["winner"]
    return Result(winner and Side[winner.upper()], EndReason(value["reason"]))
