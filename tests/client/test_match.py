"""Clients follow a match on a real server that is down for a while."""

import json
import sys
from contextlib import nullcontext
from queue import SimpleQueue
from threading import Event

import pytest

from connectk.client import socket
from connectk.client.api import ServerRefused, address_of, post
from connectk.client.match import OnlineMatch, ServerEvent
from connectk.client.seats import HeldSeat, HeldSeats, InvitationOptions, invite, join
from connectk.errors import MissingExtra
from connectk.rules import Game, Side, Variant
from tests.client.friends import TIMEOUT_SECONDS, Friend
from tests.web.serving import Server, free_port


def test_two_friends_play_a_game_to_its_end(pair):
    """Each friend sees the other's discs and name, and the result of the game."""
    for ann, bob in ((3, 3), (4, 4), (5, 5)):
        pair.ann.drop(ann)
        pair.bob.wait_until(lambda: pair.bob.moves == pair.ann.moves)
        pair.bob.drop(bob)
    pair.ann.drop(6)
    pair.bob.wait_until(lambda: pair.bob.online.snapshot.state["result"])
    assert pair.bob.online.snapshot.names == {Side.FIRST: "Ann", Side.SECOND: "Bob"}
    assert pair.bob.online.snapshot.game.outcome.winner is Side.FIRST
    assert not pair.bob.online.snapshot.is_our_turn


def test_offers_are_made_and_answered(pair):
    """One friend offers a take-back and then a draw, and the other answers."""
    pair.ann.drop(3)
    pair.ann.online.request({"type": "take_back"})
    pair.bob.wait_until(lambda: pair.bob.is_offered("take_back"))
    pair.bob.online.request({"type": "accept"})
    pair.ann.wait_until(lambda: pair.ann.moves == ())
    pair.ann.online.request({"type": "offer_draw"})
    pair.bob.wait_until(lambda: pair.bob.is_offered("draw"))
    pair.bob.online.request({"type": "accept"})
    pair.ann.wait_until(lambda: pair.ann.online.snapshot.state["result"])
    assert pair.ann.online.snapshot.state["result"]["reason"] == "agreed"


def test_a_three_disc_start_is_followed(server, tmp_path):
    """In a three-disc start, Ann places three discs and Bob two more. Both clients know whose turn it is and who has
    which side."""
    order = {"first": {"kind": "me", "name": "Ann"}, "second": {"kind": "invited"}, "swap": True, "swap_discs": 3}
    address = address_of(server.url)
    made = post(address, "/api/matches", order)
    match = made["match"]["id"]
    link = f"{address}/#/join/{match}/{made['invitation']}"
    ann = Friend(HeldSeat(address, match, made["secret"], link))
    bob = Friend(join(link, "Bob", HeldSeats(tmp_path / "bob.json")))
    for column in (0, 3, 3):
        ann.drop(column)
    bob.wait_until(lambda: bob.online.snapshot and bob.online.snapshot.may_extend)
    bob.online.request({"type": "extend"})
    bob.wait_until(lambda: bob.online.snapshot.side is Side.FIRST)
    for column in (5, 5):
        bob.drop(column)
    ann.wait_until(lambda: ann.online.snapshot.may_swap)
    assert (ann.online.snapshot.side, ann.online.snapshot.may_extend) == (Side.SECOND, False)
    ann.online.close()
    bob.online.close()


def test_a_rematch_is_followed_with_sides_swapped(pair):
    """Both clients switch to the rematch without any action of their users."""
    pair.ann.online.request({"type": "resign"})
    pair.bob.wait_until(lambda: pair.bob.online.snapshot.state["result"])
    pair.bob.online.request({"type": "rematch"})
    pair.ann.wait_until(lambda: pair.ann.is_offered("rematch"))
    pair.ann.online.request({"type": "accept"})
    for friend in (pair.ann, pair.bob):
        friend.wait_until(lambda friend=friend: friend.online.snapshot.state["result"] is None)
    assert pair.ann.online.snapshot.side is Side.SECOND
    assert ServerEvent.DISCONNECTED not in pair.ann.received
    pair.bob.drop(3)


def test_a_refusal_is_reported(pair):
    """A refused request reaches the client as a sentence, and nothing else changes."""
    pair.bob.online.drop(3)
    pair.bob.wait_until(lambda: any(isinstance(news, ServerRefused) for news in pair.bob.received))
    assert pair.bob.moves == ()


def test_the_client_reconnects_after_a_server_restart(tmp_path, monkeypatch):
    """A disc that is dropped while the server is down is played once after the restart."""
    monkeypatch.setattr(socket, "MAX_RETRY_SECONDS", 0.5)
    server = Server(free_port(), tmp_path)
    with server:
        ann_seat = invite(
            server.url, InvitationOptions(Game(Variant(5, 4, 3), (0,))), "Ann", HeldSeats(tmp_path / "ann.json")
        )
        bob = Friend(join(ann_seat.link, "Bob", HeldSeats(tmp_path / "bob.json")))
        bob.wait_until(lambda: bob.online.snapshot and bob.online.snapshot.is_our_turn)
        server.stop()
        bob.wait_until(lambda: ServerEvent.DISCONNECTED in bob.received)
        bob.online.drop(2)
        server.start()
        bob.wait_until(lambda: bob.moves == (0, 2))
        bob.wait_until(lambda: ServerEvent.RECONNECTED in bob.received)
        bob.online.close()


def test_a_request_before_the_welcome_is_sent_once(monkeypatch):
    """An offer sent before the server's welcome arrives exactly once. It has no key by which the server could detect a
    repetition."""
    sent, hello, said = [], Event(), SimpleQueue()

    class Socket(nullcontext):
        close_code = None
        __iter__ = lambda _: iter(said.get, None)  # noqa: E731
        close_socket = lambda _: said.put(None)  # noqa: E731

        def send(self, text):
            sent.append(json.loads(text)["type"])
            hello.set()

        def __enter__(self):
            return self

    monkeypatch.setattr(socket, "_connector", lambda: (lambda _: Socket(), (OSError,)))
    friend = Friend(HeldSeat("http://127.0.0.1:1", "a", "b"))
    hello.wait(TIMEOUT_SECONDS)
    friend.online.request({"type": "offer_draw"})
    said.put(json.dumps({"type": "welcome", "seq": 0, "match": None, "sides": []}))
    said.put(json.dumps({"type": "done", "id": 1}))
    friend.wait_until(lambda: not friend.online.has_pending_requests)
    assert sent == ["hello", "offer_draw"]
    friend.online.close()


def test_a_missing_package_is_named(monkeypatch, tmp_path):
    """If the package for WebSockets is missing, the error names the extra to install."""
    monkeypatch.setitem(sys.modules, "websockets.sync.client", None)
    with pytest.raises(MissingExtra, match=r"connectk\[online\]"):
        OnlineMatch(HeldSeat("http://127.0.0.1:1", "a", "b"), print)


def test_a_friend_takes_over_the_first_disc(server, tmp_path):
    """After a swap, both clients know their new sides and names, and can play on."""
    ann = Friend(invite(server.url, InvitationOptions(swap=True), "Ann", HeldSeats(tmp_path / "ann.json")))
    bob = Friend(join(ann.online.seat.link, "Bob", HeldSeats(tmp_path / "bob.json")))
    ann.drop(3)
    bob.wait_until(lambda: bob.online.snapshot and bob.online.snapshot.may_swap)
    bob.online.request({"type": "swap"})
    for friend, side in ((ann, Side.SECOND), (bob, Side.FIRST)):
        friend.wait_until(lambda friend=friend, side=side: friend.online.snapshot.side is side)
    assert bob.online.snapshot.names == {Side.FIRST: "Bob", Side.SECOND: "Ann"}
    ann.drop(3)
    bob.wait_until(lambda: bob.moves == (3, 3))
    assert bob.online.snapshot.is_our_turn
    for friend in (ann, bob):
        friend.online.close()
