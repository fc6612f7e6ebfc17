"""Tests the rules of a room, and that events are read as they were written."""

import json

import pytest

from connectk.play.refusals import BadName
from connectk.play.secrets_and_codes import ROOM_CODE_PATTERN, new_room_code, parse_room_code
from connectk.rooms import ruling
from connectk.rooms.events import (
    ROOM_EVENT_CLASSES,
    Admitted,
    Begun,
    HostAdded,
    HostInvited,
    HostLeft,
    Pair,
    Paired,
    RoundStopped,
    Scored,
    TeamChanged,
    event_from,
    facts_of,
)
from connectk.rooms.room import ROUND_ROBIN, VOID_RESULT, Room
from connectk.rules import EndReason, Result, Side
from tests.rooms.playing import BOTH_SIDES, begun, ended, room_of, with_pairs


@pytest.mark.parametrize(
    "name", ["", "  ", "a\nb\u202e", "\u200b", "x" * 41, "...", "z\u0300\u0301\u0302\u0303", "\x1b[31m"]
)
def test_a_name_is_clean(name):
    with pytest.raises(BadName):
        ruling.join(room_of(0), name, "person", "h", 0.0, max_members=9)


@pytest.mark.parametrize("name", ["member 1", "MEMBER 1", " Member  1 ", "Ｍember 1", "Member1"])
def test_a_name_is_unique(name):
    """Two names that differ only in case, width or spaces count as the same name."""
    with pytest.raises(ruling.NameTaken):
        ruling.join(room_of(2), name, "person", "h", 0.0, max_members=9)
    with pytest.raises(ruling.NameTaken):
        ruling.rename(room_of(2), 2, name, 0.0)
    assert ruling.rename(room_of(2), 1, "member one", 0.0).name == "member one"


@pytest.mark.parametrize(
    "name",
    [
        "Level 3",
        "level:10",
        "LEVEL  4",
        "Computer 3",
        "Computer 3: Learner",
        "Tietokone 7",
        "Mestari",
        "random",
        "Ｒandom",
    ],
)
def test_the_names_of_computers_are_reserved(name):
    """A person or bot cannot take such a name in any language or spelling, nor by a rename."""
    for kind in ("person", "bot"):
        with pytest.raises(ruling.NameReserved):
            ruling.join(room_of(1), name, kind, "h", 0.0, max_members=9)
    with pytest.raises(ruling.NameReserved):
        ruling.rename(room_of(1), 1, name, 0.0)
    assert ruling.join(room_of(1), f"{name} bot", "bot", "h", 0.0, max_members=9).name.endswith("bot")


def room_with_a_bot() -> Room:
    """A room in which a person and a bot play its first meeting, in the match `match 0`."""
    room = room_of(1, ROUND_ROBIN)
    room = room.after(ruling.join(room, "Robo", "bot", "h", 0.0, max_members=9))
    return with_pairs(begun(room), 1.0)


def test_a_bot_says_once_why_it_cannot_go_on():
    room = room_with_a_bot()
    failed = ruling.fail(room, "match 0", 2, "Index\nError\x1b[31m: \u202e" + "x" * 999, 2.0)
    assert failed.words == "Index Error [31m: " + "x" * (ruling.MAX_FAILURE_CHARS - 18)
    room = room.after(failed)
    assert room.meetings[0].failure == failed.words
    assert ruling.fail(room, "match 0", 2, "again", 3.0) is None


@pytest.mark.parametrize(("match", "member"), [("match 0", 1), ("match 0", 3), ("match 7", 2)])
def test_only_a_bot_at_its_own_board_says_that_it_failed(match, member):
    """Only a bot at its own board can report that it failed. A person cannot, and a bot cannot report on another
    match."""
    room = room_with_a_bot()
    room = room.after(ruling.join(room, "Other", "bot", "h3", 1.0, max_members=9))
    with pytest.raises(ruling.NotYourGame):
        ruling.fail(room, match, member, "words", 2.0)
    with pytest.raises(ruling.NotYourGame):
        ruling.fail(ended(room, 1, Side.FIRST, 2.0), "match 0", 2, "words", 3.0)


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


def test_only_those_who_are_present_fill_a_room():
    """If a member leaves, another one can join. Over its whole time, a room may have twenty times as many members as at
    once."""
    room = room_of(2)
    room = room.after(ruling.leave(room, 2, 0.0))
    room = room.after(ruling.join(room, "Cleo", "person", "h3", 0.0, max_members=2))
    assert [member.number for member in room.present] == [1, 3]
    while len(room.members) < 2 * ruling.MAX_MEMBERS_EVER:
        room = room.after(ruling.leave(room, len(room.members), 0.0))
        room = room.after(ruling.join(room, "Cleo", "person", f"h{room.seq}", 0.0, max_members=2))
    room = room.after(ruling.leave(room, len(room.members), 0.0))
    with pytest.raises(ruling.RoomFull):
        ruling.join(room, "Dora", "person", "h", 0.0, max_members=2)


def test_a_locked_room_lets_nobody_new_in():
    """Nobody new can join a locked room, but members may come back and the host may add levels."""
    room = room_of(1)
    locked = room.after(ruling.lock(room, 1.0))
    assert ruling.lock(locked, 2.0) is None
    assert ruling.unlock(room, 2.0) is None
    with pytest.raises(ruling.RoomLocked):
        ruling.join(locked, "Cleo", "person", "h", 2.0, max_members=9)
    assert ruling.join(locked, "Cleo", "person", "h1", 2.0, max_members=9) is None
    assert ruling.join(locked, "Level 3", "level", None, 2.0, max_members=9, player="level:3")
    unlocked = locked.after(ruling.unlock(locked, 3.0))
    assert ruling.join(unlocked, "Cleo", "person", "h", 4.0, max_members=9).name == "Cleo"


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
    scored = room.after(ruling.score(room, 1, won, BOTH_SIDES, 2.0))
    assert ruling.score(scored, 1, won, BOTH_SIDES, 3.0) is None
    closed = room.after(ruling.close(room, 2.0))
    assert ruling.score(closed, 1, won, BOTH_SIDES, 3.0).reason == VOID_RESULT


def test_who_resigned_or_played_has_shown_up():
    room = with_pairs(begun(room_of(2, ROUND_ROBIN)), 1.0)
    resigned = ruling.score(room, 1, Result(Side.SECOND, EndReason.RESIGNED), frozenset(), 2.0)
    assert resigned.no_show is None
    assert ruling.score(room, 1, Result(Side.SECOND, EndReason.TIME), BOTH_SIDES, 2.0).no_show is None
    late = ruling.score(room, 1, Result(Side.SECOND, EndReason.TIME), frozenset(), 2.0)
    assert late.no_show == room.meetings[0].first


def test_every_event_is_read_as_it_was_written():
    """Every event is read as it was written, also after a conversion to JSON, in which pairs become lists."""
    seen = set()
    events = [ruling.begin(room_of(2), 1.0), ruling.close(room_of(2), 1.0), ruling.leave(room_of(2), 1, 1.0)]
    events += [ruling.lock(room_of(2), 1.0), ruling.unlock(room_of(2).after(ruling.lock(room_of(2), 1.0)), 2.0)]
    asked = room_of(2, "challenges")
    events.append(ruling.challenge(asked, 1, 2, 1.0))
    asked = asked.after(events[-1])
    events += [ruling.accept(asked, 1, 2, 2.0), ruling.decline(asked, 1, 2, 2.0), ruling.rename(asked, 1, "Ann", 2.0)]
    away = ended(with_pairs(begun(room_of(2)), 1.0), 1, Side.FIRST, 2.0, frozenset())
    events.append(ruling.come_back(away, away.meetings[0].second, 3.0))
    events.append(ruling.join(asked, "Bob", "person", "h", 3.0, max_members=9))
    events += [Paired(1, (Pair(1, 2, "m"), Pair(3, 4, None, 3)), (5,), 4.0), Scored(1, None, "full", None, 5.0)]
    events.append(ruling.fail(room_with_a_bot(), "match 0", 2, "IndexError", 2.0))
    events += [Admitted((1, 2), 1.0), TeamChanged(1, 1, 2.0), Begun(1.0, (2, 1)), RoundStopped(2, 3.0)]
    events += [ruling.pause(asked, 1.0), ruling.resume(asked.after(ruling.pause(asked, 1.0)), 2.0)]
    events += [HostInvited("h", 1.0), HostAdded("h", None, None, 2.0), HostLeft("h", 3.0)]
    for event in events:
        kind = next(name for name, cls in ROOM_EVENT_CLASSES.items() if type(event) is cls)
        seen.add(kind)
        assert event_from(kind, event.at, json.loads(json.dumps(facts_of(event)))) == event
    assert seen == set(ROOM_EVENT_CLASSES)


def test_a_code_is_read_as_people_type_it():
    code = new_room_code()
    assert ROOM_CODE_PATTERN.fullmatch(code)
    assert parse_room_code(f" {code[:3].lower()}-{code[3:]} ") == code
    assert parse_room_code("O0I1L5") is None
    assert parse_room_code("ABC") is None


def test_events_of_older_versions_are_read():
    """Events of older versions can be read. They lack teams, waiting members, the draw of a bracket, and absent
    members."""
    joined = event_from("joined", 1.0, {"name": "Ann", "kind": "person", "holder": "h", "player": None})
    assert (joined.team, joined.waiting) == (None, False)
    assert event_from("begun", 1.0, {}).seeds == ()
    scored = {"meeting": 1, "winner": 2, "reason": "line", "no_show": None}
    assert event_from("scored", 1.0, scored).gone is None
