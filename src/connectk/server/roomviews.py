"""Rooms as the messages of `schemas`; hashes of secrets are left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast

from connectk.arena.ratings import Rating
from connectk.notation import write_moves, write_start
from connectk.play.match import Match
from connectk.rooms.events import (
    NAMES,
    Accepted,
    Begun,
    Challenged,
    Closed,
    Declined,
    Event,
    Joined,
    Left,
    Paired,
    Renamed,
    Returned,
    Scored,
)
from connectk.rooms.room import Meeting, Member, Room
from connectk.rooms.standings import RoomStanding, standings
from connectk.server import schemas, views

MAX_FINISHED_MEETINGS = 60  # sent to a new subscriber
Ratings = Mapping[int, Rating]


def room_view(room: Room, ratings: Ratings, connected_members: Iterable[int]) -> schemas.RoomView:
    setup = room.setup
    return {
        "code": room.code,
        "seq": room.seq,
        "format": cast("schemas.FormatName", setup.format),
        "variant": views.variant_view(setup.variant),
        "clock": {"seconds": setup.control.seconds, "increment": setup.control.increment},
        "who": cast("schemas.WhoName", setup.who),
        "rounds": setup.rounds,
        "games": setup.games,
        "show_seconds": setup.show,
        "created": room.created,
        "state": state_view(room),
        "members": [member_view(member) for member in room.members],
        "meetings": [meeting_view(meeting) for meeting in _shown(room)],
        "standings": lines_view(room, ratings),
        "here": sorted(connected_members),
    }


def _shown(room: Room) -> list[Meeting]:
    over = [meeting for meeting in room.meetings if not meeting.is_open][-MAX_FINISHED_MEETINGS:]
    return sorted([*over, *room.open_meetings], key=lambda meeting: meeting.number)


def state_view(room: Room) -> schemas.RoomStateView:
    return {
        "title": room.setup.title,
        "begun": room.begun,
        "closed": room.closed,
        "round": room.round,
        "challenges": [{"by": c.by, "to": c.to, "accepted": c.accepted} for c in room.challenges],
        "byes": list(room.byes),
    }


def member_view(member: Member) -> schemas.MemberView:
    return {
        "number": member.number,
        "name": member.name,
        "kind": cast("schemas.KindName", member.kind),
        "player": member.player,
        "left": member.left,
        "away": member.away,
    }


def meeting_view(meeting: Meeting) -> schemas.MeetingView:
    return {
        "number": meeting.number,
        "round": meeting.round,
        "first": meeting.first,
        "second": meeting.second,
        "match": meeting.match,
        "winner": meeting.winner,
        "reason": meeting.reason,
        "no_show": meeting.no_show,
    }


def lines_view(room: Room, ratings: Ratings) -> list[schemas.RoomStandingView]:
    return [_line_view(line, ratings.get(line.member)) for line in standings(room, ratings)]


def _line_view(line: RoomStanding, rating: Rating | None) -> schemas.RoomStandingView:
    return {
        "rank": line.rank,
        "member": line.member,
        "points": line.points,
        "games": line.games,
        "wins": line.wins,
        "draws": line.draws,
        "losses": line.losses,
        "byes": line.byes,
        "opposition": line.opposition,
        "elo": round(rating.elo, 1) if rating else None,
        "margin": round(rating.margin, 1) if rating else None,
    }


def changed_view(event: Event, room: Room) -> schemas.RoomChangedMessage:
    """An event with the members and meetings that it has changed."""
    change = _change(event, room)
    return {
        "type": "changed",
        "seq": room.seq,
        "at": event.at,
        "event": cast("schemas.RoomEventName", NAMES[type(event)]),
        "by": change.by,
        "to": change.to,
        "byes": list(change.byes),
        "state": state_view(room),
        "members": [member_view(room.members[number - 1]) for number in sorted(change.members)],
        "meetings": [meeting_view(meeting) for meeting in change.meetings],
    }


class _Change(NamedTuple):
    """The members that an event is about, and the members and meetings that it has changed."""

    by: int | None = None
    to: int | None = None
    byes: tuple[int, ...] = ()
    members: tuple[int, ...] = ()
    meetings: tuple[Meeting, ...] = ()


def _change(event: Event, room: Room) -> _Change:
    match event:
        case Joined():
            return _Change(by=len(room.members), members=(len(room.members),))
        case Renamed() | Left() | Returned():
            return _Change(by=event.member, members=(event.member,))
        case Challenged() | Accepted() | Declined():
            return _Change(by=event.by, to=event.to, members=(event.by,))
        case Paired():
            return _Change(byes=event.byes, meetings=room.meetings[len(room.meetings) - len(event.pairs) :])
        case Scored():
            meeting = room.meetings[event.meeting - 1]
            return _Change(by=event.winner, members=meeting.members, meetings=(meeting,))
        case Begun() | Closed():
            return _Change()


def game_view(room: Room, meeting: Meeting, match: Match) -> schemas.RoomGameView:
    start = match.setup.start
    winner = match.result and match.result.winner
    return {
        "number": meeting.number,
        "round": meeting.round,
        "first": room.members[meeting.first - 1].name,
        "second": room.members[meeting.second - 1].name,
        "variant": str(start.variant),
        "start": write_start(start),
        "moves": write_moves(match.moves, start.variant),
        "winner": views.SIDE_NAMES[winner] if winner else None,
        "reason": meeting.reason or "",
    }
