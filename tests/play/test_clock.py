"""The clock of a match, computed from the times of the events."""

import pytest

from connectk.play import ruling
from connectk.play.events import Dropped, Joined, TakenBack
from connectk.play.match import Match, MatchSetup, Seat, TimeControl
from connectk.play.refusals import MatchStillOpen
from connectk.rules import EndReason, Position, Side


def clocked(increment: float = 0.0, second: Seat | None = None) -> Match:
    seats = Seat("Ann", holder="a"), second or Seat("Bob", holder="b")
    return Match.new("1", MatchSetup(Position.start(), *seats, control=TimeControl(60, increment)), 100.0)


def dropped(match: Match, column: int, at: float) -> Match:
    return match.after(Dropped(match.position.side_to_move, column, at))


def left(match: Match, now: float) -> tuple[float | None, float | None]:
    return match.left(Side.FIRST, now), match.left(Side.SECOND, now)


def test_only_the_clock_of_the_side_to_move_runs():
    match = dropped(clocked(), 3, 110.0)
    assert left(match, 125.0) == (60.0, 45.0)


def test_an_increment_is_given_back_after_each_drop():
    match = dropped(dropped(clocked(increment=2.0), 3, 110.0), 3, 120.0)
    assert left(match, 120.0) == (62.0, 52.0)


def test_the_clock_waits_for_the_other_seat_and_for_the_first_drop():
    waiting = clocked(second=Seat(""))
    assert left(waiting, 500.0) == (60.0, 60.0)
    begun = waiting.after(Joined(Side.SECOND, "Bob", "b", 500.0))
    assert left(begun, 510.0) == (60.0, 60.0)
    assert begun.deadline is None
    assert left(dropped(begun, 3, 510.0), 520.0) == (60.0, 50.0)


def test_in_a_room_the_clock_waits_for_nobody():
    setup = MatchSetup(
        Position.start(), Seat("Ann", holder="a"), Seat("Bob", holder="b"), control=TimeControl(60), room="R"
    )
    match = Match.new("1", setup, 100.0)
    assert left(match, 110.0) == (50.0, 60.0)
    assert match.deadline == 160.0
    assert left(dropped(match, 3, 110.0), 110.0) == (50.0, 60.0)


def test_an_undo_restores_the_clock():
    """An undo restores both clocks to the times at that position, and starts the turn again."""
    match = dropped(dropped(dropped(clocked(), 3, 110.0), 3, 130.0), 4, 135.0)
    back = match.after(TakenBack(1, 150.0))
    assert left(back, 150.0) == (60.0, 60.0)
    assert left(back, 155.0) == (60.0, 55.0)
    assert dropped(back, 2, 155.0).seconds == (10.0, 5.0)


def test_time_is_called_when_it_is_over_and_not_before():
    match = dropped(clocked(), 3, 110.0)
    assert match.deadline == 170.0
    with pytest.raises(MatchStillOpen):
        ruling.call_time(match, 169.9)
    ended = match.after(ruling.call_time(match, 170.0))
    assert (ended.result.winner, ended.result.reason) == (Side.FIRST, EndReason.TIME)
    assert left(ended, 999.0) == (60.0, 0.0)
    assert ended.deadline is None


def test_a_clock_stops_where_it_was_when_someone_resigns():
    match = dropped(clocked(), 3, 110.0)
    ended = match.after(ruling.resign(match, {Side.FIRST}, 120.0))
    assert left(ended, 999.0) == (60.0, 50.0)
