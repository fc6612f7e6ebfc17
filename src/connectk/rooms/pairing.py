"""Pairs the members of a room. The pairs depend only on the room's state and the time, so every process makes the same
pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from connectk.arena.round_robin import round_robin_pairs
from connectk.arena.swiss import pair_swiss_round
from connectk.rooms.knockout import plan_knockout
from connectk.rooms.plans import MemberPair, PairingPlan, free_members, histories, order_pair, walkover_winner
from connectk.rooms.points import points_by_member
from connectk.rooms.room import (
    ARENA,
    CHALLENGES,
    KNOCKOUT,
    LADDER,
    LEVEL_KIND,
    ROUND_ROBIN,
    SWISS,
    TEAMS,
    Member,
    Room,
)
from connectk.rooms.teams import plan_teams


def next_plan(room: Room, now: float) -> PairingPlan | None:
    """The next step of the room; None if there is nothing to do now."""
    if not room.begun or room.closed or room.paused_at is not None:
        return None
    return PLANNERS_BY_FORMAT[room.setup.format](room, now)


def _challenges(room: Room, now: float) -> PairingPlan | None:
    """Pair members after an accepted challenge, once both members are free. Bots and computer players accept every
    challenge."""
    free, pairs = free_members(room, now), []
    for challenge in room.challenges:
        other = room.members[challenge.to - 1]
        if (challenge.accepted or other.kind != "person") and {challenge.by, challenge.to} <= free.keys():
            pairs.append(order_pair(room, challenge.by, challenge.to))
            del free[challenge.by], free[challenge.to]
    return PairingPlan(room.round, tuple(pairs)) if pairs else None


def _round_robin(room: Room, now: float) -> PairingPlan | None:
    """Pair everyone with everyone.

    A game starts as soon as both players are free, so the slowest game holds up nobody else. A member who has left
    loses the remaining games at once. A member who is away loses them when no other game is left.
    """
    missing = list(_missing(room))
    if not missing:
        return _over_when_done(room)
    if lost := [pair for pair in missing if any(room.members[number - 1].left for number in pair)]:
        return PairingPlan(room.round, walkovers=tuple((pair, _who_stayed(room, pair)) for pair in lost))
    free, pairs = free_members(room, now), []
    for one, other in missing:
        if one in free and other in free:
            pairs.append(order_pair(room, one, other))
            del free[one], free[other]
    if pairs:
        return PairingPlan(room.round, tuple(pairs))
    if any(room.open_meetings) or any(_are_available(room, pair) for pair in missing):
        return None
    return PairingPlan(room.round, walkovers=tuple((pair, walkover_winner(room, pair)) for pair in missing))


def _missing(room: Room) -> Iterator[MemberPair]:
    """Yields the pairs that still have games to play, in the order of a round-robin table."""
    met = Counter(frozenset(meeting.members) for meeting in room.meetings)
    order = list(round_robin_pairs([member.number for member in room.contenders]))
    for game in range(room.setup.games):
        yield from (pair for pair in order if met[frozenset(pair)] <= game)


def _are_available(room: Room, pair: Iterable[int]) -> bool:
    return all(room.members[number - 1].is_available for number in pair)


def _who_stayed(room: Room, pair: MemberPair) -> int | None:
    return next((number for number in pair if not room.members[number - 1].left), None)


def _over_when_done(room: Room) -> PairingPlan | None:
    return None if any(room.open_meetings) else PairingPlan(room.round, is_over=True)


def _swiss(room: Room, now: float) -> PairingPlan | None:
    """Pair a round once the last round is over.

    Members with equal points meet. Nobody meets the same opponent twice if this can be avoided.
    """
    if any(room.open_meetings):
        return None
    if room.round >= room.setup.rounds:
        return PairingPlan(room.round, is_over=True)
    free = free_members(room, now)
    if len(free) < 2 or len(free) < sum(member.is_available for member in room.members):
        return None
    known = histories(room)
    paired = pair_swiss_round(known[number] for number in free)
    return PairingPlan(room.round + 1, paired.pairs, byes=() if paired.bye is None else (paired.bye,))


def _ladder(room: Room, now: float) -> PairingPlan | None:
    return _pair_nearest(room, now, _points_per_game(room))


def _arena(room: Room, now: float) -> PairingPlan | None:
    """Pair as on a ladder, but by points. When the time is over, the room is closed. Games that are still open then do
    not count."""
    if room.ends is not None and now >= room.ends:
        return PairingPlan(room.round, is_over=True)
    return _pair_nearest(room, now, points_by_member(room))


def _pair_nearest(room: Room, now: float, standing: Mapping[int, float]) -> PairingPlan | None:
    """Pair the waiting members, beginning with the member who has waited longest. The opponent is the free member with
    the nearest score. The last opponent is chosen only if no other member is free."""
    free, last = free_members(room, now), _last_opponents(room)
    several = sum(member.is_available for member in room.members) > 2
    pairs = []
    for one in sorted(free.values(), key=lambda member: (member.free_since, member.number)):
        if one.number not in free:
            continue
        del free[one.number]
        others = [
            other
            for other in free.values()
            if not one.kind == other.kind == LEVEL_KIND and not (several and last.get(one.number) == other.number)
        ]
        if others:
            nearest = min(others, key=_distance(standing, one))
            del free[nearest.number]
            pairs.append(order_pair(room, one.number, nearest.number))
    return PairingPlan(room.round, tuple(pairs)) if pairs else None


def _distance(standing: Mapping[int, float], one: Member) -> Callable[[Member], tuple[float, float, int]]:
    return lambda other: (abs(standing[other.number] - standing[one.number]), other.free_since, other.number)


def _points_per_game(room: Room) -> dict[int, float]:
    """The points per game of each member. Each member gets one additional draw in this calculation, so that a newcomer
    starts in the middle."""
    games = Counter(number for meeting in room.meetings if meeting.counts for number in meeting.members)
    return {number: (gained + 0.5) / (games[number] + 1) for number, gained in points_by_member(room).items()}


def _last_opponents(room: Room) -> dict[int, int]:
    last: dict[int, int] = {}
    for meeting in room.meetings:
        last[meeting.first], last[meeting.second] = meeting.second, meeting.first
    return last


def opening_of(room: Room, pair: MemberPair) -> tuple[int, ...]:
    """The opening of this pair's next game. The pair plays each opening twice, with the sides swapped, before the next
    opening."""
    openings = room.setup.openings
    if not openings:
        return ()
    met = sum(set(meeting.members) == set(pair) for meeting in room.meetings)
    low, high = sorted(pair)
    return openings[(low + 7 * high + met // 2) % len(openings)]


PLANNERS_BY_FORMAT: Mapping[str, Callable[[Room, float], PairingPlan | None]] = {
    CHALLENGES: _challenges,
    ROUND_ROBIN: _round_robin,
    SWISS: _swiss,
    LADDER: _ladder,
    KNOCKOUT: plan_knockout,
    ARENA: _arena,
    TEAMS: plan_teams,
}
