"""Tests large crowds against a server with its usual settings. Spectators and strangers do not keep players out."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest
from websockets.frames import Frame, Opcode

from tests.server.clients import ME, Socket, drop, make
from tests.server.hostile.floods import ATTACKER_ADDRESS, UPGRADE
from tests.server.room_clients import make_room
from tests.server.serving import Client, ServerProcess

pytestmark = pytest.mark.deep
HELLO = Frame(Opcode.TEXT, json.dumps({"type": "hello"}).encode()).serialize(mask=True)
ADDRESSES = [f"127.0.0.{number}" for number in range(2, 14)]  # the whole network 127 is this machine
WATCHER_COUNT = 5_000
WATCHERS_PER_BATCH = 24  # spectators who come at the same moment
PLAYER_COUNT = 40
STRANGER_COUNT = 150


@pytest.fixture
def server(tmp_path):
    server = ServerProcess(f"sqlite:///{tmp_path}/matches.db", plain=True)
    yield server
    server.stop()


async def watch(port: int, match_id: str, address: str) -> tuple[str, asyncio.StreamWriter]:
    """Watch a match. Returns the kind of the first message, and the connection, which stays open."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    writer.write(UPGRADE.format(match_id=match_id).encode())
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    writer.write(HELLO)
    await reader.readuntil(b'"type":"')
    kind = await reader.readuntil(b'"')
    return kind.decode().strip('"'), writer


@pytest.mark.anyio
async def test_five_thousand_spectators_keep_no_player_out(server):
    """Five thousand spectators from twelve addresses keep their connections open, and players can still play."""
    match_id = make(server.client, public=True)["match"]["id"]
    connections = []
    for start in range(0, WATCHER_COUNT, WATCHERS_PER_BATCH):
        crowd = (
            watch(server.port, match_id, ADDRESSES[n % 12])
            for n in range(start, min(start + WATCHERS_PER_BATCH, WATCHER_COUNT))
        )
        connections += await asyncio.gather(*crowd)
    kinds = [kind for kind, _ in connections]
    assert kinds.count("welcome") > 0.8 * WATCHER_COUNT
    assert set(kinds) == {"welcome", "refused"}
    await asyncio.to_thread(play_each, server.client, PLAYER_COUNT)
    for _, writer in connections:
        writer.close()


def play_each(client: Client, count: int) -> None:
    """Let this many players drop a disc, each with their own socket and match."""
    with ExitStack() as stack:
        for _ in range(count):
            made = make(client)
            socket = stack.enter_context(Socket(client, made["match"]["id"], made["secret"]))
            assert socket.welcome["type"] == "welcome"
            assert socket.ask({"type": "drop", "id": 1, "column": 3, "ply": 0})[0]["type"] == "done"


def test_joins_of_one_stranger_do_not_fill_a_room(server):
    """After one stranger has joined a room 150 times, a class at another address still gets in and can play."""
    code, _ = make_room(server.client)
    transport = httpx.HTTPTransport(local_address=ATTACKER_ADDRESS)
    with httpx.Client(base_url=f"http://127.0.0.1:{server.port}", transport=transport, timeout=120) as stranger:

        def join(number: int) -> str:
            answer = stranger.post(f"/api/rooms/{code}/join", json={"name": f"Stranger {number}"})
            return "" if answer.status_code == 200 else str(answer.json()["reason"])

        with ThreadPoolExecutor(16) as threads:
            refused = list(threads.map(join, range(STRANGER_COUNT)))
    assert set(refused) == {"", "too_fast"}
    assert refused.count("") < STRANGER_COUNT / 2
    for number in range(PLAYER_COUNT):
        answer = server.client.post(f"/api/rooms/{code}/join", json={"name": f"Pupil {number}"})
        assert answer.status_code == 200, answer.text
    made = make(server.client, first=ME)
    assert drop(server.client, made["match"]["id"], made["secret"], 3, 0).status_code == 201
