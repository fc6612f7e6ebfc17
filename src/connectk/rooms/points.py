"""The points of the members by the rules of each format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from connectk.rooms.bracket import ties_won
from connectk.rooms.room import ARENA, KNOCKOUT, SWISS, Meeting, Room

ARENA_WIN_POINTS, ARENA_DRAW_POINTS = 2.0, 1.0
WINS_FOR_STREAK = 2  # in a row, after which an arena's games count double until one is not won
STREAK_FACTOR = 2


def points_by_member(room: Room) -> dict[int, float]:
    """The points of every member, by the rules of the room's format.

    A win gives 1 point and a draw 0.5; a bye in a Swiss tournament gives 1. In a knock-out tournament, the points are
    the rounds survived. In an arena, wins during a streak give more points.
    """
    if room.setup.format == KNOCKOUT:
        return {member.number: float(ties_won(room).get(member.number, 0)) for member in room.members}
    if room.setup.format == ARENA:
        return {number: score.points for number, score in arena_scores(room).items()}
    gained = {member.number: 0.0 for member in room.members}
    for meeting in room.scored_meetings:
        for number in meeting.members:
            gained[number] += meeting.points_of(number)
    for number in room.byes if room.setup.format == SWISS else ():
        gained[number] += 1
    return gained


@dataclass(frozen=True, slots=True)
class ArenaScore:
    """A member's points in an arena, and the length of the member's current series of wins."""

    points: float = 0.0
    wins_in_a_row: int = 0

    @property
    def is_on_streak(self) -> bool:
        """Whether a win in the next game counts double."""
        return self.wins_in_a_row >= WINS_FOR_STREAK

    def after(self, meeting: Meeting, member: int) -> ArenaScore:
        result = meeting.points_of(member)
        factor = STREAK_FACTOR if self.is_on_streak else 1
        points = ARENA_WIN_POINTS if result == 1 else ARENA_DRAW_POINTS if result else 0.0
        return ArenaScore(self.points + factor * points, self.wins_in_a_row + 1 if result == 1 else 0)


def arena_scores(room: Room) -> Mapping[int, ArenaScore]:
    """The scores of all members of an arena. A member plays one game at a time, so the games of each member are in the
    right order."""
    scores = {member.number: ArenaScore() for member in room.members}
    for meeting in room.scored_meetings:
        for number in meeting.members:
            scores[number] = scores[number].after(meeting, number)
    return scores
