"""Limits how long PostgreSQL may keep a server waiting.

PostgreSQL itself ends a statement, or a wait for a lock, that takes too long. The operating system ends a connection
whose packets are not acknowledged. Neither helps if the processes of the database hang, because packets are still
acknowledged. Therefore this module also shuts down connections that are in use for too long.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import suppress
from typing import Any
from weakref import WeakSet

from sqlalchemy import URL, Engine, event

DATABASE_CONNECT_TIMEOUT_SECONDS = 5
STATEMENT_TIMEOUT_SECONDS, LOCK_TIMEOUT_SECONDS = 5, 3
IDLE_TRANSACTION_SECONDS = 15  # then PostgreSQL releases the locks of a server that hangs within a transaction
TCP_TIMEOUT_SECONDS = 10
MAX_CONNECTION_USE_SECONDS = (
    STATEMENT_TIMEOUT_SECONDS + 1.0
)  # a connection is in use for one statement or one short transaction
CONNECTION_CHECK_INTERVAL_SECONDS = 0.5

NETWORK_LIMITS: dict[str, Any] = {
    "connect_timeout": DATABASE_CONNECT_TIMEOUT_SECONDS,
    "tcp_user_timeout": 1000 * TCP_TIMEOUT_SECONDS,
    "keepalives_idle": TCP_TIMEOUT_SECONDS,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
STATEMENT_LIMITS = {
    "statement_timeout": STATEMENT_TIMEOUT_SECONDS,
    "lock_timeout": LOCK_TIMEOUT_SECONDS,
    "idle_in_transaction_session_timeout": IDLE_TRANSACTION_SECONDS,
}


def statement_options(url: URL) -> str:
    """The `options` of a connection, with the limits in `STATEMENT_LIMITS`. Options in the database's URL override
    them."""
    own = " ".join(f"-c {name}={1000 * seconds}" for name, seconds in STATEMENT_LIMITS.items())
    given = url.query.get("options", "")
    return f"{own} {given if isinstance(given, str) else ' '.join(given)}".strip()


class ConnectionCutter:
    """Shuts down connections that are in use for too long. Their pending queries then fail at once."""

    def __init__(self, database: Engine) -> None:
        self._since: dict[Any, float] = {}  # by connection
        self._cut: WeakSet[Any] = WeakSet()
        self._ended = threading.Event()
        event.listen(database, "checkout", self._on_checkout)
        event.listen(database, "checkin", self._on_return)
        event.listen(database, "close", self._on_return)
        event.listen(database, "engine_disposed", lambda _: self._ended.set())
        threading.Thread(target=self._watch, name="connections", daemon=True).start()

    def _on_checkout(self, connection: Any, *_: object) -> None:
        self._since[connection] = time.monotonic()

    def _on_return(self, connection: Any, *_: object) -> None:
        self._since.pop(connection, None)

    def _watch(self) -> None:
        while not self._ended.wait(CONNECTION_CHECK_INTERVAL_SECONDS):
            oldest = time.monotonic() - MAX_CONNECTION_USE_SECONDS
            for connection, since in list(self._since.items()):
                if since < oldest and connection not in self._cut:
                    self._cut.add(connection)
                    _shut_down(connection)


def _shut_down(connection: Any) -> None:
    """Shut down the socket of a connection. The thread that waits for the connection gets an error and closes it."""
    import psycopg  # a server on SQLite starts without it

    with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as wire:
        wire.shutdown(socket.SHUT_RDWR)
