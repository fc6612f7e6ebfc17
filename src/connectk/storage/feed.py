"""Sends news between processes with PostgreSQL's LISTEN and NOTIFY, which deliver it when a transaction commits.

A process gets the news of the matches that it listens to, and the news for every process (see `notices.py`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from sqlalchemy import URL

from connectk.aio import BackgroundTasks, retrying
from connectk.play.protocols import EphemeralListener, News, NewsListener
from connectk.storage.notices import (
    COMMON_CHANNEL,
    channel_of,
    ephemeral_notices,
    is_ephemeral,
    notice_columns,
    read_ephemeral,
    read_news,
)
from connectk.storage.postgres import NETWORK_LIMITS, STATEMENT_TIMEOUT_SECONDS

if TYPE_CHECKING:
    import psycopg

EPHEMERAL_BATCH_DELAY_SECONDS = 0.05  # ephemeral messages within this time are sent together
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.1, 2.0
MAX_STATEMENTS = 500  # LISTEN and UNLISTEN statements in one round trip
NOTIFY_EPHEMERAL_STATEMENT = """
    SELECT pg_notify(channel, message)
    FROM unnest(%(channels)s::text[], %(messages)s::text[]) AS notices (channel, message)
"""


class PostgresFeed:
    """Carries news between processes over a database connection of its own. When a lost connection is open again,
    subscribers are told to check for events that they missed."""

    def __init__(self, url: URL, on_failure: Callable[[Exception], object] = bool) -> None:
        """`on_failure` is called with every error, such as an exception in a listener, but not when the connection is
        lost."""
        self._on_failure = on_failure
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._listeners: list[NewsListener] = []
        self._listening = asyncio.Event()
        self._channels = ListenedChannels()
        self._ephemeral_listeners: list[EphemeralListener] = []
        self._unsent: dict[str, str] = {}  # the last message about each match or room
        self._has_unsent = asyncio.Event()
        self._tasks = BackgroundTasks()
        self._process = secrets.token_hex(4)

    def subscribe(self, listener: NewsListener) -> None:
        self._listeners.append(listener)

    def on_ephemeral(self, listener: EphemeralListener) -> None:
        self._ephemeral_listeners.append(listener)

    def send_ephemeral(self, name: str, text: str) -> None:
        self._unsent[name] = text
        self._has_unsent.set()

    async def listen(self, name: str) -> None:
        await self._channels.add(channel_of(name))

    def unlisten(self, name: str) -> None:
        self._channels.remove(channel_of(name))

    async def start(self) -> None:
        self._tasks.spawn(self._listen())
        self._tasks.spawn(self._send_all())
        await self._listening.wait()

    async def close(self) -> None:
        await self._tasks.close()

    async def _listen(self) -> None:
        """Connect and pass on every message that arrives. Whenever the connection is lost, connect again."""
        while True:
            try:
                async with await self._connected() as connection:
                    await self._receive(connection)
            except self._connection_errors():
                pass
            except Exception as error:
                self._on_failure(error)
            finally:
                self._channels.disconnected()
            await asyncio.sleep(FIRST_RETRY_SECONDS)

    async def _receive(self, connection: psycopg.AsyncConnection) -> None:
        """Pass on every message on the requested channels, until the connection is lost."""
        connection.add_notify_handler(lambda notice: self._on_notice(notice.payload))
        await self._channels.update(connection)
        self._listening.set()
        self._publish(News(None))
        while True:
            await self._channels.update(connection)
            while notice := connection.pgconn.notifies():
                self._on_notice(notice.extra.decode())
            await self._channels.changed_or_readable(connection.fileno())
            connection.pgconn.consume_input()

    def _on_notice(self, message: str) -> None:
        if is_ephemeral(message):
            self._publish_ephemeral(message)
        else:
            for news in read_news(message):
                self._publish(news)

    async def _connected(self, *statements: str) -> psycopg.AsyncConnection:
        """Try to connect until an attempt succeeds, run these statements, and return the connection."""
        again = retrying(*self._connection_errors(), first_seconds=FIRST_RETRY_SECONDS, max_seconds=MAX_RETRY_SECONDS)
        connection: psycopg.AsyncConnection = await again(self._connect, *statements)
        return connection

    async def _connect(self, *statements: str) -> psycopg.AsyncConnection:
        import psycopg  # a server on SQLite starts without it

        connection = await psycopg.AsyncConnection.connect(self._address, autocommit=True, **NETWORK_LIMITS)
        for statement in statements:
            await connection.execute(statement)
        return connection

    def _connection_errors(self) -> tuple[type[Exception], ...]:
        """The exceptions that are raised when the database cannot be reached."""
        import psycopg

        return psycopg.Error, OSError

    def _publish_ephemeral(self, message: str) -> None:
        for process, name, text in read_ephemeral(message):
            if process != self._process:
                for listener in self._ephemeral_listeners:
                    listener(name, process, text)

    async def _send_all(self) -> None:
        """Send messages that are not stored, over a second connection, which is opened for the first message. A message
        that cannot be sent is lost."""
        while True:
            await self._has_unsent.wait()
            with suppress(*self._connection_errors()):
                # A commit need not wait for the disk, because nothing is stored.
                async with await self._connected("SET synchronous_commit = off") as connection:
                    while True:
                        await self._send_queued(connection)
            await asyncio.sleep(FIRST_RETRY_SECONDS)

    async def _send_queued(self, connection: psycopg.AsyncConnection) -> None:
        """Send all waiting messages in one transaction, because every commit delays the commits of drops."""
        await self._has_unsent.wait()
        await asyncio.sleep(EPHEMERAL_BATCH_DELAY_SECONDS)
        self._has_unsent.clear()
        unsent, self._unsent = self._unsent, {}
        await connection.execute(NOTIFY_EPHEMERAL_STATEMENT, notice_columns(ephemeral_notices(self._process, unsent)))

    def _publish(self, news: News) -> None:
        for listener in self._listeners:
            listener(news)


class ListenedChannels:
    """The channels that a process has requested, and the channels that its database connection listens to at the
    moment."""

    def __init__(self) -> None:
        self._wanted = Counter({COMMON_CHANNEL: 1})
        self._listened: set[str] | None = None  # None while not connected
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._is_outdated = True  # whether the wanted channels differ from those that the connection listens to
        self._changed = asyncio.Event()

    async def add(self, channel: str) -> None:
        """Request a channel, and wait until the connection listens to it. Without a connection this returns at once,
        because all subscribers check for missed events after the next connection."""
        self._wanted[channel] += 1
        self._is_outdated = True
        if self._listened is None or channel in self._listened:
            return
        if channel not in self._waiting:
            self._waiting[channel] = asyncio.get_running_loop().create_future()
        self._changed.set()
        await asyncio.shield(self._waiting[channel])

    def remove(self, channel: str) -> None:
        """Release a channel. If nobody else has requested it, the connection stops listening to it at the next
        update."""
        self._wanted[channel] -= 1
        if not self._wanted[channel]:
            del self._wanted[channel]
            self._is_outdated = True

    async def update(self, connection: psycopg.AsyncConnection) -> None:
        """Make the connection listen to exactly the requested channels."""
        self._changed.clear()
        if not self._is_outdated:
            return
        self._is_outdated = False
        listened, wanted = self._listened or set(), set(self._wanted)
        statements = [f'LISTEN "{channel}"' for channel in wanted - listened]
        statements += [f'UNLISTEN "{channel}"' for channel in listened - wanted]
        async with asyncio.timeout(STATEMENT_TIMEOUT_SECONDS):
            for first in range(0, len(statements), MAX_STATEMENTS):
                await connection.execute("; ".join(statements[first : first + MAX_STATEMENTS]).encode())
        self._listened = wanted
        self._resolve(wanted)

    def disconnected(self) -> None:
        self._listened, self._is_outdated = None, True
        self._resolve(set(self._waiting))

    def _resolve(self, channels: set[str]) -> None:
        for channel in channels & self._waiting.keys():
            waiting = self._waiting.pop(channel)
            if not waiting.done():
                waiting.set_result(None)

    async def changed_or_readable(self, descriptor: int) -> None:
        """Wait until another channel is requested or the connection has something to read."""
        loop = asyncio.get_running_loop()
        loop.add_reader(descriptor, self._changed.set)
        try:
            await self._changed.wait()
        finally:
            loop.remove_reader(descriptor)
