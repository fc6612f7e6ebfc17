"""Computes the standings of a room: points, and ratings on a scale on which each computer level has a fixed rating."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from connectk.arena.match import GameRecord
from connectk.arena.ratings import Rating, rate
from connectk.arena.round_robin import GamePoints, direct_encounter, sonneborn_berger
from connectk.rooms.points import arena_scores, points_by_member
from connectk.rooms.room import ARENA, KNOCKOUT, LADDER, LEVEL_KIND, ROUND_ROBIN, STOPPED_RESULT, Room

ELO_PER_LEVEL = 200  # rating points between neighbouring levels; the stronger level scores three points of four


@dataclass(frozen=True, slots=True)
class RoomStanding:
    """One member's line of the table. `is_on_streak` says whether a win in the member's next arena game counts double.

    In a round robin, `direct` (the points against each other) breaks ties in points, and then `sonneborn_berger` does.
    In an arena and a knock-out tournament, ties are not broken. In other formats, `opposition` (the sum of the
    opponents' points) breaks them.
    """

    rank: int
    member: int
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    byes: int
    opposition: float
    direct: float
    sonneborn_berger: float
    is_on_streak: bool = False


def standings(room: Room, ratings: Mapping[int, Rating] | None = None) -> list[RoomStanding]:
    """The table with the best member first. A ladder is sorted by the ratings, if they are known. Members who have left
    stay in the table if they have played and their games count."""
    points, byes = points_by_member(room), Counter(room.byes)
    played: dict[int, list[int]] = {member.number: [] for member in room.members}  # 0 won, 1 drawn, 2 lost
    opposition, games = dict.fromkeys(points, 0.0), list[GamePoints]()
    for meeting in room.scored_meetings:
        games.append((*meeting.members, meeting.points_of(meeting.first), meeting.points_of(meeting.second)))
        for one, other in (meeting.members, meeting.members[::-1]):
            played[one].append(_outcome(meeting.winner, one, bool(meeting.match)))
            opposition[one] += points[other]
    direct, berger = direct_encounter(games, points), sonneborn_berger(games, points)
    lines = [
        _line(number, points[number], played[number], byes[number], opposition[number], direct[number], berger[number])
        for number in points
        if (played[number] or not room.members[number - 1].left) and not room.members[number - 1].waiting
    ]
    if room.setup.format == ARENA:
        scores = arena_scores(room)
        lines = [replace(line, is_on_streak=scores[line.member].is_on_streak) for line in lines]
    return _ranked(lines, room.setup.format, ratings or {})


def _line(
    number: int, points: float, played: list[int], byes: int, opposition: float, direct: float, berger: float
) -> RoomStanding:
    wins, draws, losses = (played.count(outcome) for outcome in (0, 1, 2))
    return RoomStanding(0, number, points, len(played), wins, draws, losses, byes, opposition, direct, berger)


def _outcome(winner: int | None, member: int, was_played: bool) -> int:
    """0 if the member won, 1 for a draw, 2 for a loss. If neither player came to a game, both have lost it."""
    if winner is None:
        return 1 if was_played else 2
    return 0 if winner == member else 2


def _ranked(lines: Sequence[RoomStanding], kind: str, ratings: Mapping[int, Rating]) -> list[RoomStanding]:
    """The lines, sorted and with their ranks. Members who are equal in everything share a rank."""

    def key(line: RoomStanding) -> tuple[float, ...]:
        if kind == ROUND_ROBIN:
            return line.points, line.direct, line.sonneborn_berger
        if kind in (ARENA, KNOCKOUT):
            return (line.points,)
        rated = ratings.get(line.member) if kind == LADDER else None
        return (rated.elo if rated else -math.inf), line.points, line.opposition

    ordered = sorted(lines, key=lambda line: (*(-value for value in key(line)), line.member))
    ranked: list[RoomStanding] = []
    for place, line in enumerate(ordered, start=1):
        shared = bool(ranked) and key(ordered[place - 2]) == key(line)
        ranked.append(replace(line, rank=ranked[-1].rank if shared else place))
    return ranked


def ratings(room: Room) -> dict[int, Rating]:
    """The ratings of all members who have played, computed as those of `connectk arena` tournaments. Walkovers,
    no-shows and games that the host has stopped do not count."""
    return fit_ratings(*rating_games(room))


GameScore = tuple[int, int, int | None]  # first, second, winner


def rating_games(room: Room) -> tuple[list[GameScore], dict[int, float]]:
    """The games to rate, and the fixed ratings of the computer levels. The result is small enough to send to another
    process."""
    played = (meeting for meeting in room.meetings if meeting.counts and meeting.match and meeting.no_show is None)
    games = [(m.first, m.second, m.winner) for m in played if m.reason != STOPPED_RESULT]
    return games, {member.number: _level_elo(member.player) for member in room.members if member.kind == LEVEL_KIND}


def _level_elo(player: str | None) -> float:
    return float(ELO_PER_LEVEL * int((player or "level:0").partition(":")[2]))


def fit_ratings(games: Sequence[GameScore], fixed: Mapping[int, float]) -> dict[int, Rating]:
    """The rating of each member in these games, by the member's number. The ratings in `fixed`, which are those of
    computer levels, do not change."""
    members = sorted({number for first, second, _ in games for number in (first, second)})
    if not members:
        return {}
    held = {str(number): elo for number, elo in fixed.items() if number in members}
    found = rate([str(number) for number in members], map(_record, games), held)
    return {int(rating.name): rating for rating in found}


def _record(game: GameScore) -> GameRecord:
    first, second, winner = game
    side = None if winner is None else "first" if winner == first else "second"
    return GameRecord(0, str(first), str(second), 0, "", side, "", None, (), "")
