"""Who is connected to a match, in this process and in the others. Not an event: it is gone when they are."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from connectk.play.rooms import Room, Rooms

SOON = 0.2  # seconds in which comings and goings are told together
FORGOTTEN = 25.0  # seconds after which a process that is silent counts for nothing

Count = dict[str, int]


@dataclass(slots=True)
class _Elsewhere:
    """What other processes have said of a match, and when."""

    counts: dict[str, tuple[float, Count]] = field(default_factory=dict)

    def fresh(self) -> list[Count]:
        oldest = time.monotonic() - FORGOTTEN
        return [count for heard, count in self.counts.values() if heard > oldest]


class Presence:
    """Tells each room how many are connected, a moment after someone has come or gone."""

    def __init__(self, rooms: Rooms, encode: Callable[[Count], str]) -> None:
        self._rooms, self._encode = rooms, encode
        self._elsewhere: dict[str, _Elsewhere] = {}
        self._due: set[str] = set()
        self._feed = rooms.feed
        rooms.on_presence = self._changed
        self._feed.overhear(self._overhear)

    def say_again(self) -> None:
        """From time to time, so that others know that this process lives."""
        for match_id, room in self._rooms.open_rooms():
            self._announce(match_id, room)
        self._elsewhere = {match_id: said for match_id, said in self._elsewhere.items() if self._rooms.room(match_id)}

    def _changed(self, match_id: str, room: Room) -> None:
        self._tell_soon(match_id)
        if not room.subscribers:
            self._announce(match_id, room)

    def _tell_soon(self, match_id: str, announce: bool = True) -> None:
        if match_id not in self._due:
            self._due.add(match_id)
            asyncio.get_running_loop().call_later(SOON, self._tell, match_id, announce)

    def _tell(self, match_id: str, announce: bool) -> None:
        self._due.discard(match_id)
        room = self._rooms.room(match_id)
        if room is None:
            return
        counts = [room.presence(), *self._elsewhere.get(match_id, _Elsewhere()).fresh()]
        room.tell(self._encode({name: sum(count[name] for count in counts) for name in counts[0]}))
        if announce:
            self._announce(match_id, room)

    def _announce(self, match_id: str, room: Room) -> None:
        self._feed.whisper(match_id, json.dumps(room.presence()))

    def _overhear(self, match_id: str, process: str, words: str) -> None:
        """A process that is new here is answered, so that it knows of us."""
        room = self._rooms.room(match_id)
        if room is None:
            return
        said = self._elsewhere.setdefault(match_id, _Elsewhere())
        before = said.counts.get(process)
        count: Count = json.loads(words)
        said.counts[process] = time.monotonic(), count
        if before is None or before[1] != count:
            self._tell_soon(match_id, announce=before is None)
