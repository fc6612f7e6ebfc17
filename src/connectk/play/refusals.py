"""The errors of requests to a match, each with a stable reason code for clients.

The message is the text `refused.` and the reason, in every language.
"""

from __future__ import annotations

from typing import ClassVar

from connectk.errors import ColumnFull, ColumnOutOfRange, ConnectkError, GameAlreadyOver
from connectk.texts import Texts


class Refusal(ConnectkError):
    """The request is not allowed, or not now; nothing has changed."""

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


class StalePly(Refusal):
    """The drop was meant for another ply."""

    reason = "stale"

    def __init__(self, meant: int, now: int) -> None:
        self.meant, self.now = meant, now
        super().__init__(meant, now)


class MatchOver(Refusal):
    reason = "match_over"


class MatchStillOpen(Refusal):
    reason = "match_open"


class MatchTooLong(Refusal):
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


class OfferDeclined(Refusal):
    reason = "declined"


class RoomDecides(Refusal):
    """Matches of a room allow no take-backs and no rematches."""

    reason = "room_decides"
    key = "room.refused.room_decides"


class KeyReused(Refusal):
    reason = "key_reused"


class BadName(Refusal):
    reason = "bad_name"


class BoardTooLarge(Refusal):
    """More cells than the server allows."""

    reason = "board_too_large"

    def __init__(self, limit: int) -> None:
        self.limit = limit
        super().__init__(limit)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"most": self.limit}


class BoardTooWide(BoardTooLarge):
    """More columns or rows than a page shows."""

    key = "refused.board_too_wide"


class PlayerNotAllowed(Refusal):
    """The server does not offer this player; `why` is the cause, if known."""

    reason = "unknown_player"

    def __init__(self, why: ConnectkError | None = None) -> None:
        self.why = why
        super().__init__(why)

    def localize(self, texts: Texts) -> str:
        return self.why.localize(texts) if self.why else super().localize(texts)


class Busy(Refusal):
    reason = "busy"


class Timeout(Refusal):
    reason = "time_is_up"


class TooMuch(Refusal):
    reason = "too_large"


class TooManyPlayers(TooMuch):
    """A tournament of more players than a page shows."""

    key = "refused.too_many_players"

    def __init__(self, limit: int) -> None:
        self.limit = limit
        super().__init__(limit)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"most": self.limit}


class NotStored(Refusal):
    reason = "not_stored"


class ThinkingFailed(Refusal):
    reason = "thinking_failed"


# The same kind of reason codes for errors of the rules.
REASONS: dict[type[ConnectkError], str] = {
    ColumnFull: "column_full",
    ColumnOutOfRange: "column_out_of_range",
    GameAlreadyOver: "match_over",
}


def reason_of(error: ConnectkError) -> str:
    """The stable reason code of an error."""
    if isinstance(error, Refusal):
        return error.reason
    return next((REASONS[kind] for kind in type(error).__mro__ if kind in REASONS), "not_valid")
