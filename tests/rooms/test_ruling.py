"""What a room allows, and how an event is told and read again."""

import json

import pytest

from connectk.play.keys import CODE, new_code, read_code
from connectk.play.refusals import BadName
from connectk.rooms import ruling
from connectk.rooms.events import KINDS, Pair, Paired, Scored, event_from, facts_of
from connectk.rooms.room import ROUND_ROBIN, VOID
from connectk.rules import EndReason, Result, Side
from tests.rooms.playing import BOTH, begun, ended, room_of, with_pairs


@pytest.mark.parametrize(
    "name", ["", "  ", "a\nb\u202e", "\u200b", "x" * 41, "...", "z\u0300\u0301\u0302\u0303", "\x1b[31m"]
)
def test_a_name_is_clean(name):
    with pytest.raises(BadName):
        ruling.join(room_of(0), name, "person", "h", 0.0, max_members=9)


@pytest.mark.parametrize("name", ["member 1", "MEMBER 1", " Member  1 ", "Ｍember 1", "Member1"])
def test_a_name_is_unique(name):
    """Neither case nor width nor spaces make another name."""
    with pytest.raises(ruling.NameTaken):
        ruling.join(room_of(2), name, "person", "h", 0.0, max_members=9)
    with pytest.raises(ruling.NameTaken):
        ruling.rename(room_of(2), 2, name, 0.0)
    assert ruling.rename(room_of(2), 1, "member one", 0.0).name == "member one"


def test_whoever_joins_twice_with_one_secret_is_one_member():
    room = room_of(1)
    assert ruling.join(room, "Other", "person", "h1", 0.0, max_members=9) is None


def test_a_room_for_people_takes_no_bots_but_levels():
    room = room_of(0, who="people")
    with pytest.raises(ruling.KindNotAllowed):
        ruling.join(room, "R2", "bot", "h", 0.0, max_members=9)
    assert ruling.join(room, "Level 3", "level", None, 0.0, max_members=9, player="level:3").player == "level:3"
    with pytest.raises(ruling.KindNotAllowed):
        ruling.join(room_of(0, who="bots"), "Ann", "person", "h", 0.0, max_members=9)


def test_a_room_has_an_end_and_a_size():
    room = room_of(2)
    with pytest.raises(ruling.RoomFull):
        ruling.join(room, "Cleo", "person", "h", 0.0, max_members=2)
    with pytest.raises(ruling.TooFewMembers):
        ruling.begin(room_of(1), 0.0)
    with pytest.raises(ruling.AlreadyBegun):
        ruling.begin(begun(room), 0.0)
    closed = room.after(ruling.close(room, 1.0))
    assert ruling.close(closed, 2.0) is None
    for act in (lambda: ruling.join(closed, "C", "person", "h", 0.0, max_members=9), lambda: ruling.begin(closed, 0.0)):
        with pytest.raises(ruling.RoomClosed):
            act()


def test_a_result_counts_once_and_not_after_the_end():
    room = with_pairs(begun(room_of(2, ROUND_ROBIN)), 1.0)
    won = Result(Side.FIRST, EndReason.LINE)
    scored = room.after(ruling.score(room, 1, won, BOTH, 2.0))
    assert ruling.score(scored, 1, won, BOTH, 3.0) is None
    closed = room.after(ruling.close(room, 2.0))
    assert ruling.score(closed, 1, won, BOTH, 3.0).reason == VOID


def test_who_resigned_or_played_has_shown_up():
    room = with_pairs(begun(room_of(2, ROUND_ROBIN)), 1.0)
    resigned = ruling.score(room, 1, Result(Side.SECOND, EndReason.RESIGNED), frozenset(), 2.0)
    assert resigned.no_show is None
    assert ruling.score(room, 1, Result(Side.SECOND, EndReason.TIME), BOTH, 2.0).no_show is None
    late = ruling.score(room, 1, Result(Side.SECOND, EndReason.TIME), frozenset(), 2.0)
    assert late.no_show == room.meetings[0].first


def test_every_event_is_read_as_it_was_written():
    """Also after a way through JSON, where pairs are lists."""
    seen = set()
    events = [ruling.begin(room_of(2), 1.0), ruling.close(room_of(2), 1.0), ruling.leave(room_of(2), 1, 1.0)]
    asked = room_of(2, "challenges")
    events.append(ruling.challenge(asked, 1, 2, 1.0))
    asked = asked.after(events[-1])
    events += [ruling.accept(asked, 1, 2, 2.0), ruling.decline(asked, 1, 2, 2.0), ruling.rename(asked, 1, "Ann", 2.0)]
    away = ended(with_pairs(begun(room_of(2)), 1.0), 1, Side.FIRST, 2.0, frozenset())
    events.append(ruling.come_back(away, away.meetings[0].second, 3.0))
    events.append(ruling.join(asked, "Bob", "person", "h", 3.0, max_members=9))
    events += [Paired(1, (Pair(1, 2, "m"), Pair(3, 4, None, 3)), (5,), 4.0), Scored(1, None, "full", None, 5.0)]
    for event in events:
        kind = next(name for name, cls in KINDS.items() if type(event) is cls)
        seen.add(kind)
        assert event_from(kind, event.at, json.loads(json.dumps(facts_of(event)))) == event
    assert seen == set(KINDS)


def test_a_code_is_read_as_people_type_it():
    code = new_code()
    assert CODE.fullmatch(code)
    assert read_code(f" {code[:3].lower()}-{code[3:]} ") == code
    assert read_code("O0I1L5") is None
    assert read_code("ABC") is None
