"""A WebSocket client that reconnects with exponential backoff."""

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
MALFORMED_MESSAGE_ERRORS = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ConnectkError,
)  # raised while a message is handled


class NotFound(Exception):
    """The server has no such match or room, or this client may not see it."""


class Reconnect(Exception):
    """Raised by the message callback to open a new connection at once."""


class _NotWelcomed(Exception):
    """A connection that ended before the server's welcome."""


class ReconnectingSocket:
    """Runs in the thread that calls `run`; any thread may send and close.

    `address` returns the URL, `hello` the first message of each connection. `on_message` is called with every message
    and sets `is_welcomed` on the welcome; `on_disconnect` is called after every lost connection.
    """

    def __init__(
        self,
        address: Callable[[], str],
        hello: Callable[[], Json],
        on_message: Callable[[Json], None],
        on_disconnect: Callable[[], object],
    ) -> None:
        self._address, self._hello, self._on_message, self._on_disconnect = address, hello, on_message, on_disconnect
        self._connect, self._failures = _connector()
        self._disconnect_errors: tuple[type[Exception], ...] = (*self._failures, *MALFORMED_MESSAGE_ERRORS)
        self._socket: ClientConnection | None = None
        self._closed = threading.Event()
        self.is_welcomed = False

    def run(self) -> None:
        """Run until closed, or raise `NotFound`. The backoff restarts after each connection that was welcomed."""
        from tenacity import sleep_using_event, stop_when_event_set

        with suppress(_NotWelcomed):  # closed while it waited
            while not self._closed.is_set():
                retrying_in_thread(
                    _NotWelcomed,
                    first_seconds=FIRST_RETRY_SECONDS,
                    max_seconds=MAX_RETRY_SECONDS,
                    sleep=sleep_using_event(self._closed),
                    stop=stop_when_event_set(self._closed),
                )(self._connect_until_lost)

    def send(self, message: Json) -> None:
        """Send a message, or drop it without a connection: after the welcome the client resends what is pending."""
        with suppress(*self._failures):  # `run` handles the lost connection
            if self._socket:
                self._socket.send(json.dumps(message))

    def close(self) -> None:
        self._closed.set()
        if self._socket:
            self._socket.close_socket()

    def _connect_until_lost(self) -> None:
        """Connect and run until the connection is lost; raises `_NotWelcomed` if it was never welcomed."""
        while self._run_connection():
            pass
        if self._closed.is_set():
            return
        self._on_disconnect()
        if not self.is_welcomed:
            raise _NotWelcomed
        self.is_welcomed = False
        self._closed.wait(FIRST_RETRY_SECONDS)

    def _run_connection(self) -> bool:
        """Run one connection; returns whether to reconnect at once."""
        self.is_welcomed = False
        try:
            with self._connect(self._address()) as socket:
                self._socket = socket
                self.send(self._hello())
                for text in socket:
                    self._on_message(json.loads(text))
                    if self._closed.is_set():
                        break
                if socket.close_code == NOT_FOUND:
                    raise NotFound
        except Reconnect:
            return True
        except self._disconnect_errors:
            if self._socket and self._socket.close_code == NOT_FOUND:
                raise NotFound from None
        finally:
            self._socket = None
        return False


def _connector() -> tuple[Callable[[str], ClientConnection], tuple[type[Exception], ...]]:
    """The connect function and its exceptions; raises `MissingExtra` without the websockets package."""
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
