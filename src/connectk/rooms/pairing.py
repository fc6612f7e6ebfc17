"""Pairings, derived from the stored room alone: the same room always gives the same pairings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from connectk.rooms.room import BOT, CHALLENGES, LADDER, LEVEL, ROUND_ROBIN, SWISS, Meeting, Member, Room

MemberPair = tuple[int, int]  # members: first moves first
MAX_PAIRING_ATTEMPTS = 20_000  # at a round in which nobody meets an old opponent


@dataclass(frozen=True, slots=True)
class Plan:
    """The next step of a room: matches to make, walkovers and byes; or the end of the tournament."""

    round: int
    pairs: tuple[MemberPair, ...] = ()
    walkovers: tuple[tuple[MemberPair, int | None], ...] = ()  # the pair, and who gets the point
    byes: tuple[int, ...] = ()
    is_over: bool = False


def plan(room: Room, now: float) -> Plan | None:
    """The next step of the room; None if it has to wait."""
    if not room.begun or room.closed:
        return None
    return PLANS[room.setup.format](room, now)


def _challenges(room: Room, now: float) -> Plan | None:
    """Pairs whose challenge was accepted, once both are free; bots and computer players accept at once."""
    free, pairs = _free(room, now), []
    for challenge in room.challenges:
        other = room.members[challenge.to - 1]
        if (challenge.accepted or other.kind != "person") and {challenge.by, challenge.to} <= free.keys():
            pairs.append(order_pair(room, challenge.by, challenge.to))
            del free[challenge.by], free[challenge.to]
    return Plan(room.round, tuple(pairs)) if pairs else None


def _round_robin(room: Room, now: float) -> Plan | None:
    """Everyone meets everyone; a game starts as soon as both players are free, so nobody waits for the slowest board.
    At the end, the games of absent members become walkovers."""
    missing = list(_missing(room))
    if not missing:
        return _over_when_done(room)
    free, pairs = _free(room, now), []
    for one, other in missing:
        if one in free and other in free:
            pairs.append(order_pair(room, one, other))
            del free[one], free[other]
    if pairs:
        return Plan(room.round, tuple(pairs))
    if any(room.open_meetings) or any(_are_available(room, pair) for pair in missing):
        return None
    return Plan(room.round, walkovers=tuple((pair, _walkover_winner(room, pair)) for pair in missing))


def _missing(room: Room) -> Iterator[MemberPair]:
    """Pairs that still have games to play, in the order of a round-robin table."""
    met = Counter(frozenset(meeting.members) for meeting in room.meetings)
    order = list(round_robin_pairs([member.number for member in room.present]))
    for game in range(room.setup.games):
        yield from (pair for pair in order if met[frozenset(pair)] <= game)


def round_robin_pairs(numbers: Sequence[int]) -> Iterator[MemberPair]:
    """All pairs, round by round, by the circle method: the first number stays, the others rotate."""
    seats: list[int | None] = [*numbers, *([None] if len(numbers) % 2 else [])]
    for _ in range(len(seats) - 1):
        for one, other in zip(seats[: len(seats) // 2], reversed(seats[len(seats) // 2 :]), strict=True):
            if one is not None and other is not None:
                yield one, other
        seats = [seats[0], seats[-1], *seats[1:-1]]


def _are_available(room: Room, pair: Iterable[int]) -> bool:
    return all(room.members[number - 1].is_available for number in pair)


def _walkover_winner(room: Room, pair: MemberPair) -> int | None:
    available = [number for number in pair if room.members[number - 1].is_available]
    return available[0] if len(available) == 1 else None


def _over_when_done(room: Room) -> Plan | None:
    return None if any(room.open_meetings) else Plan(room.round, is_over=True)


def _swiss(room: Room, now: float) -> Plan | None:
    """Starts a round when the last one is over: members with equal points meet, and nobody twice if possible."""
    if any(room.open_meetings):
        return None
    if room.round >= room.setup.rounds:
        return Plan(room.round, is_over=True)
    free = _free(room, now)
    if len(free) < 2 or len(free) < sum(member.is_available for member in room.members):
        return None
    standing = points(room)
    order = sorted(free, key=lambda number: (-standing[number], number))
    byes = [_choose_bye(room, order)] if len(order) % 2 else []
    order = [number for number in order if number not in byes]
    pairs = _pair_by_points(order, _opponents(room))
    return Plan(room.round + 1, tuple(order_pair(room, *pair) for pair in pairs), byes=tuple(byes))


def _choose_bye(room: Room, order: Sequence[int]) -> int:
    """The lowest in the table among those with the fewest byes."""
    rests = Counter(room.byes)
    return min(reversed(order), key=lambda number: (rests[number], room.members[number - 1].kind != LEVEL))


def _opponents(room: Room) -> dict[int, set[int]]:
    met: dict[int, set[int]] = {member.number: set() for member in room.members}
    for meeting in room.meetings:
        met[meeting.first].add(meeting.second)
        met[meeting.second].add(meeting.first)
    return met


def _pair_by_points(order: Sequence[int], met: dict[int, set[int]]) -> list[MemberPair]:
    """Pairs from the top, each with the nearest new opponent, with backtracking."""
    tries = 0

    def paired(rest: Sequence[int]) -> list[MemberPair] | None:
        nonlocal tries
        if not rest:
            return []
        one, others = rest[0], rest[1:]
        for other in others:
            tries += 1
            if other in met[one] or tries > MAX_PAIRING_ATTEMPTS:
                continue
            found = paired([number for number in others if number != other])
            if found is not None:
                return [(one, other), *found]
        return None

    return paired(order) or [(order[n], order[n + 1]) for n in range(0, len(order), 2)]


def _ladder(room: Room, now: float) -> Plan | None:
    """Pairs the member who has waited longest with the free member whose score is nearest, but not with the last
    opponent while there are others."""
    free, standing, last = _free(room, now), _points_per_game(room), _last_opponents(room)
    several = sum(member.is_available for member in room.members) > 2
    pairs = []
    for one in sorted(free.values(), key=lambda member: (member.free_since, member.number)):
        if one.number not in free:
            continue
        del free[one.number]
        others = [
            other
            for other in free.values()
            if not one.kind == other.kind == LEVEL and not (several and last.get(one.number) == other.number)
        ]
        if others:
            nearest = min(others, key=_distance(standing, one))
            del free[nearest.number]
            pairs.append(order_pair(room, one.number, nearest.number))
    return Plan(room.round, tuple(pairs)) if pairs else None


def _distance(standing: Mapping[int, float], one: Member) -> Callable[[Member], tuple[float, float, int]]:
    return lambda other: (abs(standing[other.number] - standing[one.number]), other.free_since, other.number)


def _points_per_game(room: Room) -> dict[int, float]:
    """Points per game, with one draw added, so that a newcomer starts in the middle."""
    games = Counter(number for meeting in room.meetings if meeting.counts for number in meeting.members)
    return {number: (gained + 0.5) / (games[number] + 1) for number, gained in points(room).items()}


def _last_opponents(room: Room) -> dict[int, int]:
    last: dict[int, int] = {}
    for meeting in room.meetings:
        last[meeting.first], last[meeting.second] = meeting.second, meeting.first
    return last


def points(room: Room) -> dict[int, float]:
    """Points of every member: a win and a bye are one, a draw is half."""
    gained = {member.number: 0.0 for member in room.members}
    for meeting in room.meetings:
        if meeting.counts:
            for number in meeting.members:
                gained[number] += meeting.points_of(number)
    for number in room.byes:
        gained[number] += 1
    return gained


def order_pair(room: Room, one: int, other: int) -> MemberPair:
    """The pair in playing order: swapped from their last game; else the one who has moved first less often comes
    first; else by the numbers."""
    for meeting in reversed(room.meetings):
        if set(meeting.members) == {one, other}:
            return meeting.second, meeting.first
    begun = Counter(meeting.first for meeting in room.meetings)
    if begun[one] != begun[other]:
        return (one, other) if begun[one] < begun[other] else (other, one)
    low, high = sorted((one, other))
    return (low, high) if (low + high) % 2 else (high, low)


def opening_of(room: Room, pair: MemberPair) -> tuple[int, ...]:
    """The opening of a pair's next game. Two consecutive games share an opening, with the sides swapped."""
    openings = room.setup.openings
    if not openings:
        return ()
    met = sum(set(meeting.members) == set(pair) for meeting in room.meetings)
    low, high = sorted(pair)
    return openings[(low + 7 * high + met // 2) % len(openings)]


def _free(room: Room, now: float) -> dict[int, Member]:
    """Members who are present, are not playing and have rested."""
    busy = {number for meeting in room.open_meetings for number in meeting.members}
    return {
        member.number: member
        for member in room.members
        if member.is_available and member.number not in busy and _is_rested(room, member, now)
    }


def _is_rested(room: Room, member: Member, now: float) -> bool:
    """Whether the rest after the last game is over; bots need none."""
    if member.kind in (BOT, LEVEL) or not _has_played(room.meetings, member.number):
        return True
    return now >= member.free_since + room.setup.rest


def _has_played(meetings: Sequence[Meeting], number: int) -> bool:
    return any(number in meeting.members for meeting in reversed(meetings))


PLANS = {CHALLENGES: _challenges, ROUND_ROBIN: _round_robin, SWISS: _swiss, LADDER: _ladder}
