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
    Extended,
    Joined,
    Redone,
    RematchMade,
    RematchOffered,
    Swapped,
    TakeBackAsked,
    TakenBack,
)
from connectk.play.match import Match, rematch_kind
from connectk.play.refusals import (
    AlreadyOffered,
    BadName,
    FairPlay,
    MatchOver,
    MatchStillOpen,
    NoDropToRedo,
    NoOffer,
    NoSeat,
    NoSwap,
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
MAX_REDONE_DISCS = 200  # per request, because they are stored in one transaction, which delays all other drops
REMATCH_OFFERS = ("rematch", "fair_rematch")
MAX_LAG_SECONDS = 0.5  # the most network delay that is not charged to a person's clock


def check_name(name: str) -> str:
    """The name with single spaces between its words. Raises `BadName` if it is too long or has control characters."""
    name = " ".join(name.split())
    if len(name) > MAX_NAME_CHARS or not name.isprintable():
        raise BadName
    return name


def join(match: Match, name: str, holder: str, now: float) -> Joined | None:
    """Take the free seat. Returns None if this holder has a seat in the match already."""
    if any(seat.holder == holder for seat in match.seats):
        return None
    free = [side for side in Side if match.seat(side).is_free]
    if not free:
        raise SeatTaken
    return Joined(free[0], check_name(name), holder, now)


def seat_to_play(match: Match, sides: Set[Side]) -> Side:
    """The side that the client plays with its next drop. A client that holds both seats plays the side to move."""
    _require_seat(sides)
    return match.turn if match.turn in sides else next(iter(sides))


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
    """Accept a drop if the match is open, `at_ply` discs are on the board, and it is this side's turn.

    `now` is the time at which the request arrived, so a disc that arrived before the deadline counts even if it is
    processed later. Whether the column takes a disc is checked later, when the disc is played.
    """
    _require_running(match, now)
    if at_ply != match.ply or seen not in (None, match.position):
        raise StalePly(at_ply, match.ply)
    if side is not match.turn:
        raise NotYourTurn
    return Dropped(match.position.side_to_move, column, now, thought, _charged(match, now, took))


def _charged(match: Match, now: float, took: float | None) -> float | None:
    """The seconds to take off the clock when a player reports its thinking time.

    A computer player's report is trusted, so waiting for a processor costs it nothing. A person loses the time since
    the turn began, less a small allowance for a slow network.
    """
    if took is None or not match.times:
        return None
    if match.seat(match.turn).player:
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
    """Raise `MatchOver` if the match has ended, or if its clock has run out but this is not stored yet."""
    if match.ended or match.is_overdue(now):
        raise MatchOver


def swap(match: Match, sides: Set[Side], now: float) -> Swapped:
    """Swap sides. Refused if the match has no swap rule, or if this turn allows no swap."""
    side = seat_to_play(match, sides)
    _require_running(match, now)
    if not match.can_swap:
        raise NoSwap
    if side is not match.turn:
        raise NotYourTurn
    return Swapped(side, now)


def extend(match: Match, sides: Set[Side], now: float) -> Extended:
    """Place two more discs and let the opponent choose a side. Refused if the match has no three-disc start, or if this
    turn does not allow it."""
    side = seat_to_play(match, sides)
    _require_running(match, now)
    if not match.can_extend:
        raise NoSwap
    if side is not match.turn:
        raise NotYourTurn
    return Extended(side, now)


def take_back(match: Match, sides: Set[Side], to_ply: int | None, now: float) -> Event:
    """Take moves back at once if only one person plays. Otherwise ask the other side."""
    _require_seat(sides)
    _require_no_room(match)
    if match.setup.strangers:
        raise FairPlay
    _require_in_time(match, now)
    if match.next_match:
        raise MatchOver
    target = _own_last_turn(match, sides) if to_ply is None else to_ply
    if not match.first_ply_to_keep <= target < match.ply:
        raise NothingToTakeBack
    if match.has_one_person:
        return TakenBack(target, now)
    _require_no_such_offer(match, "take_back")
    return TakeBackAsked(min(sides, key=lambda side: side.value), target, now)


def _own_last_turn(match: Match, sides: Set[Side]) -> int:
    """The last ply at which one of these sides was to move; -1 if there is none."""
    earlier = range(match.ply - 1, match.first_ply_to_keep - 1, -1)
    return next((ply for ply in earlier if match.turn_at(ply) in sides), -1)


def redo(match: Match, sides: Set[Side], to_ply: int | None, now: float) -> Redone:
    """Replay moves that were taken back, by default up to the client's next turn. Refused if two people play."""
    _require_seat(sides)
    _require_in_time(match, now)
    if not match.undone or not match.has_one_person:
        raise NoDropToRedo
    newest = match.ply + len(match.undone)
    later = (ply for ply in range(match.ply + 1, newest) if match.turn_at(ply) in sides)
    target = next(later, newest) if to_ply is None else to_ply
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
    """Resign. A client that holds both seats resigns for the side to move."""
    _require_seat(sides)
    _require_running(match, now)
    loser = match.turn if len(sides) == 2 else next(iter(sides))
    return Ended(Result(loser.other, EndReason.RESIGNED), now)


def rematch(
    match: Match, sides: Set[Side], made: str, now: float, start: str | None = None
) -> RematchOffered | RematchMade | None:
    """Offer a rematch to the other person. The rematch is made at once if only one person plays, or if the other side
    has already offered such a rematch. With `start`, it begins from this fair start. Returns None if the rematch
    already exists."""
    _require_seat(sides)
    _require_no_room(match)
    if match.next_match:
        return None
    if match.result is None:
        raise MatchStillOpen
    kind = rematch_kind(start)
    if match.has_one_person:
        return RematchMade(made, now, start)
    if match.offer and _is_offered(match, kind, sides):
        return RematchMade(made, now, match.offer.start)
    _require_no_such_offer(match, kind)
    return RematchOffered(next(iter(sides)), now, start)


def next_game(match: Match, made: str, now: float) -> RematchMade | None:
    """Begin the next game of a series without asking the players. Returns None if that game already exists."""
    if match.next_match:
        return None
    if match.result is None:
        raise MatchStillOpen
    return RematchMade(made, now)


def _is_offered(match: Match, what: str, sides: Set[Side]) -> bool:
    return match.offer is not None and match.offer.what == what and match.offer.side not in sides


def accept(match: Match, sides: Set[Side], made: str, now: float) -> Event:
    """Accept the other side's offer."""
    _require_seat(sides)
    offer = match.offer
    if offer is None or offer.side in sides:
        raise NoOffer
    if offer.what in REMATCH_OFFERS:
        return RematchMade(made, now, offer.start)
    _require_in_time(match, now)
    if offer.what == "draw":
        return Ended(Result(None, EndReason.AGREED), now)
    return TakenBack(offer.to_ply or 0, now)


def decline(match: Match, sides: Set[Side], now: float) -> Declined:
    """Decline the other side's offer, or withdraw the client's own offer."""
    _require_seat(sides)
    if match.offer is None:
        raise NoOffer
    return Declined(next(iter(sides)), now)


def expire_offer(match: Match, made_at_seq: int, now: float) -> Declined:
    """Withdraw the offer that was made by this event, unless something else has happened since."""
    if match.offer is None or match.seq != made_at_seq:
        raise NoOffer
    return Declined(match.offer.side, now)


def call_time(match: Match, now: float) -> Ended:
    """End the match as lost for the side to move, if that side's time has run out."""
    if not match.is_overdue(now):
        raise MatchStillOpen
    return Ended(Result(match.turn.other, EndReason.TIME), now)


def abort(match: Match, now: float) -> Ended:
    """End the match as a draw without asking its players."""
    if match.result:
        raise MatchOver
    return Ended(Result(None, EndReason.AGREED), now)


def forfeit(match: Match, side: Side, now: float) -> Ended:
    """End the match as lost for this side. Its player has failed or has never come."""
    _require_running(match, now)
    return Ended(Result(side.other, EndReason.FORFEIT), now)


def _require_no_room(match: Match) -> None:
    """Raise `RoomDecides` for a match of a room, which allows no take-backs and pairs its members itself."""
    if match.setup.room:
        raise RoomDecides


def _require_seat(sides: Set[Side]) -> None:
    if not sides:
        raise NoSeat


def _require_no_such_offer(match: Match, what: str) -> None:
    """Raise `AlreadyOffered` if an offer of this kind is open. An open offer of another kind is replaced."""
    if match.offer and match.offer.what == what:
        raise AlreadyOffered
