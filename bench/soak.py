"""Runs all attacks on a server at once, and compares the times of an ordinary game's drops with and without them.

python bench/soak.py                 ten minutes on SQLite python bench/soak.py --minutes 1 python bench/soak.py
--database postgresql://connectk@localhost/soak --workers 2

Everything runs on this machine and ends by itself. The ordinary game runs in a separate process. The attackers are
local clients at one other address, with the lowest priority. They send large files, long numbers and odd requests, read
long matches again and again, start demos on large boards, flood one seat, and keep silent connections open. The run
fails if the server answers any request with a server error, or if its memory more than doubles.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).parents[1]))  # imports the ordinary game from the tests

from tests.server.hostile.conftest import Bystander
from tests.server.serving import Client

CONNECTION_ERRORS = (httpx.HTTPError, WebSocketException, OSError, TimeoutError)
BOTH_SEATS = {"first": {"kind": "me"}, "second": {"kind": "me"}}
LARGE_VARIANT = {"width": 97, "height": 100, "run": 100}
ATTACKER_ADDRESS = "127.0.0.2"  # every address 127.x.x.x is this machine


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A process of `connectk serve`, and measurements of its memory."""

    def __init__(self, database: str, workers: int) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "connectk", "serve", "--database", database, "--workers", str(workers)]
        self._process = subprocess.Popen([*command, "--port", str(self.port), "--log-level", "error"])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def ready(self) -> None:
        async with httpx.AsyncClient(trust_env=False) as client:
            while True:
                with suppress(httpx.TransportError):
                    if (await client.get(f"{self.url}/readyz")).status_code == 200:
                        return
                await asyncio.sleep(0.1)

    def megabytes(self) -> float:
        """The memory of the server and every process that it has started."""
        return sum(_resident(pid) for pid in _family(self._process.pid))

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(60)


def _family(pid: int) -> list[int]:
    """The process and all processes that descend from it, started by any thread."""
    found = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += children.read_text("ascii").split()
    return [pid, *(one for child in found for one in _family(int(child)))]


def _resident(pid: int) -> float:
    """The memory of a process in megabytes. Of memory that n processes share, each counts an n-th."""
    with suppress(OSError):
        found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text("ascii"), re.M)
        return int(found[1]) / 1024 if found else 0.0
    return 0.0


class Visitor:
    """A client of a server at some address."""

    def __init__(self, server: Server, address: str = "127.0.0.1") -> None:
        self.server, self.source = server, (address, 0)
        self.statuses: Counter[int] = Counter()
        transport = httpx.AsyncHTTPTransport(local_address=address)
        self.client = httpx.AsyncClient(base_url=server.url, timeout=60, trust_env=False, transport=transport)

    async def make(self, **order: Any) -> dict[str, Any]:
        answer = await self.client.post("/api/matches", json={**BOTH_SEATS, **order})
        self.statuses[answer.status_code] += 1
        answer.raise_for_status()
        return dict(answer.json())

    def join_seats(self, made: dict[str, Any]) -> Any:
        address = f"ws://127.0.0.1:{self.server.port}/api/matches/{made['match']['id']}/socket"
        return connect(address, compression=None, proxy=None, local_addr=self.source)


class Attacker(Visitor):
    """Sends all kinds of attacks at once."""

    async def attack(self, attacker: Any, until: float) -> None:
        while time.monotonic() < until:
            with suppress(*CONNECTION_ERRORS):
                async with asyncio.timeout(30):
                    await attacker()
            await asyncio.sleep(0.01)

    async def warm_up(self) -> None:
        """Use each kind of worker process once, so that the idle memory includes all of them."""
        await self._post("/api/judge", content=b"7 6 4\n1\n")
        await self._post("/api/hint", json={"moves": [3]})
        await self._post("/api/review", json={"moves": [3, 3]})
        player = {"kind": "player", "player": "level:3"}
        await self.make(first=player, second=player)

    async def _post(self, path: str, **request: Any) -> None:
        self.statuses[(await self.client.post(path, **request)).status_code] += 1

    async def long_numbers(self) -> None:
        await self._post("/api/judge", content=b"7 6 " + b"0" * 7_900_000 + b"4\n1\n")

    async def many_players(self) -> None:
        names = [f"p{n}" for n in range(300_000)]
        await self._post("/api/page/arena", content=json.dumps({"format": "connectk-arena", "players": names}) + "\n")

    async def long_games(self) -> None:
        game = {"format": "connectk-game", "version": 2, "variant": "1000000x1000000x4", "moves": "1 " * 1_900_000}
        await self._post("/api/saved", content=json.dumps(game))

    async def long_matches(self) -> None:
        made = await self.make(variant=LARGE_VARIANT, moves=[n % 97 for n in range(9_600)])
        headers = {"authorization": f"Bearer {made['secret']}"}
        for after in random.sample(range(9_600), 20):
            answer = await self.client.get(f"/api/matches/{made['match']['id']}/events?after={after}", headers=headers)
            self.statuses[answer.status_code] += 1

    async def demos(self) -> None:
        players = {side: {"kind": "player", "player": "engine:5s"} for side in ("first", "second")}
        for _ in range(20):
            await self.make(variant={"width": 30, "height": 30, "run": 5}, **players)
        await asyncio.sleep(10)

    async def hard_questions(self) -> None:
        hard = {"variant": {"width": 9, "height": 9, "run": 5}, "moves": [random.randrange(9) for _ in range(4)]}
        await self._post("/api/scores", json=hard, headers={"authorization": f"Bearer {random.random()}"})

    async def pictures(self) -> None:
        answer = await self.client.get("/api/picture.gif", params={"moves": "1234567" * 5})
        self.statuses[answer.status_code] += 1

    async def odd_requests(self) -> None:
        await self._post(
            "/api/matches", content=b'{"first": {"kind": "me", "name": "\\ud800"}}', headers={"origin": "http://["}
        )
        answer = await self.client.get("/api/matches/%00")
        self.statuses[answer.status_code] += 1

    async def floods(self) -> None:
        made = await self.make()
        async with self.join_seats(made) as table:
            await table.send(json.dumps({"type": "hello", "secret": made["secret"]}))
            for _ in range(2_000):
                await table.send('{"type": "ping"}')

    async def silence(self) -> None:
        waiting = []
        for _ in range(300):
            _, writer = await asyncio.open_connection("127.0.0.1", self.server.port, local_addr=self.source)
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-")
            waiting.append(writer)
        await asyncio.sleep(5)
        for writer in waiting:
            writer.close()

    @property
    def attackers(self) -> list[Any]:
        files = [self.long_numbers, self.many_players, self.long_games, self.pictures]
        return [
            *files,
            self.long_matches,
            self.demos,
            self.hard_questions,
            self.odd_requests,
            self.floods,
            self.silence,
        ]


def summary(seconds: list[float]) -> str:
    cuts = quantiles(seconds, n=100)
    median, rare, longest = (1000 * value for value in (cuts[49], cuts[98], max(seconds)))
    return f"{len(seconds)} drops, median {median:.1f} ms, 99% {rare:.1f} ms, longest {longest:.0f} ms"


async def measure(database: str, workers: int, minutes: float) -> bool:
    server = Server(database, workers)
    try:
        await server.ready()
        attacker = Attacker(server, ATTACKER_ADDRESS)
        await attacker.warm_up()
        with Client(server.port) as client, Bystander(client) as player:
            await asyncio.sleep(min(30.0, 60 * minutes / 4))
            quiet, before = list(player.seconds), server.megabytes()
            print(f"quiet:    {summary(quiet)}; {before:.0f} MB with its processes", flush=True)
            os.nice(19)  # a real attacker uses another machine; the ordinary game runs in a separate process
            until = time.monotonic() + 60 * minutes
            attacks = [asyncio.ensure_future(attacker.attack(one, until)) for one in attacker.attackers]
            most = await peak_megabytes(server, until)
            beside = player.seconds[len(quiet) :]
            await asyncio.gather(*attacks)
        print(f"attacked: {summary(beside)}; {most:.0f} MB at most, {most / before:.2f} times as much")
        print(f"ratio:    99% {percentile_99(beside) / percentile_99(quiet):.1f} times that of the quiet run")
        print("answers:  " + ", ".join(f"{count} x {status}" for status, count in sorted(attacker.statuses.items())))
        is_well = player.statuses == {201} and not any(status >= 500 for status in attacker.statuses)
        return most < 2 * before and is_well
    finally:
        server.stop()


async def peak_megabytes(server: Server, until: float) -> float:
    most = 0.0
    while time.monotonic() < until:
        most = max(most, await asyncio.to_thread(server.megabytes))
        await asyncio.sleep(0.5)
    return most


def percentile_99(seconds: list[float]) -> float:
    return quantiles(seconds, n=100)[98]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=float(os.environ.get("SOAK_MINUTES", "10")))
    parser.add_argument("--database", default="")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="connectk-soak-") as folder:
        database = options.database or f"sqlite:///{folder}/matches.db"
        sys.exit(0 if asyncio.run(measure(database, options.workers, options.minutes)) else 1)


if __name__ == "__main__":
    main()
