"""News between processes: PostgreSQL tells who listens, when a transaction commits."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import psycopg
from sqlalchemy import URL

from connectk.play.protocols import Listener
from connectk.storage.store import CHANNEL

FIRST_REST, LONGEST_REST = 0.1, 2.0


class PostgresFeed:
    """Listens on a connection of its own; after it was lost, everyone is told to look for what they missed."""

    def __init__(self, url: URL) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._listeners: list[Listener] = []
        self._task: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def publish(self, match_id: str, seq: int) -> None:
        """The store's transaction has announced it; whoever is in this process need not wait for the round trip."""
        self._tell(match_id, seq)

    async def start(self) -> None:
        self._task = asyncio.ensure_future(self._run())
        await self._listening.wait()

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

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
            self._listening.set()
            self._tell(None, 0)
            async for news in connection.notifies():
                match_id, _, seq = news.payload.partition(" ")
                self._tell(match_id, int(seq))

    def _tell(self, match_id: str | None, seq: int) -> None:
        for listener in self._listeners:
            listener(match_id, seq)
