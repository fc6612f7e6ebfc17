"""Tests connections that never send a request, and invented client addresses."""

import asyncio
import contextlib
import http.client
import json
import socket
import time
from types import SimpleNamespace

import pytest
from fastapi import FastAPI, WebSocket
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from connectk.server import connections, httpconnection, schemas, websocketconnection
from connectk.server.connections import ConnectionRegistry
from connectk.server.httpconnection import HttpConnection
from connectk.server.limits import WS_FRAME_BURST_SECONDS, WS_FRAMES_PER_SECOND, Limits, RateLimiter, network_of
from connectk.server.middleware import resolve_client_address
from connectk.server.offences import OffenceLog
from connectk.server.routes.socket import MatchSession
from connectk.server.routes.socketsession import run_session
from connectk.server.runner import config_for
from tests.server.clients import make
from tests.server.hostile.conftest import plays_on
from tests.server.hostile.floods import UPGRADE
from tests.server.serving import Client, serving, settings_for
from tests.server.test_admin import wait_for


def silent(port: int, words: bytes = b"GET / HTTP/1.1\r\nHost: x\r\nX-") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(words)
    connection.settimeout(30)
    return connection


def status_and_reason(connection: socket.socket) -> tuple[int, str | None]:
    """Read an answer to its end, as any client does, and return its status and its reason."""
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
        assert status_and_reason(silent(client.port, words)) == (408, "time_is_up")
        assert plays_on(client)


def test_a_header_without_end_is_cut_off(client):
    """A header that never ends is refused, and the client can read the refusal."""
    connection = silent(client.port)
    connection.sendall(b"x" * 1_000_000)
    assert status_and_reason(connection) == (431, "too_large")
    assert plays_on(client)


def test_what_is_no_request_is_refused_in_the_usual_shape(client):
    assert status_and_reason(silent(client.port, b"GET /\xe4\x86\x89 HTTP/9\r\n\r\n")) == (400, "bad_request")
    assert plays_on(client)


def test_the_page_is_not_sent_what_only_commands_say(client):
    words = client.get("/texts/fi.json").json()
    assert "refused.match_over" in words
    assert not [key for key in words if key.startswith(("usage.", "setting."))]


def request(path: str, body: bytes, *headers: bytes) -> bytes:
    head = b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n" % (path.encode(), len(body))
    return head + b"".join(header + b"\r\n" for header in headers) + b"\r\n" + body


def test_a_file_that_comes_together_with_its_header_is_read(client):
    """Hundreds of kilobytes of a body may arrive together with the header. They do not count towards the header's
    length."""
    connection = silent(client.port, request("/api/judge", b"7 6 4\n" + b"1\n" * 3_000_000, b"Connection: close"))
    assert status_and_reason(connection) == (200, None)


@pytest.mark.parametrize("headers", [(), (b"Connection: close",)])
@pytest.mark.parametrize("path", ["/api/judge", "/api/matches"])
def test_one_who_sends_too_much_can_read_why(client, path, headers):
    """A client that sends its whole request before it reads anything still receives the refusal."""
    connection = silent(client.port, request(path, b"x" * 9_000_000, *headers))
    assert status_and_reason(connection) == (413, "too_large")


@pytest.mark.parametrize(("most", "seconds"), [(1000, 60), (10**9, 2.0)])
def test_answers_that_nobody_reads_are_kept_for_a_while_only(tmp_path, monkeypatch, most, seconds):
    """Unread answers of an address are limited in size and in time."""
    monkeypatch.setattr(httpconnection, "MAX_UNREAD_BYTES", most)
    paused = []
    pause = HttpConnection.pause_writing
    monkeypatch.setattr(HttpConnection, "pause_writing", lambda self: (paused.append(self), pause(self)))
    with serving(settings_for(tmp_path, body_seconds=seconds)) as client:
        everyone = [narrow(client.port, b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(3)]
        wait_for(lambda: len(set(paused)) == 3)
        here = client.server.config.loaded_app.state.connections
        wait_for(lambda: not here.addresses)
        assert not here.unread
        assert plays_on(client)
        for connection in everyone:
            connection.close()


def narrow(port: int, words: bytes) -> socket.socket:
    """A socket that sends many requests and can receive only a few kilobytes."""
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
        held = [silent(client.port, waits) for _ in range(20)]  # the client's own, which is idle, gives way
        while len(client.host.audiences) < 20:
            time.sleep(0.01)
        assert status_and_reason(silent(client.port)) == (429, "busy")
        for connection in held:
            connection.close()
        here = client.server.config.loaded_app.state.connections
        wait_for(lambda: here.addresses.total() < 20)
        assert plays_on(client)


def test_those_that_say_nothing_give_way_at_the_same_address(tmp_path):
    """If an address has too many connections without a request, some of them are closed to serve a new client there."""
    with serving(settings_for(tmp_path, address_connections=20)) as client:
        held = [silent(client.port) for _ in range(60)]
        with Client(client.port) as another:
            assert plays_on(another)
        assert status_and_reason(held[0]) == (408, "time_is_up")


def test_the_oldest_of_too_many_waiting_connections_is_rejected():
    rejected = []

    class Waiting:
        def __init__(self, name):
            self.name = name

        def give_up(self):
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
    """The client's address is the one that our own proxy added. The addresses to its left may be invented."""
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
    """A /64 network of IPv6 addresses counts as one address, because one subscriber owns all of it."""
    assert network_of(address) == network


def test_few_descriptors_are_shared_out(tmp_path, monkeypatch):
    """With 1,024 file descriptors, one address may use at most half of those that are free for clients."""
    monkeypatch.setattr("connectk.server.limits.raise_file_limit", lambda: 1024)
    settings = settings_for(tmp_path)
    limits, connected = Limits(settings), connections.connection_registry(settings)
    assert limits.max_sockets_per_address + connected.max_per_address <= (1024 - 200) / 2
    assert limits.max_sockets + connected.max_waiting <= 1024 - 200


def test_sockets_over_the_rate_are_told_so(tmp_path, capfd):
    """A client that opens sockets too fast gets a sentence, and the log has no error."""
    with serving(settings_for(tmp_path, address_rate=10)) as client:
        handshake = UPGRADE.format(match_id=make(client, public=True)["match"]["id"]).encode()
        asking = [silent(client.port, b"") for _ in range(20)]  # while it may still ask
        for connection in asking:
            connection.sendall(handshake)
        refused = [connection for connection in asking if b"429" in connection.recv(12, socket.MSG_PEEK)]
        assert {status_and_reason(connection) for connection in refused} == {(429, "too_fast")}
        for connection in asking:
            connection.close()
    written = capfd.readouterr().err
    assert "handshake" not in written
    assert "error" not in written


@pytest.mark.anyio
async def test_one_who_has_left_before_the_greeting_is_no_failure():
    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        raise ConnectionResetError

    async def serve(hello):
        raise AssertionError("to whom")

    await run_session(WebSocket({"type": "websocket"}, receive, send), MatchSession.parser, schemas.HelloCommand, serve)


class Wire:
    """A transport that records what the server does with it."""

    def __init__(self):
        self.written, self.is_paused, self.is_closed, self.aborted = [], False, False, asyncio.Event()

    def get_extra_info(self, name):
        return ("192.0.2.7", 4096)

    def write(self, data):
        self.written.append(data)

    def is_closing(self):
        return self.is_closed

    def close(self):
        self.is_closed = True

    def abort(self):
        self.aborted.set()

    def pause_reading(self):
        assert not self.is_paused
        self.is_paused = True

    def resume_reading(self):
        assert self.is_paused
        self.is_paused = False

    def can_write_eof(self):
        return False

    def set_protocol(self, protocol):
        self.protocol = protocol

    def get_protocol(self):
        return self.protocol


def wired(tmp_path, app, spent=0, **changes):
    """A connection to an application without a network. Its address has already sent `spent` requests."""
    served, settings = FastAPI(), settings_for(tmp_path, **changes)
    served.state.settings, served.state.connections = settings, connections.connection_registry(settings)
    served.state.host = SimpleNamespace(limits=Limits(settings), offences=OffenceLog())
    served.state.host.limits.addresses.charge("192.0.2.7", spent)
    served.router = app
    config = config_for(settings, served)
    config.load()
    connection, wire = HttpConnection(config, ServerState(), {}), Wire()
    wire.set_protocol(connection)
    connection.connection_made(wire)
    return connection, wire


def feed(wire, data):
    """Send data as the operating system does: as much as fits, and nothing while reading is paused. Returns the unsent
    rest."""
    while data and not wire.is_paused:
        buffer = wire.protocol.get_buffer(-1)
        count = min(len(buffer), len(data))
        buffer[:count] = data[:count]
        data = data[count:]
        wire.protocol.buffer_updated(count)
    return data


async def let_run(turns=5):
    for _ in range(turns):
        await asyncio.sleep(0)


@pytest.mark.anyio
async def test_of_many_requests_sent_at_once_few_are_in_memory(tmp_path):
    """Of many requests sent at once, the server answers one and parses a few. The rest stays in the system's
    buffers."""
    begun, may_answer = [], asyncio.Event()

    async def app(scope, receive, send):
        begun.append(scope["path"])
        await may_answer.wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    connection, wire = wired(tmp_path, app)
    asked = [f"/{number}" for number in range(3000)]
    left = feed(wire, b"".join(f"GET {path} HTTP/1.1\r\n\r\n".encode() for path in asked))
    sent = len(left)
    await let_run()
    assert begun == ["/0"]
    assert wire.is_paused
    assert len(connection._exchanges) <= 1 + httpconnection.PARSED_HEADER_BYTES / len("GET / HTTP/1.1\r\n\r\n")
    may_answer.set()
    while len(begun) < len(asked):
        await let_run()
        left = feed(wire, left)
        assert len(connection._exchanges) <= sent
    assert begun == asked
    await let_run()
    assert b"".join(wire.written).count(b"HTTP/1.1 200 OK") == len(asked)


@pytest.mark.anyio
async def test_a_header_has_its_time_once_the_request_before_is_answered(tmp_path):
    """The timeout of a header starts when the previous request is answered, because the server may not read the header
    earlier."""
    may_answer = asyncio.Event()

    async def app(scope, receive, send):
        await may_answer.wait()
        await send({"type": "http.response.start", "status": 204})
        await send({"type": "http.response.body"})

    connection, wire = wired(tmp_path, app)
    feed(wire, b"GET /1 HTTP/1.1\r\n\r\nGET /2 HT")
    await let_run()
    assert connection not in connection.registry.waiting
    may_answer.set()
    await let_run()
    assert connection in connection.registry.waiting
    feed(wire, b"TP/1.1\r\n\r\n")
    await let_run()
    assert b"".join(wire.written).count(b"204 No Content") == 2


@pytest.mark.anyio
async def test_connections_that_were_refused_go_on_at_different_moments(tmp_path, monkeypatch):
    """Refused connections continue at different moments. Hundreds at the same moment would flood the server again."""

    async def app(scope, receive, send):
        scope["state"]["is_rate_limited"] = True
        await send({"type": "http.response.start", "status": 429})
        await send({"type": "http.response.body"})

    delays = []
    for _ in range(20):
        connection, wire = wired(tmp_path, app)
        loop = SimpleNamespace(create_task=connection.loop.create_task, call_later=lambda s, _: delays.append(s))
        monkeypatch.setattr(connection, "loop", loop)
        feed(wire, b"GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n")
    await let_run()
    assert len(set(delays)) == 20
    assert max(delays) - min(delays) > 0.2


@pytest.mark.anyio
@pytest.mark.parametrize("spent", [0, 38])
async def test_a_new_connection_of_an_address_without_requests_left_waits(tmp_path, spent):
    """If an address has used up its requests, its new connection is not read at first, and its request is answered
    later."""

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 204})
        await send({"type": "http.response.body"})

    _, wire = wired(tmp_path, app, spent, address_rate=10)  # forty at once
    await let_run()
    assert wire.is_paused == bool(spent)
    while wire.is_paused:
        await asyncio.sleep(0.01)
    assert not wire.written
    feed(wire, b"GET / HTTP/1.1\r\n\r\n")
    await let_run()
    assert wire.written[0].startswith(b"HTTP/1.1 204")


@pytest.mark.anyio
async def test_a_rejected_connection_counts_as_a_request(tmp_path):
    connection, _ = wired(tmp_path, None)
    limiter = RateLimiter(1, seconds=1, clock=lambda: 0.0)
    connection.app.state.host.limits.addresses = limiter
    assert limiter.has_tokens("192.0.2.7")
    connection.reject(connections.BAD_REQUEST_REJECTION)
    assert not limiter.has_tokens("192.0.2.7")


def test_requests_sent_at_once_are_answered_in_their_order(client):
    """Requests that a client sends at once are answered in order, and another client is served between them."""
    asked = b"".join(b"GET /api/%d HTTP/1.1\r\nHost: x\r\n\r\n" % number for number in range(500))
    with silent(client.port, asked + b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") as connection:
        assert plays_on(client)
        answers = connection.makefile("rb").read()
    assert answers.count(b"HTTP/1.1 404") == 500
    assert answers.endswith(b'{"status":"ok"}')


UNFINISHED_REQUESTS = [
    b"GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\na: ",
    b"GET /1 HTTP/1.1\r\n\r\nGET /",
    b"POST /1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\na: ",
    b"POST /1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;",
]


@pytest.mark.anyio
@pytest.mark.parametrize("begun", UNFINISHED_REQUESTS)
async def test_a_header_without_end_is_cut_off_beside_a_request(tmp_path, begun):
    """An endless header is cut off: that of the next request, its address, the lines after a body, or the header of a
    chunk."""

    async def app(scope, receive, send):
        await asyncio.Event().wait()

    connection, wire = wired(tmp_path, app)
    feed(wire, begun)
    for _ in range(2 * httpconnection.MAX_HEADER_BYTES // httpconnection.HEADER_READ_BYTES):
        feed(wire, b"x" * httpconnection.HEADER_READ_BYTES)
        await let_run(1)
    assert b"".join(wire.written).startswith(b"HTTP/1.1 431 ")
    connection.connection_lost(None)


@pytest.mark.parametrize(("count", "status"), [(90, 200), (101, 431), (12_000, 431)])
def test_a_request_has_at_most_a_hundred_headers(client, count, status):
    connection = silent(client.port, b"GET /healthz HTTP/1.1\r\n" + b"a:\r\n" * count + b"\r\n")
    assert status_and_reason(connection)[0] == status
    assert plays_on(client)


@pytest.mark.anyio
async def test_one_who_is_refused_and_goes_on_sending_is_cut_off(tmp_path):
    """A refused client that goes on sending can read the refusal for a while, and is then disconnected."""
    connection, wire = wired(tmp_path, None)
    connection.reject(connections.BUSY_REJECTION)
    left = b"x" * (connections.MAX_DISCARDED_BYTES + 1)
    while left:
        left = feed(wire, left)
        assert not wire.aborted.is_set() or not left
        await let_run(1)
    assert wire.aborted.is_set()


PING = Frame(Opcode.PING, b"").serialize(mask=True)
EMPTY_PART = Frame(Opcode.CONT, b"", fin=False).serialize(mask=True)
FIRST_PART = Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True)


@pytest.mark.parametrize("frames", [PING * 1000, FIRST_PART + EMPTY_PART * 1000, PING * 100_000])
def test_a_flood_of_frames_that_are_no_messages_ends_the_socket(client, frames):
    """A flood of WebSocket frames that are no messages ends the connection. None of them reaches the application."""
    match_id = make(client, public=True)["match"]["id"]
    with client.socket(match_id) as table:
        with contextlib.suppress(OSError):
            table.socket.sendall(frames)
        with pytest.raises(ConnectionClosed) as closed:
            table.recv(60)
    assert closed.value.rcvd is None or closed.value.rcvd.code == 1008
    assert len(frames) > 100_000 or closed.value.rcvd  # where the system holds all that was sent, the reason arrives
    assert plays_on(client)


def test_ordinary_pings_are_answered(client):
    match_id = make(client, public=True)["match"]["id"]
    with client.socket(match_id) as table:
        for _ in range(int(WS_FRAMES_PER_SECOND * WS_FRAME_BURST_SECONDS / 2)):
            assert table.ping().wait(60)


def test_frames_count_as_requests_of_their_address(tmp_path):
    """WebSocket frames count as requests of their address, which here reaches its limit before the socket reaches its
    own."""
    with serving(settings_for(tmp_path, address_rate=5)) as client:
        match_id = make(client, public=True)["match"]["id"]
        with client.socket(match_id) as table:
            table.socket.sendall(PING * int(WS_FRAMES_PER_SECOND * WS_FRAME_BURST_SECONDS / 2))
            with pytest.raises(ConnectionClosed) as closed:
                table.recv(60)
            assert closed.value.rcvd.code == 1008


@contextlib.asynccontextmanager
async def upgraded(tmp_path):
    """A WebSocket connection whose application sends nothing by itself. Yields its wire and the application's
    arguments."""
    over, calls = asyncio.Event(), []

    async def wait(scope, receive, send):
        calls.extend([scope, receive, send])
        await over.wait()

    _, wire = wired(tmp_path, wait)
    feed(
        wire,
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
    )
    await let_run()
    yield wire, *calls
    over.set()
    wire.protocol.connection_lost(OSError())
    await let_run()


@pytest.mark.anyio
@pytest.mark.parametrize("reads", [True, False])
async def test_a_socket_that_is_not_read_is_given_up(reads, monkeypatch, tmp_path):
    """A client that does not read its socket is disconnected, here at once instead of after some seconds. Until then
    the server reads nothing from it."""
    monkeypatch.setattr(websocketconnection, "SEND_TIMEOUT_SECONDS", 0.0)
    async with upgraded(tmp_path) as (wire, _, _, send):
        await send({"type": "websocket.accept"})
        wire.protocol.pause_writing()
        assert wire.is_paused
        if reads:
            wire.protocol.resume_writing()
            await let_run()
        else:
            await asyncio.wait_for(wire.aborted.wait(), 60)
        assert wire.aborted.is_set() != reads


@pytest.mark.anyio
async def test_a_silent_client_is_asked_whether_it_is_there(monkeypatch, tmp_path):
    monkeypatch.setattr(websocketconnection, "IDLE_PING_INTERVAL_SECONDS", 0.0)
    async with upgraded(tmp_path) as (wire, _, receive, send):
        await send({"type": "websocket.accept"})
        await receive()
        assert (await asyncio.wait_for(receive(), 60))["code"] == 1011
        assert wire.written[1:] == [b"\x89\x00", b"\x88\x02\x03\xf3"]


@pytest.mark.anyio
async def test_a_message_is_written_at_once_only_where_it_can_be(tmp_path):
    async with upgraded(tmp_path) as (wire, scope, _, send):
        say = scope["state"]["write_now"]
        assert not say("too early")
        await send({"type": "websocket.accept"})
        assert say("one")
        assert wire.written[1:] == [b"\x81\x03one"]
        wire.protocol.pause_writing()
        assert not say("nobody reads")
        wire.protocol.resume_writing()
        await send({"type": "websocket.close"})
        assert not say("too late")
        assert len(wire.written) == 3


@pytest.mark.anyio
async def test_reading_stops_at_a_message_that_nobody_waits_for(tmp_path):
    async with upgraded(tmp_path) as (wire, _, receive, send):
        await send({"type": "websocket.accept"})
        assert (await receive())["type"] == "websocket.connect"
        hello = b"\x81\x85\0\0\0\0hello"
        waiting = asyncio.ensure_future(receive())
        await let_run()
        assert feed(wire, hello) == b""
        assert (wire.is_paused, (await waiting)["text"]) == (False, "hello")
        assert feed(wire, hello * 2) == b""
        assert wire.is_paused
        assert [(await receive())["text"], (await receive())["text"]] == ["hello", "hello"]
        waiting = asyncio.ensure_future(receive())
        await let_run()
        assert not wire.is_paused
        waiting.cancel()


@pytest.mark.anyio
async def test_what_comes_after_the_end_is_not_delivered(tmp_path):
    """A message that follows a close frame in the same packet is ignored."""
    async with upgraded(tmp_path) as (wire, _, receive, send):
        await send({"type": "websocket.accept"})
        await receive()
        hello = b"\x81\x85\0\0\0\0hello"
        feed(wire, hello + Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True) + hello)
        assert [(await receive()).get("text"), (await receive()).get("code")] == ["hello", 1000]
        assert wire.is_closed
        with pytest.raises(ConnectionResetError):
            await send({"type": "websocket.send", "text": "too late"})
