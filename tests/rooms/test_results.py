"""The results of a room's games."""

import pytest

from connectk.play.refusals import CrosstableTooLarge
from connectk.rooms.points import points_by_member
from connectk.rooms.results import MAX_CROSSTABLE_LINES, crosstable, reason_of, result_of
from connectk.rules import Side
from tests.rooms.playing import begun, ended, played, room_of, with_pairs

ANN, BOB = 1, 2


def test_the_crosstable_says_who_scored_what_against_whom():
    """The crosstable shows each member's results against each other: Ann beats Bob, then draws with him."""
    room = begun(room_of(2, "round_robin", games=2))
    for number, winner in ((1, lambda meeting: Side(meeting.members.index(ANN))), (2, lambda meeting: None)):
        room = with_pairs(room, 10.0 * number)
        room = ended(room, number, winner(room.meetings[-1]), 10.0 * number + 1)
    ann, bob = crosstable(room)
    assert (ann.member, ann.points, ann.results) == (ANN, 1.5, ((), (1.0, 0.5)))
    assert (bob.member, bob.points, bob.results) == (BOB, 0.5, ((0.0, 0.5), ()))


@pytest.mark.parametrize("kind", ["round_robin", "swiss"])
def test_points_are_the_sum_of_the_results_and_of_the_byes(kind):
    for room in played(begun(room_of(7, kind)), seed=3, no_shows=0.1):
        lines = crosstable(room)
        for place, line in enumerate(lines):
            assert sum(map(sum, line.results)) + room.byes.count(line.member) == points_by_member(room)[line.member]
            assert line.results[place] == ()
            for other, results in zip(lines, line.results, strict=True):
                assert len(results) == len(other.results[place])


def test_a_crosstable_has_so_many_lines():
    """A crosstable has a limited number of lines. Members who leave stay in it, so it could reach millions of cells."""
    assert len(crosstable(room_of(MAX_CROSSTABLE_LINES, "swiss"))) == MAX_CROSSTABLE_LINES
    with pytest.raises(CrosstableTooLarge):
        crosstable(room_of(MAX_CROSSTABLE_LINES + 1, "swiss"))


def test_a_game_has_a_result_and_a_reason():
    room = with_pairs(begun(room_of(2, "round_robin")), 2.0)
    won = ended(room, 1, Side.SECOND, 3.0).meetings[0]
    drawn = ended(room, 1, None, 3.0).meetings[0]
    missed = ended(room, 1, Side.FIRST, 3.0, frozenset()).meetings[0]
    assert [(result_of(one), reason_of(one)) for one in (won, drawn, missed)] == [
        ("0-1", "line"),
        ("1/2-1/2", "full"),
        ("1-0", "no_show"),
    ]
