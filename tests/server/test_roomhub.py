"""What the sockets of a room are told of its table, without a server."""

import asyncio

import pytest

from connectk.play.protocols import LocalFeed
from connectk.rules import Side
from connectk.server import roomhub
from connectk.server.roomhub import RoomHub
from tests.rooms.playing import begun, ended, room_of, with_pairs

pytestmark = pytest.mark.anyio


class Rooms:
    """A service with one room."""

    def __init__(self, room):
        self.room = room

    def subscribe(self, listener):
        """Nothing happens."""

    async def get(self, code):
        return self.room


async def test_a_table_with_ratings_is_not_older_than_one_told_before(monkeypatch):
    """A game ends while the ratings after the last one are being made."""
    monkeypatch.setattr(roomhub, "RATING_INTERVAL_SECONDS", 0.0)
    paired = with_pairs(begun(room_of(4)), 2.0)
    rooms = Rooms(ended(paired, 1, Side.FIRST, 3.0))

    async def rate(code, games, fixed):
        rooms.room = ended(rooms.room, 2, Side.FIRST, 4.0)
        return {}

    hub, told = RoomHub(rooms, LocalFeed(), rate), []
    monkeypatch.setattr(hub, "_say", lambda code, message: told.append(message["lines"]))
    await hub._tell_standings("ABCDEF")
    assert [sum(line["games"] for line in lines) for lines in told] == [2, 4]
    await asyncio.sleep(0)
