"""Rate limits that several servers share. PostgreSQL or Redis adds up the tokens that all servers have taken.

For each bucket the database stores the number of missing tokens, computed with its own clock, so a full bucket needs no
row.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sqlalchemy import Engine, text

if TYPE_CHECKING:
    from redis.asyncio import Redis

CLEAN_INTERVAL_SECONDS = 600.0  # between deletions of the rows of full buckets
REDIS_TIMEOUT_SECONDS = 2.0
REDIS_PREFIX = "connectk:limit:"
# Rows are written in the order of their names, so that no two servers wait for each other.
ADD_STATEMENT = text("""
    INSERT INTO limits AS stored (name, taken, rate, capacity, at)
    SELECT name, tokens, rate, capacity, extract(epoch FROM clock_timestamp())
    FROM unnest(
        CAST(:name AS text[]), CAST(:tokens AS float8[]), CAST(:rate AS float8[]), CAST(:capacity AS float8[])
    ) AS new (name, tokens, rate, capacity)
    ORDER BY name
    ON CONFLICT (name) DO UPDATE SET
        taken = LEAST(
            2 * excluded.capacity,
            GREATEST(0, stored.taken - excluded.rate * GREATEST(0, excluded.at - stored.at)) + excluded.taken
        ),
        rate = excluded.rate, capacity = excluded.capacity, at = GREATEST(stored.at, excluded.at)
    RETURNING name, taken
""")
CLEAN_STATEMENT = text("DELETE FROM limits WHERE taken <= rate * (extract(epoch FROM clock_timestamp()) - at)")
# The Redis script does the same for one bucket: KEYS[1] is its name, and ARGV are the tokens, rate and capacity.
REDIS_ADD_SCRIPT = """
    local clock = redis.call('TIME')
    local now = tonumber(clock[1]) + tonumber(clock[2]) / 1e6
    local tokens, rate, capacity = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
    local stored = redis.call('HMGET', KEYS[1], 'taken', 'at')
    local left = math.max(0, (tonumber(stored[1]) or 0) - rate * math.max(0, now - (tonumber(stored[2]) or now)))
    local taken = math.min(2 * capacity, left + tokens)
    redis.call('HSET', KEYS[1], 'taken', tostring(taken), 'at', string.format('%.6f', now))
    redis.call('EXPIRE', KEYS[1], math.ceil(taken / rate) + 1)
    return tostring(taken)
"""


class TokensTaken(NamedTuple):
    """The number of tokens taken from one bucket. A bucket holds `capacity` tokens and refills at `rate` tokens per
    second."""

    name: str
    tokens: float
    rate: float
    capacity: float


class SharedLimitStore(Protocol):
    """Adds up the tokens that all servers have taken."""

    async def add(self, taken: Sequence[TokensTaken]) -> dict[str, float]:
        """Add these tokens to the stored sums. Returns the new sum of each bucket, by name."""
        ...

    async def close(self) -> None: ...


class PostgresLimitStore:
    """Adds up the tokens in a table of the PostgreSQL database that the servers share."""

    def __init__(self, database: Engine) -> None:
        self._database = database.execution_options(isolation_level="AUTOCOMMIT")
        self._cleaned = time.monotonic()

    async def add(self, taken: Sequence[TokensTaken]) -> dict[str, float]:
        return await asyncio.to_thread(self._add, taken)

    def _add(self, taken: Sequence[TokensTaken]) -> dict[str, float]:
        columns = zip(TokensTaken._fields, map(list, zip(*taken, strict=True)), strict=True)
        with self._database.connect() as connection:
            found = {row.name: row.taken for row in connection.execute(ADD_STATEMENT, dict(columns))}
            if time.monotonic() - self._cleaned > CLEAN_INTERVAL_SECONDS:
                self._cleaned = time.monotonic()
                connection.execute(CLEAN_STATEMENT)
        return found

    async def close(self) -> None:
        pass


class RedisLimitStore:
    """Adds up the tokens in Redis or Valkey."""

    def __init__(self, url: str) -> None:
        from redis.asyncio import Redis

        self._redis: Redis = Redis.from_url(
            url, socket_timeout=REDIS_TIMEOUT_SECONDS, socket_connect_timeout=REDIS_TIMEOUT_SECONDS
        )
        self._add = self._redis.register_script(REDIS_ADD_SCRIPT)

    async def add(self, taken: Sequence[TokensTaken]) -> dict[str, float]:
        async with self._redis.pipeline(transaction=False) as pipeline:
            for one in taken:
                await self._add(keys=[REDIS_PREFIX + one.name], args=one[1:], client=pipeline)
            levels = await pipeline.execute()
        return {one.name: float(level) for one, level in zip(taken, levels, strict=True)}

    async def close(self) -> None:
        await self._redis.aclose()
