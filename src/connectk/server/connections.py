"""Timeouts and limits of connections, so that slow clients do not keep others out.

uvicorn limits how long a connection may be idle between requests. This module limits the rest: how long a request may
take to arrive, how long its header is, how long an answer may stay unread, and how many connections an address has.
"""

from __future__ import annotations

import json
import socket
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from functools import cache, lru_cache
from http import HTTPStatus
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from connectk.server.limits import MIN_CONNECTIONS, network_of, spare_files
from connectk.server.schemas import RefusedAnswer
from connectk.server.settings import Settings
from connectk.texts import load_texts

MAX_HEADER_BYTES = 64 * 1024
MAX_UNREAD_BYTES = 32 * 2**20  # of answers to one address
MAX_LINGERING_CONNECTIONS = 64  # that stay open for a moment after they were rejected
LINGER_SECONDS = 2.0
WS_RECV_BUFFER_BYTES = 4096  # small, because all messages of one read are handled without a break
SEND_TIMEOUT_SECONDS = 20.0  # for a WebSocket client to read what was sent


class Rejection(NamedTuple):
    """Why a connection is refused before the application sees the request; always answered in English."""

    status: HTTPStatus
    reason: str


BUSY = Rejection(HTTPStatus.TOO_MANY_REQUESTS, "busy")
BAD_REQUEST = Rejection(HTTPStatus.BAD_REQUEST, "bad_request")
TIMED_OUT = Rejection(HTTPStatus.REQUEST_TIMEOUT, "time_is_up")
HEADER_TOO_LARGE = Rejection(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "too_large")
NOT_HTTP_MESSAGE = "This is not a request that can be read."  # not translated: only programmers see it


@cache
def _response(rejection: Rejection) -> bytes:
    status, reason = rejection
    message = NOT_HTTP_MESSAGE if rejection is BAD_REQUEST else load_texts("en")(f"refused.{reason}")
    body = json.dumps(RefusedAnswer(reason=reason, message=message)).encode()
    head = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\nconnection: close\r\n"
    return head.encode() + b"retry-after: 5\r\ncontent-length: %d\r\n\r\n" % len(body) + body


@dataclass(slots=True)
class ConnectionRegistry:
    """The connections of a server, by address, and those whose request has not arrived yet."""

    max_waiting: int
    max_per_address: int
    addresses: Counter[str] = field(default_factory=Counter)
    waiting: OrderedDict[HttpProtocol, None] = field(default_factory=OrderedDict)  # the oldest first
    unread: Counter[str] = field(default_factory=Counter)  # bytes
    lingering: int = 0

    def add_waiting(self, connection: HttpProtocol) -> None:
        """Adds a connection whose request is still to come; if there are too many, the oldest is rejected."""
        self.waiting[connection] = None
        if len(self.waiting) > self.max_waiting:
            next(iter(self.waiting)).reject(TIMED_OUT)

    def admit(self, address: str) -> bool:
        """Whether an address may have one more connection. An address with too many loses its oldest waiting one."""
        if self.addresses[address] <= self.max_per_address:
            return True
        oldest = next((one for one in self.waiting if one.address == address), None)
        if oldest:
            oldest.reject(TIMED_OUT)
        return oldest is not None


def connection_registry(settings: Settings) -> ConnectionRegistry:
    """The registry of a server. One address gets at most a quarter of the descriptors; WebSockets are counted by
    `Limits`."""
    spare = spare_files()
    return ConnectionRegistry(max(MIN_CONNECTIONS, spare // 2), min(settings.address_connections, spare // 4))


_registries: WeakKeyDictionary[Any, ConnectionRegistry] = WeakKeyDictionary()


class HttpProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol, with a timeout for each part of a request."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._settings: Settings = self.config.loaded_app.state.settings
        self._timer: Any = None
        self._unread_timer: Any = None
        self._running_cycle: Any = None  # the request being handled; the next one may have arrived already
        self._header_bytes = self._unread_bytes = 0
        self._rejected = False
        self.address: str | None = None
        if self.config not in _registries:
            _registries[self.config] = connection_registry(self._settings)
        self._registry = _registries[self.config]

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.address = network_of(self.client[0]) if self.client and not self._settings.proxies else ""
        self._registry.addresses[self.address] += 1
        if self.address and not self._registry.admit(self.address):
            self.reject(BUSY)
        else:
            self._await_request()

    def _await_request(self) -> None:
        """Starts the timeout for the header of the next request."""
        self._header_bytes = 0
        self._set_timer(self._settings.header_seconds)
        self._registry.add_waiting(self)

    def _set_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self.reject, TIMED_OUT)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = None
        self._registry.waiting.pop(self, None)

    def reject(self, rejection: Rejection) -> None:
        """Answers with an error and keeps reading for a moment: closing at once, with unread input, resets the
        connection before the client has read the answer."""
        self._stop_timer()
        if self.transport.is_closing() or self._rejected:
            return
        self.transport.write(_response(rejection))
        if self._registry.lingering >= MAX_LINGERING_CONNECTIONS:
            self.transport.close()
            return
        self._rejected = True
        self._registry.lingering += 1
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.flow.resume_reading()
        self._timer = self.loop.call_later(LINGER_SECONDS, self.transport.close)

    def data_received(self, data: bytes) -> None:
        """Counts the bytes of a header until it is complete; what arrives together with its end is not counted."""
        if self._rejected or self.parser is None or self.transport.is_closing():
            return
        was_waiting = self in self._registry.waiting
        super().data_received(data)
        if was_waiting and self in self._registry.waiting:
            self._header_bytes += len(data)
            if self._header_bytes > MAX_HEADER_BYTES:
                self.reject(HEADER_TOO_LARGE)

    def send_400_response(self, msg: str) -> None:
        """Answers a request that is not HTTP in the same shape as every other refusal."""
        self.reject(BAD_REQUEST)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._timer is None:
            self._await_request()

    def on_headers_complete(self) -> None:
        self._header_bytes = 0
        self._set_timer(self._settings.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_timer()
        super().on_message_complete()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._running_cycle = cycle
        super()._start_asgi_task(cycle, app)

    def pause_writing(self) -> None:
        """The client reads more slowly than the server writes: start a timeout, and abort above a size."""
        super().pause_writing()
        if self.address is None:
            return
        self._unread_bytes = self.transport.get_write_buffer_size()
        self._registry.unread[self.address] += self._unread_bytes
        if self._registry.unread[self.address] > MAX_UNREAD_BYTES:
            self.transport.abort()
        else:
            self._unread_timer = self.loop.call_later(self._settings.body_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._clear_unread()

    def _clear_unread(self) -> None:
        if self._unread_timer:
            self._unread_timer.cancel()
        self._unread_timer = None
        if self.address is not None and self._unread_bytes:
            self._registry.unread[self.address] -= self._unread_bytes
            if not self._registry.unread[self.address]:
                del self._registry.unread[self.address]
        self._unread_bytes = 0

    def handle_websocket_upgrade(self) -> None:
        self._stop_timer()
        self._unregister()
        connected = self.transport.get_extra_info("socket")
        if connected:
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WS_RECV_BUFFER_BYTES)
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._registry.lingering -= self._rejected
        self._rejected = False
        self._unregister()
        if self._running_cycle:
            self._running_cycle.disconnected = True
            self._running_cycle.message_event.set()
        super().connection_lost(exc)

    def _unregister(self) -> None:
        """Stops counting this connection, when it is closed or becomes a WebSocket."""
        self._clear_unread()
        if self.address is not None:
            addresses = self._registry.addresses
            addresses[self.address] -= 1
            if not addresses[self.address]:
                del addresses[self.address]
            self.address = None


@lru_cache(maxsize=64)
def _frame(text: str) -> bytes:
    """The message as a WebSocket frame, encoded once for all subscribers; no extension changes frames."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol, with a timeout for clients that do not read."""

    _unread_timer: Any = None
    _receive_is_waiting = False

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.scope["state"]["write_now"] = self.write_now  # used by `routes.socketsession`

    def write_now(self, text: str) -> bool:
        """Writes a message if the connection is writable. Faster than `send`, which wakes a task and passes several
        layers."""
        is_open = self.handshake_complete and not self.close_sent and self.conn.state is State.OPEN
        if not (is_open and self.writable.is_set()) or self.transport.is_closing():
            return False
        self.transport.write(_frame(text))
        return True

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread_timer = self.loop.call_later(SEND_TIMEOUT_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _stop_timer(self) -> None:
        if self._unread_timer:
            self._unread_timer.cancel()
        self._unread_timer = None

    def send_receive_event_to_app(self) -> None:
        """uvicorn pauses reading after each message until the application takes it. If `receive` is already waiting
        for this message, no pause is needed."""
        skip_pause, self._receive_is_waiting = self._receive_is_waiting and not self.read_paused, False
        self.read_paused = self.read_paused or skip_pause
        super().send_receive_event_to_app()
        self.read_paused = self.read_paused and not skip_pause

    async def receive(self) -> Any:
        self._receive_is_waiting = self.queue.empty()
        return await super().receive()

    async def send(self, message: Any) -> None:
        """A handshake refused with an HTTP response is complete; uvicorn marks it so only when the connection is lost,
        and until then logs it as a failure."""
        await super().send(message)
        if self.initial_response and self.close_sent:
            self.handshake_complete = True
