"""Sends floods of bytes from one address. Each flood runs until it is stopped, then prints one line about itself.

    python -m tests.server.hostile.floods pipelined 8000

A flood runs in its own process with the lowest priority. A real attack comes from another machine, so here it may only
take the processor time that the server and the ordinary game leave free.
"""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import threading
import urllib.request
from collections import Counter
from collections.abc import Iterator

from tests.server.serving import ROOT

ATTACKER_ADDRESS = "127.0.0.2"  # every address 127.x.x.x is this machine
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
MANY_HEADERS = b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + b"a:\r\n" * 12_000 + b"\r\n"
CHUNKED = b"POST /api/position HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
LONG_QUERY = b"GET /api/picture.svg?" + b"a&" * 30_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"
MASK = b"\0\0\0\0"
PING, FIRST_PART, EMPTY_PART = b"\x89\x80" + MASK, b"\x01\x80" + MASK, b"\x00\x80" + MASK
HELLO, MESSAGE = b"\x81\x90" + MASK + b'{"type":"hello"}', b"\x81\x82" + MASK + b"{}"
LONG_PART = b"\x00\xff" + (2**20).to_bytes(8, "big") + MASK + b"x" * 2**20
UPGRADE = (
    "GET /api/matches/{match_id}/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Flood:
    """A number of connections that send the same bytes again and again. A connection that the server closes is opened
    anew."""

    def __init__(self, connections: int, data: bytes, *, first: bytes = b"", reads: bool = True) -> None:
        self.connections, self.first, self.data, self._reads = connections, first, data, reads
        self.opened = self.sent = 0
        self.statuses: Counter[str] = Counter()

    async def run(self, port: int) -> None:
        async with asyncio.TaskGroup() as tasks:
            for _ in range(self.connections):
                tasks.create_task(self._one(port))

    async def _one(self, port: int) -> None:
        while True:
            with contextlib.suppress(OSError):
                await self._connection(port)
            await asyncio.sleep(0.02)

    async def _connection(self, port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER_ADDRESS, 0), limit=2**20)
        self.opened += 1
        reading = asyncio.ensure_future(self._read(reader) if self._reads else asyncio.Event().wait())
        try:
            data = self.first + self.data
            while not reading.done():
                writer.write(data)
                await writer.drain()
                self.sent += len(data)
                data = self.data
        finally:
            reading.cancel()
            writer.close()
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await reading

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while data := await reader.read(2**18):
            for status in (b"101", b"200", b"400", b"408", b"429", b"431", b"500", b"503"):
                if count := data.count(b"HTTP/1.1 " + status):
                    self.statuses[status.decode()] += count


def floods(match_id: str) -> dict[str, Flood]:
    upgrade = UPGRADE.format(match_id=match_id).encode()
    return {
        "pipelined": Flood(40, REQUEST * 10_000),
        "pipelined200": Flood(200, REQUEST * 6_000),
        "pings": Flood(200, PING * 2_000, first=upgrade),
        "parts": Flood(200, EMPTY_PART * 2_000, first=upgrade + FIRST_PART),
        "long_parts": Flood(50, LONG_PART, first=upgrade + FIRST_PART),
        "messages": Flood(200, MESSAGE * 2_000, first=upgrade + HELLO),
        "headers": Flood(40, MANY_HEADERS),
        "chunks": Flood(200, b"1\r\nx\r\n" * 20_000, first=CHUNKED),
        "queries": Flood(40, LONG_QUERY * 10),
        "unread": Flood(200, b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 20, reads=False),
    }


NAMES = tuple(floods(""))


@contextlib.contextmanager
def flooding(kind: str, port: int) -> Iterator[dict[str, object]]:
    """Runs a flood while the context lasts. Afterwards the dictionary has the figures of the flood."""
    command = [sys.executable, "-m", "tests.server.hostile.floods", kind, str(port)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    outcome: dict[str, object] = {}
    try:
        assert process.stdout
        process.stdout.readline()  # it has begun
        yield outcome
    finally:
        outcome.update(json.loads(process.communicate()[0]))


def _make_match(port: int) -> str:
    order = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/matches", b'{"public": true}', {"content-type": "application/json"}
    )
    with urllib.request.urlopen(order, timeout=60) as answer:
        match_id: str = json.load(answer)["match"]["id"]
    return match_id


async def main(kind: str, port: int) -> None:
    flood = floods(_make_match(port))[kind]
    over, loop = asyncio.Event(), asyncio.get_running_loop()

    def wait_for_end() -> None:
        sys.stdin.read()
        loop.call_soon_threadsafe(over.set)

    threading.Thread(target=wait_for_end, daemon=True).start()
    running = asyncio.ensure_future(flood.run(port))
    while not flood.opened:
        await asyncio.sleep(0.01)
    print("begun", flush=True)
    await over.wait()
    running.cancel()
    print(json.dumps({"opened": flood.opened, "megabytes": round(flood.sent / 1e6), "statuses": flood.statuses}))
    sys.stdout.flush()
    os._exit(0)  # closes what is still open


if __name__ == "__main__":
    os.nice(19)
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
