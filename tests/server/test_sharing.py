"""Tests rate limits that several servers share: requests that one server allows reduce what the others allow."""

import asyncio
import shutil
import subprocess
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from connectk.server.limits import HourlyQuota, Limits, QuotaExceeded, RateLimiter
from connectk.server.sharing import LimitSharing
from connectk.storage.database import open_database, prepare_database
from connectk.storage.shared_limits import PostgresLimitStore, RedisLimitStore, SharedLimitStore, TokensTaken
from tests.server.clients import make
from tests.server.serving import Client, serving, settings_for
from tests.storage.conftest import postgres  # noqa: F401

NO_REDIS = "neither Redis nor Valkey is installed (Debian or Ubuntu: sudo apt-get install redis-server)"


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a Redis or Valkey server that the tests start. It listens on a socket file."""
    program = shutil.which("valkey-server") or shutil.which("redis-server")
    if not program:
        pytest.skip(NO_REDIS)
    folder = tmp_path_factory.mktemp("redis")
    socket = folder / "socket"
    options = ["--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(folder)]
    server = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
    while not socket.exists() and server.poll() is None:
        time.sleep(0.01)
    yield f"unix://{socket}"
    server.terminate()
    server.wait(60)


@pytest.fixture(params=["postgresql", "redis"])
def kind(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A store of shared limits, PostgreSQL or Redis, and its URL."""
    if request.param == "redis":
        url = request.getfixturevalue("redis")
        with Redis.from_url(url) as connection:
            connection.flushall()
        return "redis", url
    database = request.getfixturevalue("postgres").create(uuid.uuid4().hex)
    prepare_database(database)
    return "postgresql", database


def levels_of(kind: tuple[str, str]) -> SharedLimitStore:
    name, url = kind
    return RedisLimitStore(url) if name == "redis" else PostgresLimitStore(open_database(url))


class Server:
    """The limits of one server among several."""

    def __init__(self, levels: SharedLimitStore) -> None:
        self.requests = RateLimiter(0.001, 100_000.0, shared_as="requests")  # a hundred, almost without refill
        self.rooms = HourlyQuota("new rooms", 20, 30)
        self.alone = RateLimiter(0.001, 100_000.0)
        self.sharing = LimitSharing(levels, [self.requests, self.alone, *self.rooms.limiters], _raise)


def _raise(error: Exception) -> None:
    raise error


@pytest.mark.anyio
async def test_what_one_server_has_allowed_the_others_do_not_allow_again(kind: tuple[str, str]):
    """Three servers share the request and room limits of an address. Each allows only what the others have left."""
    levels = levels_of(kind)
    first, second, third = (Server(levels) for _ in range(3))
    who = uuid.uuid4().hex
    assert [first.requests.allows(who) for _ in range(101)] == [True] * 100 + [False]
    for _ in range(20):
        first.rooms.take(who)
    await first.sharing.exchange()

    for server in (second, third):
        assert [server.requests.allows(who) for _ in range(5)] == [True] * 5  # a twentieth, without asking others
        server.rooms.take(who)
        await server.sharing.exchange()
        assert not server.requests.allows(who)
        with pytest.raises(QuotaExceeded):
            server.rooms.take(who)
        assert server.requests.allows("someone else")
    await levels.close()


@pytest.mark.anyio
async def test_a_quota_of_all_addresses_is_one_for_all_servers(kind: tuple[str, str]):
    """A quota of thirty rooms an hour for all addresses is shared by three servers."""
    levels = levels_of(kind)
    servers = [Server(levels) for _ in range(3)]
    refusals = []
    for number in range(90):
        server = servers[number % 3]
        try:
            server.rooms.take(uuid.uuid4().hex)
        except QuotaExceeded as refused:
            refusals.append(refused.key)
        await server.sharing.exchange()
    await levels.close()

    assert set(refusals) == {"refused.too_many.together"}
    assert 28 <= 90 - len(refusals) <= 36  # each server may allow two more before it asks the others


@pytest.mark.anyio
async def test_buckets_refill_by_the_clock_of_whoever_keeps_them(kind: tuple[str, str]):
    """Shared buckets refill by the store's clock, and count at most twice their capacity as taken."""
    levels, name = levels_of(kind), uuid.uuid4().hex
    assert await levels.add([TokensTaken(name, 50.0, 100.0, 400.0)]) == {name: 50.0}
    await asyncio.sleep(0.05)
    assert 0.0 <= (await levels.add([TokensTaken(name, 0.0, 100.0, 400.0)]))[name] <= 45.0
    full = await levels.add([TokensTaken(name, 5000.0, 100.0, 400.0), TokensTaken(f"{name}2", 1.0, 1.0, 9.0)])
    assert full == {name: 800.0, f"{name}2": 1.0}
    await levels.close()


@pytest.mark.anyio
async def test_a_server_limits_by_itself_while_the_others_cannot_be_reached(monkeypatch: pytest.MonkeyPatch):
    """While the shared store cannot be reached, a server limits by itself and reports the failure once. Afterwards it
    tells the store how much it has allowed."""
    monkeypatch.setattr("connectk.server.sharing.SHARE_INTERVAL_SECONDS", 0.001)

    class Away:
        def __init__(self) -> None:
            self.is_away, self.taken_over, self.tries = True, [], 0

        async def add(self, taken):
            self.tries += 1
            if self.is_away:
                raise ConnectionError
            self.taken_over += taken
            return {one.name: one.tokens for one in taken}

        async def close(self) -> None: ...

    levels = Away()
    server = Server(levels)
    failures: list[Exception] = []
    sharing = LimitSharing(levels, [server.requests], failures.append)
    assert [server.requests.allows("a") for _ in range(101)] == [True] * 100 + [False]
    with pytest.raises(ConnectionError):
        await server.sharing.exchange()
    running = asyncio.ensure_future(sharing.run())
    while levels.tries < 4:
        await asyncio.sleep(0.01)
    running.cancel()
    assert len(failures) == 1  # one report a minute, even after many attempts
    assert not server.requests.allows("a")
    levels.is_away = False
    await server.sharing.exchange()

    assert [(one.name, one.tokens) for one in levels.taken_over] == [("requests a", 100.0)]


def test_somebody_who_takes_little_costs_no_exchange():
    """A server reports a client to the others only when the client has used a twentieth of its bucket."""
    requests = RateLimiter(1.0, 100.0, lambda: 0.0, shared_as="requests")
    requests.is_shared = True
    for _ in range(4):
        requests.allows("a")
    assert requests.pop_unshared() == []
    requests.charge("a", 2.0)
    assert requests.pop_unshared() == [TokensTaken("requests a", 6.0, 1.0, 100.0)]
    assert requests.pop_unshared() == []


@pytest.mark.parametrize("where", ["postgresql", "redis"])
def test_two_servers_refuse_what_is_too_much_for_both(where: str, request: pytest.FixtureRequest, tmp_path: Path):
    """If an address may create five matches and has created four at one server, the other server allows one more."""
    shared = request.getfixturevalue("redis") if where == "redis" else ""
    database = request.getfixturevalue("postgres").create(uuid.uuid4().hex)
    settings = settings_for(tmp_path, database=database, address_matches=5, shared_limits=shared)
    with serving(settings) as here, serving(settings) as there:
        for _ in range(4):
            make(here)
        assert made_until_refused(there) == 1


def made_until_refused(client: Client) -> int:
    """Create matches until the server refuses, slowly enough for servers to share their limits. Returns how many were
    created."""
    made, status = 0, 201
    while status == 201:
        time.sleep(1.0)
        status = client.post("/api/matches", json={"first": {"kind": "me"}, "second": {"kind": "me"}}).status_code
        made += status == 201
    return made


def test_every_limit_with_a_name_to_share_is_shared(tmp_path: Path):
    """Each shared limit has its own name. A limit without one would apply to one server only."""
    limits = Limits(settings_for(tmp_path))
    values = [value for value in vars(limits).values() if isinstance(value, RateLimiter | HourlyQuota)]
    limiters = [one for value in values for one in (value.limiters if isinstance(value, HourlyQuota) else [value])]
    names = [limiter.shared_as for limiter in limits.shareable]

    of_one_connection = [limits.seats, limits.frames, limits.phrases]
    assert [one for one in limiters if one not in limits.shareable] == of_one_connection
    assert len(set(names)) == len(names)
    assert not any(" " in name or not name for name in names)
