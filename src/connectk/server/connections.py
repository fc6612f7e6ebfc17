"""Connections that say what they want, and soon: the others are closed before they keep anyone out.

uvicorn bounds how long a connection may be idle between requests; here is what it does not bound: how long a request
may take to arrive, how long its header is, how long an answer may lie unread, and how many connections one address has.
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

from connectk.server.limits import FEWEST, source_of, spare_files
from connectk.server.schemas import RefusedAnswer
from connectk.server.settings import Settings
from connectk.texts import load_texts

LARGEST_HEADER = 64 * 1024
LARGEST_UNREAD = 32 * 2**20  # bytes of answers that one address may leave unread
MOST_LINGERING = 64  # connections that are heard out after their refusal
SIP = 4096  # bytes of a socket that are read at once: messages are small, and a mouthful of them is worked on in one go
LINGER = 2.0  # seconds for that
SEND_SECONDS = 20.0  # in which one at the other end of a socket must have read what was sent


class Ending(NamedTuple):
    """Why a connection is refused from below the application, where nobody has read its language."""

    status: HTTPStatus
    reason: str


BUSY = Ending(HTTPStatus.TOO_MANY_REQUESTS, "busy")
BAD = Ending(HTTPStatus.BAD_REQUEST, "bad_request")
LATE = Ending(HTTPStatus.REQUEST_TIMEOUT, "time_is_up")
LONG = Ending(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "too_large")
NOT_HTTP = "This is not a request that can be read."  # only programmers come to read it


@cache
def _answer(ending: Ending) -> bytes:
    status, reason = ending
    message = NOT_HTTP if ending is BAD else load_texts("en")(f"refused.{reason}")
    body = json.dumps(RefusedAnswer(reason=reason, message=message)).encode()
    head = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\nconnection: close\r\n"
    return head.encode() + b"retry-after: 5\r\ncontent-length: %d\r\n\r\n" % len(body) + body


@dataclass(slots=True)
class Connections:
    """The connections of a server: how many of each address, and those that have not said yet what they want."""

    most_waiting: int
    most_each: int
    addresses: Counter[str] = field(default_factory=Counter)
    waiting: OrderedDict[TimedProtocol, None] = field(default_factory=OrderedDict)  # the oldest first
    unread: Counter[str] = field(default_factory=Counter)  # bytes
    lingering: int = 0

    def wait(self, connection: TimedProtocol) -> None:
        """Of too many that wait, the one that has waited longest is the slowest, or will never say anything."""
        self.waiting[connection] = None
        if len(self.waiting) > self.most_waiting:
            next(iter(self.waiting)).end(LATE)

    def make_room(self, address: str) -> bool:
        """Whether an address may have one more: where it has too many, one of its own that says nothing goes."""
        if self.addresses[address] <= self.most_each:
            return True
        oldest = next((one for one in self.waiting if one.address == address), None)
        if oldest:
            oldest.end(LATE)
        return oldest is not None


def connections_for(settings: Settings) -> Connections:
    """One address gets a quarter of the descriptors at most, so that others are served; sockets are counted apart."""
    spare = spare_files()
    return Connections(max(FEWEST, spare // 2), min(settings.address_connections, spare // 4))


_servers: WeakKeyDictionary[Any, Connections] = WeakKeyDictionary()


class TimedProtocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, with a time by which each part of a request must have come."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._settings: Settings = self.config.loaded_app.state.settings
        self._timer: Any = None
        self._unread_timer: Any = None
        self._answered: Any = None  # the request that is worked on, which need not be the last that came
        self._header = self._unread = 0
        self._refused = False
        self.address: str | None = None
        if self.config not in _servers:
            _servers[self.config] = connections_for(self._settings)
        self._all = _servers[self.config]

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.address = source_of(self.client[0]) if self.client and not self._settings.proxies else ""
        self._all.addresses[self.address] += 1
        if self.address and not self._all.make_room(self.address):
            self.end(BUSY)
        else:
            self._begin()

    def _begin(self) -> None:
        """A request is to come; its header must be here in time."""
        self._header = 0
        self._set_timer(self._settings.header_seconds)
        self._all.wait(self)

    def _set_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self.end, LATE)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = None
        self._all.waiting.pop(self, None)

    def end(self, why: Ending) -> None:
        """Refuse, and listen a little longer: a connection closed at once takes its last words with it when there is
        something that nobody has read."""
        self._stop_timer()
        if self.transport.is_closing() or self._refused:
            return
        self.transport.write(_answer(why))
        if self._all.lingering >= MOST_LINGERING:
            self.transport.close()
            return
        self._refused = True
        self._all.lingering += 1
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.flow.resume_reading()
        self._timer = self.loop.call_later(LINGER, self.transport.close)

    def data_received(self, data: bytes) -> None:
        """What comes together with the end of a header is not the header, so it is counted when more must come."""
        if self._refused or self.parser is None or self.transport.is_closing():
            return
        was_waiting = self in self._all.waiting
        super().data_received(data)
        if was_waiting and self in self._all.waiting:
            self._header += len(data)
            if self._header > LARGEST_HEADER:
                self.end(LONG)

    def send_400_response(self, msg: str) -> None:
        """What cannot be read as HTTP is refused in the same words and shape as all else."""
        self.end(BAD)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._timer is None:
            self._begin()

    def on_headers_complete(self) -> None:
        self._header = 0
        self._set_timer(self._settings.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_timer()
        super().on_message_complete()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def pause_writing(self) -> None:
        """The asker does not read as quickly as we answer: for so long, and so much, it may be."""
        super().pause_writing()
        if self.address is None:
            return
        self._unread = self.transport.get_write_buffer_size()
        self._all.unread[self.address] += self._unread
        if self._all.unread[self.address] > LARGEST_UNREAD:
            self.transport.abort()
        else:
            self._unread_timer = self.loop.call_later(self._settings.body_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._has_read()

    def _has_read(self) -> None:
        if self._unread_timer:
            self._unread_timer.cancel()
        self._unread_timer = None
        if self.address is not None and self._unread:
            self._all.unread[self.address] -= self._unread
            if not self._all.unread[self.address]:
                del self._all.unread[self.address]
        self._unread = 0

    def handle_websocket_upgrade(self) -> None:
        self._stop_timer()
        self._leave()
        connected = self.transport.get_extra_info("socket")
        if connected:
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SIP)
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._all.lingering -= self._refused
        self._refused = False
        self._leave()
        if self._answered:
            self._answered.disconnected = True
            self._answered.message_event.set()
        super().connection_lost(exc)

    def _leave(self) -> None:
        """Counted once, whether it became a socket or was closed."""
        self._has_read()
        if self.address is not None:
            addresses = self._all.addresses
            addresses[self.address] -= 1
            if not addresses[self.address]:
                del addresses[self.address]
            self.address = None


@lru_cache(maxsize=64)
def _frame(text: str) -> bytes:
    """As all who are told the same thing get it; no extension of ours changes it."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


class ReadProtocol(WebSocketsSansIOProtocol):
    """WebSockets as uvicorn speaks them, to people who read what they are told in time. One that was refused in words
    has had its answer; uvicorn notes that only when the connection is gone, and until then logs it as our failure."""

    _unread_timer: Any = None
    _is_awaited = False

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.scope["state"]["say_now"] = self.say_now  # for `conversation`

    def say_now(self, text: str) -> bool:
        """Write a message, if it need not wait for what was sent before. The same as to `send` it, but that wakes a
        task and passes several layers."""
        open_still = self.handshake_complete and not self.close_sent and self.conn.state is State.OPEN
        if not (open_still and self.writable.is_set()) or self.transport.is_closing():
            return False
        self.transport.write(_frame(text))
        return True

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread_timer = self.loop.call_later(SEND_SECONDS, self.transport.abort)

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
        """uvicorn stops reading at each message until it is taken; where someone waits for this one, it need not."""
        taken, self._is_awaited = self._is_awaited and not self.read_paused, False
        self.read_paused = self.read_paused or taken
        super().send_receive_event_to_app()
        self.read_paused = self.read_paused and not taken

    async def receive(self) -> Any:
        self._is_awaited = self.queue.empty()
        return await super().receive()

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.initial_response and self.close_sent:
            self.handshake_complete = True
