"""Rate limits per second and quotas per hour. They apply to a seat, to an address, or to all addresses together."""

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
from connectk.play.protocols import MATCH_DELETED, MATCH_OVER
from connectk.play.refusals import Busy, Refusal
from connectk.play.service import MatchNews
from connectk.server.settings import Settings
from connectk.server.socket_slots import SocketSlots
from connectk.storage.shared_limits import TokensTaken

# The pause before each request that starts while the store is writing. One commit makes the writing thread wait for the
# interpreter many times, and a busy event loop prolongs each wait by two milliseconds.
WRITE_PAUSE_SECONDS = 0.001
MAX_BUCKETS = 20_000
MIN_SHARED_PART = 0.05  # usage below this share of a bucket is not reported to other servers yet
SECONDS_PER_MINUTE, SECONDS_PER_HOUR = 60.0, 3600.0
ALL_ADDRESSES = ""  # the bucket that all addresses share
MOVES_PER_TOKEN = 20  # replaying 20 moves costs as much as one request
# A handshake costs three requests, because it takes three times as long. After a restart all sockets of an address come
# back at once. By default their handshakes and first messages cost as much as an address may use at once.
SOCKET_COST = 3.0
BYTES_PER_TOKEN = 20_000  # an answer of this size costs as much as one request
REQUEST_BYTES_PER_TOKEN = 5_000  # parsing this much of a request costs as much as one more request
MOVES_PER_MATCH_TOKEN = 100  # 100 initial moves cost as much as one new match
RESERVED_FILES = 200  # file descriptors for the database and the worker processes
MIN_CONNECTIONS = 64  # of each kind, even if there are very few file descriptors
WS_FRAMES_PER_SECOND, WS_FRAME_BURST_SECONDS = 5.0, 12.0  # for pings, pongs and parts of messages on one WebSocket
MAX_LARGE_UPLOADS, MAX_LARGE_UPLOADS_PER_ADDRESS = 4, 2  # received or processed at the same time
MAX_RENAMES_PER_HOUR = 10.0
PHRASES_PER_SECOND, PHRASE_BURST_SECONDS = 0.5, 8.0  # for the phrases and faces of one player
IPV6_PREFIX_BITS = 64  # the prefix that an internet provider gives to one subscriber


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    """The address under which a client is counted. For IPv6 it is the /64 network, because one subscriber owns all
    addresses in it."""
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


class ForeignHost(Refusal):
    """The request was sent to a host name that does not belong to this server."""

    reason = "foreign_host"


class RateLimiter:
    """Token buckets by name. A bucket gets `rate` tokens per second, and is full when it has the tokens of `seconds`.
    If `shared_as` is given, servers may share the buckets (see `sharing.py`)."""

    def __init__(
        self,
        rate: float,
        seconds: float = 4.0,
        clock: Callable[[], float] = time.monotonic,
        shared_as: str = "",
    ) -> None:
        self._rate, self._capacity, self._clock = rate, rate * seconds, clock
        self._buckets: LRUCache[str, tuple[float, float]] = LRUCache(MAX_BUCKETS)
        self.shared_as, self.is_shared = shared_as, False
        self._unshared: LRUCache[str, float] = LRUCache(MAX_BUCKETS)  # usage that is not reported yet
        self._to_share: set[str] = set()

    def allows(self, name: str, cost: float = 1.0) -> bool:
        """Takes `cost` tokens if the bucket has that many. Returns whether it had."""
        tokens, now = self._tokens(name)
        allowed = tokens >= cost
        self._buckets[name] = (tokens - cost if allowed else tokens), now
        if allowed and self.is_shared:
            self.note_taken(name, cost)
        return allowed

    def has_tokens(self, name: str, count: float = 1.0) -> bool:
        """Whether the bucket has at least `count` tokens. None are taken."""
        return self._tokens(name)[0] >= count

    def charge(self, name: str, cost: float) -> None:
        """Takes tokens for work that is already done, even if the bucket has fewer tokens."""
        tokens, refilled = self._buckets.get(name, (self._capacity, self._clock()))
        self._buckets[name] = max(-self._capacity, tokens - cost), refilled
        if self.is_shared:
            self.note_taken(name, cost)

    def _tokens(self, name: str) -> tuple[float, float]:
        """The number of tokens in the bucket now, and the current time."""
        now = self._clock()
        tokens, refilled = self._buckets.get(name, (self._capacity, now))
        return min(self._capacity, tokens + (now - refilled) * self._rate), now

    def note_taken(self, name: str, cost: float) -> None:
        """Remembers tokens that the other servers do not know about yet.

        They are reported once they amount to `MIN_SHARED_PART` of the bucket. Most clients take fewer, so they cause no
        messages.
        """
        self._unshared[name] = taken = self._unshared.get(name, 0.0) + cost
        if taken >= MIN_SHARED_PART * self._capacity:
            self._to_share.add(name)

    def pop_unshared(self) -> list[TokensTaken]:
        """Returns the tokens to report to the other servers, and clears the record of them."""
        names, self._to_share = self._to_share, set()
        return [
            TokensTaken(f"{self.shared_as} {name}", self._unshared.pop(name, 0.0), self._rate, self._capacity)
            for name in names
        ]

    def set_taken(self, name: str, taken: float) -> None:
        """Sets how many tokens all servers together have taken. Tokens that this server has not reported yet are
        added."""
        tokens, now = self._tokens(name)
        self._buckets[name] = min(tokens, self._capacity - taken - self._unshared.get(name, 0.0)), now


class HourlyQuota:
    """A limit per hour for each address, and another limit for all addresses together."""

    def __init__(self, what: str, per_address: float, total: float) -> None:
        self.what = what
        self._per_address, self._total = _hourly(per_address, what), _hourly(total, f"all {what}")

    @property
    def limiters(self) -> tuple[RateLimiter, RateLimiter]:
        return self._per_address, self._total

    def take(self, address: str, cost: float = 1.0) -> None:
        if not self._per_address.allows(address, cost):
            raise QuotaExceeded(self.what)
        if not self._total.allows(ALL_ADDRESSES, cost):
            raise QuotaExceeded(self.what, by_all=True)


def _hourly(limit: float, shared_as: str) -> RateLimiter:
    name = shared_as.replace(" ", "-")  # in the shared store, a space ends the name
    return RateLimiter(limit / SECONDS_PER_HOUR, SECONDS_PER_HOUR, shared_as=name)


def raise_file_limit() -> int:
    """Raises the limit of open files as far as the system allows. Returns the new limit."""
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
    """The number of file descriptors that are available for connections of all kinds."""
    return max(4 * MIN_CONNECTIONS, raise_file_limit() - RESERVED_FILES)


class LargeUploads:
    """Limits how many large uploads are in memory at once. Further uploads wait before their bodies are read."""

    def __init__(self, max_waiting: int) -> None:
        self._max_waiting = max_waiting
        self._slots = asyncio.Semaphore(MAX_LARGE_UPLOADS)
        self._slots_of: dict[str, asyncio.Semaphore] = {}  # by address
        self._requests: Counter[str] = Counter()  # waiting and running requests by address

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
    """Starts one request in each iteration of the event loop. The addresses take turns, so that many requests from one
    address do not delay the others. While the store is writing, it pauses before each request."""

    def __init__(self, is_writing: Callable[[], bool]) -> None:
        """`is_writing` returns whether the store is writing something."""
        self._is_writing = is_writing
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._busy = False

    async def wait_for_slot(self, address: str) -> None:
        loop = asyncio.get_running_loop()
        if not self._busy:
            self._busy = True
            self._continue(loop)
            return
        slot: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(address, deque()).append(slot)
        await slot

    def _start_next(self) -> None:
        """Called once in each iteration of the event loop, as long as any request waits."""
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
        self._continue(asyncio.get_running_loop())

    def _continue(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the next request. While the store is writing, pause first, so that the writing thread gets the
        interpreter."""
        if self._is_writing():
            loop.call_later(WRITE_PAUSE_SECONDS, self._start_next)
        else:
            loop.call_soon(self._start_next)


class Limits:
    """All limits of a server, created from its settings."""

    def __init__(self, settings: Settings, is_writing: Callable[[], bool] = lambda: False) -> None:
        self.seats = RateLimiter(settings.seat_rate)
        self.addresses = RateLimiter(settings.address_rate, shared_as="requests")
        self.frames = RateLimiter(WS_FRAMES_PER_SECOND, WS_FRAME_BURST_SECONDS)
        self.matches = HourlyQuota("new matches", settings.address_matches, settings.server_matches)
        self.analyses = HourlyQuota("analyses", settings.address_analyses, settings.server_analyses)
        self.uploads = HourlyQuota("files", settings.address_uploads, settings.server_uploads)
        self.previews = HourlyQuota("previews", settings.address_uploads, settings.server_uploads)
        self.megabytes = HourlyQuota("megabytes", settings.address_megabytes, settings.server_megabytes)
        self.rooms = HourlyQuota("new rooms", settings.address_rooms, settings.server_rooms)
        self.joins = RateLimiter(settings.address_joins / SECONDS_PER_MINUTE, SECONDS_PER_MINUTE, shared_as="joins")
        self.wrong_codes = _hourly(settings.wrong_codes, "wrong codes")
        self.seeks = HourlyQuota("seeks", settings.address_seeks, settings.server_seeks)
        self.profiles = HourlyQuota("profiles", settings.address_profiles, settings.server_profiles)
        self.names = _hourly(MAX_RENAMES_PER_HOUR, "names")  # by profile
        self.reports = _hourly(settings.address_reports, "reports")
        self.phrases = RateLimiter(PHRASES_PER_SECOND, PHRASE_BURST_SECONDS)  # by seat
        self.max_open_seeks = settings.address_open_seeks
        self.scheduler = RoundRobinScheduler(is_writing)
        self.large_uploads = LargeUploads(settings.address_waiting)
        spare = spare_files()
        self.max_sockets = min(settings.max_sockets, spare // 2)
        self.max_sockets_per_address = min(settings.address_sockets, spare // 4)
        self.socket_slots = SocketSlots(self.max_sockets, self.max_sockets_per_address)
        self.open_matches: Counter[str] = Counter()  # by the address that created them
        self._creators: dict[str, str] = {}  # for each open match, the address that created it
        self._max_open_per_address, self._max_open = settings.address_open, settings.server_open

    @property
    def shareable(self) -> list[RateLimiter]:
        """The limits that servers can share. The limits of seats are not included, because a seat is connected to one
        server."""
        quotas = (
            self.matches,
            self.analyses,
            self.uploads,
            self.previews,
            self.megabytes,
            self.rooms,
            self.seeks,
            self.profiles,
        )
        return [
            self.addresses,
            self.wrong_codes,
            self.joins,
            self.names,
            self.reports,
            *(limiter for quota in quotas for limiter in quota.limiters),
        ]

    def charge_new_match(self, address: str, moves: int = 0) -> None:
        """Counts a new match, or raises a refusal if it would exceed a limit. Its opening moves count too, because they
        are stored and replayed like all moves."""
        self.check_open_matches(address)
        self.charge_replay(address, moves)
        self.matches.take(address, 1 + moves / MOVES_PER_MATCH_TOKEN)

    def check_open_matches(self, address: str) -> None:
        """Raises a refusal if this address, or all addresses together, have reached the limit of open matches."""
        if self.open_matches[address] >= self._max_open_per_address or self.open_matches.total() >= self._max_open:
            raise TooManyOpenMatches

    def track_match(self, match: Match, address: str) -> None:
        """Counts the match for this address until it is over. A match is counted only once, although both players may
        create the same rematch."""
        if match.result is None and match.id not in self._creators:
            self._creators[match.id] = address
            self.open_matches[address] += 1

    def on_match_news(self, news: MatchNews) -> None:
        """Stops counting a match that is over or deleted. Any process may have ended or deleted it."""
        if news.name and (news.seq in (MATCH_DELETED, MATCH_OVER) or (news.match and news.match.result)):
            self.release_match(news.name)

    def release_match(self, match_id: str) -> None:
        if match_id in self._creators:
            self.open_matches[self._creators.pop(match_id)] -= 1
            self.open_matches += Counter()  # removes the addresses that have none

    def charge_replay(self, address: str, moves: int) -> None:
        """Counts work that grows with the length of a game as several requests."""
        if not self.addresses.allows(address, 0.0):
            raise RateLimited
        self.addresses.charge(address, moves / MOVES_PER_TOKEN)
