"""The errors of requests to a match. Each has a stable reason code for clients.

The message of an error is in the client's language. Its text has the key `refused.` followed by the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from connectk.errors import ColumnFull, ColumnOutOfRange, ConnectkError, GameAlreadyOver
from connectk.texts import Texts


class Refusal(ConnectkError):
    """A request is refused, either always or at this moment. It has changed nothing."""

    reason: ClassVar[str] = "refused"
    key = "refused.refused"

    def __init_subclass__(cls) -> None:
        if "reason" in vars(cls) and "key" not in vars(cls):
            cls.key = f"refused.{cls.reason}"


class MatchNotFound(Refusal):
    reason = "not_found"


class MatchDamaged(Refusal):
    reason = "damaged"


class NoSeat(Refusal):
    reason = "no_seat"


class SeatTaken(Refusal):
    reason = "seat_taken"


class WaitingForOpponent(Refusal):
    reason = "waiting_for_opponent"


class NotYourTurn(Refusal):
    reason = "not_your_turn"


@dataclass(eq=False)
class StalePly(Refusal):
    """The drop was meant for a board with a different number of discs."""

    reason = "stale"
    meant: int
    now: int


class MatchOver(Refusal):
    reason = "match_over"


class MatchStillOpen(Refusal):
    reason = "match_open"


class MatchEventLimitReached(Refusal):
    reason = "too_long"


class NothingToTakeBack(Refusal):
    reason = "nothing_to_take_back"
    key = "error.NothingToUndo"


class NoDropToRedo(Refusal):
    reason = "nothing_to_redo"
    key = "error.NothingToRedo"


class AlreadyOffered(Refusal):
    reason = "already_offered"


class NoOffer(Refusal):
    reason = "no_offer"


class NoSwap(Refusal):
    """The match has no swap rule, or the turn for a swap has passed."""

    reason = "no_swap"


class BadSwapDiscs(Refusal):
    """A disc placed before the choice of a side could end the game, or the match starts with discs on its board."""

    reason = "bad_swap_discs"


class OfferDeclined(Refusal):
    reason = "declined"


class RoomDecides(Refusal):
    """Matches of a room allow no take-backs and no rematches."""

    reason = "room_decides"
    key = "room.refused.room_decides"


class FairPlay(Refusal):
    """Matches between strangers have no hints, analysis or take-backs while they run."""

    reason = "fair_play"


class KeyReused(Refusal):
    reason = "key_reused"


class BadName(Refusal):
    reason = "bad_name"


@dataclass(eq=False)
class BoardTooLarge(Refusal):
    """The board has more cells than the server allows."""

    reason = "board_too_large"
    most: int


class BoardTooWide(BoardTooLarge):
    """The board has more columns or rows than the page can show."""

    key = "refused.board_too_wide"


@dataclass(eq=False)
class PlayerNotAllowed(Refusal):
    """The server does not offer this computer player. `why` is the cause, if the client may know it."""

    reason = "unknown_player"
    why: ConnectkError | None = None

    def localize(self, texts: Texts) -> str:
        return self.why.localize(texts) if self.why else super().localize(texts)


class Busy(Refusal):
    reason = "busy"


class Timeout(Refusal):
    reason = "time_is_up"


class TooMuch(Refusal):
    reason = "too_large"


@dataclass(eq=False)
class TooManyPlayers(TooMuch):
    """The tournament has more players than the page can show."""

    key = "refused.too_many_players"
    most: int


@dataclass(eq=False)
class CrosstableTooLarge(TooMuch):
    """The room has more members than a crosstable can have lines."""

    key = "refused.crosstable_too_large"
    most: int


class NotStored(Refusal):
    reason = "not_stored"


class DatabaseUnavailable(NotStored):
    """The database does not answer in time, so no data can be read."""

    key = "refused.not_stored.unavailable"


class ThinkingFailed(Refusal):
    reason = "thinking_failed"


# The reason codes of errors that `rules` raises.
REASON_CODES: dict[type[ConnectkError], str] = {
    ColumnFull: "column_full",
    ColumnOutOfRange: "column_out_of_range",
    GameAlreadyOver: "match_over",
}


def reason_of(error: ConnectkError) -> str:
    """The stable reason code of an error."""
    if isinstance(error, Refusal):
        return error.reason
    return next((REASON_CODES[kind] for kind in type(error).__mro__ if kind in REASON_CODES), "not_valid")
