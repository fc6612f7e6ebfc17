"""Tests which sockets keep their slots when all slots are taken."""

import pytest

from connectk.play.refusals import Busy
from connectk.server.socket_slots import MAX_SOCKETS_PER_SECRET, SocketPriority, SocketSlot, SocketSlots

PLAYER, MEMBER, WATCHER = SocketPriority.PLAYER, SocketPriority.MEMBER, SocketPriority.WATCHER


def settled(slots: SocketSlots, address: str, priority: SocketPriority, secret: str | None = None) -> SocketSlot:
    slot = slots.enter(address)
    try:
        slots.confirm(slot, priority, secret)
    except Busy:
        slots.leave(slot)
        raise
    return slot


def test_the_lowest_rank_gives_way_first():
    """Watchers lose their slots before members, and members before players. No socket loses its slot to one of equal
    rank."""
    slots = SocketSlots(10, 10)
    watchers = [settled(slots, "w", WATCHER) for _ in range(5)]
    members = [settled(slots, "m", MEMBER) for _ in range(4)]
    with pytest.raises(Busy):
        settled(slots, "x", WATCHER)
    assert not any(slot.is_evicted for slot in (*watchers, *members))
    settled(slots, "x", MEMBER)
    assert watchers[-1].is_evicted
    players = [settled(slots, "p", PLAYER) for _ in range(9)]
    assert all(slot.is_evicted for slot in (*watchers, *members))
    with pytest.raises(Busy):
        slots.enter("y")
    assert not any(slot.is_evicted for slot in players)
    slots.leave(players[0])
    assert settled(slots, "y", WATCHER)


def test_the_address_with_most_watchers_gives_way():
    """The address with the most watchers loses a slot, and a single watcher at another address keeps its own."""
    slots = SocketSlots(50, 10)
    single = settled(slots, "home", WATCHER)
    crowds = [settled(slots, f"attacker {n % 5}", WATCHER) for n in range(44)]
    for number in range(20):
        settled(slots, f"player {number}", PLAYER)
    assert not single.is_evicted
    assert sum(slot.is_evicted for slot in crowds) == 20


def test_an_address_that_is_full_gives_its_own_watchers_up():
    slots = SocketSlots(100, 3)
    watchers = [settled(slots, "class", WATCHER) for _ in range(3)]
    other = settled(slots, "home", WATCHER)
    with pytest.raises(Busy):
        settled(slots, "class", WATCHER)
    settled(slots, "class", PLAYER)
    assert [slot.is_evicted for slot in (*watchers, other)] == [False, False, True, False]


def test_newcomers_do_not_keep_others_out():
    """A socket that never sends its hello loses its slot to a new socket from an address with fewer such sockets."""
    slots = SocketSlots(100, 50)
    silent = [slots.enter("attacker") for _ in range(10)]
    with pytest.raises(Busy):
        slots.enter("attacker")
    assert slots.enter("home")
    assert [slot.is_evicted for slot in silent].index(True) == 0
    with pytest.raises(Busy):
        slots.confirm(silent[0], PLAYER)


def test_many_sockets_of_one_seat_are_watchers():
    """Only a few sockets with the same secret count as players; the others count as watchers."""
    slots = SocketSlots(100, 50)
    own = [settled(slots, "a", PLAYER, "secret") for _ in range(MAX_SOCKETS_PER_SECRET + 3)]
    assert [slot.priority for slot in own].count(WATCHER) == 3
    for slot in own:
        slots.leave(slot)
    assert settled(slots, "a", PLAYER, "secret").priority is PLAYER
