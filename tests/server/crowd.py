"""A crowd that plays without end, notes what was acknowledged, and comes back whenever the server does."""

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

GONE = (WebSocketException, OSError, TimeoutError, httpx.TransportError, httpx.HTTPStatusError)


@dataclass
class Played:
    """What one person with both seats knows of a match."""

    id: str
    secret: str
    seq: int = 0
    state: dict[str, Any] = field(default_factory=dict)
    acknowledged: dict[int, int] = field(default_factory=dict)  # column by ply
    pending: dict[str, Any] | None = None  # sent, not answered


class Crowd:
    """Some people, each over a socket of their own; `port` may change when the server comes back elsewhere."""

    def __init__(self, people: int, port: Callable[[], int], seed: int = 0) -> None:
        self._people, self._port = people, port
        self._random = random.Random(seed)
        self.matches: list[Played] = []
        self.returns = 0
        self._stop = asyncio.Event()

    @property
    def acknowledged(self) -> int:
        return sum(len(match.acknowledged) for match in self.matches)

    async def play(self) -> None:
        await asyncio.gather(*(self._person() for _ in range(self._people)))

    def stop(self) -> None:
        self._stop.set()

    async def _person(self) -> None:
        match: Played | None = None
        while not self._stop.is_set():
            try:
                match = match or await self._new_match()
                await self._visit(match)
                match = None
            except GONE:
                self.returns += 1
                await asyncio.sleep(0.1)

    async def _new_match(self) -> Played:
        order = {"first": {"kind": "me"}, "second": {"kind": "me"}}
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{self._port()}", trust_env=False, timeout=60
        ) as client:
            answer = (await client.post("/api/matches", json=order)).raise_for_status().json()
        match = Played(answer["match"]["id"], answer["secret"], state=answer["match"]["state"])
        self.matches.append(match)
        return match

    async def _visit(self, match: Played) -> None:
        """From hello to the end of the match."""
        url = f"ws://127.0.0.1:{self._port()}/api/matches/{match.id}/socket"
        async with connect(url, compression=None, proxy=None, open_timeout=60) as socket:
            await socket.send(json.dumps({"type": "hello", "secret": match.secret, "after": match.seq}))
            welcome = json.loads(await asyncio.wait_for(socket.recv(), 60))
            assert welcome["type"] == "welcome", welcome
            assert welcome["seq"] == match.seq, "the server has forgotten something that it had told"
            while match.state["result"] is None and not self._stop.is_set():
                await self._drop(match, socket)

    async def _drop(self, match: Played, socket: Any) -> None:
        """Send a drop, or once more the one that was not answered, with its key."""
        if match.pending is None:
            column = self._random.choice(match.state["legal_columns"])
            match.pending = {"type": "drop", "column": column, "ply": match.state["ply"], "key": uuid.uuid4().hex}
        await socket.send(json.dumps(match.pending))
        while True:
            heard = json.loads(await asyncio.wait_for(socket.recv(), 60))
            if heard["type"] == "event":
                assert heard["seq"] == match.seq + 1, "a gap or a duplicate"
                match.seq, match.state = heard["seq"], heard["state"]
            elif heard["type"] == "done":
                match.acknowledged[match.pending["ply"]] = match.pending["column"]
                match.pending = None
                return
            elif heard["type"] == "refused":
                raise AssertionError(heard)
