"""Tests knock-out tournaments, arenas against the clock and matches between teams."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectk.rooms import ruling
from connectk.rooms.bracket import MAX_TIE_GAMES, bracket, eliminated, round_count
from connectk.rooms.events import Joined, Left, Pair, Paired
from connectk.rooms.pairing import next_plan
from connectk.rooms.points import arena_scores, points_by_member
from connectk.rooms.room import ARENA, KNOCKOUT, LADDER, TEAMS, VOID_RESULT, Room
from connectk.rooms.standings import standings
from connectk.rooms.teams import team_points
from connectk.rules import Side
from tests.rooms.playing import begun, ended, played, room_of, with_pairs
from tests.rooms.test_pairing import check

SEEDS = st.integers(0, 10_000)


def rounds_played(room: Room, winner: Side | None = Side.FIRST) -> Room:
    """The room after each of its open games has ended with this winner."""
    for meeting in list(room.open_meetings):
        room = ended(room, meeting.number, winner, 3.0)
    return room


@given(st.integers(2, 40), SEEDS)
@settings(max_examples=20, deadline=None)
def test_in_a_knock_out_one_is_left(count, seed):
    """Each round of a knock-out halves the field, until one member has survived all rounds. Losers play no further
    game."""
    room = begun(room_of(count, KNOCKOUT))
    for now in played(room, seed):
        room = now
        check(room)
        out = eliminated(room)
        assert all(out.isdisjoint(meeting.members) for meeting in room.open_meetings)
    assert room.closed
    assert room.round == round_count(room.seeds) == (count - 1).bit_length()
    assert len(eliminated(room)) == count - 1
    table = standings(room)
    assert table[0].points == room.round
    assert [line.rank for line in table[:2]] == [1, 2]
    sizes = [sum(len(tie.members) for tie in ties) for ties in bracket(room)]
    assert sizes == [count] + [2 ** (room.round - n) for n in range(1, room.round)]


@given(st.integers(2, 20), SEEDS)
@settings(max_examples=20, deadline=None)
def test_those_who_never_come_to_a_knock_out_hold_nobody_up(count, seed):
    """Members who never come, or leave after the draw, do not delay a knock-out tournament."""
    room = begun(room_of(count, KNOCKOUT)).after(Left(1, 2.0))
    for now in played(room, seed, no_shows=0.3):
        room = now
        check(room)
    assert room.closed


def test_byes_go_to_computers_first_and_only_in_the_first_round():
    room = room_of(4, KNOCKOUT)
    for number in range(2):
        room = room.after(Joined(f"Level {number}", "level", None, "level:3", 0.0))
    room = with_pairs(begun(room), 2.0)
    assert sorted(room.byes) == [5, 6]
    assert set(room.seeds) == set(range(1, 7))
    room = with_pairs(rounds_played(room), 4.0)
    assert len(room.byes) == 2


def test_the_draw_is_stored_and_no_round_has_two_byes_against_each_other():
    """The draw is stored, so reading the events again gives the same bracket."""
    room = room_of(11, KNOCKOUT)
    event = ruling.begin(room, 1.0)
    room = with_pairs(room.after(event), 2.0)
    assert event.seeds == room.seeds
    assert len(room.meetings) == 3
    assert len(room.byes) == 5
    assert all(tie.members for tie in bracket(room)[0])


def test_a_draw_is_played_again_with_the_sides_swapped_and_then_the_second_goes_on():
    room = begun(room_of(2, KNOCKOUT))
    for number in range(MAX_TIE_GAMES):
        room = with_pairs(room, 10.0 * number + 10)
        assert len(room.meetings) == number + 1
        room = rounds_played(room, None)
    firsts = [meeting.first for meeting in room.meetings]
    assert firsts[0] == firsts[2] != firsts[1]
    assert bracket(room)[0][0].winner == room.meetings[-1].second
    assert with_pairs(room, 99.0).closed


def test_whoever_comes_after_the_draw_watches():
    room = with_pairs(begun(room_of(4, KNOCKOUT)), 2.0)
    room = room.after(ruling.join(room, "Late", "person", "h9", 2.5, max_members=9))
    assert 5 in eliminated(room)
    for now in played(room, 3):
        room = now
    assert all(5 not in meeting.members for meeting in room.meetings)


def test_wins_in_a_row_count_double_in_an_arena_until_one_fails():
    """In an arena, three wins in a row give 2, 2 and 4 points. The draw after them gives 2 and ends the streak."""
    room = begun(room_of(2, ARENA))
    for number, winner in enumerate([1, 1, 1, None, 1, 2]):
        room = room.after(Paired(0, (Pair(1, 2, f"m{number}"),), (), 2.0))
        side = None if winner is None else Side.FIRST if winner == 1 else Side.SECOND
        room = ended(room, number + 1, side, 3.0)
        if number == 1:
            assert arena_scores(room)[1].is_on_streak
            assert {line.member: line.is_on_streak for line in standings(room)} == {1: True, 2: False}
    assert points_by_member(room) == {1: 2 + 2 + 4 + 2 + 2, 2: 1 + 2}


def test_an_arena_ends_with_its_time_and_open_games_do_not_count():
    room = with_pairs(begun(room_of(4, ARENA, minutes=10)), 2.0)
    assert room.ends == 1.0 + 600
    room = rounds_played(room)
    room = with_pairs(room, 20.0)
    assert len(list(room.open_meetings)) == 2
    assert next_plan(room, 600.0) is None
    assert next_plan(room, 601.0).is_over
    room = with_pairs(room, 601.0)
    room = rounds_played(room)
    assert {meeting.reason for meeting in room.meetings[2:]} == {VOID_RESULT}
    assert sum(points_by_member(room).values()) == 4


def test_a_pause_prolongs_an_arena():
    room = begun(room_of(2, ARENA, minutes=10))
    paused = room.after(ruling.pause(room, 101.0))
    assert paused.ends is None
    assert next_plan(paused, 9999.0) is None
    assert ruling.pause(paused, 102.0) is None
    resumed = paused.after(ruling.resume(paused, 301.0))
    assert resumed.ends == 801.0
    assert ruling.resume(resumed, 302.0) is None


@pytest.mark.parametrize("kind", [ARENA, LADDER, "swiss", "round_robin", KNOCKOUT])
def test_nobody_is_paired_in_a_pause(kind):
    room = begun(room_of(4, kind))
    paused = room.after(ruling.pause(room, 2.0))
    assert next_plan(room, 3.0)
    assert next_plan(paused, 3.0) is None


def two_classes(count: int, other: int, **changes: object) -> Room:
    """A room of two teams, with this many members in each."""
    room = room_of(0, TEAMS, teams=("7A", "7B"), **changes)
    for number in range(count + other):
        team = 0 if number < count else 1
        room = room.after(
            ruling.join(room, f"Member {number + 1}", "person", f"h{number}", 0.0, max_members=99, team=team)
        )
    return room


@given(st.integers(2, 8), st.integers(2, 8), SEEDS)
@settings(max_examples=15, deadline=None)
def test_teams_meet_only_each_other_and_rest_evenly(count, other, seed):
    rounds = min(count, other)
    room = begun(two_classes(count, other, rounds=rounds))
    for now in played(room, seed):
        room = now
        check(room)
    assert room.closed
    assert room.round == rounds
    team = {member.number: member.team for member in room.members}
    assert all(team[meeting.first] != team[meeting.second] for meeting in room.meetings)
    assert max(Counter(frozenset(meeting.members) for meeting in room.meetings).values()) == 1
    rests = Counter(room.byes)
    larger = [number for number in team if team[number] == (0 if count > other else 1)]
    counts = [rests[number] for number in larger] if count != other else [0]
    assert max(counts) - min(counts) <= 1
    assert sum(team_points(room)) == len(room.meetings)
    assert sum(points_by_member(room).values()) == len(room.meetings)  # whoever rests has no point


def test_whoever_names_no_team_gets_into_the_smaller_one():
    room = two_classes(3, 1)
    joined = ruling.join(room, "Late", "person", "h9", 1.0, max_members=99)
    assert joined.team == 1
    with pytest.raises(ruling.NoTeam):
        ruling.join(room, "Other", "person", "h8", 1.0, max_members=99, team=2)
    with pytest.raises(ruling.NoTeam):
        ruling.join(room_of(1), "Other", "person", "h8", 1.0, max_members=99, team=0)


def test_the_host_moves_a_member_until_it_begins():
    room = two_classes(3, 1)
    moved = room.after(ruling.change_team(room, 1, 1, 1.0))
    assert [member.team for member in moved.members] == [1, 0, 0, 1]
    assert ruling.change_team(moved, 1, 1, 1.0) is None
    with pytest.raises(ruling.NoTeam):
        ruling.change_team(begun(moved), 1, 0, 2.0)
    with pytest.raises(ruling.TooFewMembers):
        ruling.begin(two_classes(3, 0), 1.0)


@pytest.mark.parametrize("kind", ["swiss", KNOCKOUT, TEAMS])
def test_the_next_round_now(kind):
    """When the host ends a round, open games count as unrated draws, and the next round begins without a rest."""
    room = two_classes(4, 4, rest=60.0) if kind == TEAMS else room_of(8, kind, rest=60.0)
    with pytest.raises(ruling.NoRound):
        ruling.stop_round(room, 1.0)
    room = with_pairs(begun(room), 2.0)
    room = ended(room, 1, Side.FIRST, 3.0)
    stopped = room.after(ruling.stop_round(room, 4.0))
    assert ruling.stop_round(stopped, 4.0) is None
    for meeting in list(stopped.open_meetings):
        assert stopped.is_stopped(meeting)
        stopped = ended(stopped, meeting.number, None, 4.5)
    assert [meeting.reason for meeting in stopped.meetings] == ["line", "full", "full", "full"]
    stopped = with_pairs(stopped, 5.0)
    assert stopped.round == 2
    assert list(stopped.open_meetings)


def test_a_stopped_game_is_a_draw_that_is_not_rated():
    from connectk.rooms.standings import rating_games
    from connectk.rules import EndReason, Result
    from tests.rooms.playing import BOTH_SIDES

    room = with_pairs(begun(room_of(2)), 2.0)
    room = room.after(ruling.stop_round(room, 3.0))
    room = room.after(ruling.score(room, 1, Result(None, EndReason.AGREED), BOTH_SIDES, 3.5))
    assert room.meetings[0].reason == "stopped"
    assert points_by_member(room) == {1: 0.5, 2: 0.5}
    assert rating_games(room)[0] == []


def test_whoever_waits_for_the_host_is_nowhere():
    """Until the host admits a member, that member is not paired and not in the table."""
    room = replace(room_of(2, "round_robin"), setup=replace(room_of(0, "round_robin").setup, approval=True))
    room = room.after(ruling.join(room, "Cleo", "person", "h3", 1.0, max_members=9))
    assert [line.member for line in standings(room)] == [1, 2]
    room = begun(room)
    assert len(next_plan(room, 2.0).pairs) == 1
    room = room.after(ruling.admit(room, [3, 3, 1], 2.0))
    assert ruling.admit(room, [3], 3.0) is None
    assert [line.member for line in standings(room)] == [1, 2, 3]
    for now in played(room, 1):
        room = now
    assert len(room.meetings) == 3
