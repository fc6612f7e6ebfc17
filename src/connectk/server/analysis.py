"""Answers questions about positions and games in worker processes, within a time limit, and caches the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeVar, cast

from connectk.notation.saved_game import SavedGame, write_saved_game
from connectk.review.report import localize_review
from connectk.review.review import CoreReview, check_reviewable
from connectk.rules import Position, Side
from connectk.server.answer_cache import AnswerCache
from connectk.server.limits import HourlyQuota
from connectk.server.schemas import HintAnswer, ReviewAnswer, ScoresAnswer, WhyAnswer
from connectk.texts import load_texts
from connectk.thinking.jobs import REVIEW_TIME_SHARE, ReviewPart
from connectk.thinking.pool import ThinkingPool
from connectk.thinking.queue import Requester
from connectk.why import json_views

if TYPE_CHECKING:
    from connectk.why.messages import WhyFacts

HINT_PLAYER = "engine:200ms"  # the player that gives hints
SHORT_ANALYSIS_SECONDS = 0.5  # a question that takes longer goes to the long pool
MIN_PART_SECONDS = 0.1
MAX_SCORES_BYTES, MAX_REVIEWS_BYTES, MAX_EXPLANATIONS_BYTES = 4 << 20, 12 << 20, 8 << 20
MAX_CORE_REVIEWS_BYTES = 12 << 20  # enough for the games of a class
REVIEW_TIMEOUT_FACTOR = 3  # a review may take three times as long as one position
T = TypeVar("T")


class AnalysisService:
    """Runs analyses in worker processes and caches their answers."""

    def __init__(self, short: ThinkingPool, long: ThinkingPool, seconds: float, limit: HourlyQuota) -> None:
        """Quick questions run in the pool `short`, so that they need not wait for a review in the pool `long`."""
        self._short, self._long, self._seconds, self._limit = short, long, seconds, limit
        self._scores: AnswerCache[ScoresAnswer] = AnswerCache(MAX_SCORES_BYTES)
        self._reviews: AnswerCache[ReviewAnswer] = AnswerCache(MAX_REVIEWS_BYTES)
        self._found: AnswerCache[list[CoreReview]] = AnswerCache(MAX_CORE_REVIEWS_BYTES)
        self._whys: AnswerCache[WhyFacts] = AnswerCache(MAX_EXPLANATIONS_BYTES)

    async def scores(self, requester: Requester, position: Position, seconds: float | None = None) -> ScoresAnswer:
        """The score of each column. Scores that are not proved within `seconds` are the engine's estimates. Only exact
        answers are cached."""
        answer = self._scores.get(position)
        if answer is None:
            self._limit.take(requester.address)
            limit = min(seconds or self._seconds, self._seconds)
            answer = (
                await self._short.think(requester, "score", (position,), min(limit, SHORT_ANALYSIS_SECONDS))
            ).value
            if not answer["exact"] and limit > SHORT_ANALYSIS_SECONDS:
                answer = (await self._long.think(requester, "score", (position,), limit)).value
            if answer["exact"]:
                self._scores.add(position, answer)
        return answer

    async def hint(self, requester: Requester, position: Position) -> HintAnswer:
        self._limit.take(requester.address)
        answer = await self._short.think(requester, "choose", (HINT_PLAYER, position), self._seconds)
        column, thought = answer.value
        return {"column": column, "thought": thought}

    async def review(self, requester: Requester, saved: SavedGame, language: str = "en") -> ReviewAnswer:
        """The review of a game. It is cached without sentences, which are added later in the client's language."""
        key = _key_of(saved)
        reviewed = self._reviews.get(key)
        if reviewed is None:
            check_reviewable(saved.game)
            self._limit.take(requester.address)
            reviewed = await self._review_in_parts(requester, saved)
            self._reviews.add(key, reviewed)
        return localize_review(reviewed, load_texts(language))

    async def review_page(self, requester: Requester, saved: SavedGame, language: str) -> str:
        """The review of a game as a page. The page needs no server."""
        check_reviewable(saved.game)
        self._limit.take(requester.address)
        found = await self._core_reviews(requester, saved)
        return cast(
            "str", (await self._long.think(requester, "review_page", (saved, found, language), self._seconds)).value
        )

    async def _review_in_parts(self, requester: Requester, saved: SavedGame) -> ReviewAnswer:
        found = await self._core_reviews(requester, saved)
        summed_up = await self._long.think(requester, "sum_up_review", (saved, found), self._seconds, is_next_part=True)
        return cast("ReviewAnswer", summed_up.value)

    async def _core_reviews(self, requester: Requester, saved: SavedGame) -> list[CoreReview]:
        """The core's reviews of all moves. The game is reviewed in parts of half a second, so that other clients get a
        turn between two parts. A move that takes longer is a part of its own."""
        key = _key_of(saved)
        if known := self._found.get(key):
            return known
        start, moves, left = saved.game.start, saved.game.moves, REVIEW_TIMEOUT_FACTOR * self._seconds
        each = REVIEW_TIME_SHARE * left / len(moves)
        longest = max(1, int(SHORT_ANALYSIS_SECONDS * REVIEW_TIME_SHARE / each))
        found: list[CoreReview] = []
        while len(found) < len(moves):
            end = len(moves) - len(found)
            part = ReviewPart(start, moves[:end], min(longest, end), saved.given, each)
            answer = await self._long.think(requester, "review_part", (part,), left, is_next_part=bool(found))
            found[:0] = answer.value
            left = max(MIN_PART_SECONDS, left - answer.seconds)
        self._found.add(key, found)
        return found

    async def why(self, requester: Requester, position: Position, side: Side | None, language: str = "en") -> WhyAnswer:
        """The explanation of a position. It is cached only if one is found in time."""
        key = (position, side)
        found = self._whys.get(key)
        if found is None:
            self._limit.take(requester.address)
            found = (await self._long.think(requester, "why", (position, side), self._seconds)).value
            if found["explanation"] is not None:
                self._whys.add(key, found)
        return json_views.localize_why(found, load_texts(language))


def _key_of(saved: SavedGame) -> bytes:
    return blake2b(write_saved_game(saved).encode(), digest_size=16).digest()


async def unless_disconnected(work: Awaitable[T], gone: Callable[[], Awaitable[object]]) -> T | None:
    """Return the result of `work`, or None if the client disconnects first. In that case `work` is cancelled.

    `gone` returns when the client has disconnected.
    """
    task = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(gone())
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        task.cancel()
        leaving.cancel()
