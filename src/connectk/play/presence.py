"""Who is connected to a match or a room, in this process and in the others. Presence is not stored."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from cachetools import TTLCache

from connectk.play.protocols import Feed

PRESENCE_EXPIRY_SECONDS = 25.0  # without a heartbeat, after which another process no longer counts
MAX_PROCESSES = 1000
T = TypeVar("T")


class Presence(Generic[T]):
    """Exchanges presence between processes, and notifies a moment after it has changed."""

    def __init__(
        self,
        feed: Feed,
        local: Callable[[str], T | None],
        notify: Callable[[str], object],
        empty: T,
        delay_seconds: float,
    ) -> None:
        """`local` returns, as JSON values, who is connected to this process, or None for nobody; `empty` is sent when
        the last one has left. `notify` is called `delay_seconds` after a change."""
        self._feed, self._local, self._notify = feed, local, notify
        self._empty, self._delay_seconds = empty, delay_seconds
        self._remote: dict[str, TTLCache[str, T]] = {}
        self._due: dict[str, bool] = {}  # whether to announce it to the other processes, too
        feed.on_ephemeral(self._on_message)

    def remote(self, name: str) -> list[T]:
        """The latest presence of the other processes."""
        return list(self._remote.get(name, {}).values())

    def changed(self, name: str) -> None:
        """Called after a client has connected or disconnected."""
        self._notify_later(name, announce=True)
        if self._local(name) is None:
            self._feed.send_ephemeral(name, json.dumps(self._empty))

    def heartbeat(self, names: Iterable[str]) -> None:
        """Called regularly, so that the other processes do not expire this one."""
        for name in names:
            self._announce(name)
        self._remote = {name: counts for name, counts in self._remote.items() if self._local(name) is not None}

    def _announce(self, name: str) -> None:
        if (local := self._local(name)) is not None:
            self._feed.send_ephemeral(name, json.dumps(local))

    def _notify_later(self, name: str, announce: bool) -> None:
        if name not in self._due:
            asyncio.get_running_loop().call_later(self._delay_seconds, self._notify_now, name)
        self._due[name] = announce or self._due.get(name, False)

    def _notify_now(self, name: str) -> None:
        announce = self._due.pop(name)
        if self._local(name) is None:
            return
        self._notify(name)
        if announce:
            self._announce(name)

    def _on_message(self, name: str, process: str, text: str) -> None:
        """Store another process's presence; a new process is answered with our own."""
        if self._local(name) is None:
            return
        by_process = self._remote.setdefault(name, TTLCache(MAX_PROCESSES, PRESENCE_EXPIRY_SECONDS))
        before, now = by_process.get(process), json.loads(text)
        by_process[process] = now
        if now != before:
            self._notify_later(name, announce=before is None)
