"""Simulates a crowd of strangers, each of whom has a strength and plays rated games until the crowd is stopped.

The winner is random, with a probability that depends on both strengths. The loser resigns after a few drops. Some
players disconnect for a moment, let the clock run, or leave.
"""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

CONNECTION_ERRORS = (ConnectionClosed, OSError, TimeoutError, httpx.TransportError)
CLOCK_SECONDS = 30
POLL_SECONDS = 5
DISCONNECTED, STALLED, LEFT = "disconnected", "stalled", "left"
DISTURBANCES = {DISCONNECTED: 0.05, STALLED: 0.01, LEFT: 0.01}  # the share of the turns
MAX_MATCH_SECONDS = 90.0
DROP_ID = 2
LIMITS = httpx.Limits(keepalive_expiry=2)  # shorter than the server's


class Plan(NamedTuple):
    """The planned end of a match: the player who resigns, and the ply of the resignation."""

    loser: int
    plies: int


NO_PLAN = Plan(-1, 0)


@dataclass
class Player:
    """A simulated person at an address of their own."""

    number: int
    strength: float
    profile: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    device: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    is_paused: bool = False

    @property
    def headers(self) -> dict[str, str]:
        """Headers with the player's own address, which a server with `proxies=1` accepts."""
        return {"X-Forwarded-For": f"198.18.{self.number // 250}.{self.number % 250 + 1}"}


class Crowd:
    """Some simulated players on one server.

    `waits` has the seconds from each seek to its match, and `drops` the seconds until each drop was acknowledged.
    """

    def __init__(self, port: int, count: int, seed: int = 0, disturbances: dict[str, float] | None = None) -> None:
        self.random = random.Random(seed)
        self.port, self._url = port, f"http://127.0.0.1:{port}"
        self.players = [Player(number, self.random.gauss(1500, 250)) for number in range(count)]
        self.waits: list[float] = []
        self.drops: list[float] = []
        self.seen: Counter[str] = Counter()  # matches of people, of levels, and each disturbance
        self.discs: dict[
            str, int
        ] = {}  # by match of people, how many discs it must have, since a drop was acknowledged
        self._disturbances = DISTURBANCES if disturbances is None else disturbances
        self._plans: dict[str, Plan] = {}
        self._present: dict[str, set[int]] = {}
        self._until = 0.0

    async def play(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        await asyncio.gather(*(self._play(player) for player in self.players))

    async def lost_matches(self) -> list[str]:
        """The matches between people that have lost an acknowledged disc, have not ended, or have no stored result.

        Games that somebody has left need up to a minute to end.
        """
        async with httpx.AsyncClient(base_url=self._url, timeout=60, trust_env=False, limits=LIMITS) as client:
            until = time.monotonic() + MAX_MATCH_SECONDS
            lost = list(self.discs)
            while lost:
                lost = [match_id for match_id in lost if not await self._is_complete(client, match_id)]
                if time.monotonic() > until:
                    break
                await asyncio.sleep(1.0 if lost else 0.0)
            return lost

    async def _is_complete(self, client: httpx.AsyncClient, match_id: str) -> bool:
        answer = await client.get(f"/api/matches/{match_id}")
        if answer.status_code != 200 or len((match := answer.json()["match"])["moves"]) < self.discs[match_id]:
            return False
        encounter = (await client.get(f"/api/matches/{match_id}/encounter")).json()
        return match["state"]["result"] is not None and encounter["settled"]

    async def _play(self, player: Player) -> None:
        async with httpx.AsyncClient(
            base_url=self._url, headers=player.headers, timeout=60, trust_env=False, limits=LIMITS
        ) as client:
            made = await client.post("/api/profiles", json={"secret": player.profile})
            made.raise_for_status()
            while time.monotonic() < self._until and not player.is_paused:
                await self._one_match(player, client)

    async def _one_match(self, player: Player, client: httpx.AsyncClient) -> None:
        secret = secrets.token_urlsafe(24)
        body = {"secret": secret, "device": player.device, "clock": {"seconds": CLOCK_SECONDS}}
        began = time.monotonic()
        answer = await client.post("/api/seeks", json=body, headers=_bearer(player.profile))
        if answer.json().get("reason") == "paused":
            player.is_paused = True
            self.seen["paused"] += 1
            return
        assert answer.status_code == 201, answer.text
        found = answer.json()
        while not found["match"]:
            path = f"/api/seeks/{found['seek']['id']}?wait={POLL_SECONDS}"
            found = (await client.get(path, headers=_bearer(secret))).raise_for_status().json()
        self.waits.append(time.monotonic() - began)
        self.seen["levels" if found["level"] else "people"] += 1
        if found["level"]:
            resigned = await client.post(f"/api/matches/{found['match']}/resign", headers=_bearer(secret))
            resigned.raise_for_status()
        else:
            await self._sit(player, found["match"], secret)

    async def _sit(self, player: Player, match_id: str, secret: str) -> None:
        """Play a match to its end, with as many connections as needed."""
        self._present.setdefault(match_id, set()).add(player.number)
        self.discs.setdefault(match_id, 0)
        until = time.monotonic() + MAX_MATCH_SECONDS
        while time.monotonic() < until:
            with suppress(*CONNECTION_ERRORS):
                url = f"ws://127.0.0.1:{self.port}/api/matches/{match_id}/socket"
                async with (
                    connect(
                        url, compression=None, proxy=None, open_timeout=60, additional_headers=player.headers
                    ) as socket,
                    asyncio.timeout(MAX_MATCH_SECONDS),
                ):
                    if await self._visit(player, match_id, secret, socket):
                        return
            await asyncio.sleep(self.random.uniform(0.2, 1.0))

    async def _visit(self, player: Player, match_id: str, secret: str, socket: Any) -> bool:
        """Play over one connection. Returns whether the player is done with the match, because it is over or the player
        left."""
        await socket.send(json.dumps({"type": "hello", "secret": secret}))
        welcome = json.loads(await socket.recv())
        side, state, acted, sent = welcome["sides"][0], welcome["match"]["state"], -1, 0.0
        while state["result"] is None:
            if state["turn"] == side and acted != state["ply"]:
                acted = state["ply"]
                disturbance = self._disturbance()
                if disturbance in (LEFT, DISCONNECTED):
                    return disturbance == LEFT
                if disturbance is None:
                    await asyncio.sleep(self.random.uniform(0.1, 0.6))
                    sent = time.perf_counter()
                    await socket.send(json.dumps(self._order(player, match_id, acted)))
            message = json.loads(await socket.recv())
            if message["type"] == "done" and message["id"] == DROP_ID:
                self.drops.append(time.perf_counter() - sent)
                self.discs[match_id] = max(self.discs[match_id], acted + 1)
            elif message["type"] == "event":
                state = message["state"]
        return True

    def _disturbance(self) -> str | None:
        drawn = self.random.random()
        for name, share in self._disturbances.items():
            if (drawn := drawn - share) < 0:
                self.seen[name] += 1
                return name
        return None

    def _order(self, player: Player, match_id: str, ply: int) -> dict[str, Any]:
        """The player's next message. Each drop goes one column further, which makes no line within two rows."""
        plan = self._plan(match_id)
        if plan.loser == player.number and ply >= plan.plies:
            return {"type": "resign", "id": 1}
        return {"type": "drop", "column": ply % 7, "ply": ply, "id": DROP_ID}

    def _plan(self, match_id: str) -> Plan:
        """Chooses the end of the match at random once both players are connected. Until then, the player to move drops
        a disc."""
        present = sorted(self._present[match_id])
        if match_id not in self._plans and len(present) == 2:
            one, other = (self.players[number].strength for number in present)
            expected = 1 / (1 + 10 ** ((other - one) / 400))
            loser = present[1] if self.random.random() < expected else present[0]
            self._plans[match_id] = Plan(loser, self.random.randint(2, 8))
        return self._plans.get(match_id, NO_PLAN)


def _bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}
