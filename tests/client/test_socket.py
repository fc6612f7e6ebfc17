"""A socket that reconnects by itself, tested without waiting and with a simulated server."""

import json
from contextlib import nullcontext

import pytest

from connectk.client import socket
from connectk.client.socket import (
    FIRST_RETRY_SECONDS,
    MAX_RETRY_SECONDS,
    NOT_FOUND_CLOSE_CODE,
    NotFound,
    ReconnectingSocket,
)

WELCOME = json.dumps({"type": "welcome"})


class Connection(nullcontext):
    """One connection: the server's messages, and the close code at its end."""

    def __init__(self, *said, close_code=1006):
        super().__init__()
        self.said, self.sent, self.close_code = said, [], close_code
        self.send, self.close_socket = self.sent.append, lambda: None

    def __iter__(self):
        return iter(self.said)

    def __enter__(self):
        return self


@pytest.fixture
def follow(monkeypatch):
    """Follow these simulated connections to the end. Returns the number of lost connections and the delays before new
    attempts."""

    def followed(*connections, welcome=True):
        left, lost, delays = list(connections), [], []

        def connect(address):
            found = left.pop(0)
            if isinstance(found, Exception):
                raise found
            return found

        def on_message(message):
            client.is_welcomed = welcome
            if message["type"] == "nonsense":
                raise KeyError("seq")

        monkeypatch.setattr(socket, "_connector", lambda: (connect, (OSError,)))
        monkeypatch.setattr("tenacity.sleep_using_event", lambda event: delays.append)
        if welcome:
            monkeypatch.setattr(socket, "FIRST_RETRY_SECONDS", 0.001)
        client = ReconnectingSocket(lambda: "ws://x", lambda: {"type": "hello"}, on_message, lambda: lost.append(1))
        with pytest.raises(NotFound):
            client.run()
        return len(lost), delays

    return followed


def test_delays_grow_until_a_welcome(follow):
    """The random delays between attempts come from a range that doubles up to a limit."""
    lost, delays = follow(*[OSError()] * 12, Connection(close_code=NOT_FOUND_CLOSE_CODE), welcome=False)
    assert lost == len(delays) == 12
    limits = [min(MAX_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2**number) for number in range(12)]
    assert all(FIRST_RETRY_SECONDS / 2 <= delay <= limit for delay, limit in zip(delays, limits, strict=True))
    assert max(delays) > 2 * FIRST_RETRY_SECONDS


def test_the_backoff_restarts_after_a_welcome(follow):
    """After a connection that worked, the delays between attempts start small again."""
    lost, delays = follow(*[Connection(WELCOME)] * 5, Connection(close_code=NOT_FOUND_CLOSE_CODE))
    assert (lost, delays) == (5, [])


def test_each_connection_says_hello(follow):
    connections = [Connection(WELCOME), Connection(close_code=NOT_FOUND_CLOSE_CODE)]
    follow(*connections)
    assert [connection.sent for connection in connections] == [['{"type": "hello"}']] * 2


@pytest.mark.parametrize("said", ["{", "[]", '{"type": "nonsense"}'])
def test_a_malformed_message_ends_the_connection(follow, said):
    """A malformed message ends the connection, and the client opens a new one."""
    lost, _ = follow(Connection(WELCOME, said, WELCOME), Connection(close_code=NOT_FOUND_CLOSE_CODE))
    assert lost == 1


def test_closing_ends_the_wait(monkeypatch):
    """A client that is closed stops at once, without waiting for its next attempt to connect."""
    monkeypatch.setattr(socket, "_connector", lambda: (lambda _: Connection(), (OSError,)))
    monkeypatch.setattr(socket, "FIRST_RETRY_SECONDS", 1000.0)
    monkeypatch.setattr(socket, "MAX_RETRY_SECONDS", 1000.0)
    client = ReconnectingSocket(lambda: "ws://x", dict, lambda _: None, lambda: client.close())
    client.run()
