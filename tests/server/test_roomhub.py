"""Tests the standings that a room's sockets get, without a server."""

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

    def subscribe(self, subscriber):
        """Does nothing, because these tests need no events."""

    async def get(self, code):
        return self.room


async def test_standings_with_ratings_are_not_older_than_those_sent_before(monkeypatch):
    """If a second game ends while the ratings after the first are computed, the standings sent last are the newest."""
    monkeypatch.setattr(roomhub, "RATING_INTERVAL_SECONDS", 0.0)
    paired = with_pairs(begun(room_of(4)), 2.0)
    rooms = Rooms(ended(paired, 1, Side.FIRST, 3.0))

    async def rate(code, games, fixed):
        rooms.room = ended(rooms.room, 2, Side.FIRST, 4.0)
        return {}

    hub, sent = RoomHub(rooms, LocalFeed(), rate), []
    monkeypatch.setattr(hub, "_broadcast", lambda code, message: sent.append(message["lines"]))
    await hub._publish_standings("ABCDEF")
    assert [sum(line["games"] for line in lines) for lines in sent] == [2, 4]
    await asyncio.sleep(0)
