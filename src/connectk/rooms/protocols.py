"""The interface of the store of rooms. A change of a room is stored together with the matches that it creates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from connectk.play.protocols import NewMatch
from connectk.rooms.events import Event
from connectk.rooms.room import Room


@dataclass(frozen=True, slots=True)
class NewRoom:
    """A new room, in which nothing has happened yet."""

    room: Room


@dataclass(frozen=True, slots=True)
class RoomChange:
    """One event, the room after it, and the matches that it starts. All of this is stored in one transaction."""

    event: Event
    after: Room
    matches: Sequence[NewMatch] = ()


class RoomStore(Protocol):
    """Stores rooms. When a method that writes returns, the write is durable. Such a method raises `StoreConflict` if
    the code of the room or the number of the event is taken."""

    @property
    def is_shared(self) -> bool: ...

    async def create_room(self, made: NewRoom) -> None: ...

    async def load_room(self, code: str) -> tuple[Room, list[Event]] | None:
        """A room as it was created, and all its events."""
        ...

    async def room_events_after(self, code: str, seq: int) -> list[Event]: ...

    async def append_room(self, change: RoomChange) -> None: ...

    async def open_rooms(self) -> list[str]:
        """Codes of rooms that are not closed."""
        ...
