"""The standings of a room: points, and ratings on a scale that the computer levels fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from connectk.arena.match import Record
from connectk.arena.ratings import Rating, rate
from connectk.rooms.pairing import points
from connectk.rooms.room import LADDER, LEVEL, Room

LEVEL_STEP = 200  # rating points from one level to the next; the stronger one wins three games of four


@dataclass(frozen=True, slots=True)
class RoomStanding:
    """One member's line of the table; `opposition` is the sum of the opponents' points."""

    rank: int
    member: int
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    byes: int
    opposition: float


def standings(room: Room, ratings: Mapping[int, Rating] | None = None) -> list[RoomStanding]:
    """The table, best first: by points, then by the opponents' points; a ladder by its ratings, if known. Members who
    have left stay in the table if they have played."""
    gained = points(room)
    played: dict[int, list[int]] = {member.number: [] for member in room.members}  # 0 won, 1 drawn, 2 lost
    opposition: dict[int, float] = {}
    for meeting in room.meetings:
        if meeting.counts:
            for one, other in (meeting.members, meeting.members[::-1]):
                played[one].append(_outcome(meeting.winner, one, bool(meeting.match)))
                opposition[one] = opposition.get(one, 0.0) + gained[other]
    byes = Counter(room.byes)
    lines = [
        _line(number, gained[number], played[number], byes[number], opposition.get(number, 0.0))
        for number in gained
        if played[number] or not room.members[number - 1].left
    ]
    return _ranked(lines, _order(room, ratings or {}))


def _line(number: int, points: float, played: list[int], byes: int, opposition: float) -> RoomStanding:
    wins, draws, losses = (played.count(outcome) for outcome in (0, 1, 2))
    return RoomStanding(0, number, points, len(played), wins, draws, losses, byes, opposition)


def _outcome(winner: int | None, member: int, was_played: bool) -> int:
    """0 won, 1 drawn, 2 lost. If neither player came, both have lost."""
    if winner is None:
        return 1 if was_played else 2
    return 0 if winner == member else 2


def _order(room: Room, ratings: Mapping[int, Rating]) -> Mapping[int, float]:
    return {number: rating.elo for number, rating in ratings.items()} if room.setup.format == LADDER else {}


def _ranked(lines: Sequence[RoomStanding], elo: Mapping[int, float]) -> list[RoomStanding]:
    """Sorts the lines; equal ones share a rank."""

    def key(line: RoomStanding) -> tuple[float, float, float]:
        return (elo.get(line.member, float("-inf")) if elo else 0.0, line.points, line.opposition)

    ordered = sorted(lines, key=lambda line: (*(-value for value in key(line)), line.member))
    ranked: list[RoomStanding] = []
    for place, line in enumerate(ordered, start=1):
        shared = bool(ranked) and key(ordered[place - 2]) == key(line)
        ranked.append(replace(line, rank=ranked[-1].rank if shared else place))
    return ranked


def ratings(room: Room) -> dict[int, Rating]:
    """The ratings of everyone who has played, fitted as in the arena; walkovers do not count."""
    return rated(*games_of(room))


GameScore = tuple[int, int, int | None]  # first, second, winner


def games_of(room: Room) -> tuple[list[GameScore], dict[int, float]]:
    """The input of the fit, small enough to send to another process: the games, and the fixed ratings."""
    games = [(m.first, m.second, m.winner) for m in room.meetings if m.counts and m.match and m.no_show is None]
    return games, {member.number: _level_elo(member.player) for member in room.members if member.kind == LEVEL}


def _level_elo(player: str | None) -> float:
    return float(LEVEL_STEP * int((player or "level:0").partition(":")[2]))


def rated(games: Sequence[GameScore], fixed: Mapping[int, float]) -> dict[int, Rating]:
    """The ratings of those who have played; the ratings of computer levels are fixed."""
    members = sorted({number for first, second, _ in games for number in (first, second)})
    if not members:
        return {}
    held = {str(number): elo for number, elo in fixed.items() if number in members}
    found = rate([str(number) for number in members], map(_record, games), held)
    return {int(rating.name): rating for rating in found}


def _record(game: GameScore) -> Record:
    first, second, winner = game
    side = None if winner is None else "first" if winner == first else "second"
    return Record(0, str(first), str(second), 0, "", side, "", None, (), "")
