"""News between processes: PostgreSQL tells who listens, when a transaction commits."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress

import psycopg
from sqlalchemy import URL

from connectk.play.protocols import Listener, Overhearer
from connectk.storage.store import CHANNEL

WHISPERS = "connectk_whispers"
MOST_WHISPERS = 1000
FIRST_REST, LONGEST_REST = 0.1, 2.0


class PostgresFeed:
    """Listens on a connection of its own; after it was lost, everyone is told to look for what they missed."""

    def __init__(self, url: URL) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._listeners: list[Listener] = []
        self._task: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()
        self._overhearers: list[Overhearer] = []
        self._whispers: asyncio.Queue[str] = asyncio.Queue(MOST_WHISPERS)
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
        with suppress(asyncio.QueueFull):  # it will be said again
            self._whispers.put_nowait(f"{match_id} {self._name} {words}")

    async def start(self) -> None:
        self._task = asyncio.ensure_future(self._run())
        self._whispering = asyncio.ensure_future(self._whisper_all())
        await self._listening.wait()

    async def close(self) -> None:
        for task in filter(None, (self._task, self._whispering)):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _run(self) -> None:
        rest = FIRST_REST
        while True:
            try:
                await self._hear()
            except (psycopg.Error, OSError):
                await asyncio.sleep(rest)
                rest = min(2 * rest, LONGEST_REST)
            if self._listening.is_set():
                rest = FIRST_REST
                self._listening.clear()

    async def _hear(self) -> None:
        connection = await psycopg.AsyncConnection.connect(self._address, autocommit=True, connect_timeout=5)
        async with connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            await connection.execute(f"LISTEN {WHISPERS}")
            self._listening.set()
            self._tell(None, 0)
            async for news in connection.notifies():
                match_id, _, words = news.payload.partition(" ")
                if news.channel == CHANNEL:
                    self._tell(match_id, int(words))
                else:
                    self._pass_on(match_id, *words.split(" ", 1))

    def _pass_on(self, match_id: str, name: str, words: str) -> None:
        if name != self._name:
            for overhearer in self._overhearers:
                overhearer(match_id, name, words)

    async def _whisper_all(self) -> None:
        """Over a second connection, made when it is first needed; what cannot be said is left unsaid."""
        while True:
            with suppress(psycopg.Error, OSError):
                whisper = await self._whispers.get()
                async with await psycopg.AsyncConnection.connect(self._address, autocommit=True) as connection:
                    while True:
                        await connection.execute("SELECT pg_notify(%s, %s)", (WHISPERS, whisper))
                        whisper = await self._whispers.get()

    def _tell(self, match_id: str | None, seq: int) -> None:
        for listener in self._listeners:
            listener(match_id, seq)
