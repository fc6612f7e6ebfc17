"""Who is connected to a match or a room, in this process and in the others. Not an event: it is gone when they are."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from cachetools import TTLCache

from connectk.play.protocols import Feed

PRESENCE_EXPIRY_SECONDS = 25.0  # after which a process that is silent counts for nothing
MAX_PROCESSES = 1000
T = TypeVar("T")


class Presence(Generic[T]):
    """Shares what each process says of those who are connected to it, and tells a moment after it has changed."""

    def __init__(
        self,
        feed: Feed,
        here: Callable[[str], T | None],
        tell: Callable[[str], object],
        nobody: T,
        delay_seconds: float,
    ) -> None:
        """`here` says, in JSON values, who is connected to this process, or None where nobody is; `nobody` is said when
        the last has gone. `tell` tells them how it is, so long after it has changed."""
        self._feed, self._here, self._tell = feed, here, tell
        self._nobody, self._delay_seconds = nobody, delay_seconds
        self._elsewhere: dict[str, TTLCache[str, T]] = {}
        self._due: dict[str, bool] = {}  # whether the other processes are told as well
        feed.on_ephemeral(self._hear)

    def elsewhere(self, name: str) -> list[T]:
        """What the other processes have said not long ago."""
        return list(self._elsewhere.get(name, {}).values())

    def changed(self, name: str) -> None:
        """Somebody has come or gone."""
        self._tell_soon(name, announce=True)
        if self._here(name) is None:
            self._feed.send_ephemeral(name, json.dumps(self._nobody))

    def heartbeat(self, names: Iterable[str]) -> None:
        """From time to time, so that the others know that this process lives."""
        for name in names:
            self._announce(name)
        self._elsewhere = {name: said for name, said in self._elsewhere.items() if self._here(name) is not None}

    def _announce(self, name: str) -> None:
        if (here := self._here(name)) is not None:
            self._feed.send_ephemeral(name, json.dumps(here))

    def _tell_soon(self, name: str, announce: bool) -> None:
        if name not in self._due:
            asyncio.get_running_loop().call_later(self._delay_seconds, self._tell_now, name)
        self._due[name] = announce or self._due.get(name, False)

    def _tell_now(self, name: str) -> None:
        announce = self._due.pop(name)
        if self._here(name) is None:
            return
        self._tell(name)
        if announce:
            self._announce(name)

    def _hear(self, name: str, process: str, text: str) -> None:
        """A process that is new here is answered, so that it knows of us."""
        if self._here(name) is None:
            return
        said = self._elsewhere.setdefault(name, TTLCache(MAX_PROCESSES, PRESENCE_EXPIRY_SECONDS))
        before, now = said.get(process), json.loads(text)
        said[process] = now
        if now != before:
            self._tell_soon(name, announce=before is None)
