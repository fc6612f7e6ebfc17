"""Tests the hosts of a room: a second host by a code, a member as host, and handing the room over."""

import pytest

from connectk.play.secrets_and_codes import hash_secret
from connectk.rooms import ruling
from connectk.rooms.events import Joined
from connectk.rooms.room import Room
from tests.rooms.playing import room_of

FIRST, OTHER = "hash", hash_secret("another host")  # the host who made the room, and one more


def invited(code: str = "ABC346") -> Room:
    room = room_of(2)
    return room.after(ruling.invite_host(room, code, 10.0))


def test_a_code_makes_one_more_host_once():
    room = invited()
    room = room.after(ruling.add_host(room, "ABC346", OTHER, 20.0))
    assert room.hosts == (FIRST, OTHER)
    assert ruling.add_host(room, "ABC346", OTHER, 21.0) is None  # who asks again after a lost answer is a host
    with pytest.raises(ruling.WrongHostCode):
        ruling.add_host(room, "ABC346", "a third", 22.0)


@pytest.mark.parametrize(("code", "now"), [("ABC347", 20.0), ("ABC346", 10.0 + ruling.HOST_CODE_SECONDS)])
def test_a_wrong_or_an_old_code_makes_nobody_a_host(code, now):
    with pytest.raises(ruling.WrongHostCode):
        ruling.add_host(invited(), code, OTHER, now)


def test_a_new_code_replaces_the_old_one():
    room = invited()
    room = room.after(ruling.invite_host(room, "DEF346", 11.0))
    with pytest.raises(ruling.WrongHostCode):
        ruling.add_host(room, "ABC346", OTHER, 12.0)
    assert ruling.add_host(room, "DEF346", OTHER, 12.0)


def test_a_member_becomes_a_host_and_stays_one_until_they_leave():
    room = room_of(2)
    room = room.after(ruling.promote(room, 2, None, 1.0))
    assert room.hosts == (FIRST, "h2")
    assert ruling.promote(room, 2, None, 2.0) is None
    assert room.after(ruling.leave(room, 2, 3.0)).hosts == (FIRST,)


def test_a_host_hands_over_to_a_member():
    room = room_of(2)
    room = room.after(ruling.promote(room, 1, FIRST, 1.0))
    assert room.hosts == ("h1",)
    with pytest.raises(ruling.LastHost):
        ruling.leave(room, 1, 2.0)


def test_only_people_become_hosts():
    room = room_of(0).after(Joined("Robo", "bot", "h1", None, 0.0)).after(Joined("L", "level", None, "level:3", 0.0))
    for number in (1, 2, 3):
        with pytest.raises(ruling.NotAMember):
            ruling.promote(room, number, None, 1.0)


def test_the_last_host_stays():
    room = invited()
    with pytest.raises(ruling.LastHost):
        ruling.resign_as_host(room, FIRST, 11.0)
    room = room.after(ruling.add_host(room, "ABC346", OTHER, 12.0))
    room = room.after(ruling.resign_as_host(room, FIRST, 13.0))
    assert room.hosts == (OTHER,)
    assert ruling.resign_as_host(room, FIRST, 14.0) is None


def test_hosts_have_a_limit():
    room = room_of(ruling.MAX_HOSTS)
    for number in range(1, ruling.MAX_HOSTS):
        room = room.after(ruling.promote(room, number, None, 1.0))
    with pytest.raises(ruling.TooManyHosts):
        ruling.promote(room, ruling.MAX_HOSTS, None, 2.0)
    assert ruling.promote(room, ruling.MAX_HOSTS, FIRST, 2.0)
