"""Plans the rounds between two teams, and counts their points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from connectk.arena.swiss import REMATCH_COST, SECOND_BYE_COST, SwissPlayer, match_at_least_cost, pair_cost
from connectk.rooms.plans import PairingPlan, free_members, histories, order_pair
from connectk.rooms.points import points_by_member
from connectk.rooms.room import Room

PERSON_REST_COST = REMATCH_COST // 100  # the cost of a rest for a person, so that computer players rest first


def plan_teams(room: Room, now: float) -> PairingPlan | None:
    """Start a round when the last one is over. Everyone meets a member of the other team, and some of a larger team
    rest.

    Nobody meets the same opponent twice unless it is unavoidable.
    """
    if any(room.open_meetings):
        return None
    if room.round >= room.setup.rounds:
        return PairingPlan(room.round, is_over=True)
    free = free_members(room, now)
    if len(free) < sum(member.is_available for member in room.members):
        return None
    known = histories(room)
    teams = [[known[number] for number in free if free[number].team == team] for team in range(len(room.setup.teams))]
    small, large = sorted(teams, key=len)
    if not small:
        return None
    players = [*small, *large]
    found = match_at_least_cost(len(players) + len(large) - len(small), _costs(small, large))
    pairs = [(players[one].number, players[other].number) for one, other in found if other < len(players)]
    byes = tuple(players[one].number for one, other in found if other >= len(players))
    return PairingPlan(room.round + 1, tuple(order_pair(room, *pair) for pair in pairs), byes=byes)


def _costs(small: Sequence[SwissPlayer], large: Sequence[SwissPlayer]) -> Iterator[tuple[int, int, int]]:
    """The cost of each pair of members of the two teams, and the cost of a rest for each member of the larger team."""
    for place, one in enumerate(small):
        for other_place, other in enumerate(large, start=len(small)):
            yield place, other_place, pair_cost(one, other)
    for place, one in enumerate(large, start=len(small)):
        for rest in range(len(large) - len(small)):
            rested = SECOND_BYE_COST * one.byes + (0 if one.rests_first else PERSON_REST_COST)
            yield place, len(small) + len(large) + rest, rested


def smaller_team(room: Room) -> int:
    """The index of the team that has the fewest members present."""
    counts = [sum(member.team == team for member in room.present) for team in range(len(room.setup.teams))]
    return counts.index(min(counts))


def team_points(room: Room) -> list[float]:
    """The points of each team: the sum over all its members, including those who have left."""
    points = points_by_member(room)
    teams = range(len(room.setup.teams))
    return [sum(points[member.number] for member in room.members if member.team == team) for team in teams]
