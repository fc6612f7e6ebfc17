"""Analyses of positions: limited in time, run by a pool with a fair queue, and cached."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from cachetools import LRUCache

from connectk.notation.saved import SavedGame, write_saved_game
from connectk.review.report import in_language
from connectk.rules import Position, Side
from connectk.server.limits import HourlyQuota
from connectk.server.schemas import HintAnswer, ReviewAnswer, ScoresAnswer, WhyAnswer
from connectk.texts import load_texts
from connectk.thinking.pool import Answer, ThinkingPool
from connectk.thinking.queue import Requester
from connectk.why import steps

if TYPE_CHECKING:
    from connectk.why.messages import WhyFacts

HINT_PLAYER = "engine:500ms"  # the player that gives hints
MAX_CACHED_ANSWERS = 5000
MAX_CACHED_EXPLANATIONS = 300  # fewer, because one has dozens of boards
REVIEW_TIMEOUT_FACTOR = 3  # a review may take so much longer than one position
T = TypeVar("T")


class AnalysisService:
    """Runs analyses in the thinking pool and caches the answers that are proved."""

    def __init__(self, thinkers: ThinkingPool, seconds: float, limit: HourlyQuota) -> None:
        self._thinkers, self._seconds, self._limit = thinkers, seconds, limit
        self._scores: LRUCache[Position, ScoresAnswer] = LRUCache(MAX_CACHED_ANSWERS)
        self._reviews: LRUCache[str, ReviewAnswer] = LRUCache(MAX_CACHED_ANSWERS)
        self._whys: LRUCache[tuple[Position, Side | None], WhyFacts] = LRUCache(MAX_CACHED_EXPLANATIONS)

    async def scores(self, requester: Requester, position: Position, seconds: float | None = None) -> ScoresAnswer:
        """Scores of the columns, cached by position. A score that is not proved within `seconds` is the engine's
        estimate."""
        answer = self._scores.get(position)
        if answer is None:
            limit = min(seconds or self._seconds, self._seconds)
            answer = (await self._submit(requester, "score", (position,), limit)).value
            if answer["exact"]:
                self._scores[position] = answer
        return answer

    async def hint(self, requester: Requester, position: Position) -> HintAnswer:
        answer = await self._submit(requester, "choose", (HINT_PLAYER, position), self._seconds)
        column, thought = answer.value
        return {"column": column, "thought": thought}

    async def review(self, requester: Requester, saved: SavedGame, language: str = "en") -> ReviewAnswer:
        """The review of a game; it is cached without its sentences, which are added in the client's language."""
        key = write_saved_game(saved)
        reviewed = self._reviews.get(key)
        if reviewed is None:
            reviewed = (await self._submit(requester, "review", (saved,), REVIEW_TIMEOUT_FACTOR * self._seconds)).value
            self._reviews[key] = reviewed
        return in_language(reviewed, load_texts(language))

    async def why(self, requester: Requester, position: Position, side: Side | None, language: str = "en") -> WhyAnswer:
        """The explanation of a position; cached only if one was found in time."""
        key = (position, side)
        found = self._whys.get(key)
        if found is None:
            found = (await self._submit(requester, "why", (position, side), self._seconds)).value
            if found["explanation"] is not None:
                self._whys[key] = found
        return steps.in_language(found, load_texts(language))

    async def _submit(self, requester: Requester, job: str, arguments: tuple[Any, ...], seconds: float) -> Answer:
        self._limit.take(requester.address)
        return await self._thinkers.think(requester, job, arguments, seconds)


async def unless_disconnected(work: Awaitable[T], gone: Callable[[], Awaitable[object]]) -> T | None:
    """The result of `work`; None, and the work cancelled, if `gone` returns first."""
    task = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(gone())
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        task.cancel()
        leaving.cancel()
