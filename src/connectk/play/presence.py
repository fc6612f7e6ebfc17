"""Knows who is connected to a match or a room, in any server process. This is never stored."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from cachetools import TTLCache

from connectk.play.protocols import Feed

PRESENCE_EXPIRY_SECONDS = 25.0  # another process no longer counts after this time without a heartbeat
MAX_REMOTE_PROCESSES = 1000
T = TypeVar("T")


class Presence(Generic[T]):
    """Tells other processes who is connected here. It calls `notify` shortly after anybody connects to any process or
    disconnects."""

    def __init__(
        self,
        feed: Feed,
        local: Callable[[str], T | None],
        notify: Callable[[str], object],
        empty: T,
        delay_seconds: float,
    ) -> None:
        """`local` returns who is connected to this process, as JSON values, or None if nobody is. `empty` is sent to
        the other processes when the last client leaves. `notify` is called `delay_seconds` after a change."""
        self._feed, self._local, self._notify = feed, local, notify
        self._empty, self._delay_seconds = empty, delay_seconds
        self._remote: dict[str, TTLCache[str, T]] = {}
        self._due: dict[str, bool] = {}  # by name, whether to announce the change to the other processes too
        feed.on_ephemeral(self._on_message)

    def remote(self, name: str) -> list[T]:
        """The last reports of the other processes about who is connected to them."""
        return list(self._remote.get(name, {}).values())

    def changed(self, name: str) -> None:
        """Report a client that has connected to this process or disconnected from it."""
        self._notify_later(name, announce=True)
        if not self._is_anybody_here(name):
            self._feed.send_ephemeral(name, json.dumps(self._empty))

    def heartbeat(self, names: Iterable[str]) -> None:
        """Repeat the reports of this process to the others, which forget a report after `PRESENCE_EXPIRY_SECONDS`."""
        for name in names:
            self._announce(name)
        self._remote = {name: counts for name, counts in self._remote.items() if self._is_anybody_here(name)}

    def _is_anybody_here(self, name: str) -> bool:
        return self._local(name) is not None

    def _delay_for(self, name: str) -> float:
        """The seconds between a change and the call of `notify`."""
        return self._delay_seconds

    def _announce(self, name: str) -> None:
        if (local := self._local(name)) is not None:
            self._feed.send_ephemeral(name, json.dumps(local))

    def _notify_later(self, name: str, announce: bool) -> None:
        if name not in self._due:
            asyncio.get_running_loop().call_later(self._delay_for(name), self._notify_now, name)
        self._due[name] = announce or self._due.get(name, False)

    def _notify_now(self, name: str) -> None:
        announce = self._due.pop(name)
        if not self._is_anybody_here(name):
            return
        self._notify(name)
        if announce:
            self._announce(name)

    def _on_message(self, name: str, process: str, text: str) -> None:
        """Keep the report of another process. If it is the first report of that process, answer with a report of this
        process."""
        if not self._is_anybody_here(name):
            return
        by_process = self._remote.setdefault(name, TTLCache(MAX_REMOTE_PROCESSES, PRESENCE_EXPIRY_SECONDS))
        before, now = by_process.get(process), json.loads(text)
        by_process[process] = now
        if now != before:
            self._notify_later(name, announce=before is None)
