"""Turns rooms into the messages of `schemas`. These messages contain no hash of a secret."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast

from connectk.arena.ratings import Rating
from connectk.notation import write_moves, write_start
from connectk.play.match import Match
from connectk.rooms.bracket import bracket, eliminated, round_count
from connectk.rooms.events import (
    ROOM_EVENT_NAMES,
    Accepted,
    Admitted,
    Begun,
    Challenged,
    Closed,
    Declined,
    Event,
    Failed,
    HostAdded,
    HostInvited,
    HostLeft,
    Joined,
    Left,
    Locked,
    Paired,
    Paused,
    Renamed,
    Resumed,
    Returned,
    RoundStopped,
    Scored,
    TeamChanged,
    Unlocked,
)
from connectk.rooms.results import crosstable
from connectk.rooms.room import KNOCKOUT, Meeting, Member, Room
from connectk.rooms.standings import RoomStanding, rating_games, standings
from connectk.rooms.teams import team_points
from connectk.rules import Side
from connectk.server import schemas, views
from connectk.server.roomgrades import Grades, grades_by_member

MAX_FINISHED_MEETINGS = 60  # sent to a new subscriber
MIN_RATED_GAMES = 10  # with fewer games a rating is only a guess
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
        "minutes": setup.minutes,
        "approval": setup.approval,
        "gone_seconds": setup.gone,
        "show_seconds": setup.show,
        "swap": setup.swap,
        "swap_discs": setup.swap_discs,
        "created": room.created,
        "state": state_view(room),
        "members": [member_view(room, member) for member in room.members],
        "meetings": [meeting_view(meeting) for meeting in _shown(room)],
        "standings": lines_view(room, ratings),
        "teams": teams_view(room),
        "bracket": bracket_view(room),
        "here": sorted(connected_members),
    }


def _shown(room: Room) -> list[Meeting]:
    over = [meeting for meeting in room.meetings if not meeting.is_open][-MAX_FINISHED_MEETINGS:]
    return sorted([*over, *room.open_meetings], key=lambda meeting: meeting.number)


def standings_message(room: Room, ratings: Ratings) -> schemas.StandingsMessage:
    return {
        "type": "standings",
        "lines": lines_view(room, ratings),
        "teams": teams_view(room),
        "bracket": bracket_view(room),
    }


def teams_view(room: Room) -> list[schemas.RoomTeamView]:
    teams = zip(room.setup.teams, team_points(room), strict=True)
    return [{"name": name, "points": points} for name, points in teams]


def bracket_view(room: Room) -> list[list[schemas.TieView]]:
    if room.setup.format != KNOCKOUT:
        return []
    return [
        [{"first": tie.first, "second": tie.second, "winner": tie.winner} for tie in ties] for ties in bracket(room)
    ]


def state_view(room: Room) -> schemas.RoomStateView:
    is_knockout = room.setup.format == KNOCKOUT
    return {
        "title": room.setup.title,
        "begun": room.begun,
        "locked": room.locked,
        "closed": room.closed,
        "paused": room.paused_at is not None,
        "ends": room.ends,
        "round": room.round,
        "rounds": round_count(room.seeds) if is_knockout else room.setup.rounds,
        "challenges": [{"by": c.by, "to": c.to, "accepted": c.accepted} for c in room.challenges],
        "byes": list(room.byes),
        "resting": list(room.resting),
        "out": sorted(eliminated(room)) if is_knockout else [],
    }


def member_view(room: Room, member: Member) -> schemas.MemberView:
    return {
        "number": member.number,
        "name": member.name,
        "kind": cast("schemas.KindName", member.kind),
        "player": member.player,
        "left": member.left,
        "away": member.away,
        "waiting": member.waiting,
        "host": member.holder is not None and member.holder in room.hosts,
        "team": None if member.team is None else member.team + 1,
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
        "failure": meeting.failure,
        "gone": meeting.gone,
    }


def lines_view(room: Room, ratings: Ratings) -> list[schemas.RoomStandingView]:
    rated = Counter(number for first, second, _ in rating_games(room)[0] for number in (first, second))
    return [
        _line_view(line, ratings.get(line.member), is_provisional=rated[line.member] < MIN_RATED_GAMES)
        for line in standings(room, ratings)
    ]


def _line_view(line: RoomStanding, rating: Rating | None, is_provisional: bool) -> schemas.RoomStandingView:
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
        "direct": line.direct,
        "sonneborn_berger": line.sonneborn_berger,
        "elo": round(rating.elo, 1) if rating else None,
        "margin": round(rating.margin, 1) if rating else None,
        "streak": line.is_on_streak,
        "provisional": rating is not None and rating.margin > 0 and is_provisional,
    }


def crosstable_json(room: Room, ratings: Ratings) -> str:
    lines: list[schemas.CrosstableLineView] = [
        {
            "rank": line.rank,
            "member": line.member,
            "name": room.members[line.member - 1].name,
            "points": line.points,
            "results": [list(results) for results in line.results],
        }
        for line in crosstable(room, ratings)
    ]
    answer: schemas.CrosstableAnswer = {"lines": lines}
    return json.dumps(answer)


def grades_view(room: Room, grades: Grades, left: int) -> schemas.RoomGradesAnswer:
    members: list[schemas.MemberGradeView] = [
        {
            "member": number,
            "name": room.members[number - 1].name,
            "games": grade.games,
            "moves": grade.moves,
            "accuracy": grade.accuracy,
            "missed_wins": grade.missed_wins,
            "missed_blocks": grade.missed_blocks,
            "blunders": grade.blunders,
        }
        for number, grade in grades_by_member(room, grades).items()
    ]
    return {"members": members, "reviewed": len(grades), "left": left}


def changed_view(event: Event, room: Room) -> schemas.RoomChangedMessage:
    """An event, with the members and meetings that the event has changed."""
    change = _change(event, room)
    return {
        "type": "changed",
        "seq": room.seq,
        "at": event.at,
        "event": cast("schemas.RoomEventName", ROOM_EVENT_NAMES[type(event)]),
        "by": change.by,
        "to": change.to,
        "byes": list(change.byes),
        "state": state_view(room),
        "members": [member_view(room, room.members[number - 1]) for number in sorted(change.members)],
        "meetings": [meeting_view(meeting) for meeting in change.meetings],
    }


class _Change(NamedTuple):
    """The members that an event names, and the members and meetings that it has changed."""

    by: int | None = None
    to: int | None = None
    byes: tuple[int, ...] = ()
    members: tuple[int, ...] = ()
    meetings: tuple[Meeting, ...] = ()


def _change(event: Event, room: Room) -> _Change:
    match event:
        case Joined():
            return _Change(by=len(room.members), members=(len(room.members),))
        case Renamed() | Left() | Returned() | TeamChanged():
            return _Change(by=event.member, members=(event.member,))
        case Admitted():
            return _Change(by=event.members[0], members=event.members)
        case HostAdded() | HostLeft():
            added = event.member if isinstance(event, HostAdded) else None
            return _Change(by=added, members=tuple(member.number for member in room.present if member.holder))
        case Challenged() | Accepted() | Declined():
            return _Change(by=event.by, to=event.to, members=(event.by,))
        case Paired():
            return _Change(byes=event.byes, meetings=room.meetings[len(room.meetings) - len(event.pairs) :])
        case Failed():
            return _Change(by=event.member, meetings=(room.meetings[event.meeting - 1],))
        case Scored():
            meeting = room.meetings[event.meeting - 1]
            return _Change(by=event.winner, members=meeting.members, meetings=(meeting,))
        case Begun() | Locked() | Unlocked() | Closed() | Paused() | Resumed() | RoundStopped() | HostInvited():
            return _Change()


def game_view(room: Room, meeting: Meeting, match: Match) -> schemas.RoomGameView:
    start = match.setup.start
    winner = match.result and match.result.winner
    first, second = (room.members[meeting.members[match.original(side).value] - 1].name for side in Side)
    return {
        "number": meeting.number,
        "round": meeting.round,
        "first": first,
        "second": second,
        "variant": str(start.variant),
        "start": write_start(start),
        "moves": write_moves(match.moves, start.variant),
        "winner": views.SIDE_NAMES[winner] if winner else None,
        "reason": meeting.reason or "",
    }
