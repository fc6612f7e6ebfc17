"""Pairings are fair and complete. The same room always gets the same pairings."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectk.arena.round_robin import round_robin_pairs
from connectk.rooms import ruling
from connectk.rooms.events import Joined, Left, Pair, Paired
from connectk.rooms.pairing import next_plan
from connectk.rooms.points import points_by_member
from connectk.rooms.room import CHALLENGES, LADDER, ROUND_ROBIN, Room
from connectk.rooms.standings import ELO_PER_LEVEL, rating_games, ratings, standings
from connectk.rules import Side
from tests.rooms.playing import begun, ended, played, room_of, with_pairs

SEEDS = st.integers(0, 10_000)


def check(room: Room) -> None:
    """Check the facts that must hold in every room at every moment."""
    busy = Counter(number for meeting in room.open_meetings for number in meeting.members)
    assert all(count == 1 for count in busy.values()), "somebody sits at two boards"
    assert all(meeting.first != meeting.second for meeting in room.meetings)
    assert next_plan(room, 1e9) == next_plan(room, 1e9)


@given(st.integers(2, 12), st.integers(1, 2), SEEDS)
@settings(max_examples=15, deadline=None)
def test_in_a_round_robin_everyone_meets_everyone(count, games, seed):
    """In a round robin, all pairs meet the given number of times, and each member moves first about half of the
    time."""
    room = begun(room_of(count, ROUND_ROBIN, games=games))
    for now in played(room, seed):
        room = now
        check(room)
    assert room.closed
    met = Counter(frozenset(meeting.members) for meeting in room.meetings)
    assert met == {frozenset(pair): games for pair in combinations(range(1, count + 1), 2)}
    if games == 2:
        assert Counter(m.first for m in room.meetings) == Counter(m.second for m in room.meetings)


@given(st.integers(2, 30))
def test_the_table_has_rounds_in_which_nobody_plays_twice(count):
    pairs = list(round_robin_pairs(range(count)))
    size = count // 2
    for start in range(0, len(pairs), size):
        some = [number for pair in pairs[start : start + size] for number in pair]
        assert len(set(some)) == len(some)


@given(st.integers(4, 24), SEEDS)
@settings(max_examples=15, deadline=None)
def test_a_swiss_tournament_pairs_nobody_twice(count, seed):
    """In a small Swiss tournament nobody meets twice. Each member plays once a round, or rests for a point at most
    once."""
    rounds = count // 2
    room = begun(room_of(count, rounds=rounds))
    for now in played(room, seed):
        room = now
        check(room)
    assert room.closed
    assert room.round == rounds
    assert max(Counter(frozenset(meeting.members) for meeting in room.meetings).values()) == 1
    assert len(room.byes) == (rounds if count % 2 else 0)
    assert max(Counter(room.byes).values(), default=0) <= 1
    assert sum(points_by_member(room).values()) == len(room.meetings) + len(room.byes)


def test_whoever_rests_is_named_for_that_round_alone():
    """One of three members rests in each round, and never twice in a row."""
    room = with_pairs(begun(room_of(3)), 2.0)
    rested = room.resting
    room = with_pairs(ended(room, 1, Side.FIRST, 3.0), 4.0)
    assert room.round == 2
    assert len(rested) == len(room.resting) == 1
    assert room.byes == rested + room.resting


def test_a_swiss_round_pairs_equals():
    """After one round the winners meet each other, and so do the losers."""
    room = with_pairs(begun(room_of(8)), 2.0)
    for meeting in room.meetings:
        room = ended(room, meeting.number, Side.FIRST, 3.0)
    winners = {meeting.winner for meeting in room.meetings}
    for one, other in next_plan(room, 4.0).pairs:
        assert (one in winners) == (other in winners)


@given(st.integers(3, 10), SEEDS, st.sampled_from(["swiss", ROUND_ROBIN]))
@settings(max_examples=15, deadline=None)
def test_those_who_never_come_hold_nobody_up(count, seed, kind):
    """A member who does not come in time is not paired again, and the tournament still ends by itself."""
    room = begun(room_of(count, kind, rounds=3))
    for now in played(room, seed, no_shows=0.3):
        room = now
        check(room)
        for meeting in room.open_meetings:
            assert all(room.members[number - 1].is_available for number in meeting.members)
    assert room.closed or sum(member.is_available for member in room.members) < 2


def test_one_who_returns_is_paired_again():
    room = with_pairs(begun(room_of(2, LADDER)), 2.0)
    room = ended(room, 1, Side.FIRST, 3.0, frozenset({Side.FIRST}))
    lost = room.meetings[0].second
    assert room.members[lost - 1].away
    assert next_plan(room, 100.0) is None
    room = room.after(ruling.come_back(room, lost, 101.0))
    assert ruling.come_back(room, lost, 102.0) is None
    assert set(next_plan(room, 102.0).pairs[0]) == {1, 2}


@given(st.integers(2, 9), SEEDS)
@settings(max_examples=10, deadline=None)
def test_a_ladder_never_ends_and_leaves_nobody_out(count, seed):
    room = begun(room_of(count, LADDER))
    for now in played(room, seed, max_steps=30 * count):
        room = now
        check(room)
    assert not room.closed
    games = Counter(number for meeting in room.meetings for number in meeting.members)
    assert min(games[number] for number in range(1, count + 1)) * 4 > max(games.values())
    if count > 2:
        last = {}
        for meeting in room.meetings:
            assert last.get(meeting.first) != meeting.second or last.get(meeting.second) != meeting.first
            last[meeting.first], last[meeting.second] = meeting.second, meeting.first


def test_whoever_leaves_is_paired_no_more_and_keeps_a_line():
    room = with_pairs(begun(room_of(3, ROUND_ROBIN)), 2.0)
    room = ended(room, 1, Side.FIRST, 3.0)
    gone = room.meetings[0].second
    room = room.after(Left(gone, 4.0))
    for now in played(room, 1):
        room = now
        assert all(gone not in meeting.members for meeting in room.open_meetings)
    assert room.closed
    assert gone in {line.member for line in standings(room)}


def round_robin(results: dict[tuple[int, int], int | None], count: int) -> Room:
    """A round robin with these results: the winner for each pair, or None for a draw."""
    room = begun(room_of(count, ROUND_ROBIN))
    room = room.after(Paired(0, tuple(Pair(*pair, f"match {pair}") for pair in results), (), 2.0))
    for meeting in room.meetings:
        winner = results[meeting.members]
        side = None if winner is None else Side.FIRST if winner == meeting.first else Side.SECOND
        room = ended(room, meeting.number, side, 3.0)
    return room


def test_equal_points_in_a_round_robin_are_decided_by_the_direct_encounter():
    """Members 2 and 3 have two points each; 2 is ahead because 2 beat 3, although 3 beat the winner."""
    results = {
        (1, 2): 1,
        (1, 3): 3,
        (1, 4): 1,
        (1, 5): 1,
        (2, 3): 2,
        (2, 4): 2,
        (2, 5): 5,
        (3, 4): 3,
        (3, 5): 5,
        (4, 5): 4,
    }
    table = standings(round_robin(results, 5))

    assert [(line.rank, line.member, line.points, line.direct) for line in table] == [
        (1, 1, 3.0, 0.0),
        (2, 5, 2.0, 2.0),
        (3, 2, 2.0, 1.0),
        (4, 3, 2.0, 0.0),
        (5, 4, 1.0, 0.0),
    ]


def test_then_by_the_points_of_those_who_were_beaten():
    """Members 1 and 2 have equal points. Member 1 is ahead, because it beat a member with more points."""
    results = {(1, 2): None, (1, 3): 1, (1, 4): 4, (1, 5): 1, (2, 3): 3, (2, 4): 2, (2, 5): 2}
    table = standings(round_robin(results | {(3, 4): 3, (3, 5): 5, (4, 5): 5}, 5))

    assert [(line.rank, line.member, line.points, line.direct, line.sonneborn_berger) for line in table[:2]] == [
        (1, 1, 2.5, 0.5, 5.25),
        (2, 2, 2.5, 0.5, 4.25),
    ]


def test_whoever_leaves_before_half_of_the_games_is_annulled():
    """If a member leaves after one of four games, that game counts for nobody, and nobody waits for the other three."""
    room = round_robin({(1, 2): 1}, 5).after(Left(2, 4.0))
    assert points_by_member(room) == dict.fromkeys(range(1, 6), 0.0)
    assert 2 not in {line.member for line in standings(room)}
    for now in played(room, 1):
        room = now
    assert room.closed
    assert all(line.games == 3 for line in standings(room))
    assert 2 in {number for game in rating_games(room)[0] for number in game[:2]}  # as a measure of strength it holds


def test_whoever_leaves_later_loses_the_rest_at_once():
    """If a member leaves after two of four games, these count, and the opponents win the other two at once."""
    room = round_robin({(1, 2): 1, (2, 3): 2, (4, 5): None}, 5).after(Left(2, 4.0))
    room = with_pairs(room, 5.0)

    assert {(frozenset(meeting.members), meeting.winner) for meeting in room.meetings[3:]} == {
        (frozenset((2, 4)), 4),
        (frozenset((2, 5)), 5),
    }
    assert points_by_member(room) == {1: 1.0, 2: 1.0, 3: 0.0, 4: 1.5, 5: 1.5}
    assert not any(room.open_meetings)


def test_two_who_agree_play_and_a_bot_always_agrees():
    room = room_of(3, CHALLENGES)
    room = room.after(Joined("robot", "bot", "h4", None, 0.0))
    room = room.after(ruling.challenge(room, 1, 2, 1.0))
    assert next_plan(room, 2.0) is None
    room = room.after(ruling.challenge(room, 3, 4, 2.0))
    assert {frozenset(pair) for pair in next_plan(room, 2.0).pairs} == {frozenset((3, 4))}
    room = room.after(ruling.challenge(room, 2, 1, 3.0))  # a challenge in return accepts the first one
    room = with_pairs(room, 3.0)
    assert {frozenset(m.members) for m in room.meetings} == {frozenset((1, 2)), frozenset((3, 4))}
    assert room.challenges == ()
    with pytest.raises(ruling.ChallengeNotFound):
        ruling.accept(room, 1, 2, 4.0)


def test_people_rest_between_two_games():
    room = with_pairs(begun(room_of(2, LADDER, rest=5.0)), 2.0)
    room = ended(room, 1, Side.FIRST, 10.0)
    assert next_plan(room, 14.9) is None
    assert next_plan(room, 15.0).pairs == ((room.meetings[0].second, room.meetings[0].first),)


def test_computer_levels_are_fixed_points_of_the_scale():
    """The ratings of computer levels are fixed: a member who scores half against level 4 gets its rating, a stronger
    member more."""
    room = room_of(2, LADDER)
    room = room.after(Joined("Level 4", "level", None, "level:4", 0.0))
    room = begun(room)
    for number in range(300):
        room = with_pairs(room, float(number))
        for meeting in list(room.open_meetings):
            level, strong = 3 in meeting.members, 1 in meeting.members
            winner = (1 if number % 4 else 3) if level and strong else (2 if number % 2 else 3) if level else 1
            side = Side.FIRST if meeting.first == winner else Side.SECOND
            room = ended(room, meeting.number, side if winner in meeting.members else None, float(number))
    found = ratings(room)
    assert found[3].elo == pytest.approx(4 * ELO_PER_LEVEL)
    assert found[3].margin == 0
    assert found[1].elo > found[2].elo + 50
    assert abs(found[2].elo - 4 * ELO_PER_LEVEL) < 150
    assert 0 < found[1].margin < 200
    assert standings(room, found)[0].member == 1


def test_equals_share_a_rank():
    lines = standings(room_of(4))
    assert [line.rank for line in lines] == [1, 1, 1, 1]
