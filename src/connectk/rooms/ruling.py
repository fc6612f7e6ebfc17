"""The rules of a room: each function returns the event that follows from an action, or raises a refusal."""

from __future__ import annotations

import unicodedata

from connectk.play.refusals import BadName, Refusal
from connectk.play.ruling import check_name
from connectk.rooms.events import Accepted, Begun, Challenged, Closed, Declined, Joined, Left, Renamed, Returned, Scored
from connectk.rooms.room import BOT, CHALLENGES, LEVEL, PERSON, VOID, Challenge, Meeting, Member, Room
from connectk.rules import Result, Side

MAX_COMBINING_MARKS = 2  # on one letter; more of them would overwrite other lines of the page
MAX_OPEN_CHALLENGES = 5  # of one member, without an answer
KINDS_ALLOWED = {"everyone": (PERSON, BOT, LEVEL), "people": (PERSON, LEVEL), "bots": (BOT, LEVEL)}


class RoomRefusal(Refusal):
    """An action that a room refuses; its sentence is the text `room.refused.` followed by the reason."""

    key = "room.refused.refused"

    def __init_subclass__(cls) -> None:
        cls.key = f"room.refused.{cls.reason}"


class RoomNotFound(RoomRefusal):
    reason = "no_room"


class RoomClosed(RoomRefusal):
    reason = "room_closed"


class RoomFull(RoomRefusal):
    reason = "room_full"


class NotTheHost(RoomRefusal):
    reason = "not_host"


class NotAMember(RoomRefusal):
    reason = "no_member"


class NameTaken(RoomRefusal):
    reason = "name_taken"


class KindNotAllowed(RoomRefusal):
    """The room is for people only, or for bots only."""

    reason = "not_for_these"


class AlreadyBegun(RoomRefusal):
    reason = "already_begun"


class TooFewMembers(RoomRefusal):
    reason = "too_few"


class ChallengesNotAllowed(RoomRefusal):
    """The room makes the pairings itself."""

    reason = "no_challenges"


class ChallengeNotFound(RoomRefusal):
    reason = "no_challenge"


def clean_name(name: str) -> str:
    """The name as it is shown; it needs a letter or digit, and may not stack combining marks."""
    name = check_name(unicodedata.normalize("NFC", name))
    marks = 0
    for letter in name:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks > MAX_COMBINING_MARKS:
            raise BadName
    if not any(letter.isalnum() for letter in name):
        raise BadName
    return name


def _normalized(name: str) -> str:
    """The name as it is compared: case, width, spaces and the encoding of accents do not count."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def _free_name(room: Room, name: str, except_member: int | None = None) -> str:
    name = clean_name(name)
    if any(_normalized(other.name) == _normalized(name) and other.number != except_member for other in room.present):
        raise NameTaken
    return name


def _require_open(room: Room) -> None:
    if room.closed:
        raise RoomClosed


def join(
    room: Room, name: str, kind: str, holder: str | None, now: float, *, max_members: int, player: str | None = None
) -> Joined | None:
    """A new member; None if the secret is already a member's."""
    if holder is not None and any(member.holder == holder for member in room.present):
        return None
    _require_open(room)
    if kind not in KINDS_ALLOWED[room.setup.who]:
        raise KindNotAllowed
    if len(room.members) >= max_members:
        raise RoomFull
    return Joined(_free_name(room, name), kind, holder, player, now)


def member_of(room: Room, number: int) -> Member:
    member = room.member(number)
    if member is None or member.left:
        raise NotAMember
    return member


def rename(room: Room, number: int, name: str, now: float) -> Renamed | None:
    member = member_of(room, number)
    name = _free_name(room, name, except_member=number)
    return None if name == member.name else Renamed(number, name, now)


def leave(room: Room, number: int, now: float) -> Left | None:
    _require_open(room)
    if (member := room.member(number)) is None:
        raise NotAMember
    return None if member.left else Left(number, now)


def come_back(room: Room, number: int, now: float) -> Returned | None:
    _require_open(room)
    return Returned(number, now) if member_of(room, number).away else None


def begin(room: Room, now: float) -> Begun:
    _require_open(room)
    if room.begun:
        raise AlreadyBegun
    if len(room.present) < 2:
        raise TooFewMembers
    return Begun(now)


def close(room: Room, now: float) -> Closed | None:
    return None if room.closed else Closed(now)


def challenge(room: Room, by: int, to: int, now: float) -> Challenged | Accepted | None:
    """Challenges another member; a challenge in the other direction is accepted by it."""
    _require_open(room)
    if room.setup.format != CHALLENGES:
        raise ChallengesNotAllowed
    member_of(room, by), member_of(room, to)
    if by == to:
        raise NotAMember
    if _find(room, by, to):
        return None
    if (other := _find(room, to, by)) is not None:
        return None if other.accepted else Accepted(to, by, now)
    if sum(c.by == by for c in room.challenges) >= MAX_OPEN_CHALLENGES:
        raise ChallengeNotFound
    return Challenged(by, to, now)


def accept(room: Room, by: int, to: int, now: float) -> Accepted | None:
    _require_open(room)
    if (found := _find(room, by, to)) is None:
        raise ChallengeNotFound
    return None if found.accepted else Accepted(by, to, now)


def decline(room: Room, by: int, to: int, now: float) -> Declined:
    """Declines a challenge, or withdraws it if its maker calls this."""
    _require_open(room)
    if _find(room, by, to) is None:
        raise ChallengeNotFound
    return Declined(by, to, now)


def _find(room: Room, by: int, to: int) -> Challenge | None:
    return next((c for c in room.challenges if (c.by, c.to) == (by, to)), None)


def score(room: Room, meeting: int, result: Result | None, dropped: frozenset[Side], now: float) -> Scored | None:
    """The score of a meeting; None if it has one. `dropped` are the sides that have dropped a disc. Without a result,
    or in a closed room, the meeting is void."""
    found = room.meetings[meeting - 1]
    if not found.is_open:
        return None
    if result is None or room.closed:
        return Scored(meeting, None, VOID, None, now)
    winner = result.winner and found.members[result.winner.value]
    return Scored(meeting, winner, result.reason.value, _no_show(room, found, result, dropped), now)


def _no_show(room: Room, meeting: Meeting, result: Result, dropped: frozenset[Side]) -> int | None:
    """The member who lost without dropping a disc; resignations and computer players do not count."""
    if result.winner is None or result.reason.value not in ("forfeit", "time"):
        return None
    loser = result.winner.other
    member = room.members[meeting.members[loser.value] - 1]
    return member.number if loser not in dropped and member.kind != LEVEL and not member.left else None
