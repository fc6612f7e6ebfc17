"""Everything a match can refuse, each with a reason that never changes, so that a client may rely on it."""

from __future__ import annotations

from typing import ClassVar

from connectk.errors import ColumnFull, ColumnOutOfRange, ConnectkError, GameAlreadyOver


class Refusal(ConnectkError):
    """Something that may not be done to a match, or not now; nothing has changed."""

    reason: ClassVar[str] = "refused"
    sentence: ClassVar[str] = "That is not possible now."

    def __init__(self, sentence: str | None = None) -> None:
        super().__init__(sentence or self.sentence)


class MatchNotFound(Refusal):
    reason = "not_found"
    sentence = "There is no such match, or it is private and you need its invitation."


class NoSeat(Refusal):
    reason = "no_seat"
    sentence = "You are watching; only the players can do that."


class SeatTaken(Refusal):
    reason = "seat_taken"
    sentence = "Both seats are taken; you can watch."


class WaitingForOpponent(Refusal):
    reason = "waiting_for_opponent"
    sentence = "The other seat is still free; the game begins when someone takes it."


class NotYourTurn(Refusal):
    reason = "not_your_turn"
    sentence = "It is the other player's turn."


class StalePly(Refusal):
    """The drop was meant for another moment of the game."""

    reason = "stale"

    def __init__(self, meant: int, now: int) -> None:
        self.meant, self.now = meant, now
        super().__init__(f"That drop was meant for a board with {meant} discs; now there are {now}.")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.meant, self.now)


class MatchOver(Refusal):
    reason = "match_over"
    sentence = "The match is over."


class MatchStillOpen(Refusal):
    reason = "match_open"
    sentence = "The match is still being played."


class NothingToTakeBack(Refusal):
    reason = "nothing_to_take_back"
    key = "error.NothingToUndo"


class NothingToRedo(Refusal):
    reason = "nothing_to_redo"
    key = "error.NothingToRedo"


class AlreadyOffered(Refusal):
    reason = "already_offered"
    sentence = "You have offered that already; wait for the answer."


class NoOffer(Refusal):
    reason = "no_offer"
    sentence = "There is nothing to answer."


class OfferDeclined(Refusal):
    reason = "declined"
    sentence = "The computer plays on."


class KeyReused(Refusal):
    reason = "key_reused"
    sentence = "That idempotency key was used for something else."


class BadName(Refusal):
    reason = "bad_name"
    sentence = "A name has at most 40 characters, all of them printable."


class BoardTooLarge(Refusal):
    reason = "board_too_large"
    sentence = "This server plays on smaller boards."


class PlayerNotAllowed(Refusal):
    reason = "unknown_player"
    sentence = "This server has no such player."


class Busy(Refusal):
    reason = "busy"
    sentence = "Too much is being asked at once; try again in a moment."


class Timeout(Refusal):
    reason = "time_is_up"
    sentence = "This took too long to work out."


class TooMuch(Refusal):
    reason = "too_large"
    sentence = "That is more than this server takes."


class NotStored(Refusal):
    reason = "not_stored"
    sentence = "The server cannot store anything just now; nothing has changed."


class ThinkingFailed(Refusal):
    reason = "thinking_failed"
    sentence = "The computer could not find an answer."


# What the rules refuse, under the same kind of stable name.
REASONS: dict[type[ConnectkError], str] = {
    ColumnFull: "column_full",
    ColumnOutOfRange: "column_out_of_range",
    GameAlreadyOver: "match_over",
}


def reason_of(error: ConnectkError) -> str:
    """The stable name of a refusal."""
    if isinstance(error, Refusal):
        return error.reason
    return next((REASONS[kind] for kind in type(error).__mro__ if kind in REASONS), "not_valid")
