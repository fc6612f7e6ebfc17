"""Connections that say what they want, and soon: the others are closed before they keep anyone out.

uvicorn bounds how long a connection may be idle between requests; here is what it does not bound: how long a request
may take to arrive, how long its header is, and how many connections one address has.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from connectk.server.settings import Settings

LARGEST_HEADER = 64 * 1024
RESERVE = 200  # descriptors for the database, the processes and those who play
FEWEST = 64  # connections that may be waiting, however few descriptors there are
BUSY = b"HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\nretry-after: 5\r\nconnection: close\r\n\r\n"
LATE = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


@dataclass(slots=True)
class Connections:
    """The connections of a server: how many of each address, and those that have not said yet what they want."""

    most_waiting: int
    addresses: Counter[str] = field(default_factory=Counter)
    waiting: dict[TimedProtocol, None] = field(default_factory=dict)  # the oldest first

    def wait(self, connection: TimedProtocol) -> None:
        """Of too many that wait, the one that has waited longest is the slowest, or will never say anything."""
        self.waiting[connection] = None
        if len(self.waiting) > self.most_waiting:
            next(iter(self.waiting)).end(LATE)


def raise_file_limit() -> int:
    """As many open files as the system lets us have; how many that is."""
    try:
        import resource
    except ImportError:
        return 2048
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = hard if hard != resource.RLIM_INFINITY else 65_536
    if 0 <= soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


_servers: WeakKeyDictionary[Any, Connections] = WeakKeyDictionary()


class TimedProtocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, with a time by which each part of a request must have come."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._settings: Settings = self.config.loaded_app.state.settings
        self._timer: Any = None
        self._header = 0
        self._address: str | None = None
        if self.config not in _servers:
            _servers[self.config] = Connections(most_waiting())
        self._all = _servers[self.config]

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._address = self.client[0] if self.client and not self._settings.proxies else ""
        self._all.addresses[self._address] += 1
        if self._address and self._all.addresses[self._address] > self._settings.address_connections:
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

    def end(self, words: bytes) -> None:
        self._stop_timer()
        if not self.transport.is_closing():
            self.transport.write(words)
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self in self._all.waiting:
            self._header += len(data)
        if self._header > LARGEST_HEADER:
            self.end(LATE)
        elif self.parser is not None and not self.transport.is_closing():
            super().data_received(data)

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

    def handle_websocket_upgrade(self) -> None:
        self._stop_timer()
        self._leave()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._leave()
        super().connection_lost(exc)

    def _leave(self) -> None:
        """Counted once, whether it became a socket or was closed."""
        if self._address is not None:
            addresses = self._all.addresses
            addresses[self._address] -= 1
            if not addresses[self._address]:
                del addresses[self._address]
            self._address = None


def most_waiting() -> int:
    return max(FEWEST, (raise_file_limit() - RESERVE) // 2)
