"""A server, and two friends who play on it."""

from types import SimpleNamespace

import pytest

from connectk.client.seats import HeldSeats, InvitationOptions, invite, join
from tests.client.friends import Friend
from tests.web.serving import Server, free_port


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(free_port(), tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def pair(server, tmp_path):
    """Two friends: Ann has invited Bob, he has joined, and both follow the match."""
    ann_seat = invite(server.url, InvitationOptions(), "Ann", HeldSeats(tmp_path / "ann.json"))
    bob_seat = join(ann_seat.link, "Bob", HeldSeats(tmp_path / "bob.json"))
    ann, bob = Friend(ann_seat), Friend(bob_seat)
    for friend in (ann, bob):
        friend.wait_until(lambda friend=friend: friend.online.snapshot and not friend.online.snapshot.state["waiting"])
    yield SimpleNamespace(ann=ann, bob=bob, ann_seat=ann_seat, bob_seat=bob_seat)
    for friend in (ann, bob):
        friend.online.close()
