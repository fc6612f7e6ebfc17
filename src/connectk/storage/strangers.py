"""The store of profiles, seeks and encounters. They are in the same database as the matches."""

from __future__ import annotations

from functools import partial

from sqlalchemy import Connection

from connectk.play.match import Match
from connectk.play.protocols import NewMatch
from connectk.storage import encounters, profiles
from connectk.storage.store import SqlMatchStore, insert_match
from connectk.strangers.encounter import Encounter
from connectk.strangers.profile import Profile
from connectk.strangers.protocols import EncounterPlayers, StoredSeek
from connectk.strangers.seek import Seek, SeekPair


class SqlStrangerStore:
    """Stores profiles, seeks and encounters. Each method runs one function of `storage.profiles` or
    `storage.encounters`."""

    def __init__(self, store: SqlMatchStore) -> None:
        self._transact, self._query = store.transact, store.query

    async def create_profile(self, profile: Profile, secret: str) -> Profile:
        return await self._transact(partial(profiles.create, profile=profile, secret=secret))

    async def find_profile(self, secret: str) -> Profile | None:
        return await self._query(partial(profiles.find, secret=secret))

    async def note_seen(self, profile: str, now: float) -> None:
        await self._transact(partial(profiles.note_seen, profile=profile, now=now))

    async def rename(self, profile: str, name: str) -> None:
        await self._transact(partial(profiles.rename, profile=profile, name=name))

    async def remove_profile(self, profile: str) -> None:
        await self._transact(partial(profiles.remove, ids=[profile]))

    async def add_transfer(self, profile: str, code: str, now: float, expires: float) -> None:
        await self._transact(partial(profiles.add_transfer, profile=profile, code=code, now=now, expires=expires))

    async def claim_transfer(self, code: str, secret: str, now: float) -> Profile:
        return await self._transact(partial(profiles.claim_transfer, code=code, secret=secret, now=now))

    async def add_seek(self, seek: Seek) -> StoredSeek:
        return await self._transact(partial(encounters.insert_seek, seek=seek))

    async def find_seek(self, seek_id: str) -> StoredSeek | None:
        return await self._query(partial(encounters.find_seek, seek_id=seek_id))

    async def withdraw(self, profile: str) -> None:
        await self._transact(partial(encounters.withdraw, profile=profile))

    async def open_seeks(self, seen_after: float) -> list[Seek]:
        return await self._query(partial(encounters.open_seeks, seen_after=seen_after))

    async def count_open(self, address: str, seen_after: float) -> tuple[int, int]:
        return await self._query(partial(encounters.count_open, address=address, seen_after=seen_after))

    async def matches_of_seeks(self, ids: list[str]) -> dict[str, str | None]:
        return await self._query(partial(encounters.matches_of_seeks, ids=ids))

    async def keep_seeks(self, ids: list[str], now: float, stale_before: float) -> None:
        def keep(connection: Connection) -> None:
            encounters.note_seen(connection, ids, now)
            encounters.delete_stale(connection, stale_before)

        await self._transact(keep)

    async def start_pair(self, pair: SeekPair, made: NewMatch) -> bool:
        def start(connection: Connection) -> bool:
            if not encounters.claim(connection, [pair.first.id, pair.second.id], made.match.id):
                return False
            insert_match(connection, made)
            encounters.insert_pair(connection, pair, made.match.id, made.match.created)
            return True

        return await self._transact(start)

    async def start_level(self, seek: Seek, made: NewMatch) -> bool:
        def start(connection: Connection) -> bool:
            if not encounters.claim(connection, [seek.id], made.match.id):
                return False
            insert_match(connection, made)
            return True

        return await self._transact(start)

    async def encounter(self, match: str) -> EncounterPlayers | None:
        def read(connection: Connection) -> EncounterPlayers | None:
            found = encounters.find(connection, match)
            if found is None:
                return None
            known = profiles.by_id(connection, found.profiles)
            first, second = (known.get(one) for one in found.profiles)
            return EncounterPlayers(found, (first, second))

        return await self._query(read)

    async def seek_address(self, match: str, profile: str) -> str | None:
        return await self._query(partial(encounters.seek_address, match=match, profile=profile))

    async def settle(self, match: Match, now: float) -> Encounter | None:
        return await self._transact(partial(encounters.settle, match=match, now=now))

    async def unsettled(self, limit: int) -> list[str]:
        return await self._query(partial(encounters.unsettled, limit=limit))

    async def due_games(self, now: float, limit: int) -> list[str]:
        return await self._query(partial(encounters.due_games, now=now, limit=limit))

    async def end_series(self, match: str) -> None:
        await self._transact(partial(encounters.end_series, match=match))

    async def make_unrated(self, match: str) -> None:
        await self._transact(partial(encounters.make_unrated, match=match))

    async def set_muted(self, profile: str, other: str, muted: bool) -> None:
        await self._transact(partial(profiles.set_muted, profile=profile, other=other, muted=muted))

    async def is_muted(self, profile: str, other: str) -> bool:
        return await self._query(partial(profiles.is_muted, profile=profile, other=other))

    async def add_report(self, by: str, about: str, match: str, reason: str, now: float) -> None:
        await self._transact(partial(profiles.add_report, by=by, about=about, match=match, reason=reason, now=now))

    async def unchecked(self, since: float, limit: int) -> list[str]:
        return await self._query(partial(encounters.unchecked, since=since, limit=limit))

    async def store_evidence(self, match: str, evidence: dict[str, object]) -> None:
        await self._transact(partial(encounters.store_evidence, match=match, evidence=evidence))

    async def forget_places(self, now: float) -> None:
        await self._transact(partial(encounters.forget_places, now=now))

    async def remove_unused(self, before: float, limit: int) -> int:
        return await self._transact(partial(profiles.remove_unused, before=before, limit=limit))

    async def free_names(self, before: float, limit: int) -> int:
        return await self._transact(partial(profiles.free_names, before=before, limit=limit))
