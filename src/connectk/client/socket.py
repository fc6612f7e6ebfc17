"""A WebSocket client that connects again when the connection is lost. The pauses between its attempts grow."""

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
SERVER_PING_INTERVAL_SECONDS = 4.0  # also the wait for the answer: a frozen connection is noticed within ten seconds
MAX_SERVER_MESSAGE_BYTES = 1 << 24
MAX_QUEUED_MESSAGES = 4096  # messages that arrive while a player thinks
NOT_FOUND_CLOSE_CODE = 4404
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
    """Raised while a message is handled, to open a new connection at once."""


class _NotWelcomed(Exception):
    """The connection ended before the server sent its welcome."""


class ReconnectingSocket:
    """A WebSocket that connects again when the connection is lost. It runs in the thread that calls `run`. Any thread
    may call `send` and `close`.

    `address` returns the URL, and `hello` returns the first message to send. `on_message` is called with every message
    that arrives, and must set `is_welcomed` when the server welcomes the client. `on_disconnect` is called whenever a
    connection is lost.
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
        """Run until `close` is called. Raises `NotFound` if the server has no such match or room.

        When the server welcomes a connection, the pauses between attempts start small again.
        """
        from tenacity import sleep_using_event, stop_when_event_set

        with suppress(_NotWelcomed):  # `close` was called during the wait
            while not self._closed.is_set():
                retrying_in_thread(
                    _NotWelcomed,
                    first_seconds=FIRST_RETRY_SECONDS,
                    max_seconds=MAX_RETRY_SECONDS,
                    sleep=sleep_using_event(self._closed),
                    stop=stop_when_event_set(self._closed),
                )(self._connect_until_lost)

    def send(self, message: Json) -> None:
        """Send a message. Without a connection the message is dropped, because the client repeats unanswered messages
        itself."""
        with suppress(*self._failures):  # `run` handles the lost connection
            if self._socket:
                self._socket.send(json.dumps(message))

    def close(self) -> None:
        self._closed.set()
        if self._socket:
            self._socket.close_socket()

    def _connect_until_lost(self) -> None:
        """Connect and handle messages until the connection is lost. Raises `_NotWelcomed` if the server never sent its
        welcome."""
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
        """Handle the messages of one connection. Returns True if a new connection is to be opened at once."""
        self.is_welcomed = False
        try:
            with self._connect(self._address()) as socket:
                self._socket = socket
                self.send(self._hello())
                for text in socket:
                    self._on_message(json.loads(text))
                    if self._closed.is_set():
                        break
                if socket.close_code == NOT_FOUND_CLOSE_CODE:
                    raise NotFound
        except Reconnect:
            return True
        except self._disconnect_errors:
            if self._socket and self._socket.close_code == NOT_FOUND_CLOSE_CODE:
                raise NotFound from None
        finally:
            self._socket = None
        return False


def _connector() -> tuple[Callable[[str], ClientConnection], tuple[type[Exception], ...]]:
    """The function that opens a WebSocket, and the exceptions that it raises. Raises `MissingExtra` if `websockets` is
    not installed."""
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
            ping_interval=SERVER_PING_INTERVAL_SECONDS,
            ping_timeout=SERVER_PING_INTERVAL_SECONDS,
            max_size=MAX_SERVER_MESSAGE_BYTES,
            max_queue=MAX_QUEUED_MESSAGES,
        )

    return opened, (OSError, WebSocketException)
