"""How much one may ask: per seat first, and generously per address."""

from __future__ import annotations

import time
from collections import OrderedDict

MOST_BUCKETS = 20_000


class Limiter:
    """A bucket of tokens for each name, filled at a rate up to a few seconds' worth."""

    def __init__(self, rate: float, seconds: float = 4.0) -> None:
        self._rate, self._most = rate, rate * seconds
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, name: str, cost: float = 1.0) -> bool:
        now = time.monotonic()
        tokens, filled = self._buckets.pop(name, (self._most, now))
        tokens = min(self._most, tokens + (now - filled) * self._rate)
        allowed = tokens >= cost
        self._buckets[name] = (tokens - cost if allowed else tokens), now
        while len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return allowed
