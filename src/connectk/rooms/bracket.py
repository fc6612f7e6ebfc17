"""The bracket of a knock-out tournament: the pairs of each round, and the members who reach the next round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from connectk.rooms.room import Meeting, Room

MAX_TIE_GAMES = 3  # after this many draws, the player who moved second in the last game reaches the next round


@dataclass(frozen=True, slots=True)
class Tie:
    """Two places in a round, and the games between their two members. A place without a member is None.

    `winner` is the member who reaches the next round. It is None while this is undecided, and if neither member reaches
    it.
    """

    first: int | None
    second: int | None
    meetings: tuple[Meeting, ...]
    is_over: bool
    winner: int | None

    @property
    def members(self) -> tuple[int, ...]:
        return tuple(number for number in (self.first, self.second) if number is not None)


def bracket(room: Room) -> list[list[Tie]]:
    """The ties of each round that has begun."""
    places, rounds = _first_places(room.seeds), []
    for number in range(1, room.round + 1):
        ties = ties_between(room, places, number)
        rounds.append(ties)
        places = [tie.winner for tie in ties]
    return rounds


def next_ties(room: Room) -> list[Tie]:
    """The ties of the next round. Empty if the tournament has a winner."""
    done = bracket(room)
    places = [tie.winner for tie in done[-1]] if done else _first_places(room.seeds)
    return ties_between(room, places, room.round + 1) if len(places) > 1 else []


def ties_between(room: Room, places: Sequence[int | None], number: int) -> list[Tie]:
    """The ties of the round with this number. The first place meets the second, the third meets the fourth, and so
    on."""
    games: dict[frozenset[int], list[Meeting]] = {}
    for meeting in room.meetings:
        if meeting.round == number:
            games.setdefault(frozenset(meeting.members), []).append(meeting)
    pairs = zip(places[::2], places[1::2], strict=True)
    return [_tie(room, one, other, games.get(frozenset((one or 0, other or 0)), ())) for one, other in pairs]


def _tie(room: Room, one: int | None, other: int | None, meetings: Sequence[Meeting]) -> Tie:
    if one is None or other is None:
        return Tie(one, other, (), is_over=True, winner=one or other)
    over, winner = _decision(room, meetings)
    return Tie(one, other, tuple(meetings), over, winner)


def _decision(room: Room, meetings: Sequence[Meeting]) -> tuple[bool, int | None]:
    """Whether these games decide the tie, and the member who reaches the next round, if there is one."""
    last = meetings[-1] if meetings else None
    if last is None or last.is_open:
        return False, None
    if last.winner is not None or last.match is None:
        return True, last.winner
    if len(meetings) >= MAX_TIE_GAMES or room.is_stopped(last):
        return True, last.second
    return False, None


def _first_places(seeds: Sequence[int]) -> list[int | None]:
    """The places of the first round. Members with the best seeds have no opponent in the first round, and meet each
    other as late as possible."""
    order, size = [0], 1
    while size < len(seeds):
        size *= 2
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    return [seeds[seed] if seed < len(seeds) else None for seed in order] if seeds else []


def round_count(seeds: Sequence[int]) -> int:
    """The number of rounds until one member is left."""
    return max(0, len(seeds) - 1).bit_length()


def ties_won(room: Room) -> Counter[int]:
    """The number of rounds that each member has survived, including those without an opponent."""
    return Counter(tie.winner for ties in bracket(room) for tie in ties if tie.winner is not None)


def eliminated(room: Room) -> set[int]:
    """The members who will not play again, because they lost a tie or joined after the draw."""
    if not room.begun:
        return set()
    alive = set(room.seeds)
    for ties in bracket(room):
        alive -= {number for tie in ties if tie.is_over for number in tie.members if number != tie.winner}
    return {member.number for member in room.members} - alive
