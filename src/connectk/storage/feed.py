"""News between processes by LISTEN and NOTIFY of PostgreSQL, delivered when a transaction commits.

A transaction sends its events in batches, within PostgreSQL's limit for the size of a message.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from sqlalchemy import URL

from connectk.aio import BackgroundTasks, retrying
from connectk.play.events import NAMES, event_from, facts_of
from connectk.play.protocols import MATCH_DELETED, Change, EphemeralListener, News, NewsListener, Recorded
from connectk.rooms.room import Room

if TYPE_CHECKING:
    import psycopg

CHANNEL = "connectk_news"
MAX_NOTIFY_BYTES = 7900  # of one message; PostgreSQL's limit is below 8000


def messages_of(changes: Sequence[Change]) -> list[str]:
    """As few messages as possible: commits with notifications wait for each other."""
    return ["[" + ",".join(group) + "]" for group in batched_texts(map(_text, changes), MAX_NOTIFY_BYTES - 2)]


def gone_messages(match_ids: Sequence[str]) -> list[str]:
    """Messages about deleted matches."""
    texts = (json.dumps([match_id, MATCH_DELETED]) for match_id in match_ids)
    return ["[" + ",".join(group) + "]" for group in batched_texts(texts, MAX_NOTIFY_BYTES - 2)]


def room_messages(rooms: Iterable[Room]) -> list[str]:
    """Messages with the number of each room's last event; the event itself is read from the store."""
    texts = (json.dumps([room.code, room.seq]) for room in rooms)
    return ["[" + ",".join(group) + "]" for group in batched_texts(texts, MAX_NOTIFY_BYTES - 2)]


def _text(change: Change) -> str:
    event, match = change.recorded.event, change.after
    whole = [match.id, match.seq, NAMES[type(event)], event.at, facts_of(event), change.recorded.key]
    text = json.dumps(whole, separators=(",", ":"))
    return text if len(text) <= MAX_NOTIFY_BYTES - 2 else json.dumps(whole[:2])


def batched_texts(texts: Iterable[str], longest: int) -> Iterator[list[str]]:
    """Batches of ASCII texts, in order, each within the limit when joined by one character."""
    group: list[str] = []
    length = 0
    for text in texts:
        if group and length + len(text) > longest:
            yield group
            group, length = [], 0
        group.append(text)
        length += len(text) + 1
    if group:
        yield group


def read_message(message: str) -> Iterator[News]:
    """The news in a message; without the event if it was too long."""
    for match_id, seq, *rest in json.loads(message):
        if rest:
            kind, at, facts, key = rest
            yield News(match_id, seq, Recorded(event_from(kind, at, facts), key))
        else:
            yield News(match_id, seq)


EPHEMERAL_CHANNEL = "connectk_ephemeral"
GATHER_SECONDS = 0.05  # in which ephemeral messages are batched
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.1, 2.0


class PostgresFeed:
    """Listens on its own connection; after a reconnect, subscribers are notified to check for missed events."""

    def __init__(self, url: URL, on_failure: Callable[[Exception], object] = bool) -> None:
        """`on_failure` is called with errors other than a lost connection, such as that of a listener."""
        self._on_failure = on_failure
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._listeners: list[NewsListener] = []
        self._listening = asyncio.Event()
        self._ephemeral_listeners: list[EphemeralListener] = []
        self._unsent: dict[str, str] = {}  # the last message about each name
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

    async def start(self) -> None:
        self._tasks.spawn(self._listen())
        self._tasks.spawn(self._send_all())
        await self._listening.wait()

    async def close(self) -> None:
        await self._tasks.close()

    async def _listen(self) -> None:
        """Connect with retries and listen until the connection is lost; repeat forever."""
        while True:
            try:
                async with await self._connected(f"LISTEN {CHANNEL}", f"LISTEN {EPHEMERAL_CHANNEL}") as connection:
                    self._listening.set()
                    self._publish(News(None))
                    await self._receive(connection)
            except self._connection_errors():
                pass
            except Exception as error:
                self._on_failure(error)
            await asyncio.sleep(FIRST_RETRY_SECONDS)

    async def _connected(self, *statements: str) -> psycopg.AsyncConnection:
        """A new connection on which these statements were executed, with retries."""
        again = retrying(*self._connection_errors(), first_seconds=FIRST_RETRY_SECONDS, max_seconds=MAX_RETRY_SECONDS)
        connection: psycopg.AsyncConnection = await again(self._connect, *statements)
        return connection

    async def _connect(self, *statements: str) -> psycopg.AsyncConnection:
        import psycopg  # a server on SQLite starts without it

        connection = await psycopg.AsyncConnection.connect(self._address, autocommit=True, connect_timeout=5)
        for statement in statements:
            await connection.execute(statement)
        return connection

    def _connection_errors(self) -> tuple[type[Exception], ...]:
        """The exceptions of an unreachable database."""
        import psycopg

        return psycopg.Error, OSError

    async def _receive(self, connection: psycopg.AsyncConnection) -> None:
        async for message in connection.notifies():
            if message.channel == CHANNEL:
                for news in read_message(message.payload):
                    self._publish(news)
            else:
                self._publish_ephemeral(*message.payload.split("\n"))

    def _publish_ephemeral(self, process: str, *messages: str) -> None:
        if process == self._process:
            return
        for message in messages:
            name, _, text = message.partition(" ")
            for listener in self._ephemeral_listeners:
                listener(name, process, text)

    async def _send_all(self) -> None:
        """Send over a second connection, opened on first use; messages that cannot be sent are dropped."""
        while True:
            await self._has_unsent.wait()
            with suppress(*self._connection_errors()):
                # Nothing is stored, so a commit need not wait for the disk.
                async with await self._connected("SET synchronous_commit = off") as connection:
                    while True:
                        await self._send_gathered(connection)
            await asyncio.sleep(FIRST_RETRY_SECONDS)

    async def _send_gathered(self, connection: psycopg.AsyncConnection) -> None:
        """Send all queued messages in few batches, because each commit delays those of the drops."""
        await self._has_unsent.wait()
        await asyncio.sleep(GATHER_SECONDS)
        self._has_unsent.clear()
        unsent, self._unsent = self._unsent, {}
        texts = (f"{name} {text}" for name, text in unsent.items())
        for group in batched_texts(texts, MAX_NOTIFY_BYTES - len(self._process) - 1):
            message = "\n".join([self._process, *group])
            await connection.execute("SELECT pg_notify(%s, %s)", (EPHEMERAL_CHANNEL, message))

    def _publish(self, news: News) -> None:
        for listener in self._listeners:
            listener(news)
