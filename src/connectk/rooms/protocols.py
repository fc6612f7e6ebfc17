"""What a service of rooms needs from outside: somewhere to keep them, together with the matches that they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from connectk.play.protocols import Made
from connectk.rooms.events import Event
from connectk.rooms.room import Room


@dataclass(frozen=True, slots=True)
class NewRoom:
    """A new room, as it was made."""

    room: Room


@dataclass(frozen=True, slots=True)
class RoomChange:
    """One event, the room after it, and the matches that it begins: stored together or not at all."""

    event: Event
    after: Room
    matches: Sequence[Made] = ()


class RoomStore(Protocol):
    """Keeps rooms. What a method has answered is on disk; `Conflict` when a code or an event's number is taken."""

    @property
    def is_shared(self) -> bool: ...

    async def create_room(self, made: NewRoom) -> None: ...

    async def load_room(self, code: str) -> tuple[Room, list[Event]] | None:
        """A room as it was made, and all that happened in it."""
        ...

    async def room_events_after(self, code: str, seq: int) -> list[Event]: ...

    async def append_room(self, change: RoomChange) -> None: ...

    async def open_rooms(self) -> list[str]:
        """Codes of rooms that are not closed."""
        ...
