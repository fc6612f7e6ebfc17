"""How much one may ask: a second and an hour, for a seat, an address and everybody together."""

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
from connectk.play.protocols import GONE
from connectk.play.refusals import Busy, Refusal
from connectk.play.service import MatchNews
from connectk.server.settings import Settings

MAX_BUCKETS = 20_000
HOUR = 3600.0
EVERYBODY = ""
MOVES_FOR_ONE = 20  # moves to replay that count as one request more
BYTES_FOR_ONE = 20_000  # of an answer that count as one request more
MOVES_OF_A_MATCH = 100  # given at its start, that count as one new match more
RESERVE = 200  # descriptors for the database, the processes and those who play
FEWEST = 64  # connections of a kind, however few descriptors there are
LARGE_AT_ONCE, LARGE_OF_EACH = 4, 2  # large files that are received or worked on
HOME = 64  # bits that one subscriber's addresses of IPv6 have in common


@lru_cache(maxsize=10_000)
def source_of(address: str) -> str:
    """Who counts as one: an address, or with IPv6 the network that one subscriber is given, who has very many."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(IPv6Address(int(found) >> (128 - HOME) << (128 - HOME))) if not found.is_loopback else str(found)


class TooMany(Refusal):
    reason = "too_many"

    def __init__(self, what: str = "", by_all: bool = False) -> None:
        self.what = what
        self.key = "refused.too_many.together" if by_all else "refused.too_many"
        super().__init__(what, by_all)


class TooManyOpen(Refusal):
    reason = "too_many"
    key = "refused.too_many.open"


class TooFast(Refusal):
    reason = "too_fast"


class AddressBlocked(Refusal):
    reason = "blocked"


class ForeignOrigin(Refusal):
    """A page of another site asks."""

    reason = "foreign_origin"


class Limiter:
    """A bucket of tokens for each name, filled at a rate up to some seconds' worth."""

    def __init__(self, rate: float, seconds: float = 4.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._most, self._clock = rate, rate * seconds, clock
        self._buckets: LRUCache[str, tuple[float, float]] = LRUCache(MAX_BUCKETS)

    def allows(self, name: str, cost: float = 1.0) -> bool:
        now = self._clock()
        tokens, filled = self._buckets.get(name, (self._most, now))
        tokens = min(self._most, tokens + (now - filled) * self._rate)
        allowed = tokens >= cost
        self._buckets[name] = (tokens - cost if allowed else tokens), now
        return allowed

    def has(self, name: str) -> bool:
        """Whether there is something left, without taking it."""
        tokens, filled = self._buckets.get(name, (self._most, self._clock()))
        return tokens + (self._clock() - filled) * self._rate >= 1.0

    def charge(self, name: str, cost: float) -> None:
        """For what has been done already; whoever owes something waits."""
        tokens, filled = self._buckets.get(name, (self._most, self._clock()))
        self._buckets[name] = max(-self._most, tokens - cost), filled


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


def raise_file_limit() -> int:
    """As many open files as the system lets us have; how many that is."""
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
    """Descriptors for connections of all kinds."""
    return max(4 * FEWEST, raise_file_limit() - RESERVE)


class Large:
    """Large files, of which only a few are in memory: the others wait on their way, a few of each address at a time."""

    def __init__(self, most_waiting: int) -> None:
        self._most_waiting = most_waiting
        self._all = asyncio.Semaphore(LARGE_AT_ONCE)
        self._own: dict[str, asyncio.Semaphore] = {}
        self._here: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        if self._here[address] >= self._most_waiting:
            raise Busy
        self._here[address] += 1
        own = self._own.setdefault(address, asyncio.Semaphore(LARGE_OF_EACH))
        try:
            async with own, self._all:
                yield
        finally:
            self._here[address] -= 1
            if not self._here[address]:
                del self._here[address], self._own[address]


class OneByOne:
    """Work on the loop begins one piece after the other, each address in its turn: however much somebody asks for in
    one moment, between two pieces the loop serves everybody else."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._busy = False

    async def turn(self, address: str) -> None:
        loop = asyncio.get_running_loop()
        if not self._busy:
            self._busy = True
            loop.call_soon(self._next)
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        await turn

    def _next(self) -> None:
        """Called once in each round of the loop while anyone waits."""
        while self._waiting:
            address, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[address] = turns
            if not turn.done():  # or its asker has left
                turn.set_result(None)
                break
        else:
            self._busy = False
            return
        asyncio.get_running_loop().call_soon(self._next)


class Limits:
    """All of them, as the settings say."""

    def __init__(self, settings: Settings) -> None:
        self.seats, self.addresses = Limiter(settings.seat_rate), Limiter(settings.address_rate)
        self.matches = Hourly("new matches", settings.address_matches, settings.server_matches)
        self.analyses = Hourly("analyses", settings.address_analyses, settings.server_analyses)
        self.uploads = Hourly("files", settings.address_uploads, settings.server_uploads)
        self.megabytes = Hourly("megabytes", settings.address_megabytes, settings.server_megabytes)
        self.rooms = Hourly("new rooms", settings.address_rooms, settings.server_rooms)
        self.wrong_codes = Limiter(settings.wrong_codes / HOUR, HOUR)
        self.one_by_one = OneByOne()
        self.large = Large(settings.address_waiting)
        self.sockets: Counter[str] = Counter()
        spare = spare_files()
        self.most_sockets, self.address_sockets = (
            min(settings.most_sockets, spare // 2),
            min(settings.address_sockets, spare // 4),
        )
        self.open_matches: Counter[str] = Counter()  # of each address that has made some
        self._makers: dict[str, str] = {}  # of each open match, the address
        self._most_open, self._most_open_of_all = settings.address_open, settings.server_open

    def open_match(self, address: str, moves: int = 0) -> None:
        """One more match; moves that it begins with are stored and replayed as if they had been played."""
        if self.open_matches[address] >= self._most_open or self.open_matches.total() >= self._most_open_of_all:
            raise TooManyOpen
        self.replay(address, moves)
        self.matches.take(address, 1 + moves / MOVES_OF_A_MATCH)

    def own(self, match: Match, address: str) -> None:
        """The match counts as this address's until it is over; two may begin one rematch."""
        if match.result is None and match.id not in self._makers:
            self._makers[match.id] = address
            self.open_matches[address] += 1

    def hear(self, news: MatchNews) -> None:
        """A match that is over counts for nobody, wherever it ended; nor does one that is gone."""
        if news.name and (news.seq == GONE or (news.match and news.match.result)):
            self.disown(news.name)

    def disown(self, match_id: str) -> None:
        if match_id in self._makers:
            self.open_matches[self._makers.pop(match_id)] -= 1
            self.open_matches += Counter()  # forget those that have none

    def replay(self, address: str, moves: int) -> None:
        """Work that grows with the length of a game counts as so many requests."""
        if not self.addresses.allows(address, 0.0):
            raise TooFast
        self.addresses.charge(address, moves / MOVES_FOR_ONE)
