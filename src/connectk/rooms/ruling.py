"""The rules of a room: each function returns the event that follows from an action, or raises a refusal."""

from __future__ import annotations

import random
from collections.abc import Sequence

from connectk.play.refusals import Refusal
from connectk.play.secrets_and_codes import hash_secret
from connectk.rooms.events import (
    Accepted,
    Admitted,
    Begun,
    Challenged,
    Closed,
    Declined,
    Failed,
    HostAdded,
    HostInvited,
    HostLeft,
    Joined,
    Left,
    Locked,
    Paused,
    Renamed,
    Resumed,
    Returned,
    RoundStopped,
    Scored,
    TeamChanged,
    Unlocked,
)
from connectk.rooms.names import clean_name, is_reserved, normalized
from connectk.rooms.room import (
    BOT_KIND,
    CHALLENGES,
    FORMATS_IN_ROUNDS,
    KNOCKOUT,
    LEVEL_KIND,
    PERSON_KIND,
    STOPPED_RESULT,
    TEAMS,
    VOID_RESULT,
    Challenge,
    Meeting,
    Member,
    Room,
)
from connectk.rooms.teams import smaller_team
from connectk.rules import EndReason, Result, Side

MAX_FAILURE_CHARS = 300  # of the text in which a bot explains its failure
HOST_CODE_SECONDS = 900.0  # how long the code for one more host can be used
MAX_HOSTS = 20
MAX_OPEN_CHALLENGES = 5  # the open challenges that one member may have made
MAX_MEMBERS_EVER = 20  # as a multiple of the members who may be present; members who have left stay in the room
ALLOWED_MEMBER_KINDS = {
    "everyone": (PERSON_KIND, BOT_KIND, LEVEL_KIND),
    "people": (PERSON_KIND, LEVEL_KIND),
    "bots": (BOT_KIND, LEVEL_KIND),
}


class RoomRefusal(Refusal):
    """A room does not allow the action. The message has the key `room.refused.` followed by the reason."""

    key = "room.refused.refused"

    def __init_subclass__(cls) -> None:
        cls.key = f"room.refused.{cls.reason}"


class RoomNotFound(RoomRefusal):
    reason = "no_room"


class RoomClosed(RoomRefusal):
    reason = "room_closed"


class RoomFull(RoomRefusal):
    reason = "room_full"


class RoomLocked(RoomRefusal):
    reason = "room_locked"


class NotTheHost(RoomRefusal):
    reason = "not_host"


class NotAMember(RoomRefusal):
    reason = "no_member"


class NameTaken(RoomRefusal):
    reason = "name_taken"


class NameReserved(RoomRefusal):
    """People could mistake a member with this name for a computer player."""

    reason = "name_reserved"


class KindNotAllowed(RoomRefusal):
    """The room is for people only, or for bots only."""

    reason = "not_for_these"


class AlreadyBegun(RoomRefusal):
    reason = "already_begun"


class TooFewMembers(RoomRefusal):
    reason = "too_few"


class NotYourGame(RoomRefusal):
    """The member is not a bot, or is not playing in this meeting."""

    reason = "not_your_game"


class NotAdmitted(RoomRefusal):
    """The member has to wait until the host lets them in."""

    reason = "not_admitted"


class WrongHostCode(RoomRefusal):
    """The code for becoming a host is wrong, used or too old."""

    reason = "wrong_host_code"


class LastHost(RoomRefusal):
    """This person is the room's only host, so the room would be left without one."""

    reason = "last_host"


class TooManyHosts(RoomRefusal):
    reason = "too_many_hosts"


class NoRound(RoomRefusal):
    """There is no round for the host to stop."""

    reason = "no_round"


class NoTeam(RoomRefusal):
    """There is no such team, or the games between the teams have begun."""

    reason = "no_team"


class NoFairStart(RoomRefusal):
    """No start of this board is proven to be a draw."""

    reason = "no_fair_start"


class ChallengesNotAllowed(RoomRefusal):
    """This room pairs its members itself."""

    reason = "no_challenges"


class ChallengeNotFound(RoomRefusal):
    reason = "no_challenge"


def _free_name(room: Room, name: str, except_member: int | None = None) -> str:
    """The name as the room shows it. Raises `NameReserved` or `NameTaken` if a person or bot may not have it."""
    name = clean_name(name)
    if is_reserved(name):
        raise NameReserved
    if any(normalized(other.name) == normalized(name) and other.number != except_member for other in room.present):
        raise NameTaken
    return name


def _require_open(room: Room) -> None:
    if room.closed:
        raise RoomClosed


def join(
    room: Room,
    name: str,
    kind: str,
    holder: str | None,
    now: float,
    *,
    max_members: int,
    player: str | None = None,
    team: int | None = None,
) -> Joined | None:
    """Let somebody join. Returns None if `holder` is a member already.

    Members who have left do not count towards the size limit of the room. Without a `team`, the member joins the
    smallest team.
    """
    if holder is not None and any(member.holder == holder for member in room.present):
        return None
    _require_open(room)
    if kind not in ALLOWED_MEMBER_KINDS[room.setup.who]:
        raise KindNotAllowed
    if room.locked and kind != LEVEL_KIND:  # only the host adds levels
        raise RoomLocked
    if len(room.present) >= max_members or len(room.members) >= MAX_MEMBERS_EVER * max_members:
        raise RoomFull
    name = clean_name(name) if kind == LEVEL_KIND else _free_name(room, name)
    waiting = room.setup.approval and kind != LEVEL_KIND
    return Joined(name, kind, holder, player, now, team=_team(room, team), waiting=waiting)


def _team(room: Room, team: int | None) -> int | None:
    if team is not None and not 0 <= team < len(room.setup.teams):
        raise NoTeam
    return smaller_team(room) if team is None and room.setup.format == TEAMS else team


def change_team(room: Room, number: int, team: int, now: float) -> TeamChanged | None:
    """Move a member to another team, before the first game."""
    _require_open(room)
    if room.begun or not 0 <= team < len(room.setup.teams):
        raise NoTeam
    return None if member_of(room, number).team == team else TeamChanged(number, team, now)


def admit(room: Room, numbers: Sequence[int], now: float) -> Admitted | None:
    """Let in members who are waiting."""
    _require_open(room)
    waiting = tuple(number for number in dict.fromkeys(numbers) if member_of(room, number).waiting)
    return Admitted(waiting, now) if waiting else None


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
    if room.hosts == (member.holder,) and not member.left:
        raise LastHost
    return None if member.left else Left(number, now)


def come_back(room: Room, number: int, now: float) -> Returned | None:
    _require_open(room)
    return Returned(number, now) if member_of(room, number).away else None


def begin(room: Room, now: float) -> Begun:
    _require_open(room)
    if room.begun:
        raise AlreadyBegun
    if len(room.admitted) < 2:
        raise TooFewMembers
    if room.setup.format == TEAMS and {member.team for member in room.admitted} != set(range(len(room.setup.teams))):
        raise TooFewMembers
    return Begun(now, _drawn(room, now) if room.setup.format == KNOCKOUT else ())


def _drawn(room: Room, now: float) -> tuple[int, ...]:
    """The members in random order, but computer players first. The first members may get no opponent in the first
    round, which should not happen to people."""
    chance = random.Random(f"{room.code} {now}")
    order = [(member.kind != LEVEL_KIND, chance.random(), member.number) for member in room.admitted]
    return tuple(number for _, _, number in sorted(order))


def pause(room: Room, now: float) -> Paused | None:
    """Pause the room. Games that have begun continue, but no new one starts."""
    _require_open(room)
    return Paused(now) if room.paused_at is None else None


def resume(room: Room, now: float) -> Resumed | None:
    _require_open(room)
    return None if room.paused_at is None else Resumed(now)


def stop_round(room: Room, now: float) -> RoundStopped | None:
    """Stop the games of this round, so that the next round starts now."""
    _require_open(room)
    if room.setup.format not in FORMATS_IN_ROUNDS or not room.round:
        raise NoRound
    return None if room.round == room.stopped_round else RoundStopped(room.round, now)


def invite_host(room: Room, code: str, now: float) -> HostInvited:
    """Store the code that makes one more person a host. An earlier code becomes invalid."""
    _require_open(room)
    return HostInvited(hash_secret(code), now)


def add_host(room: Room, code: str | None, holder: str, now: float) -> HostAdded | None:
    """Make the person who knows the code a host. Returns None if `holder` is a host already."""
    if holder in room.hosts:
        return None
    _require_open(room)
    fresh = room.host_code is not None and now < room.host_code_at + HOST_CODE_SECONDS
    if code is None or not fresh or hash_secret(code) != room.host_code:
        raise WrongHostCode
    _require_room_for_host(room)
    return HostAdded(holder, None, None, now)


def promote(room: Room, number: int, instead: str | None, now: float) -> HostAdded | None:
    """Make a member a host. If `instead` is given, the host with that hash is no longer a host."""
    _require_open(room)
    member = member_of(room, number)
    if member.holder is None or member.kind != PERSON_KIND:
        raise NotAMember
    if member.holder in room.hosts and instead in (None, member.holder):
        return None
    if instead is None:
        _require_room_for_host(room)
    return HostAdded(None, number, instead, now)


def _require_room_for_host(room: Room) -> None:
    if len(room.hosts) >= MAX_HOSTS:
        raise TooManyHosts


def resign_as_host(room: Room, holder: str, now: float) -> HostLeft | None:
    if holder not in room.hosts:
        return None
    if len(room.hosts) == 1:
        raise LastHost
    return HostLeft(holder, now)


def lock(room: Room, now: float) -> Locked | None:
    """Lock the room: no new member can join, but members may leave and come back."""
    _require_open(room)
    return None if room.locked else Locked(now)


def unlock(room: Room, now: float) -> Unlocked | None:
    _require_open(room)
    return Unlocked(now) if room.locked else None


def close(room: Room, now: float) -> Closed | None:
    return None if room.closed else Closed(now)


def challenge(room: Room, by: int, to: int, now: float) -> Challenged | Accepted | None:
    """Challenge another member. If the other member has already challenged this one, that challenge is accepted
    instead."""
    _require_open(room)
    if room.setup.format != CHALLENGES:
        raise ChallengesNotAllowed
    if member_of(room, by).waiting or member_of(room, to).waiting:
        raise NotAdmitted
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
    """Decline a challenge. If the challenger calls this, the challenge is withdrawn."""
    _require_open(room)
    if _find(room, by, to) is None:
        raise ChallengeNotFound
    return Declined(by, to, now)


def _find(room: Room, by: int, to: int) -> Challenge | None:
    return next((c for c in room.challenges if (c.by, c.to) == (by, to)), None)


def score(room: Room, meeting: int, result: Result | None, acted: frozenset[Side], now: float) -> Scored | None:
    """Record the result of a meeting. Returns None if the result is recorded already.

    `acted` are the sides that have dropped a disc or chosen a side. The game does not count if it has no result or the
    room is closed. If the host has stopped the round, the game is a draw.
    """
    found = room.meetings[meeting - 1]
    if not found.is_open:
        return None
    if result is None or room.closed:
        return Scored(meeting, None, VOID_RESULT, None, now)
    if result.reason is EndReason.AGREED and room.is_stopped(found):
        return Scored(meeting, None, STOPPED_RESULT, None, now)
    winner = result.winner and found.members[result.winner.value]
    no_show = _no_show(room, found, result, acted)
    gone = None if no_show else _gone(room, found, result)
    return Scored(meeting, winner, result.reason.value, no_show, now, gone)


def fail(room: Room, match: str, number: int, words: str, now: float) -> Failed | None:
    """Record why a bot cannot continue its match. Returns None if a reason is recorded already."""
    _require_open(room)
    meeting = next((one for one in room.open_meetings if one.match == match and number in one.members), None)
    if meeting is None or member_of(room, number).kind != BOT_KIND:
        raise NotYourGame
    return None if meeting.failure else Failed(meeting.number, number, _printable(words), now)


def _printable(words: str) -> str:
    """The text on one line, shortened and without control characters."""
    kept = "".join(letter if letter.isprintable() else " " for letter in words)
    return " ".join(kept.split())[:MAX_FAILURE_CHARS]


def _no_show(room: Room, meeting: Meeting, result: Result, acted: frozenset[Side]) -> int | None:
    """The member who lost on time or by forfeit without ever dropping a disc. None if there is no such member."""
    if result.winner is None or result.reason.value not in ("forfeit", "time"):
        return None
    loser = result.winner.other
    member = room.members[meeting.members[loser.value] - 1]
    return member.number if loser not in acted and member.kind != LEVEL_KIND and not member.left else None


def _gone(room: Room, meeting: Meeting, result: Result) -> int | None:
    """The member who lost a game because they were disconnected for too long. None if there is no such member. In a
    room, a forfeit always has this reason, because a failing bot resigns instead."""
    if result.winner is None or result.reason is not EndReason.FORFEIT:
        return None
    member = room.members[meeting.members[result.winner.other.value] - 1]
    return None if member.kind == LEVEL_KIND or member.left else member.number
