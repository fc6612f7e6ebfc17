"""Rate limits per second and quotas per hour, for a seat, for an address and for all addresses together."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from cachetools import LRUCache

from connectk.play.match import Match
from connectk.play.protocols import MATCH_DELETED
from connectk.play.refusals import Busy, Refusal
from connectk.play.service import MatchNews
from connectk.server.settings import Settings

MAX_BUCKETS = 20_000
SECONDS_PER_HOUR = 3600.0
ALL_ADDRESSES = ""  # the bucket that all addresses share
MOVES_PER_TOKEN = 20  # replaying so many moves costs as much as one request
BYTES_PER_TOKEN = 20_000  # an answer of this size costs as much as one request
MOVES_PER_MATCH_TOKEN = 100  # so many initial moves cost as much as one new match
RESERVED_FILES = 200  # descriptors for the database and the worker processes
MIN_CONNECTIONS = 64  # of each kind, however few descriptors there are
MAX_LARGE_UPLOADS, MAX_LARGE_UPLOADS_PER_ADDRESS = 4, 2  # received or processed at the same time
IPV6_PREFIX_BITS = 64  # the prefix that an internet provider gives to one subscriber


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    """The address that limits count by: an IPv4 address, or the /64 network of an IPv6 address, because one
    subscriber has very many addresses in it."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    if parsed.is_loopback:
        return str(parsed)
    host_bits = 128 - IPV6_PREFIX_BITS
    return str(IPv6Address(int(parsed) >> host_bits << host_bits))


class QuotaExceeded(Refusal):
    reason = "too_many"

    def __init__(self, what: str = "", by_all: bool = False) -> None:
        self.what = what
        self.key = "refused.too_many.together" if by_all else "refused.too_many"
        super().__init__(what, by_all)


class TooManyOpenMatches(Refusal):
    reason = "too_many"
    key = "refused.too_many.open"


class RateLimited(Refusal):
    reason = "too_fast"


class AddressBlocked(Refusal):
    reason = "blocked"


class ForeignOrigin(Refusal):
    """The request comes from a page of another site."""

    reason = "foreign_origin"


class RateLimiter:
    """Token buckets by name, each refilled at `rate` per second and holding at most `seconds` worth of tokens."""

    def __init__(self, rate: float, seconds: float = 4.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._capacity, self._clock = rate, rate * seconds, clock
        self._buckets: LRUCache[str, tuple[float, float]] = LRUCache(MAX_BUCKETS)

    def allows(self, name: str, cost: float = 1.0) -> bool:
        """Takes `cost` tokens if there are as many."""
        now = self._clock()
        tokens, refilled = self._buckets.get(name, (self._capacity, now))
        tokens = min(self._capacity, tokens + (now - refilled) * self._rate)
        allowed = tokens >= cost
        self._buckets[name] = (tokens - cost if allowed else tokens), now
        return allowed

    def has_token(self, name: str) -> bool:
        """Whether a token is left; takes none."""
        tokens, refilled = self._buckets.get(name, (self._capacity, self._clock()))
        return tokens + (self._clock() - refilled) * self._rate >= 1.0

    def charge(self, name: str, cost: float) -> None:
        """Takes tokens for work already done; the bucket may go below zero."""
        tokens, refilled = self._buckets.get(name, (self._capacity, self._clock()))
        self._buckets[name] = max(-self._capacity, tokens - cost), refilled


class HourlyQuota:
    """So many of something per hour for one address, and so many for all addresses together."""

    def __init__(self, what: str, per_address: float, total: float) -> None:
        self.what = what
        self._per_address, self._total = _hourly(per_address), _hourly(total)

    def take(self, address: str, cost: float = 1.0) -> None:
        if not self._per_address.allows(address, cost):
            raise QuotaExceeded(self.what)
        if not self._total.allows(ALL_ADDRESSES, cost):
            raise QuotaExceeded(self.what, by_all=True)


def _hourly(limit: float) -> RateLimiter:
    return RateLimiter(limit / SECONDS_PER_HOUR, SECONDS_PER_HOUR)


def raise_file_limit() -> int:
    """Raises the limit of open files as far as the system allows, and returns it."""
    try:
        import resource
    except ImportError:
        return 2048
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = hard if hard != resource.RLIM_INFINITY else 65_536
    if 0 <= soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


def spare_files() -> int:
    """How many file descriptors connections of all kinds may use."""
    return max(4 * MIN_CONNECTIONS, raise_file_limit() - RESERVED_FILES)


class LargeUploads:
    """Limits how many large uploads are in memory; the other requests wait before their body is read."""

    def __init__(self, max_waiting: int) -> None:
        self._max_waiting = max_waiting
        self._slots = asyncio.Semaphore(MAX_LARGE_UPLOADS)
        self._slots_of: dict[str, asyncio.Semaphore] = {}  # by address
        self._requests: Counter[str] = Counter()  # by address, waiting or running

    @asynccontextmanager
    async def slot(self, address: str) -> AsyncIterator[None]:
        if self._requests[address] >= self._max_waiting:
            raise Busy
        self._requests[address] += 1
        own_slots = self._slots_of.setdefault(address, asyncio.Semaphore(MAX_LARGE_UPLOADS_PER_ADDRESS))
        try:
            async with own_slots, self._slots:
                yield
        finally:
            self._requests[address] -= 1
            if not self._requests[address]:
                del self._requests[address], self._slots_of[address]


class RoundRobinScheduler:
    """Starts one request per iteration of the event loop, round robin over the addresses, so that a burst of requests
    from one address does not delay the others."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._busy = False

    async def wait_for_slot(self, address: str) -> None:
        loop = asyncio.get_running_loop()
        if not self._busy:
            self._busy = True
            loop.call_soon(self._start_next)
            return
        slot: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(address, deque()).append(slot)
        await slot

    def _start_next(self) -> None:
        """Runs once per iteration of the loop while requests wait."""
        while self._waiting:
            address, slots = self._waiting.popitem(last=False)
            slot = slots.popleft()
            if slots:
                self._waiting[address] = slots
            if not slot.done():  # it is done if the request was cancelled
                slot.set_result(None)
                break
        else:
            self._busy = False
            return
        asyncio.get_running_loop().call_soon(self._start_next)


class Limits:
    """All limits of a server, made from its settings."""

    def __init__(self, settings: Settings) -> None:
        self.seats, self.addresses = RateLimiter(settings.seat_rate), RateLimiter(settings.address_rate)
        self.matches = HourlyQuota("new matches", settings.address_matches, settings.server_matches)
        self.analyses = HourlyQuota("analyses", settings.address_analyses, settings.server_analyses)
        self.uploads = HourlyQuota("files", settings.address_uploads, settings.server_uploads)
        self.megabytes = HourlyQuota("megabytes", settings.address_megabytes, settings.server_megabytes)
        self.rooms = HourlyQuota("new rooms", settings.address_rooms, settings.server_rooms)
        self.wrong_codes = RateLimiter(settings.wrong_codes / SECONDS_PER_HOUR, SECONDS_PER_HOUR)
        self.scheduler = RoundRobinScheduler()
        self.large_uploads = LargeUploads(settings.address_waiting)
        self.sockets: Counter[str] = Counter()
        spare = spare_files()
        self.max_sockets = min(settings.most_sockets, spare // 2)
        self.max_sockets_per_address = min(settings.address_sockets, spare // 4)
        self.open_matches: Counter[str] = Counter()  # by the address that created them
        self._creators: dict[str, str] = {}  # the address by open match
        self._max_open_per_address, self._max_open = settings.address_open, settings.server_open

    def charge_new_match(self, address: str, moves: int = 0) -> None:
        """Refuses the match if it exceeds a limit. Its initial moves cost something, because they are stored and
        replayed like played ones."""
        if self.open_matches[address] >= self._max_open_per_address or self.open_matches.total() >= self._max_open:
            raise TooManyOpenMatches
        self.charge_replay(address, moves)
        self.matches.take(address, 1 + moves / MOVES_PER_MATCH_TOKEN)

    def track_match(self, match: Match, address: str) -> None:
        """Counts the match for this address until it is over. A match is counted once, although both players may
        start the same rematch."""
        if match.result is None and match.id not in self._creators:
            self._creators[match.id] = address
            self.open_matches[address] += 1

    def on_match_news(self, news: MatchNews) -> None:
        """Stops counting a match that is over or deleted, in whichever process that happened."""
        if news.name and (news.seq == MATCH_DELETED or (news.match and news.match.result)):
            self.release_match(news.name)

    def release_match(self, match_id: str) -> None:
        if match_id in self._creators:
            self.open_matches[self._creators.pop(match_id)] -= 1
            self.open_matches += Counter()  # removes the addresses that have none

    def charge_replay(self, address: str, moves: int) -> None:
        """Charges work that grows with the length of a game as a number of requests."""
        if not self.addresses.allows(address, 0.0):
            raise RateLimited
        self.addresses.charge(address, moves / MOVES_PER_TOKEN)
