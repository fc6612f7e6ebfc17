"""The storage interface of the room service: rooms are stored together with the matches that they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from connectk.play.protocols import Made
from connectk.rooms.events import Event
from connectk.rooms.room import Room


@dataclass(frozen=True, slots=True)
class NewRoom:
    """A new room, before any event."""

    room: Room


@dataclass(frozen=True, slots=True)
class RoomChange:
    """One event, the room after it, and the matches that it starts; stored in one transaction."""

    event: Event
    after: Room
    matches: Sequence[Made] = ()


class RoomStore(Protocol):
    """Stores rooms. A change is durable when its method returns; raises `Conflict` if a code or an event number is
    taken."""

    @property
    def is_shared(self) -> bool: ...

    async def create_room(self, made: NewRoom) -> None: ...

    async def load_room(self, code: str) -> tuple[Room, list[Event]] | None:
        """A room as it was created, and its events."""
        ...

    async def room_events_after(self, code: str, seq: int) -> list[Event]: ...

    async def append_room(self, change: RoomChange) -> None: ...

    async def open_rooms(self) -> list[str]:
        """Codes of rooms that are not closed."""
        ...
