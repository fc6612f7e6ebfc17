"""How much one may ask: a second and an hour, for a seat, an address and everybody together."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable

from connectk.play.refusals import Refusal
from connectk.server.settings import Settings

MOST_BUCKETS = 20_000
HOUR = 3600.0
EVERYBODY = ""


class TooMany(Refusal):
    reason = "too_many"

    def __init__(self, what: str = "", by_all: bool = False) -> None:
        self.what = what
        self.key = "refused.too_many.together" if by_all else "refused.too_many"
        super().__init__(what, by_all)


class TooManyOpen(Refusal):
    reason = "too_many"
    key = "refused.too_many.open"


class Limiter:
    """A bucket of tokens for each name, filled at a rate up to some seconds' worth."""

    def __init__(self, rate: float, seconds: float = 4.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._most, self._clock = rate, rate * seconds, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, name: str, cost: float = 1.0) -> bool:
        now = self._clock()
        tokens, filled = self._buckets.pop(name, (self._most, now))
        tokens = min(self._most, tokens + (now - filled) * self._rate)
        allowed = tokens >= cost
        self._buckets[name] = (tokens - cost if allowed else tokens), now
        while len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return allowed


class Hourly:
    """So many an hour for each address, and so many for everybody."""

    def __init__(self, what: str, each: float, everybody: float) -> None:
        self.what = what
        self._each, self._everybody = Limiter(each / HOUR, HOUR), Limiter(everybody / HOUR, HOUR)

    def take(self, address: str, cost: float = 1.0) -> None:
        if not self._each.allows(address, cost):
            raise TooMany(self.what)
        if not self._everybody.allows(EVERYBODY, cost):
            raise TooMany(self.what, by_all=True)


class Limits:
    """All of them, as the settings say."""

    def __init__(self, settings: Settings) -> None:
        self.seats, self.addresses = Limiter(settings.seat_rate), Limiter(settings.address_rate)
        self.matches = Hourly("new matches", settings.address_matches, settings.server_matches)
        self.analyses = Hourly("analyses", settings.address_analyses, settings.server_analyses)
        self.uploads = Hourly("files", settings.address_uploads, settings.server_uploads)
        self.megabytes = Hourly("megabytes", settings.address_megabytes, settings.server_megabytes)
        self.sockets: Counter[str] = Counter()
        self.open_matches: Counter[str] = Counter()
        self._most_open = settings.address_open

    def open_match(self, address: str) -> None:
        if self.open_matches[address] >= self._most_open:
            raise TooManyOpen
        self.matches.take(address)
