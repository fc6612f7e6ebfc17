"""The interface of the store for strangers. Each method that writes is one transaction, and the write is durable when
the method returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from connectk.play.match import Match
from connectk.play.protocols import NewMatch
from connectk.strangers.encounter import Encounter
from connectk.strangers.profile import Profile
from connectk.strangers.seek import Seek, SeekPair


class StoredSeek(NamedTuple):
    """A seek, and its match if it has one already."""

    seek: Seek
    match: str | None


class EncounterPlayers(NamedTuple):
    """An encounter with the current profiles of its players. A deleted profile is None."""

    encounter: Encounter
    profiles: tuple[Profile | None, Profile | None]


class StrangerStore(Protocol):
    async def create_profile(self, profile: Profile, secret: str) -> Profile: ...

    async def find_profile(self, secret: str) -> Profile | None: ...

    async def note_seen(self, profile: str, now: float) -> None: ...

    async def rename(self, profile: str, name: str) -> None: ...

    async def remove_profile(self, profile: str) -> None: ...

    async def add_transfer(self, profile: str, code: str, now: float, expires: float) -> None: ...

    async def claim_transfer(self, code: str, secret: str, now: float) -> Profile: ...

    async def add_seek(self, seek: Seek) -> StoredSeek: ...

    async def find_seek(self, seek_id: str) -> StoredSeek | None: ...

    async def withdraw(self, profile: str) -> None: ...

    async def open_seeks(self, seen_after: float) -> list[Seek]: ...

    async def count_open(self, address: str, seen_after: float) -> tuple[int, int]:
        """The number of open seeks from this address, and the number of all open seeks."""
        ...

    async def matches_of_seeks(self, ids: list[str]) -> dict[str, str | None]: ...

    async def keep_seeks(self, ids: list[str], now: float, stale_before: float) -> None:
        """Note that the owners of these seeks are connected. Seeks whose owners left before `stale_before` are
        deleted."""
        ...

    async def start_pair(self, pair: SeekPair, made: NewMatch) -> bool:
        """Store the match of two seeks. Returns False if one of the seeks is taken or withdrawn."""
        ...

    async def start_level(self, seek: Seek, made: NewMatch) -> bool:
        """Store the match of a seek against a computer level. Returns False if the seek is taken or withdrawn."""
        ...

    async def encounter(self, match: str) -> EncounterPlayers | None: ...

    async def seek_address(self, match: str, profile: str) -> str | None:
        """The address of the seek from which a profile got this match. None for a later game of a series, and after the
        seek has been deleted."""
        ...

    async def settle(self, match: Match, now: float) -> Encounter | None:
        """Store the result of a finished match. Returns None if that was done before."""
        ...

    async def unsettled(self, limit: int) -> list[str]: ...

    async def due_games(self, now: float, limit: int) -> list[str]: ...

    async def end_series(self, match: str) -> None: ...

    async def make_unrated(self, match: str) -> None: ...

    async def set_muted(self, profile: str, other: str, muted: bool) -> None: ...

    async def is_muted(self, profile: str, other: str) -> bool: ...

    async def add_report(self, by: str, about: str, match: str, reason: str, now: float) -> None: ...

    async def unchecked(self, since: float, limit: int) -> Sequence[str]: ...

    async def store_evidence(self, match: str, evidence: dict[str, object]) -> None: ...

    async def forget_places(self, now: float) -> None: ...

    async def remove_unused(self, before: float, limit: int) -> int: ...

    async def free_names(self, before: float, limit: int) -> int: ...
