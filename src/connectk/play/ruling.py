"""The rules of a match: each function returns the event that follows, or raises a refusal."""

from __future__ import annotations

from collections.abc import Mapping, Set
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
from connectk.play.match import Match
from connectk.play.refusals import (
    AlreadyOffered,
    BadName,
    MatchOver,
    MatchStillOpen,
    NoDropToRedo,
    NoOffer,
    NoSeat,
    NothingToTakeBack,
    NotYourTurn,
    OfferDeclined,
    RoomDecides,
    SeatTaken,
    StalePly,
    TooMuch,
    WaitingForOpponent,
)
from connectk.rules import EndReason, Position, Result, Side

MAX_NAME_CHARS = 40
MAX_REDONE_DISCS = 200  # in one request: they are stored in one transaction, which delays all other drops
MAX_LAG_SECONDS = 0.5  # of network delay that a person's clock is not charged for


def check_name(name: str) -> str:
    """The name with normalized spaces; any script, but no control characters."""
    name = " ".join(name.split())
    if len(name) > MAX_NAME_CHARS or not name.isprintable():
        raise BadName
    return name


def join(match: Match, name: str, holder: str, now: float) -> Joined | None:
    """Take the free seat; None if the holder has a seat already."""
    if any(seat.holder == holder for seat in match.seats):
        return None
    free = [side for side in Side if match.seat(side).is_free]
    if not free:
        raise SeatTaken
    return Joined(free[0], check_name(name), holder, now)


def seat_to_play(match: Match, sides: Set[Side]) -> Side:
    """The side that drops: the holder of both seats plays the side to move."""
    _require_seat(sides)
    turn = match.position.side_to_move
    return turn if turn in sides else next(iter(sides))


def drop(
    match: Match,
    side: Side,
    column: int,
    at_ply: int,
    now: float,
    seen: Position | None = None,
    thought: Mapping[str, Any] | None = None,
    took: float | None = None,
) -> Dropped:
    """A drop, if the match is open, the ply is the one that was meant and the side is to move. `now` is when the
    request arrived: a drop before the deadline counts, even if it is judged later. Whether the column has room is
    checked when it is played."""
    _require_running(match, now)
    if at_ply != match.ply or seen not in (None, match.position):
        raise StalePly(at_ply, match.ply)
    if side is not match.position.side_to_move:
        raise NotYourTurn
    return Dropped(side, column, now, thought, _charged(match, now, took))


def _charged(match: Match, now: float, took: float | None) -> float | None:
    """The seconds charged when the player reports its thinking time: for a computer exactly that, since its wait for a
    processor is not its own; for a person the time since the turn began, less a limited network delay."""
    if took is None or not match.times:
        return None
    if match.seat(match.position.side_to_move).player:
        return round(took, 3)
    since = max(0.0, now - match.turn_began)
    return round(max(since - MAX_LAG_SECONDS, min(since, max(0.0, took))), 3)


def _require_running(match: Match, now: float) -> None:
    _require_in_time(match, now)
    if match.result:
        raise MatchOver
    if match.is_waiting:
        raise WaitingForOpponent


def _require_in_time(match: Match, now: float) -> None:
    """A clock that has run out ends the match even before the timeout is recorded."""
    if match.ended or match.is_overdue(now):
        raise MatchOver


def take_back(match: Match, sides: Set[Side], to_ply: int | None, now: float) -> Event:
    """A take-back at once if no other person is involved, otherwise a request to the other side."""
    _require_seat(sides)
    _require_no_room(match)
    _require_in_time(match, now)
    if match.next_match:
        raise MatchOver
    target = _own_last_turn(match, sides) if to_ply is None else to_ply
    if not match.setup.start.ply <= target < match.ply:
        raise NothingToTakeBack
    if match.has_one_person:
        return TakenBack(target, now)
    _require_no_such_offer(match, "take_back")
    return TakeBackAsked(min(sides, key=lambda side: side.value), target, now)


def _own_last_turn(match: Match, sides: Set[Side]) -> int:
    """The last ply at which one of these sides was to move."""
    both = len(sides) == 2
    return match.ply - (1 if both or match.position.side_to_move not in sides else 2)


def redo(match: Match, sides: Set[Side], to_ply: int | None, now: float) -> Redone:
    """Replay what was taken back, up to the client's next turn; only if no other person is involved."""
    _require_seat(sides)
    _require_in_time(match, now)
    if not match.undone or not match.has_one_person:
        raise NoDropToRedo
    newest = match.ply + len(match.undone)
    target = min(match.ply + (1 if len(sides) == 2 else 2), newest) if to_ply is None else to_ply
    if not match.ply < target <= newest:
        raise NoDropToRedo
    if target - match.ply > MAX_REDONE_DISCS:
        raise TooMuch
    return Redone(target, now)


def offer_draw(match: Match, sides: Set[Side], now: float) -> Event:
    _require_seat(sides)
    _require_running(match, now)
    if len(sides) == 2:
        return Ended(Result(None, EndReason.AGREED), now)
    if match.has_one_person:
        raise OfferDeclined
    _require_no_such_offer(match, "draw")
    return DrawOffered(next(iter(sides)), now)


def resign(match: Match, sides: Set[Side], now: float) -> Ended:
    """Resign; the holder of both seats resigns for the side to move."""
    _require_seat(sides)
    _require_running(match, now)
    loser = match.position.side_to_move if len(sides) == 2 else next(iter(sides))
    return Ended(Result(loser.other, EndReason.RESIGNED), now)


def rematch(match: Match, sides: Set[Side], made: str, now: float) -> RematchOffered | RematchMade | None:
    """An offer to the other person, or the rematch itself if no one else is involved or the other has offered it; None
    if it exists already."""
    _require_seat(sides)
    _require_no_room(match)
    if match.next_match:
        return None
    if match.result is None:
        raise MatchStillOpen
    if match.has_one_person or _is_offered(match, "rematch", sides):
        return RematchMade(made, now)
    _require_no_such_offer(match, "rematch")
    return RematchOffered(next(iter(sides)), now)


def _is_offered(match: Match, what: str, sides: Set[Side]) -> bool:
    return match.offer is not None and match.offer.what == what and match.offer.side not in sides


def accept(match: Match, sides: Set[Side], made: str, now: float) -> Event:
    """Accept the other side's offer."""
    _require_seat(sides)
    offer = match.offer
    if offer is None or offer.side in sides:
        raise NoOffer
    if offer.what == "rematch":
        return RematchMade(made, now)
    _require_in_time(match, now)
    if offer.what == "draw":
        return Ended(Result(None, EndReason.AGREED), now)
    return TakenBack(offer.to_ply or 0, now)


def decline(match: Match, sides: Set[Side], now: float) -> Declined:
    """Decline an offer, or withdraw one's own."""
    _require_seat(sides)
    if match.offer is None:
        raise NoOffer
    return Declined(next(iter(sides)), now)


def call_time(match: Match, now: float) -> Ended:
    """The side to move has run out of time."""
    if not match.is_overdue(now):
        raise MatchStillOpen
    return Ended(Result(match.position.side_to_move.other, EndReason.TIME), now)


def abort(match: Match, now: float) -> Ended:
    """End the match as a draw by an administrator's order."""
    if match.result:
        raise MatchOver
    return Ended(Result(None, EndReason.AGREED), now)


def forfeit(match: Match, side: Side, now: float) -> Ended:
    """A computer player failed, so the other side wins."""
    _require_running(match, now)
    return Ended(Result(side.other, EndReason.FORFEIT), now)


def _require_no_room(match: Match) -> None:
    """Matches of a room allow no take-backs and no rematches: the room pairs its members."""
    if match.setup.room:
        raise RoomDecides


def _require_seat(sides: Set[Side]) -> None:
    if not sides:
        raise NoSeat


def _require_no_such_offer(match: Match, what: str) -> None:
    """One offer at a time; an offer of another kind replaces it."""
    if match.offer and match.offer.what == what:
        raise AlreadyOffered
