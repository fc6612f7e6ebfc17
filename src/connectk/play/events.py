"""The events of a match, as values. A match is its setup followed by its events, numbered from 1."""

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
    """A disc was dropped; a computer player may add its thought. `took` is what the clock is charged if not the time
    since the turn began."""

    side: Side
    column: int
    at: float
    thought: Mapping[str, Any] | None = None
    took: float | None = None


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
    side: Side
    at: float


@dataclass(frozen=True, slots=True)
class Declined:
    """An offer was declined or withdrawn."""

    side: Side
    at: float


@dataclass(frozen=True, slots=True)
class Ended:
    """The match ended other than on the board: resigned, agreed, on time, or forfeited."""

    result: Result
    at: float


@dataclass(frozen=True, slots=True)
class RematchMade:
    """A new match was created with the sides swapped; each secret is valid for the same person's seat there."""

    match: str
    at: float


Event: TypeAlias = (
    Joined
    | Dropped
    | TakeBackAsked
    | TakenBack
    | Redone
    | DrawOffered
    | RematchOffered
    | Declined
    | Ended
    | RematchMade
)

KINDS: dict[str, type[Event]] = {
    "joined": Joined,
    "dropped": Dropped,
    "take_back_asked": TakeBackAsked,
    "taken_back": TakenBack,
    "redone": Redone,
    "draw_offered": DrawOffered,
    "rematch_offered": RematchOffered,
    "declined": Declined,
    "ended": Ended,
    "rematch_made": RematchMade,
}
NAMES = {kind: name for name, kind in KINDS.items()}


def facts_of(event: Event) -> dict[str, Any]:
    """The fields as plain JSON values, without `at` and without those that are None."""
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
    """Whether two events are equal, even if one was read from the store, where tuples become lists."""
    return type(one) is type(other) and one.at == other.at and facts_of(one) == facts_of(other)


def event_from(kind: str, at: float, facts: Mapping[str, Any]) -> Event:
    """The event that `facts_of` described."""
    values = dict(facts)
    if "side" in values:
        values["side"] = Side[values["side"].upper()]
    if "result" in values:
        values["result"] = result_from(values["result"])
    return KINDS[kind](**values, at=at)


def result_from(value: Mapping[str, Any]) -> Result:
    winner = value["winner"]
    return Result(winner and Side[winner.upper()], EndReason(value["reason"]))
