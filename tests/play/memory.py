"""A match store in memory, which can be made to fail like a shared one."""

from collections.abc import Sequence

from connectk.play.match import Match
from connectk.play.protocols import Change, Conflict, Recorded


class MemoryStore:
    is_shared = False

    def __init__(self) -> None:
        self.matches: dict[str, Match] = {}
        self.events: dict[str, list[Recorded]] = {}

    async def create(self, match: Match, opening: Sequence[Recorded]) -> None:
        self.matches[match.id], self.events[match.id] = match, list(opening)

    async def load(self, match_id: str) -> tuple[Match, list[Recorded]] | None:
        return (self.matches[match_id], list(self.events[match_id])) if match_id in self.matches else None

    async def events_after(self, match_id: str, seq: int) -> list[Recorded]:
        return self.events[match_id][seq:]

    async def append(self, change: Change) -> None:
        if change.after.seq != len(self.events[change.after.id]) + 1:
            raise Conflict
        self.events[change.after.id].append(change.recorded)

    async def public_matches(self, limit: int) -> list[str]:
        return list(self.matches)[:limit]

    async def open_matches(self, since: float, until: float, limit: int) -> list[str]:
        return list(self.matches)[:limit]

    async def overdue_matches(self, before: float, limit: int) -> list[str]:
        return []

    async def purge(self, before: float, limit: int) -> list[str]:
        return []

    async def is_ready(self) -> bool:
        return True

    async def close(self) -> None:
        pass
