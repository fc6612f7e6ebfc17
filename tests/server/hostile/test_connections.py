"""Connections that never say what they want, and addresses that somebody makes up."""

import asyncio
import contextlib
import http.client
import json
import socket
import time

import pytest
from fastapi import FastAPI, WebSocket
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.server import ServerState

from connectk.server import connections, schemas
from connectk.server.connections import ConnectionRegistry
from connectk.server.limits import Limits, network_of
from connectk.server.middleware import resolve_client_address
from connectk.server.routes.socket import MatchSession
from connectk.server.routes.socketsession import run_session
from connectk.server.runner import config_for
from tests.server.clients import make
from tests.server.hostile.conftest import plays_on
from tests.server.serving import Client, serving, settings_for
from tests.server.test_admin import wait_for


def silent(port: int, words: bytes = b"GET / HTTP/1.1\r\nHost: x\r\nX-") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(words)
    connection.settimeout(30)
    return connection


def told(connection: socket.socket) -> tuple[int, str | None]:
    """The status and the reason of the answer, read to its end as any client would."""
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    body = json.loads(answer.read())
    assert "reason" not in body or body["message"]
    return answer.status, body.get("reason")


@pytest.mark.parametrize(
    "words", [b"", b"GET / HTTP/1.1\r\nX-", b"POST /api/judge HTTP/1.1\r\nContent-Length: 99\r\n\r\n7"]
)
def test_a_request_that_does_not_come_is_not_waited_for(tmp_path, words):
    with serving(settings_for(tmp_path, header_seconds=2.0, body_seconds=2.0)) as client:
        assert told(silent(client.port, words)) == (408, "time_is_up")
        assert plays_on(client)


def test_a_header_without_end_is_cut_off(client):
    """In words that can be read although more was sent than anyone has read."""
    connection = silent(client.port)
    connection.sendall(b"x" * 1_000_000)
    assert told(connection) == (431, "too_large")
    assert plays_on(client)


def test_what_is_no_request_is_refused_in_the_usual_shape(client):
    assert told(silent(client.port, b"GET /\xe4\x86\x89 HTTP/9\r\n\r\n")) == (400, "bad_request")
    assert plays_on(client)


def test_the_page_is_not_sent_what_only_commands_say(client):
    words = client.get("/texts/fi.json").json()
    assert "refused.match_over" in words
    assert not [key for key in words if key.startswith(("usage.", "setting."))]


def request(path: str, body: bytes, *headers: bytes) -> bytes:
    head = b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n" % (path.encode(), len(body))
    return head + b"".join(header + b"\r\n" for header in headers) + b"\r\n" + body


def test_a_file_that_comes_together_with_its_header_is_read(client):
    """The first hundreds of kilobytes may arrive at once; that is no long header."""
    connection = silent(client.port, request("/api/judge", b"7 6 4\n" + b"1\n" * 3_000_000, b"Connection: close"))
    assert told(connection) == (200, None)


@pytest.mark.parametrize("headers", [(), (b"Connection: close",)])
@pytest.mark.parametrize("path", ["/api/judge", "/api/matches"])
def test_one_who_sends_too_much_can_read_why(client, path, headers):
    """Though it sends everything before it reads anything."""
    connection = silent(client.port, request(path, b"x" * 9_000_000, *headers))
    assert told(connection) == (413, "too_large")


@pytest.mark.parametrize(("most", "seconds"), [(1000, 60), (10**9, 2.0)])
def test_answers_that_nobody_reads_are_kept_for_a_while_only(tmp_path, monkeypatch, most, seconds):
    """So much of one address, and no longer than a request may take."""
    monkeypatch.setattr(connections, "MAX_UNREAD_BYTES", most)
    paused = []
    pause = connections.HttpProtocol.pause_writing
    monkeypatch.setattr(connections.HttpProtocol, "pause_writing", lambda self: (paused.append(self), pause(self)))
    with serving(settings_for(tmp_path, body_seconds=seconds)) as client:
        everyone = [narrow(client.port, b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(3)]
        wait_for(lambda: len(set(paused)) == 3)
        here = connections._registries[client.server.config]
        wait_for(lambda: not here.addresses)
        assert not here.unread
        assert plays_on(client)
        for connection in everyone:
            connection.close()


def narrow(port: int, words: bytes) -> socket.socket:
    """One who takes a few kilobytes at most."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    connection.settimeout(30)
    connection.sendall(words * 200)
    return connection


def test_an_address_has_so_many_connections(tmp_path):
    with serving(settings_for(tmp_path, address_connections=20)) as client:
        client.get("/healthz")
        made = make(client, public=True)
        waits = f"GET /api/matches/{made['match']['id']}/events?after=9&wait=20 HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        held = [silent(client.port, waits) for _ in range(19)]
        while len(client.host.audiences) < 19:
            time.sleep(0.01)
        assert told(silent(client.port)) == (429, "busy")
        for connection in held:
            connection.close()
        assert plays_on(client)


def test_those_that_say_nothing_give_way_at_the_same_address(tmp_path):
    """Whoever asks for something is served, however many others of its own address only hold on."""
    with serving(settings_for(tmp_path, address_connections=20)) as client:
        held = [silent(client.port) for _ in range(60)]
        with Client(client.port) as another:
            assert plays_on(another)
        assert told(held[0]) == (408, "time_is_up")


def test_the_oldest_of_too_many_waiting_connections_is_rejected():
    rejected = []

    class Waiting:
        def __init__(self, name):
            self.name = name

        def reject(self, rejection):
            rejected.append(self.name)
            del waiting.waiting[self]

    waiting = ConnectionRegistry(max_waiting=2, max_per_address=2)
    for name in "abcd":
        waiting.add_waiting(Waiting(name))
    assert rejected == ["a", "b"]


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
def test_the_address_is_the_one_that_our_own_proxy_added(proxies, forwarded, address):
    """Anybody may have written what stands further left."""
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    assert resolve_client_address({"client": ("9.9.9.9", 1), "headers": headers, "type": "http"}, proxies) == address


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::1", "::1"),
        ("testclient", "testclient"),
    ],
)
def test_one_subscriber_is_one_address(address, network):
    """A subscriber has a whole /64 network of IPv6 addresses."""
    assert network_of(address) == network


def test_few_descriptors_are_shared_out(tmp_path, monkeypatch):
    """Of 1,024, one address can take no more than leaves room for others, whatever it opens."""
    monkeypatch.setattr("connectk.server.limits.raise_file_limit", lambda: 1024)
    settings = settings_for(tmp_path)
    limits, connected = Limits(settings), connections.connection_registry(settings)
    assert limits.max_sockets_per_address + connected.max_per_address <= (1024 - 200) / 2
    assert limits.max_sockets + connected.max_waiting <= 1024 - 200


def test_sockets_over_the_rate_are_told_so(tmp_path, capfd):
    """In words to the requester, and in the log nothing of a failure."""
    from websockets.exceptions import InvalidStatus

    with serving(settings_for(tmp_path, address_rate=10)) as client:
        match_id = make(client, public=True)["match"]["id"]
        for _ in range(20):
            with pytest.raises(InvalidStatus) as refused:
                knock(client, match_id)
            assert refused.value.response.status_code == 429
            assert json.loads(refused.value.response.body)["reason"] == "too_fast"
    written = capfd.readouterr().err
    assert "handshake" not in written
    assert "error" not in written


def knock(client, match_id: str) -> None:
    for _ in range(200):
        with client.socket(match_id):
            pass


@pytest.mark.anyio
async def test_one_who_has_left_before_the_greeting_is_no_failure():
    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        raise ClientDisconnected

    async def serve(hello):
        raise AssertionError("to whom")

    await run_session(WebSocket({"type": "websocket"}, receive, send), MatchSession.parser, schemas.Hello, serve)


class Unread:
    """A transport whose other end does not read."""

    def __init__(self):
        self.aborted = asyncio.Event()

    def get_extra_info(self, name):
        return None

    def abort(self):
        self.aborted.set()


@pytest.mark.anyio
@pytest.mark.parametrize("reads", [True, False])
async def test_a_socket_that_is_not_read_is_given_up(reads, monkeypatch, tmp_path):
    """At once here; in life after some seconds, in which one may begin to read."""
    monkeypatch.setattr(connections, "SEND_TIMEOUT_SECONDS", 0.0)
    app = FastAPI()
    config = config_for(settings_for(tmp_path), app)
    config.load()
    socket, transport = connections.WebSocketProtocol(config, ServerState(), {}), Unread()
    socket.connection_made(transport)
    socket.pause_writing()
    if reads:
        socket.resume_writing()
        await asyncio.sleep(0)
        assert socket._unread_timer is None
    else:
        await asyncio.wait_for(transport.aborted.wait(), 60)
    assert transport.aborted.is_set() != reads
    socket.connection_lost(OSError())


class Open(Unread):
    """A transport that notes what is done with it."""

    def __init__(self):
        super().__init__()
        self.written, self.paused = [], 0

    def write(self, data):
        self.written.append(data)

    def is_closing(self):
        return False

    def pause_reading(self):
        self.paused += 1

    def resume_reading(self):
        self.paused -= 1

    def close(self):
        pass


@contextlib.contextmanager
def upgraded(tmp_path):
    """A socket whose application says nothing by itself."""
    over = asyncio.Event()

    async def wait(scope, receive, send):
        await over.wait()

    config = config_for(settings_for(tmp_path), wait)
    config.load()
    socket, transport = connections.WebSocketProtocol(config, ServerState(), {}), Open()
    socket.connection_made(transport)
    socket.data_received(
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    yield socket, transport
    socket.connection_lost(OSError())
    over.set()


@pytest.mark.anyio
async def test_a_message_is_written_at_once_only_where_it_can_be(tmp_path):
    with upgraded(tmp_path) as (socket, transport):
        say = socket.scope["state"]["write_now"]
        assert not say("too early")
        await socket.send({"type": "websocket.accept"})
        assert say("one")
        assert transport.written[1:] == [b"\x81\x03one"]
        socket.pause_writing()
        assert not say("nobody reads")
        socket.resume_writing()
        await socket.send({"type": "websocket.close"})
        assert not say("too late")
        assert len(transport.written) == 3


@pytest.mark.anyio
async def test_reading_stops_at_a_message_that_nobody_waits_for(tmp_path):
    with upgraded(tmp_path) as (socket, transport):
        await socket.send({"type": "websocket.accept"})
        assert (await socket.receive())["type"] == "websocket.connect"
        hello = b"\x81\x85\0\0\0\0hello"
        waiting = asyncio.ensure_future(socket.receive())
        await asyncio.sleep(0)
        socket.data_received(hello)
        assert (transport.paused, (await waiting)["text"]) == (0, "hello")
        socket.data_received(hello)
        socket.data_received(hello)
        assert transport.paused == 1
        assert [(await socket.receive())["text"], (await socket.receive())["text"]] == ["hello", "hello"]
        assert transport.paused == 0
