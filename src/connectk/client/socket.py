"""A WebSocket that reconnects by itself, with exponential backoff."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from connectk.aio import retrying_in_thread
from connectk.client.api import REQUEST_TIMEOUT_SECONDS, Json
from connectk.errors import ConnectkError, MissingExtra

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.3, 5.0
PING_SECONDS = 4.0  # between pings, and for their answer: a frozen connection is noticed within ten seconds
MAX_MESSAGE_BYTES = 1 << 24
MAX_QUEUED_MESSAGES = 4096  # that come while a player thinks
NOT_FOUND = 4404
MALFORMED = (ValueError, LookupError, TypeError, AttributeError, ConnectkError)  # what a game server does not say


class NotFound(Exception):
    """The server has no such match or room, or not for us."""


class Reconnect(Exception):
    """Raised by who hears a message: a new connection is opened at once."""


class _NotWelcomed(Exception):
    """A connection that ended before the server's welcome."""


class ReconnectingSocket:
    """Works in the thread that calls `run`; any thread may send and close.

    `address` says where to connect, `hello` makes the first message of each connection, `hear` gets every message, and
    `lost` is called whenever a connection has ended. Who hears the welcome sets `is_welcomed`.
    """

    def __init__(
        self,
        address: Callable[[], str],
        hello: Callable[[], Json],
        hear: Callable[[Json], None],
        lost: Callable[[], object],
    ) -> None:
        self._address, self._hello, self._hear, self._lost = address, hello, hear, lost
        self._connect, self._failures = _connector()
        self._lost_by: tuple[type[Exception], ...] = (*self._failures, *MALFORMED)
        self._socket: ClientConnection | None = None
        self._closed = threading.Event()
        self.is_welcomed = False

    def run(self) -> None:
        """Until it is closed, or `NotFound`. Delays begin anew after each connection that was welcomed."""
        from tenacity import sleep_using_event, stop_when_event_set

        with suppress(_NotWelcomed):  # closed while it waited
            while not self._closed.is_set():
                retrying_in_thread(
                    _NotWelcomed,
                    first_seconds=FIRST_RETRY_SECONDS,
                    max_seconds=MAX_RETRY_SECONDS,
                    sleep=sleep_using_event(self._closed),
                    stop=stop_when_event_set(self._closed),
                )(self._visit)

    def send(self, message: Json) -> None:
        """Nothing while there is no connection: `hello` and who is welcomed say what is needed."""
        with suppress(*self._failures):  # `run` notices, too
            if self._socket:
                self._socket.send(json.dumps(message))

    def close(self) -> None:
        self._closed.set()
        if self._socket:
            self._socket.close_socket()

    def _visit(self) -> None:
        """Connections up to one that was welcomed and is lost; `_NotWelcomed` where that never happened."""
        while self._connection_wants_another():
            pass
        if self._closed.is_set():
            return
        self._lost()
        if not self.is_welcomed:
            raise _NotWelcomed
        self.is_welcomed = False
        self._closed.wait(FIRST_RETRY_SECONDS)

    def _connection_wants_another(self) -> bool:
        """One connection from its opening to its end."""
        self.is_welcomed = False
        try:
            with self._connect(self._address()) as socket:
                self._socket = socket
                self.send(self._hello())
                for text in socket:
                    self._hear(json.loads(text))
                    if self._closed.is_set():
                        break
                if socket.close_code == NOT_FOUND:
                    raise NotFound
        except Reconnect:
            return True
        except self._lost_by:
            if self._socket and self._socket.close_code == NOT_FOUND:
                raise NotFound from None
        finally:
            self._socket = None
        return False


def _connector() -> tuple[Callable[[str], ClientConnection], tuple[type[Exception], ...]]:
    """What opens sockets, and how they fail; says what to install where that cannot be done."""
    try:
        from websockets.exceptions import WebSocketException
        from websockets.sync.client import connect
    except ImportError as error:
        raise MissingExtra("online", "online") from error

    def opened(address: str) -> ClientConnection:
        return connect(
            address,
            open_timeout=REQUEST_TIMEOUT_SECONDS,
            close_timeout=1,
            ping_interval=PING_SECONDS,
            ping_timeout=PING_SECONDS,
            max_size=MAX_MESSAGE_BYTES,
            max_queue=MAX_QUEUED_MESSAGES,
        )

    return opened, (OSError, WebSocketException)
