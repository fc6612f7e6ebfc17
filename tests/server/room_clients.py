"""Simulates members of a room over a socket: they drop at random and reconnect when the server restarts."""

import asyncio
import json
import random
import secrets
import uuid
from collections.abc import Callable
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.server import secrecy

CONNECTION_ERRORS = (WebSocketException, OSError, TimeoutError, httpx.TransportError, httpx.HTTPStatusError)


class RoomClient:
    """One member of a room. `acknowledged` has the drops that the server has acknowledged."""

    def __init__(self, port: Callable[[], int], code: str, name: str, kind: str = "bot", seed: int = 0) -> None:
        self._port, self.code, self.name, self.kind = port, code, name, kind
        self.secret = secrets.token_urlsafe(24)
        secrecy.GIVEN_SECRETS.add(self.secret)
        self._random = random.Random(seed)
        self.number: int | None = None
        self.room: dict[str, Any] = {}
        self.matches: dict[str, dict[str, Any]] = {}
        self.sides: dict[str, list[str]] = {}
        self.acknowledged: list[tuple[str, int, int]] = []
        self.pending: dict[str, Any] | None = None
        self.received: list[dict[str, Any]] = []
        self.closed = asyncio.Event()
        self.returns = 0

    async def join(self) -> None:
        order = {"name": self.name, "kind": self.kind, "secret": self.secret}
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{self._port()}", trust_env=False, timeout=60
        ) as asking:
            answer = (await asking.post(f"/api/rooms/{self.code}/join", json=order)).raise_for_status().json()
        self.number = answer["you"]

    async def play(self) -> None:
        """Play until the room is closed."""
        while not self.closed.is_set():
            try:
                if self.number is None:
                    await self.join()
                await self._visit()
            except CONNECTION_ERRORS:
                self.returns += 1
                await asyncio.sleep(0.1)

    async def _visit(self) -> None:
        url = f"ws://127.0.0.1:{self._port()}/api/rooms/{self.code}/socket"
        async with connect(url, compression=None, proxy=None, open_timeout=30, max_size=1 << 24) as socket:
            await socket.send(json.dumps({"type": "hello", "secret": self.secret}))
            while not self.closed.is_set():
                await self._handle(json.loads(await asyncio.wait_for(socket.recv(), 120)), socket)

    async def _handle(self, message: dict[str, Any], socket: Any) -> None:
        secrecy.note(message)
        self.received.append(message)
        kind = message["type"]
        if kind == "welcome":
            self.room = message["room"]
            assert message["you"] == self.number
            self._look(message["room"]["state"])
        elif kind == "changed":
            assert message["seq"] == self.room["seq"] + 1, "a gap or a duplicate"
            self.room["seq"] = message["seq"]
            self._look(message["state"])
        elif kind == "match":
            match = message["match"]
            self.matches[match["id"]], self.sides[match["id"]] = match["state"], message["sides"]
            await self._move(match["id"], socket)
        elif kind == "board":
            self.matches[message["match"]] = message["message"]["state"]
            if message["message"]["event"] in ("swapped", "extended"):
                other = {"first": "second", "second": "first"}
                self.sides[message["match"]] = [other[side] for side in self.sides[message["match"]]]
            await self._move(message["match"], socket)
        elif kind == "done" and self.pending and message["id"] == self.pending["id"]:
            if self.pending["type"] == "drop":
                self.acknowledged.append((self.pending["match"], self.pending["ply"], self.pending["column"]))
            self.pending = None
        elif kind == "refused":
            assert message["reason"] in ("match_over", "stale", "room_closed"), message
            self.pending = None

    def _look(self, state: dict[str, Any]) -> None:
        if state["closed"]:
            self.closed.set()

    async def _move(self, match_id: str, socket: Any) -> None:
        """Drops a disc or chooses a side. An unanswered drop is repeated with its key."""
        state = self.matches[match_id]
        is_ours = state["result"] is None and state["turn"] in self.sides[match_id]
        if is_ours and state["can_swap"] and (order := self._random.choice(["drop", "swap", "extend"])) != "drop":
            order = order if state["can_extend"] else "swap"
            await socket.send(json.dumps({"type": order, "id": len(self.received), "match": match_id}))
        elif self.pending and self.pending["match"] == match_id and self.pending["ply"] == state["ply"]:
            await socket.send(json.dumps(self.pending))
        elif is_ours:
            column = self._random.choice(state["legal_columns"])
            self.pending = {"type": "drop", "id": len(self.received), "match": match_id, "column": column}
            self.pending |= {"ply": state["ply"], "key": uuid.uuid4().hex}
            await socket.send(json.dumps(self.pending))


def make_room(client: Any, **order: Any) -> tuple[str, str]:
    """Create a room; returns its code and the host's secret."""
    answer = client.post("/api/rooms", json={"rest_seconds": 0, "clock": {"seconds": 600}, **order})
    assert answer.status_code == 201, answer.text
    return answer.json()["room"]["code"], answer.json()["secret"]


def enter(client: Any, code: str, name: str, kind: str = "person") -> tuple[int, str]:
    answer = client.post(f"/api/rooms/{code}/join", json={"name": name, "kind": kind})
    assert answer.status_code == 200, answer.text
    return answer.json()["you"], answer.json()["secret"]
