"""Simulates clients that play until they are stopped, record acknowledged drops, and reconnect after a restart."""

import asyncio
import json
import random
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

CONNECTION_ERRORS = (WebSocketException, OSError, TimeoutError, httpx.TransportError, httpx.HTTPStatusError)


@dataclass
class LoadMatch:
    """The state of a match, as the client that has both seats knows it."""

    id: str
    secret: str
    seq: int = 0
    state: dict[str, Any] = field(default_factory=dict)
    acknowledged: dict[int, int] = field(default_factory=dict)  # column by ply
    pending: dict[str, Any] | None = None  # sent, not answered


class LoadGenerator:
    """Several simulated clients, each with its own socket. `port` returns the server's port, which may change at a
    restart."""

    def __init__(self, clients: int, port: Callable[[], int], seed: int = 0) -> None:
        self._clients, self._port = clients, port
        self._random = random.Random(seed)
        self.matches: list[LoadMatch] = []
        self.returns = 0
        self._stop = asyncio.Event()

    @property
    def acknowledged(self) -> int:
        return sum(len(match.acknowledged) for match in self.matches)

    async def play(self) -> None:
        await asyncio.gather(*(self._client() for _ in range(self._clients)))

    def stop(self) -> None:
        self._stop.set()

    async def _client(self) -> None:
        match: LoadMatch | None = None
        while not self._stop.is_set():
            try:
                match = match or await self._new_match()
                await self._visit(match)
                match = None
            except CONNECTION_ERRORS:
                self.returns += 1
                await asyncio.sleep(0.1)

    async def _new_match(self) -> LoadMatch:
        order = {"first": {"kind": "me"}, "second": {"kind": "me"}}
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{self._port()}", trust_env=False, timeout=60
        ) as client:
            answer = (await client.post("/api/matches", json=order)).raise_for_status().json()
        match = LoadMatch(answer["match"]["id"], answer["secret"], state=answer["match"]["state"])
        self.matches.append(match)
        return match

    async def _visit(self, match: LoadMatch) -> None:
        """Plays from the hello message to the end of the match."""
        url = f"ws://127.0.0.1:{self._port()}/api/matches/{match.id}/socket"
        async with connect(url, compression=None, proxy=None, open_timeout=60) as socket:
            await socket.send(json.dumps({"type": "hello", "secret": match.secret, "after": match.seq}))
            welcome = json.loads(await asyncio.wait_for(socket.recv(), 60))
            assert welcome["type"] == "welcome", welcome
            assert welcome["seq"] == match.seq, "the server has forgotten something that it had told"
            while match.state["result"] is None and not self._stop.is_set():
                await self._drop(match, socket)

    async def _drop(self, match: LoadMatch, socket: Any) -> None:
        """Sends a drop. An unanswered drop is repeated with its key."""
        if match.pending is None:
            column = self._random.choice(match.state["legal_columns"])
            match.pending = {"type": "drop", "column": column, "ply": match.state["ply"], "key": uuid.uuid4().hex}
        await socket.send(json.dumps(match.pending))
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), 60))
            if message["type"] == "event":
                assert message["seq"] == match.seq + 1, "a gap or a duplicate"
                match.seq, match.state = message["seq"], message["state"]
            elif message["type"] == "done":
                match.acknowledged[match.pending["ply"]] = match.pending["column"]
                match.pending = None
                return
            elif message["type"] == "refused":
                raise AssertionError(message)
