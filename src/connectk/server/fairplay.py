"""Checks rated games after their end, one drop at a time. It works only while nobody waits for the processors."""

from __future__ import annotations

from connectk.errors import ConnectkError
from connectk.play.match import Match
from connectk.play.refusals import Busy, Timeout
from connectk.play.service import MatchService
from connectk.rules import Side
from connectk.solver.solver import require_supported
from connectk.strangers.encounter import Encounter
from connectk.strangers.fairplay import (
    EVIDENCE_DAYS,
    ComparedDrop,
    PlayEvidence,
    compare,
    may_be_decision,
    write_evidence,
)
from connectk.strangers.protocols import StrangerStore
from connectk.strangers.rating import SECONDS_PER_DAY, level_near
from connectk.thinking.pool import ThinkingPool
from connectk.thinking.queue import Requester

DROP_SECONDS = 2.0  # a drop that is not solved within this time is left out
REQUESTER = Requester("fair play", "fair play", demo=True)  # goes last


class FairPlayChecker:
    """Stores evidence about each rated game. If several servers check the same game, they store the same evidence."""

    def __init__(self, matches: MatchService, store: StrangerStore, pool: ThinkingPool) -> None:
        self._matches, self._store, self._pool = matches, store, pool

    async def check_all(self) -> None:
        """Check all rated games that have not been checked. If the processors are busy, stop, and go on at the next
        call."""
        since = self._matches.now() - EVIDENCE_DAYS * SECONDS_PER_DAY
        try:
            while found := await self._store.unchecked(since, 1):
                await self._store.store_evidence(found[0], await self._evidence(found[0]))
        except Busy:
            pass

    async def _evidence(self, match_id: str) -> dict[str, object]:
        try:
            match = await self._matches.get(match_id)
            require_supported(match.position.variant)
        except ConnectkError:  # the match was deleted, or there is no solver for its board
            return {}
        players = await self._store.encounter(match_id)
        assert players
        return {
            str(match.original(side)): write_evidence(await self._side(match, players.encounter, side)) for side in Side
        }

    async def _side(self, match: Match, encounter: Encounter, side: Side) -> PlayEvidence:
        """The evidence about the player who has this side at the end of the match."""
        level = level_near(encounter.before[match.original(side).value].rating)
        start = match.choice_ply if match.setup.swap else match.setup.start.ply
        plies = [ply for ply in range(start, match.ply) if match.turn_at(ply) is side]
        compared = [await self._compare(match, ply, level) for ply in plies]
        return PlayEvidence(1, tuple(filter(None, compared)))

    async def _compare(self, match: Match, ply: int, level: int) -> ComparedDrop | None:
        position, index = match.at_ply(ply), ply - match.setup.start.ply
        if not may_be_decision(position):
            return None
        job = f"level:{level}", position
        try:
            scores, chosen = (await self._pool.think(REQUESTER, "score_and_choose", job, DROP_SECONDS)).value
        except Timeout:
            return None
        return scores and compare(position, scores, match.moves[index], chosen, match.seconds[index])
