"""The parts that the planners of all formats share: the plan, the free members, and who moves first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from connectk.arena.swiss import SwissPlayer, order_sides
from connectk.rooms.points import points_by_member
from connectk.rooms.room import BOT_KIND, LEVEL_KIND, Member, Room
from connectk.rules import Side

MemberPair = tuple[int, int]  # the numbers of two members; the first one moves first
Walkover = tuple[MemberPair, int | None]  # a pair, and the member who gets the point


@dataclass(frozen=True, slots=True)
class PairingPlan:
    """The next step of a room: matches to create, walkovers and byes, or the end of the tournament."""

    round: int
    pairs: tuple[MemberPair, ...] = ()
    walkovers: tuple[Walkover, ...] = ()
    byes: tuple[int, ...] = ()
    is_over: bool = False


def free_members(room: Room, now: float) -> dict[int, Member]:
    """The members who are present, are not playing, and have had their pause, by number."""
    busy = {number for meeting in room.open_meetings for number in meeting.members}
    return {
        member.number: member
        for member in room.members
        if member.is_available and member.number not in busy and _is_rested(room, member, now)
    }


def _is_rested(room: Room, member: Member, now: float) -> bool:
    """Whether the member's pause after the last game is over.

    Bots and computer players need no pause. Nobody gets a pause if the host wants the next round now.
    """
    if member.kind in (BOT_KIND, LEVEL_KIND) or not any(member.number in meeting.members for meeting in room.meetings):
        return True
    return 0 < room.round <= room.stopped_round or now >= member.free_since + room.setup.rest


def histories(room: Room) -> dict[int, SwissPlayer]:
    """The points, opponents, sides and byes that each member has had so far, by the member's number."""
    met: dict[int, list[int]] = {member.number: [] for member in room.members}
    sides: dict[int, list[Side]] = {member.number: [] for member in room.members}
    for meeting in room.meetings:
        for one, other, side in zip(meeting.members, meeting.members[::-1], Side, strict=True):
            met[one].append(other)
            sides[one].append(side)
    points, byes = points_by_member(room), Counter(room.byes)
    return {
        n: SwissPlayer(n, points[n], tuple(met[n]), tuple(sides[n]), byes[n], room.members[n - 1].kind == LEVEL_KIND)
        for n in met
    }


def order_pair(room: Room, one: int, other: int) -> MemberPair:
    """The two members, with the one who moves first in front. The member who moved second in their last game moves
    first now. In their first game the rules of a Swiss tournament decide."""
    for meeting in reversed(room.meetings):
        if set(meeting.members) == {one, other}:
            return meeting.second, meeting.first
    known = histories(room)
    first, second = order_sides(known[one], known[other])
    return first.number, second.number


def walkover_winner(room: Room, pair: MemberPair) -> int | None:
    """The winner of a game that cannot be played because one of the two members is unavailable. None if both or neither
    are available."""
    available = [number for number in pair if room.members[number - 1].is_available]
    return available[0] if len(available) == 1 else None
