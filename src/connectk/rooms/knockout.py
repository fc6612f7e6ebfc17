"""Plans the rounds of a knock-out tournament."""

from __future__ import annotations

from collections.abc import Sequence

from connectk.rooms.bracket import Tie, bracket, next_ties
from connectk.rooms.plans import MemberPair, PairingPlan, Walkover, free_members, order_pair, walkover_winner
from connectk.rooms.room import Room


def plan_knockout(room: Room, now: float) -> PairingPlan | None:
    """Start the games of this round. Drawn games are played again with the sides swapped. The next round starts when
    all ties are decided."""
    if open_ties := [tie for tie in bracket(room)[-1] if not tie.is_over] if room.round else []:
        pairs, walkovers = _games(room, open_ties, now)
        return PairingPlan(room.round, pairs, walkovers) if pairs or walkovers else None
    ties = next_ties(room)
    if not ties:
        return PairingPlan(room.round, is_over=True)
    playing = [number for tie in ties if len(tie.members) == 2 for number in tie.members]
    free = free_members(room, now)
    if any(room.members[number - 1].is_available and number not in free for number in playing):
        return None
    pairs, walkovers = _games(room, [tie for tie in ties if not tie.is_over], now)
    byes = tuple(tie.winner for tie in ties if tie.is_over and tie.winner is not None)
    return PairingPlan(room.round + 1, pairs, walkovers, byes)


def _games(room: Room, ties: Sequence[Tie], now: float) -> tuple[tuple[MemberPair, ...], tuple[Walkover, ...]]:
    """The games to start in these ties, and the games that cannot be played because a member is absent."""
    free, pairs, walkovers = free_members(room, now), list[MemberPair](), list[Walkover]()
    for tie in ties:
        assert tie.first
        assert tie.second
        pair = (tie.first, tie.second)
        if any(meeting.is_open for meeting in tie.meetings):
            continue
        if all(number in free for number in pair):
            pairs.append(order_pair(room, *pair))
        elif not all(room.members[number - 1].is_available for number in pair):
            walkovers.append((pair, walkover_winner(room, pair)))
    return tuple(pairs), tuple(walkovers)
