"""One HTTP/1.1 connection: reads its requests one after the other and runs the application for each.

httptools parses the input, `PARSED_HEADER_BYTES` at a time. While another request of the connection waits, nothing is
read or parsed, so requests that a client sends in advance stay in the system's buffers. Each part of a request has a
timeout and a size limit.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import deque
from functools import lru_cache
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

import httptools
from starlette.types import ASGIApp, Message, Scope
from uvicorn import Config
from uvicorn.server import ServerState

from connectk.server.connections import (
    BAD_REQUEST_REJECTION,
    BUSY_REJECTION,
    HEADER_TOO_LARGE_REJECTION,
    MAX_READ_BYTES,
    TIMED_OUT_REJECTION,
    BoundedConnection,
    ConnectionTimer,
    Rejection,
    response_to,
)
from connectk.server.limits import SOCKET_COST, Limits, network_of
from connectk.server.monitoring import describe_error, log
from connectk.server.websocketconnection import WebSocketConnection

HEADER_READ_BYTES = 4096
PARSED_HEADER_BYTES = 256  # parsed at a time, because a larger part could have many short requests and would take long
PARSED_BODY_BYTES = 4096
MAX_HEADER_BYTES = 64 * 1024
MAX_HEADERS = 100
MAX_SLASHES, MAX_QUERY_FIELDS = 20, 50  # in the address of a request; no route has more than a few
# A body may have `MAX_SHORT_CHUNKS` chunks, and one more for every `MIN_CHUNK_BYTES`. Even a short chunk costs time.
MAX_SHORT_CHUNKS, MIN_CHUNK_BYTES = 100, 512
MAX_UNREAD_BYTES = 32 * 2**20  # of answers that the clients at one address have not read yet
MAX_BODY_BUFFER_BYTES = 64 * 1024  # of a body that the application has not read yet
KEEP_ALIVE_SECONDS = 5.0  # the longest pause between two requests
# How long a new connection waits if its address has too few requests left. A request that was sent in advance waits
# this long too if the request before it was rate-limited. The time is random. Otherwise hundreds of connections could
# continue in the same moment and delay all others.
MIN_RATE_LIMITED_DELAY_SECONDS, MAX_RATE_LIMITED_DELAY_SECONDS = 1.0, 3.0
BODILESS_STATUSES = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)
LINE_BREAK_PATTERN = re.compile(rb"[\r\n\0]")


class HttpConnection(BoundedConnection):
    """The asyncio protocol of each connection. It replaces uvicorn's own."""

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], **_: Any) -> None:
        if not config.loaded:
            config.load()
        self.app: Any = config.loaded_app
        super().__init__(self.app.state.connections, asyncio.get_running_loop(), HEADER_READ_BYTES)
        self.server_state, self._app_state, self._settings = server_state, app_state, self.app.state.settings
        self._parser = httptools.HttpRequestParser(self)
        self._exchanges: deque[Exchange] = deque()  # the current exchange first, followed by those that wait
        self._arriving: Exchange | None = None  # the exchange whose body is being received
        self._rejection: Rejection | None = None  # set by a callback of the parser
        self._url, self._headers = b"", list[tuple[bytes, bytes]]()
        self._unparsed = b""
        self._header_bytes, self._is_header_begun = 0, False
        self._chunks_left = 0.0
        self._is_rejected = self._is_idle = self._is_upgraded = self._is_stopping = self._is_held = False
        self._timer, self._unread_timer = ConnectionTimer(self.loop), ConnectionTimer(self.loop)
        self._unread_bytes = 0
        self._writable = asyncio.Event()
        self._writable.set()
        self.address: str | None = None

    # The connection

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.server_state.connections.add(self)  # type: ignore[arg-type]
        self._client, self._server = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
        is_counted = isinstance(self._client, tuple) and not self._settings.proxies
        self.address = network_of(self._client[0]) if is_counted else ""
        self.registry.addresses[self.address] += 1
        if self.address and not self.registry.admit(self.address):
            self.reject(BUSY_REJECTION)
            return
        self._await_request(self._settings.header_seconds)
        if self.address and not self._limits.addresses.has_tokens(self.address, SOCKET_COST):
            self._hold()
            self.loop.call_soon(self.update_reading)  # reading starts after this method

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.server_state.connections.discard(self)
        self._release()
        self._disconnect()

    def shutdown(self) -> None:
        """Called by uvicorn when the server stops. The current request is still answered, but no further one is
        read."""
        self._is_stopping = True
        while len(self._exchanges) > 1:
            self._exchanges.pop()
        if self._exchanges:
            self._exchanges[0].keep_alive = False
        else:
            self.transport.close()

    def give_up(self) -> None:
        if self._is_idle:
            self._stop_waiting()
            self.transport.close()  # without a request, an answer would be mistaken for the answer to the next request
        else:
            self.reject(TIMED_OUT_REJECTION)

    @property
    def _limits(self) -> Limits:
        limits: Limits = self.app.state.host.limits
        return limits

    def reject(self, rejection: Rejection) -> None:
        """Sends one error instead of answering the requests of this connection, and closes it. The rejected connection
        counts as a request in the rate limit."""
        self._stop_waiting()
        if self.transport.is_closing() or self._is_rejected:
            return
        self._is_rejected = True
        self._note(rejection.reason)
        if self.address:  # empty behind a proxy
            self._limits.addresses.allows(self.address)
        self._disconnect()
        self.transport.write(response_to(rejection))
        self.linger()

    def _note(self, reason: str) -> None:
        self.app.state.host.offences.note_rejected("connection", reason, self.address)

    def _disconnect(self) -> None:
        for exchange in self._exchanges:
            exchange.disconnect()
        self._exchanges.clear()
        self._writable.set()

    def _release(self) -> None:
        """Stops counting this connection, because it is closed or has become a WebSocket."""
        self._stop_waiting()
        self._clear_unread()
        if self.address is not None:
            addresses = self.registry.addresses
            addresses[self.address] -= 1
            if not addresses[self.address]:
                del addresses[self.address]
            self.address = None

    # Reading

    @property
    def has_backlog(self) -> bool:
        return bool(self._unparsed) or self._has_enough

    @property
    def _has_enough(self) -> bool:
        exchanges = self._exchanges
        return (
            self._is_held or len(exchanges) > 1 or (bool(exchanges) and len(exchanges[0].body) > MAX_BODY_BUFFER_BYTES)
        )

    def received(self, data: bytes) -> None:
        self._unparsed += data
        self._parse()

    def go_on_reading(self) -> None:
        """Parse what has arrived and read on. This is called after a request has been answered, or after the
        application has taken a part of a body."""
        self._parse()
        self.update_reading()

    def _parse(self) -> None:
        while self._unparsed and not (self._has_enough or self._is_upgraded) and self.can_write:
            count = PARSED_BODY_BYTES if self._arriving else PARSED_HEADER_BYTES
            part, self._unparsed = self._unparsed[:count], self._unparsed[count:]
            self._header_bytes += len(part)
            self._parse_part(part)
            if self._header_bytes > MAX_HEADER_BYTES:
                self.reject(HEADER_TOO_LARGE_REJECTION)
        if self._is_upgraded or not self.can_write:
            self._unparsed = b""
        self.read_bytes = MAX_READ_BYTES if self._arriving or self.is_lingering else HEADER_READ_BYTES

    def _parse_part(self, part: bytes) -> None:
        try:
            self._parser.feed_data(part)
        except httptools.HttpParserUpgrade as upgrade:
            self._upgrade(part[upgrade.args[0] :] + self._unparsed)
        except httptools.HttpParserError:
            self.reject(self._rejection or BAD_REQUEST_REJECTION)

    def _await_request(self, seconds: float) -> None:
        """Starts the timeout for the header of the next request."""
        self._timer.start(seconds, self.give_up)
        self.registry.add_waiting(self)

    def _stop_waiting(self) -> None:
        self._timer.stop()
        self.registry.waiting.pop(self, None)

    # Callbacks of the parser

    def on_message_begin(self) -> None:
        self._url, self._headers, self._is_header_begun = b"", [], True
        self._header_bytes = 0
        if not self._exchanges:  # otherwise reading may be paused, so no timeout starts
            self._await_header()

    def _await_header(self) -> None:
        self._is_idle = False
        if self.can_write:
            self._stop_waiting()
            self._await_request(self._settings.header_seconds)

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self._headers) >= MAX_HEADERS:
            self._rejection = HEADER_TOO_LARGE_REJECTION
            raise ValueError(MAX_HEADERS)
        self._headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        self._header_bytes, self._is_header_begun = 0, False
        self._stop_waiting()
        self._timer.start(self._settings.body_seconds, self.reject, TIMED_OUT_REJECTION)
        headers, self._headers = self._headers, []  # trailers are counted and ignored
        self._scope = self._scope_for(headers)
        self._chunks_left = MAX_SHORT_CHUNKS
        wants_upgrade = self._parser.should_upgrade()
        if wants_upgrade and any(name == b"upgrade" and value.lower() == b"websocket" for name, value in headers):
            self._scope["type"] = "websocket"
            return
        can_keep_alive = self._scope["http_version"] != "1.0" and not (wants_upgrade or self._is_stopping)
        keep_alive = can_keep_alive and self._parser.should_keep_alive()
        expects_continue = any(name == b"expect" and value.lower() == b"100-continue" for name, value in headers)
        self._arriving = Exchange(self, self._scope, keep_alive, expects_continue)
        self._exchanges.append(self._arriving)
        if len(self._exchanges) == 1 and not self._is_held:
            self._start(self._arriving)

    def _scope_for(self, headers: list[tuple[bytes, bytes]]) -> Scope:
        url = httptools.parse_url(self._url)
        path = unquote(url.path.decode("ascii"))
        if path.count("/") > MAX_SLASHES or (url.query or b"").count(b"&") >= MAX_QUERY_FIELDS:
            self._rejection = HEADER_TOO_LARGE_REJECTION
            raise ValueError(path.count("/"))
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": self._parser.get_http_version(),
            "server": self._server if isinstance(self._server, tuple) else None,
            "client": self._client if isinstance(self._client, tuple) else None,
            "scheme": "http",
            "root_path": "",
            "method": self._parser.get_method().decode("ascii"),
            "path": path,
            "raw_path": url.path,
            "query_string": url.query or b"",
            "headers": headers,
            "state": self._app_state.copy(),
        }

    def on_chunk_header(self) -> None:
        self._chunks_left -= 1
        if self._chunks_left < 0:
            raise ValueError(MAX_SHORT_CHUNKS)

    def on_body(self, body: bytes) -> None:
        self._chunks_left += len(body) / MIN_CHUNK_BYTES
        self._header_bytes = 0
        if self._arriving:
            self._arriving.add_body(body)

    def on_message_complete(self) -> None:
        self._timer.stop()
        if self._arriving:
            self._arriving.end_body()
            self._arriving = None
        if not self._exchanges:
            self._rest()

    def _upgrade(self, rest: bytes) -> None:
        """Hands the connection over to a WebSocket. If the client asks for another protocol, the request is answered as
        an ordinary request."""
        self._is_upgraded = True
        if self._scope["type"] == "http":
            return
        if self._exchanges:
            self.reject(BAD_REQUEST_REJECTION)
            return
        self._stop_waiting()
        self.server_state.connections.discard(self)
        socket = WebSocketConnection(
            self.registry, self.loop, self.server_state, self.app, self._scope, on_accept=self._release
        )
        self.transport.set_protocol(socket)
        socket.open(self.transport, rest)

    # Answering

    def _start(self, exchange: Exchange) -> None:
        task = self.loop.create_task(exchange.run(self.app))
        self.server_state.tasks.add(task)
        task.add_done_callback(self.server_state.tasks.discard)

    def on_response_complete(self, exchange: Exchange) -> None:
        """Starts to answer the next request, or waits for one."""
        self.server_state.total_requests += 1
        if not self._exchanges or self._exchanges[0] is not exchange:  # the connection was rejected or lost
            return
        self._exchanges.popleft()
        if not exchange.keep_alive:
            self._exchanges.clear()
            self._stop_waiting()
            self.transport.close()
        elif self._exchanges and exchange.is_rate_limited and self.address:  # empty behind a proxy
            self._hold()
        else:
            self._go_on()

    def _hold(self) -> None:
        """Pauses for a while, because this client sends too many requests. Its next requests would be refused as too
        fast, and refusing them costs time."""
        self._is_held = True
        delay = random.uniform(MIN_RATE_LIMITED_DELAY_SECONDS, MAX_RATE_LIMITED_DELAY_SECONDS)
        self.loop.call_later(delay, self._go_on)

    def _go_on(self) -> None:
        self._is_held = False
        if self._exchanges:
            self._start(self._exchanges[0])
        elif not self._arriving:
            self._rest()
        self.go_on_reading()

    def _rest(self) -> None:
        """Waits until the next request begins. If it has already begun, waits until its header is complete."""
        if self._is_header_begun:
            self._await_header()
        elif self not in self.registry.waiting and self.can_write:
            self._is_idle = True
            self._await_request(KEEP_ALIVE_SECONDS)

    async def write(self, data: bytes) -> None:
        """Writes the data. It first waits until the client has read most of the earlier data."""
        if not self._writable.is_set():
            await self._writable.wait()
        if not self.transport.is_closing():
            self.transport.write(data)

    def pause_writing(self) -> None:
        """Called by asyncio when the client reads more slowly than the server writes. The connection is aborted if this
        lasts too long or too much data is unread."""
        self._writable.clear()
        if self.address is None:
            return
        self._unread_bytes = self.transport.get_write_buffer_size()
        self.registry.unread[self.address] += self._unread_bytes
        if self.registry.unread[self.address] > MAX_UNREAD_BYTES:
            self._abort_unread()
        else:
            self._unread_timer.start(self._settings.body_seconds, self._abort_unread)

    def _abort_unread(self) -> None:
        self._note("not_read")
        self.transport.abort()

    def resume_writing(self) -> None:
        self._writable.set()
        self._clear_unread()

    def _clear_unread(self) -> None:
        self._unread_timer.stop()
        if self.address is not None and self._unread_bytes:
            self.registry.unread[self.address] -= self._unread_bytes
            if not self.registry.unread[self.address]:
                del self.registry.unread[self.address]
        self._unread_bytes = 0


class Exchange:
    """One request with its response, in the form that an ASGI application uses."""

    __slots__ = (
        "_changed",
        "_connection",
        "_expects_continue",
        "_is_chunked",
        "_is_delivered",
        "_is_disconnected",
        "_is_received",
        "_left_bytes",
        "_scope",
        "_status",
        "body",
        "is_complete",
        "keep_alive",
    )

    def __init__(self, connection: HttpConnection, scope: Scope, keep_alive: bool, expects_continue: bool) -> None:
        self._connection, self._scope, self.keep_alive = connection, scope, keep_alive
        self._expects_continue = expects_continue
        self._changed = asyncio.Event()
        self.body = bytearray()
        self._is_received = self._is_delivered = self._is_disconnected = False
        self._status = 0  # set when the response starts
        self._is_chunked = self.is_complete = False
        self._left_bytes: int | None = None  # the bytes still to be sent of a body whose length the header says

    def add_body(self, body: bytes) -> None:
        if not self.is_complete:
            self.body += body
            self._changed.set()

    def end_body(self) -> None:
        self._is_received = True
        self._changed.set()

    def disconnect(self) -> None:
        self._is_disconnected = True
        self._changed.set()

    @property
    def is_rate_limited(self) -> bool:
        """Whether the application has refused this request because it came too fast. If so, the client's next request
        has to wait."""
        return bool(self._scope["state"].get("is_rate_limited"))

    async def run(self, app: ASGIApp) -> None:
        try:
            await app(self._scope, self.receive, self.send)
        except Exception as error:
            log.error("request_failed", route="other", failed=describe_error(error))
        if not self.is_complete and not self._is_disconnected:  # the response is incomplete
            self._connection.transport.close()

    async def receive(self) -> Message:
        if self._expects_continue and not self._status:
            self._expects_continue = False
            await self._connection.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        while not self._is_over and (self._is_delivered or not (self.body or self._is_received)):
            self._changed.clear()
            await self._changed.wait()
        if self._is_over:
            return {"type": "http.disconnect"}
        body, self.body = bytes(self.body), bytearray()
        self._is_delivered = self._is_received
        self._connection.go_on_reading()
        return {"type": "http.request", "body": body, "more_body": not self._is_delivered}

    @property
    def _is_over(self) -> bool:
        return self._is_disconnected or self.is_complete

    async def send(self, message: Message) -> None:
        if self._is_disconnected:
            return
        if message["type"] == "http.response.start" and not self._status:
            self._status = message["status"]
            await self._connection.write(self._head(message.get("headers", ())))
        elif message["type"] == "http.response.body" and self._status and not self.is_complete:
            await self._send_body(message.get("body", b""), message.get("more_body", False))
        else:
            raise RuntimeError(f"unexpected {message['type']}")

    def _head(self, headers: Any) -> bytes:
        """The status line and the header. If the application does not give the length of the body, the body is sent in
        chunks."""
        lines, names = [_status_line(self._status)], set()
        for name, value in (*self._connection.server_state.default_headers, *headers):
            if LINE_BREAK_PATTERN.search(name + value):
                raise ValueError("a line break in a header")
            names.add(name)
            lines.append(b"%b: %b\r\n" % (name, value))
            if name == b"content-length":
                self._left_bytes = int(value)
            elif name == b"connection" and value.lower() == b"close":
                self.keep_alive = False
        if b"content-length" not in names and not self._has_no_body:
            self._is_chunked = self._scope["http_version"] != "1.0"
            self.keep_alive = self.keep_alive and self._is_chunked
            if self._is_chunked:
                lines.append(b"transfer-encoding: chunked\r\n")
        if not self.keep_alive and b"connection" not in names:
            lines.append(b"connection: close\r\n")
        return b"".join((*lines, b"\r\n"))

    @property
    def _has_no_body(self) -> bool:
        return self._scope["method"] == "HEAD" or self._status in BODILESS_STATUSES

    async def _send_body(self, body: bytes, more_body: bool) -> None:
        if not self._has_no_body:
            if self._is_chunked:
                body = (b"%x\r\n%b\r\n" % (len(body), body) if body else b"") + (b"" if more_body else b"0\r\n\r\n")
            elif self._left_bytes is not None:
                self._left_bytes -= len(body)
                if self._left_bytes < 0 or (self._left_bytes and not more_body):
                    raise RuntimeError("the response is not as long as its header says")
            if body:
                await self._connection.write(body)
        if not more_body and not self._is_disconnected:
            self.is_complete = True
            self.body.clear()
            self._changed.set()
            self._connection.on_response_complete(self)


@lru_cache(maxsize=64)
def _status_line(status: int) -> bytes:
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = ""
    return f"HTTP/1.1 {status} {phrase}\r\n".encode()
