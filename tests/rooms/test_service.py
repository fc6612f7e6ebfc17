"""Tests the room service without a database. A stored event is published once, even if the store's answer is lost."""

import pytest

from connectk.play.match import TimeControl
from connectk.play.protocols import LocalFeed, StoreConflict
from connectk.play.service import MatchService
from connectk.rooms import ruling
from connectk.rooms.room import LEVEL_KIND, PERSON_KIND, RoomSetup
from connectk.rooms.service import RoomService
from connectk.rules import CLASSIC, Side
from tests.play.memory import MemoryStore

pytestmark = pytest.mark.anyio


class ReplyLost:
    """A store of rooms that loses the first answer to each write after the commit. The writer then tries again and
    finds the event number taken."""

    is_shared = True

    def __init__(self) -> None:
        self.events = []

    async def create_room(self, made):
        pass

    async def append_room(self, change):
        if change.after.seq == len(self.events) + 1:
            self.events.append(change.event)
        raise StoreConflict

    async def room_events_after(self, code, seq):
        return self.events[seq:]


async def test_a_change_whose_answer_was_lost_is_known_as_our_own():
    """A process recognizes its own pairing although the store's answer was lost, because it has to start the computer
    players."""
    matches = MatchService(MemoryStore(), LocalFeed())
    service = RoomService(matches, ReplyLost())
    setup = RoomSetup("Class 7B", "", "round_robin", CLASSIC, TimeControl(60), rest=0.0)
    room, _ = await service.create(setup)
    received, begun = [], []
    service.subscribe(lambda news: received.append(news.room.seq))
    matches.subscribe(lambda news: begun.append(news.match.setup.room))
    for number in (1, 2):
        name = f"Level {number}"
        await service.change(
            room.code, lambda room, name=name: ruling.join(room, name, LEVEL_KIND, None, 1.0, max_members=9)
        )
    await service.change(room.code, lambda room: ruling.begin(room, 2.0))
    await service.settle(room.code)
    assert received == [1, 2, 3, 4]
    assert begun == [room.code]
    await service.close()


class SharedMatches(MemoryStore):
    is_shared = True


class SharedRooms:
    """Stores the events of one room and its matches."""

    is_shared = True

    def __init__(self, matches) -> None:
        self.events, self._matches = [], matches

    async def create_room(self, made):
        pass

    async def append_room(self, change):
        self.events.append(change.event)
        for made in change.matches:
            await self._matches.create(made)

    async def room_events_after(self, code, seq):
        return self.events[seq:]


async def test_nobody_forfeits_for_absence_who_has_dropped_at_another_server():
    """A server asks the store before it declares a player absent, because the player may have dropped at another
    server."""
    now = [100.0]
    store = SharedMatches()
    here, there = (MatchService(store, LocalFeed(), now=lambda: now[0]) for _ in range(2))
    rooms = RoomService(here, SharedRooms(store))
    setup = RoomSetup("Class 7B", "", "round_robin", CLASSIC, TimeControl(600), rest=0.0, show=30.0)
    room, _ = await rooms.create(setup)
    for name in ("Ada", "Bo"):
        await rooms.change(
            room.code, lambda room, name=name: ruling.join(room, name, PERSON_KIND, name, 100.0, max_members=9)
        )
    await rooms.change(room.code, lambda room: ruling.begin(room, 100.0))
    await rooms.settle(room.code)
    meeting = (await rooms.get(room.code)).meetings[0]
    match = await here.get(meeting.match)

    now[0] = 110.0
    for ply in range(2):
        match = (await there.drop(match.id, match.position.side_to_move, 3, ply)).match
    now[0] = 135.0
    await rooms.tick(3600.0)

    assert here.live.in_memory(match.id).match.result is None
    assert (await there.get(match.id)).result is None
    await rooms.close()


async def test_whoever_is_gone_for_too_long_loses_but_not_in_a_pause_and_not_after_coming_back():
    """A member who is away for too long loses. The time starts anew after a short return, and does not run in a
    pause."""
    now, absent, store = [100.0], set(), SharedMatches()
    rooms = RoomService(MatchService(store, LocalFeed(), now=lambda: now[0]), SharedRooms(store))
    rooms.absent_sides = lambda match: absent
    setup = RoomSetup("Class 7B", "", "swiss", CLASSIC, TimeControl(600), rest=0.0, show=600.0, gone=10.0)
    room, _ = await rooms.create(setup)
    for name in ("Ada", "Bo"):
        await rooms.change(
            room.code, lambda room, name=name: ruling.join(room, name, PERSON_KIND, name, 100.0, max_members=9)
        )
    await rooms.change(room.code, lambda room: ruling.begin(room, 100.0))
    await rooms.settle(room.code)

    async def result_at(time):
        now[0] = time
        await rooms.tick(3600.0)
        return (await rooms.get(room.code)).meetings[0].winner

    assert await result_at(110.0) is None
    absent.add(Side.SECOND)
    assert await result_at(111.0) is None
    assert await result_at(120.0) is None
    absent.clear()
    assert await result_at(120.5) is None
    absent.add(Side.SECOND)
    assert await result_at(121.0) is None
    await rooms.change(room.code, lambda room: ruling.pause(room, now[0]))
    assert await result_at(140.0) is None
    await rooms.change(room.code, lambda room: ruling.resume(room, now[0]))
    assert await result_at(149.0) is None
    meeting = (await rooms.get(room.code)).meetings[0]
    assert await result_at(161.0) == meeting.first
    await rooms.close()
