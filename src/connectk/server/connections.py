"""Counts open connections by address, rejects connections above a limit, and lets the others read in turns."""

from __future__ import annotations

import asyncio
import json
from abc import abstractmethod
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from typing import NamedTuple, Protocol

from connectk.server.limits import MIN_CONNECTIONS, spare_files
from connectk.server.schemas import RefusedAnswer
from connectk.server.settings import Settings
from connectk.texts import load_texts

MAX_READ_BYTES = 64 * 1024
MAX_LINGERING_CONNECTIONS = 64  # how many rejected connections may stay open for a moment
LINGER_SECONDS = 2.0
MAX_DISCARDED_BYTES = 2 * 2**20  # a rejected connection that sends more bytes is aborted


class Rejection(NamedTuple):
    """The reason why a connection is refused before its request reaches the application. The answer is always in
    English."""

    status: HTTPStatus
    reason: str


BUSY_REJECTION = Rejection(HTTPStatus.TOO_MANY_REQUESTS, "busy")
BAD_REQUEST_REJECTION = Rejection(HTTPStatus.BAD_REQUEST, "bad_request")
TIMED_OUT_REJECTION = Rejection(HTTPStatus.REQUEST_TIMEOUT, "time_is_up")
HEADER_TOO_LARGE_REJECTION = Rejection(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "too_large")
NOT_HTTP_MESSAGE = "This is not a request that can be read."  # not translated: only programmers see it


@cache
def response_to(rejection: Rejection) -> bytes:
    status, reason = rejection
    message = NOT_HTTP_MESSAGE if rejection is BAD_REQUEST_REJECTION else load_texts("en")(f"refused.{reason}")
    body = json.dumps(RefusedAnswer(reason=reason, message=message)).encode()
    head = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\nconnection: close\r\n"
    return head.encode() + b"retry-after: 5\r\ncontent-length: %d\r\n\r\n" % len(body) + body


class WaitingConnection(Protocol):
    """A connection whose request has not arrived yet."""

    address: str | None

    def give_up(self) -> None: ...


@dataclass(slots=True)
class ConnectionRegistry:
    """The open connections of a server by address, and the connections whose request has not arrived yet."""

    max_waiting: int
    max_per_address: int
    addresses: Counter[str] = field(default_factory=Counter)
    waiting: OrderedDict[WaitingConnection, None] = field(default_factory=OrderedDict)  # the oldest first
    unread: Counter[str] = field(default_factory=Counter)  # bytes
    lingering: int = 0
    buffer: memoryview = field(default_factory=lambda: memoryview(bytearray(MAX_READ_BYTES)))

    def add_waiting(self, connection: WaitingConnection) -> None:
        """Add a connection whose request has not arrived yet. If too many connections wait like this, the oldest is
        closed."""
        self.waiting[connection] = None
        if len(self.waiting) > self.max_waiting:
            next(iter(self.waiting)).give_up()

    def admit(self, address: str) -> bool:
        """Return whether an address may have one more connection.

        If the address has reached its limit, its oldest connection without a request is closed instead. If it has no
        such connection, the new connection is refused.
        """
        if self.addresses[address] <= self.max_per_address:
            return True
        oldest = next((one for one in self.waiting if one.address == address), None)
        if oldest:
            oldest.give_up()
        return oldest is not None


def connection_registry(settings: Settings) -> ConnectionRegistry:
    """The registry of a server. One address gets at most a quarter of the file descriptors. Open WebSockets are counted
    by `Limits` instead."""
    spare = spare_files()
    return ConnectionRegistry(max(MIN_CONNECTIONS, spare // 2), min(settings.address_connections, spare // 4))


class BoundedConnection(asyncio.BufferedProtocol):
    """A connection that reads a limited number of bytes per turn, and stops while too much of its input is unprocessed.

    A read that fills the buffer ends the turn, so that other connections are read first. All connections of a server
    can share one buffer, because its bytes are copied or parsed at once.
    """

    transport: asyncio.Transport

    def __init__(self, registry: ConnectionRegistry, loop: asyncio.AbstractEventLoop, read_bytes: int) -> None:
        self.registry, self.loop, self.read_bytes = registry, loop, read_bytes
        self._is_turn_over = self._is_reading_paused = self.is_lingering = False
        self._discarded_bytes = 0

    @abstractmethod
    def received(self, data: bytes) -> None:
        """Handle bytes that were just read."""

    @property
    @abstractmethod
    def has_backlog(self) -> bool:
        """Whether reading must stop until earlier input is processed."""

    def get_buffer(self, sizehint: int) -> memoryview:
        return self.registry.buffer[: self.read_bytes]

    def buffer_updated(self, nbytes: int) -> None:
        if nbytes == self.read_bytes:
            self._is_turn_over = True
            self.loop.call_soon(self._begin_turn)
        if self.is_lingering:
            self._discard(nbytes)
        else:
            self.received(bytes(self.registry.buffer[:nbytes]))
        self.update_reading()

    def _discard(self, count: int) -> None:
        self._discarded_bytes += count
        if self._discarded_bytes > MAX_DISCARDED_BYTES:
            self.transport.abort()

    def _begin_turn(self) -> None:
        self._is_turn_over = False
        self.update_reading()

    @property
    def can_write(self) -> bool:
        return not (self.is_lingering or self.transport.is_closing())

    def update_reading(self) -> None:
        if self.transport.get_protocol() is not self:  # a WebSocket has taken the connection over
            return
        paused = self._is_turn_over or (self.has_backlog and not self.is_lingering)
        if paused == self._is_reading_paused or self.transport.is_closing():
            return
        self._is_reading_paused = paused
        if paused:
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()

    def linger(self) -> None:
        """Stop writing, ignore further input for a moment, then close the connection.

        If the connection were closed at once, with unread input, the client could lose the answer.
        """
        if self.is_lingering or self.transport.is_closing():
            return
        if self.registry.lingering >= MAX_LINGERING_CONNECTIONS:
            self.transport.close()
            return
        self.is_lingering = True
        self.read_bytes = MAX_READ_BYTES
        self.registry.lingering += 1
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.update_reading()
        self.loop.call_later(LINGER_SECONDS, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        self.registry.lingering -= self.is_lingering
        self.is_lingering = False


class ConnectionTimer:
    """A timeout of a connection. It can be stopped and started again."""

    __slots__ = ("_handle", "_loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._handle: asyncio.TimerHandle | None = None

    def start(self, seconds: float, action: Callable[..., object], *arguments: object) -> None:
        self.stop()
        self._handle = self._loop.call_later(seconds, action, *arguments)

    @property
    def is_set(self) -> bool:
        return self._handle is not None

    def stop(self) -> None:
        if self._handle:
            self._handle.cancel()
            self._handle = None
