"""The door of a room, without a database: what is stored is told once, whatever becomes of the answer."""

import pytest

from connectk.play.match import TimeControl
from connectk.play.protocols import Conflict, LocalFeed
from connectk.play.service import MatchService
from connectk.rooms import ruling
from connectk.rooms.room import LEVEL, RoomSetup
from connectk.rooms.service import RoomService
from connectk.rules import CLASSIC
from tests.play.memory import MemoryStore

pytestmark = pytest.mark.anyio


class ReplyLost:
    """Keeps rooms. The first answer to each change is lost after the commit, so the writer finds its number taken."""

    is_shared = True

    def __init__(self) -> None:
        self.events = []

    async def create_room(self, made):
        pass

    async def append_room(self, change):
        if change.after.seq == len(self.events) + 1:
            self.events.append(change.event)
        raise Conflict

    async def room_events_after(self, code, seq):
        return self.events[seq:]


async def test_a_change_whose_answer_was_lost_is_known_as_our_own():
    """So that the computers of a new pairing are woken by the process that has stored it."""
    matches = MatchService(MemoryStore(), LocalFeed())
    service = RoomService(matches, ReplyLost())
    setup = RoomSetup("Class 7B", "", "round_robin", CLASSIC, TimeControl(60), rest=0.0)
    room, _ = await service.create(setup)
    told, begun = [], []
    service.subscribe(lambda news: told.append(news.room.seq))
    matches.subscribe(lambda news: begun.append(news.match.setup.room))
    for number in (1, 2):
        name = f"Level {number}"
        await service.change(
            room.code, lambda room, name=name: ruling.join(room, name, LEVEL, None, 1.0, max_members=9)
        )
    await service.change(room.code, lambda room: ruling.begin(room, 2.0))
    await service.settle(room.code)
    assert told == [1, 2, 3, 4]
    assert begun == [room.code]
    await service.close()
