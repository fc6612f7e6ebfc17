"""Rooms as the messages of `schemas`. No hash of a secret leaves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from connectk.arena.ratings import Rating
from connectk.notation import write_moves, write_start
from connectk.play.match import Match
from connectk.rooms.events import NAMES, Event, Paired, Scored
from connectk.rooms.room import Meeting, Member, Room
from connectk.rooms.standings import RoomStanding, standings
from connectk.server import schemas, views

MOST_SHOWN = 60  # meetings that are over, told to one who comes in
Ratings = Mapping[int, Rating]


def room_view(room: Room, ratings: Ratings, here: Iterable[int]) -> schemas.RoomView:
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
        "here": sorted(here),
    }


def _shown(room: Room) -> list[Meeting]:
    over = [meeting for meeting in room.meetings if not meeting.is_open][-MOST_SHOWN:]
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
    """What has happened, with what it has changed."""
    facts: Any = event
    by = getattr(facts, "by", getattr(facts, "member", None))
    meetings: tuple[Meeting, ...] = ()
    members: set[int] = {by} if by else set()
    if isinstance(event, Paired):
        meetings = room.meetings[-len(event.pairs) :] if event.pairs else ()
    elif isinstance(event, Scored):
        meetings = (room.meetings[event.meeting - 1],)
        by, members = event.winner, set(meetings[0].members)
    elif NAMES[type(event)] == "joined":
        by = len(room.members)
        members = {by}
    return {
        "type": "changed",
        "seq": room.seq,
        "at": event.at,
        "event": cast("Any", NAMES[type(event)]),
        "by": by,
        "to": getattr(facts, "to", None),
        "byes": list(event.byes) if isinstance(event, Paired) else [],
        "state": state_view(room),
        "members": [member_view(room.members[number - 1]) for number in sorted(members)],
        "meetings": [meeting_view(meeting) for meeting in meetings],
    }


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
