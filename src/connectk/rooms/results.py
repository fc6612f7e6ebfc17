"""The results of a room: every game that counts, and how many points each member scored against each other member."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from connectk.arena.ratings import Rating
from connectk.play.refusals import CrosstableTooLarge
from connectk.rooms.room import Meeting, Room
from connectk.rooms.standings import standings

MAX_CROSSTABLE_LINES = 500  # a table of n lines has n² cells
NO_SHOW_REASON = "no_show"


@dataclass(frozen=True, slots=True)
class CrosstableLine:
    """One member's results against each member, in the order of the table. Several results against the same opponent
    stand in the order of their games."""

    rank: int
    member: int
    points: float
    results: tuple[tuple[float, ...], ...]


def crosstable(room: Room, ratings: Mapping[int, Rating] | None = None) -> list[CrosstableLine]:
    """The lines of the standings, each with the member's results against the others. Byes count only in the points.
    Raises `CrosstableTooLarge` if there are too many lines."""
    lines = standings(room, ratings)
    if len(lines) > MAX_CROSSTABLE_LINES:
        raise CrosstableTooLarge(MAX_CROSSTABLE_LINES)
    against: dict[tuple[int, int], list[float]] = {}
    for meeting in room.scored_meetings:
        for one, other in (meeting.members, meeting.members[::-1]):
            against.setdefault((one, other), []).append(meeting.points_of(one))
    return [
        CrosstableLine(
            line.rank,
            line.member,
            line.points,
            tuple(tuple(against.get((line.member, other.member), ())) for other in lines),
        )
        for line in lines
    ]


def result_of(meeting: Meeting) -> str:
    """The result as `1-0`, `0-1` or `1/2-1/2`, or as `0-0` if neither player came."""
    if meeting.winner is None:
        return "1/2-1/2" if meeting.match else "0-0"
    return "1-0" if meeting.winner == meeting.first else "0-1"


def reason_of(meeting: Meeting) -> str:
    """Why the game ended, or `no_show` if a member never came."""
    return NO_SHOW_REASON if meeting.no_show or not meeting.match else meeting.reason or ""
