"""Seats on a server: invitations, and the secrets with which a player returns to a seat."""

import json
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectk.client import seats as seats_module
from connectk.client.api import ServerRefused, ServerUnavailable, sanitize
from connectk.client.seats import JOIN_LINK_PATTERN, HeldSeats, InvitationOptions, NotAnInvitation, invite, join
from connectk.errors import ConnectkError
from connectk.rules import Side
from connectk.texts import load_texts
from tests.client.friends import Friend
from tests.web.serving import free_port


def test_the_same_link_leads_back_to_the_same_seat(pair, tmp_path):
    """An invitation link leads the guest and the host back to their seats. A third person is told that the seat is
    taken."""
    assert join(pair.ann_seat.link, "Bob", HeldSeats(tmp_path / "bob.json")).secret == pair.bob_seat.secret
    assert join(pair.ann_seat.link, None, HeldSeats(tmp_path / "ann.json")).secret == pair.ann_seat.secret
    with pytest.raises(ServerRefused) as refused:
        join(pair.ann_seat.link, "Eve", HeldSeats(tmp_path / "eve.json"))
    assert HeldSeats(tmp_path / "eve.json").find(pair.ann_seat.server, pair.ann_seat.match) is None
    assert refused.value.localize(load_texts("fi")) == load_texts("fi")("refused.seat_taken")


def test_joining_can_be_repeated_after_a_lost_answer(server, tmp_path, monkeypatch):
    """If the server's answer was lost, running the same command again takes the same seat."""
    seats = HeldSeats(tmp_path / "bob.json")
    link = invite(server.url, InvitationOptions(), "Ann", HeldSeats(tmp_path / "ann.json")).link
    really = seats_module.post

    def lost(*asked):
        really(*asked)
        raise ServerUnavailable(server.url, "gone")

    monkeypatch.setattr(seats_module, "post", lost)
    with pytest.raises(ServerUnavailable):
        join(link, "Bob", seats)
    monkeypatch.setattr(seats_module, "post", really)
    bob = Friend(join(link, "Bob", seats))
    bob.wait_until(lambda: bob.online.snapshot and bob.online.snapshot.side is Side.SECOND)
    bob.online.close()


def test_secrets_are_for_their_owner_alone(pair, tmp_path):
    """Only the user can read the file with the secrets of seats."""
    assert stat.S_IMODE((tmp_path / "bob.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("link", ["", "hello", "http://host/", "ftp://host/#/join/a/b", "http://host/#/join/a"])
def test_what_is_no_invitation_is_refused(link, tmp_path):
    """A text that is no invitation is refused before any request is sent."""
    with pytest.raises(NotAnInvitation):
        join(link, None, HeldSeats(tmp_path / "seats.json"))


@given(st.text())
def test_any_text_is_an_invitation_or_refused(text):
    """Any text that is not an invitation link raises `NotAnInvitation`."""
    if not JOIN_LINK_PATTERN.fullmatch(text.strip()):
        with pytest.raises(NotAnInvitation):
            join(text, None, HeldSeats())


def test_an_unreachable_server_is_reported(tmp_path):
    """If a server cannot be reached, the error names its address."""
    with pytest.raises(ServerUnavailable, match=r"127\.0\.0\.1"):
        invite(f"127.0.0.1:{free_port()}", InvitationOptions(), None, HeldSeats(tmp_path / "seats.json"))


def test_foreign_names_cannot_control_a_terminal(server, tmp_path):
    """Control characters in another user's name are replaced before the name is printed."""
    assert sanitize("A\x1b[2Jnn\n") == "A?[2Jnn?"


def test_a_damaged_seat_file_is_ignored(tmp_path):
    """A damaged file of saved seats is ignored, for several kinds of damage."""
    path = tmp_path / "seats.json"
    for text in ("", "[]", "{", json.dumps({"http://h m": 3})):
        path.write_text(text)
        assert HeldSeats(path).find("http://h", "m") is None
    assert issubclass(ServerUnavailable, ConnectkError)
