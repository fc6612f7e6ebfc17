"""Shares rate limits between servers. Each server takes tokens from its own buckets, so that no request waits for
another machine. A few times a second it reports its taken tokens, and learns how many the others have taken."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from connectk.aio import repeat
from connectk.server.limits import RateLimiter
from connectk.storage.shared_limits import SharedLimitStore

SHARE_INTERVAL_SECONDS = 0.25
OUTAGE_REPORT_INTERVAL_SECONDS = 60.0  # between two reports that the other servers cannot be reached


class LimitSharing:
    """Reports the tokens taken by this server to the other servers, and learns how many they have taken."""

    def __init__(
        self, levels: SharedLimitStore, limiters: Iterable[RateLimiter], on_failure: Callable[[Exception], object]
    ) -> None:
        self._levels, self._on_failure = levels, on_failure
        self._reported = -OUTAGE_REPORT_INTERVAL_SECONDS
        self._limiters = {limiter.shared_as: limiter for limiter in limiters if limiter.shared_as}
        for limiter in self._limiters.values():
            limiter.is_shared = True

    async def run(self) -> None:
        """Exchanges usage with the other servers until it is cancelled. While the database or Redis does not answer,
        each server limits its clients on its own."""
        await repeat(self.exchange, SHARE_INTERVAL_SECONDS, self._report)

    def _report(self, error: Exception) -> None:
        now = time.monotonic()
        if now - self._reported >= OUTAGE_REPORT_INTERVAL_SECONDS:
            self._reported = now
            self._on_failure(error)

    async def exchange(self) -> None:
        taken = [one for limiter in self._limiters.values() for one in limiter.pop_unshared()]
        if not taken:
            return
        try:
            levels = await self._levels.add(taken)
        except Exception:
            for one in taken:
                kind, _, name = one.name.partition(" ")
                self._limiters[kind].note_taken(name, one.tokens)
            raise
        for full_name, level in levels.items():
            kind, _, name = full_name.partition(" ")
            self._limiters[kind].set_taken(name, level)

    async def close(self) -> None:
        await self._levels.close()
