"""News between processes: PostgreSQL tells who listens, when a transaction commits.

A transaction tells its events, many in one message, as small as PostgreSQL wants them.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import URL

from connectk.play.events import NAMES, event_from, facts_of
from connectk.play.protocols import GONE, Change, Listener, Overhearer, Recorded
from connectk.rooms.room import Room

if TYPE_CHECKING:
    import psycopg

CHANNEL = "connectk_news"
LONGEST = 7900  # bytes in one message; PostgreSQL takes fewer than 8000


class News(NamedTuple):
    """An event of a match by its number, and the event itself unless it was too long to tell."""

    match_id: str
    seq: int
    recorded: Recorded | None


def messages_of(changes: Sequence[Change]) -> list[str]:
    """As few as will do: a commit that tells something waits for the others that do, whatever it tells."""
    return ["[" + ",".join(group) + "]" for group in grouped(map(_text, changes), LONGEST - 2)]


def gone_messages(match_ids: Sequence[str]) -> list[str]:
    """That matches are no more: they have nothing, not even a first event."""
    texts = (json.dumps([match_id, GONE]) for match_id in match_ids)
    return ["[" + ",".join(group) + "]" for group in grouped(texts, LONGEST - 2)]


def room_messages(rooms: Iterable[Room]) -> list[str]:
    """That rooms have news, by the number of the last event; what it was is read from the store."""
    texts = (json.dumps([room.code, room.seq]) for room in rooms)
    return ["[" + ",".join(group) + "]" for group in grouped(texts, LONGEST - 2)]


def _text(change: Change) -> str:
    event, match = change.recorded.event, change.after
    whole = [match.id, match.seq, NAMES[type(event)], event.at, facts_of(event), change.recorded.key]
    text = json.dumps(whole, separators=(",", ":"))
    return text if len(text) <= LONGEST - 2 else json.dumps(whole[:2])


def grouped(texts: Iterable[str], longest: int) -> Iterator[list[str]]:
    """Texts of ASCII in their order, so many together that with one character between them none is too long."""
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
    for match_id, seq, *rest in json.loads(message):
        if rest:
            kind, at, facts, key = rest
            yield News(match_id, seq, Recorded(event_from(kind, at, facts), key))
        else:
            yield News(match_id, seq, None)


WHISPERS = "connectk_whispers"
SOON = 0.05  # seconds in which whispers are gathered
FIRST_REST, LONGEST_REST = 0.1, 2.0


class PostgresFeed:
    """Listens on a connection of its own; after it was lost, everyone is told to look for what they missed."""

    def __init__(self, url: URL, on_failure: Callable[[Exception], object] = bool) -> None:
        """`on_failure` hears of what is no lost connection, such as a listener that fails."""
        self._on_failure = on_failure
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._listeners: list[Listener] = []
        self._task: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()
        self._overhearers: list[Overhearer] = []
        self._whispers: dict[str, str] = {}  # the last for each match
        self._something_to_whisper = asyncio.Event()
        self._whispering: asyncio.Task[None] | None = None
        self._name = secrets.token_hex(4)

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def publish(self, match_id: str, seq: int) -> None:
        """The store's transaction has announced it; whoever is in this process need not wait for the round trip."""
        self._tell(match_id, seq)

    def overhear(self, overhearer: Overhearer) -> None:
        self._overhearers.append(overhearer)

    def whisper(self, match_id: str, words: str) -> None:
        self._whispers[match_id] = words
        self._something_to_whisper.set()

    async def start(self) -> None:
        self._task = asyncio.ensure_future(self._run())
        self._whispering = asyncio.ensure_future(self._whisper_all())
        await self._listening.wait()

    async def close(self) -> None:
        tasks = [task for task in (self._task, self._whispering) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        import psycopg  # a server on SQLite starts without it

        rest = FIRST_REST
        while True:
            try:
                await self._hear()
            except Exception as error:
                if not isinstance(error, psycopg.Error | OSError):
                    self._on_failure(error)
                await asyncio.sleep(rest)
                rest = min(2 * rest, LONGEST_REST)
            if self._listening.is_set():
                rest = FIRST_REST
                self._listening.clear()

    async def _hear(self) -> None:
        import psycopg

        connection = await psycopg.AsyncConnection.connect(self._address, autocommit=True, connect_timeout=5)
        async with connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            await connection.execute(f"LISTEN {WHISPERS}")
            self._listening.set()
            self._tell(None, 0)
            async for news in connection.notifies():
                if news.channel == CHANNEL:
                    for match_id, seq, recorded in read_message(news.payload):
                        self._tell(match_id, seq, recorded)
                else:
                    self._pass_on(*news.payload.split("\n"))

    def _pass_on(self, name: str, *whispers: str) -> None:
        if name == self._name:
            return
        for whisper in whispers:
            match_id, _, words = whisper.partition(" ")
            for overhearer in self._overhearers:
                overhearer(match_id, name, words)

    async def _whisper_all(self) -> None:
        """Over a second connection, made when it is first needed; what cannot be said is left unsaid."""
        import psycopg

        while True:
            try:
                await self._something_to_whisper.wait()
                async with await psycopg.AsyncConnection.connect(self._address, autocommit=True) as connection:
                    await connection.execute("SET synchronous_commit = off")  # nothing is kept
                    while True:
                        await self._whisper_soon(connection)
            except (psycopg.Error, OSError):
                await asyncio.sleep(LONGEST_REST)  # a refusal comes at once, before the loop has had a turn

    async def _whisper_soon(self, connection: psycopg.AsyncConnection) -> None:
        """All that was said meanwhile, in few messages: each one's commit holds up those of the drops."""
        await self._something_to_whisper.wait()
        await asyncio.sleep(SOON)
        self._something_to_whisper.clear()
        said, self._whispers = self._whispers, {}
        whispers = (f"{match_id} {words}" for match_id, words in said.items())
        for group in grouped(whispers, LONGEST - len(self._name) - 1):
            await connection.execute("SELECT pg_notify(%s, %s)", (WHISPERS, "\n".join([self._name, *group])))

    def _tell(self, match_id: str | None, seq: int, recorded: Recorded | None = None) -> None:
        for listener in self._listeners:
            listener(match_id, seq, recorded)
