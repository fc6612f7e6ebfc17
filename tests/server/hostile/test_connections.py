"""Connections that never say what they want, and addresses that somebody makes up."""

import socket

import pytest

from connectk.server.connections import Connections
from connectk.server.middleware import address_of
from tests.server.hostile.conftest import plays_on
from tests.server.people import make
from tests.server.serving import serving, settings_for


def silent(port: int, words: bytes = b"GET / HTTP/1.1\r\nHost: x\r\nX-") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(words)
    connection.settimeout(30)
    return connection


@pytest.mark.parametrize(
    "words", [b"", b"GET / HTTP/1.1\r\nX-", b"POST /api/judge HTTP/1.1\r\nContent-Length: 99\r\n\r\n7"]
)
def test_a_request_that_does_not_come_is_not_waited_for(tmp_path, words):
    with serving(settings_for(tmp_path, header_seconds=0.2, body_seconds=0.2)) as client:
        connection = silent(client.port, words)
        assert connection.recv(100).startswith(b"HTTP/1.1 408")
        assert connection.recv(100) == b""
        assert plays_on(client)


def test_a_header_without_end_is_cut_off(client):
    connection = silent(client.port)
    with pytest.raises(OSError):  # noqa: PT011 - whichever way the system tells
        connection.sendall(b"x" * 20_000_000)
    assert plays_on(client)


def test_an_address_has_so_many_connections(tmp_path):
    with serving(settings_for(tmp_path, address_connections=20)) as client:
        client.get("/healthz")
        held = [silent(client.port) for _ in range(19)]
        assert silent(client.port).recv(100).startswith(b"HTTP/1.1 429")
        for connection in held:
            connection.close()
        assert plays_on(client)


def test_of_too_many_that_wait_the_oldest_goes():
    ended = []

    class Waiting:
        def __init__(self, name):
            self.name = name

        def end(self, words):
            ended.append(self.name)
            del connections.waiting[self]

    connections = Connections(most_waiting=2)
    for name in "abcd":
        connections.wait(Waiting(name))
    assert ended == ["a", "b"]


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "1.1.1.1", "9.9.9.9"),
        (1, "1.1.1.1", "1.1.1.1"),
        (1, "6.6.6.6, 1.1.1.1", "1.1.1.1"),
        (2, "6.6.6.6, 1.1.1.1, 10.0.0.1", "1.1.1.1"),
        (2, "10.0.0.1", "9.9.9.9"),
        (1, "", "9.9.9.9"),
    ],
)
def test_the_address_is_the_one_that_our_own_proxy_has_heard(proxies, forwarded, address):
    """What stands further left anybody may have written."""
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    assert address_of({"client": ("9.9.9.9", 1), "headers": headers, "type": "http"}, proxies) == address


def test_sockets_over_the_rate_are_told_so(tmp_path):
    from websockets.exceptions import InvalidStatus

    with serving(settings_for(tmp_path, address_rate=10)) as client:
        match_id = make(client, public=True)["match"]["id"]
        with pytest.raises(InvalidStatus) as refused:
            knock(client, match_id)
        assert refused.value.response.status_code == 429


def knock(client, match_id: str) -> None:
    for _ in range(200):
        with client.socket(match_id):
            pass
