"""Draws fair starts, which are boards after which perfect play is a draw."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import Any

from cachetools import LRUCache

from connectk.notation.start import write_start
from connectk.rooms.ruling import NoFairStart
from connectk.rules import Position, Variant
from connectk.thinking.queue import Requester

MAX_CACHED_BOARDS = 100
MAX_FAIR_STARTS = 64  # of each board, drawn at random


class FairStarts:
    """The fair starts of each board. A worker process finds them when they are first requested."""

    def __init__(self, run_job: Callable[..., Awaitable[Any]]) -> None:
        self._run_job = run_job
        self._starts: LRUCache[Variant, tuple[str, ...]] = LRUCache(MAX_CACHED_BOARDS)

    async def draw(self, variant: Variant, requester: Requester) -> str:
        """One of the board's fair starts at random. Raises `NoFairStart` if none is known."""
        starts = self._starts.get(variant)
        if starts is None:
            seed = random.getrandbits(30)
            found = await self._run_job(requester, "fair_starts", variant, MAX_FAIR_STARTS, seed)
            starts = tuple(write_start(Position.from_moves(moves, variant)) for moves in found)
            self._starts[variant] = starts
        if not starts:
            raise NoFairStart
        return random.choice(starts)
