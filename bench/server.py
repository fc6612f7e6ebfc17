"""The game server under load, next to a bare echo on the same stack.

    python bench/server.py              SQLite on one core, then PostgreSQL with two workers, about two minutes

1,000 sockets: 500 matches, two people each, clients in another process on loopback. Every drop is durable before it is
told; the time is from sending a drop to the opponent's seeing it. The echo answers each message on its own socket and
does nothing else: the difference is what it costs to be a game server. Rates rise until the server cannot follow.
"""

import asyncio
import base64
import contextlib
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import uvloop

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the tests' throwaway PostgreSQL

PAIRS, SECONDS = 500, 10
RATES = (500, 1000, 2000, 3000)
DRAWN = [int(column) for column in "146660203633536103043506522512202545444111"]  # a whole game without a line
ME, INVITED = {"kind": "me"}, {"kind": "invited"}


class Socket(asyncio.Protocol):
    """Just enough of a WebSocket client, so that the clients do not cost more than the server."""

    def __init__(self, path, on_text):
        self._path, self._on_text = path, on_text
        self._buffer = b""
        self.opened = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data):
        self._buffer += data
        if not self.opened.done():
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            assert b"101" in head.split(b"\r\n")[0], head
            self._buffer = rest
            self.opened.set_result(None)
        self._read_frames()

    def _read_frames(self):
        while len(self._buffer) >= 2:
            length, start = self._buffer[1], 2
            if length == 126:
                length, start = int.from_bytes(self._buffer[2:4], "big"), 4
            if len(self._buffer) < start + length:
                return
            kind, payload = self._buffer[0] & 15, self._buffer[start : start + length]
            self._buffer = self._buffer[start + length :]
            if kind == 1:
                self._on_text(payload)
            elif kind == 9:
                self._write(10, payload)

    def send(self, text):
        self._write(1, text)

    def _write(self, kind, payload):
        """Masked with zeros, which the protocol allows and which costs nothing."""
        length = len(payload)
        head = (
            bytes([128 | kind, 128 | length]) if length < 126 else bytes([128 | kind, 254]) + length.to_bytes(2, "big")
        )
        self._transport.write(head + b"\0\0\0\0" + payload)

    def close(self):
        self._transport.abort()


class Game:
    """Two people at a match; each drop is timed from its sending to the opponent's seeing it."""

    def __init__(self, match_id, secrets, times):
        self._id, self._secrets, self._times = match_id, secrets, times
        self.ply, self.waiting, self._sent, self.refused = 0, False, 0.0, 0

    async def sit_down(self, port):
        loop, path = asyncio.get_running_loop(), f"/api/matches/{self._id}/socket"
        self.sockets = []
        for side in (0, 1):
            _, socket = await loop.create_connection(
                lambda side=side: Socket(path, self._hears(side)), "127.0.0.1", port
            )
            await socket.opened
            socket.send(json.dumps({"type": "hello", "secret": self._secrets[side]}).encode())
            self.sockets.append(socket)

    def _hears(self, side):
        opponent = (b'"side":"second"', b'"side":"first"')[side]

        def hear(text):
            if b'"event":"dropped"' in text[:80] and opponent in text[:160]:
                self._times.append(time.perf_counter() - self._sent)
                self.ply, self.waiting = self.ply + 1, False
            elif text.startswith(b'{"type":"refused"'):
                self.refused += 1

        return hear

    def drop(self):
        """False when the last one has not arrived yet, or the game is over."""
        if self.waiting or self.ply == len(DRAWN):
            return False
        self.waiting, self._sent = True, time.perf_counter()
        message = {"type": "drop", "column": DRAWN[self.ply], "ply": self.ply}
        self.sockets[self.ply % 2].send(json.dumps(message).encode())
        return True


class Echo:
    """The same messages to a server that only sends them back."""

    def __init__(self, times):
        self._times, self.ply, self.waiting, self._sent, self.refused = times, 0, False, 0.0, 0

    async def sit_down(self, port):
        loop, self.sockets = asyncio.get_running_loop(), []
        for _ in (0, 1):
            _, socket = await loop.create_connection(lambda: Socket("/echo", self._hear), "127.0.0.1", port)
            await socket.opened
            self.sockets.append(socket)

    def _hear(self, text):
        self._times.append(time.perf_counter() - self._sent)
        self.ply, self.waiting = self.ply + 1, False

    drop = Game.drop


async def make_games(port, times):
    """Matches between two people, made over HTTP."""
    limits = httpx.Limits(max_connections=20)
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", limits=limits, timeout=60, trust_env=False
    ) as client:

        async def one():
            made = (await client.post("/api/matches", json={"first": ME, "second": INVITED})).json()
            match_id = made["match"]["id"]
            joined = await client.post(f"/api/matches/{match_id}/join", json={"invitation": made["invitation"]})
            return Game(match_id, (made["secret"], joined.json()["secret"]), times)

        return await asyncio.gather(*(one() for _ in range(PAIRS)))


async def stage(port, rate, is_echo):
    """So many drops a second, each at its own moment whatever the others do."""
    times = []
    games = [Echo(times) for _ in range(PAIRS)] if is_echo else await make_games(port, times)
    for start in range(0, PAIRS, 25):
        await asyncio.gather(*(game.sit_down(port) for game in games[start : start + 25]))
    await asyncio.sleep(1)
    times.clear()
    seconds = min(SECONDS, 38 * PAIRS / rate)
    late = await send_all(games, rate, seconds)
    await asyncio.sleep(0.5)
    for game in games:
        for socket in game.sockets:
            socket.close()
    refused = sum(game.refused for game in games)
    return {"rate": len(times) / seconds, "late": late, "refused": refused, "times": times}


async def send_all(games, rate, seconds):
    """How many could not be sent because the one before was still on its way."""
    began, sent, late = time.perf_counter(), 0, 0
    while (now := time.perf_counter() - began) < seconds:
        while sent < now * rate:
            late += not games[sent % PAIRS].drop()
            sent += 1
        await asyncio.sleep(0.002)
    return late


def clients(pipe, cores):
    """A process of its own for all clients."""
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, cores)
    while (task := pipe.recv()) is not None:
        pipe.send(uvloop.run(stage(*task)))


def echo_application():
    """A bare echo on the same stack."""
    from fastapi import FastAPI, WebSocket, WebSocketDisconnect

    app = FastAPI()

    @app.websocket("/echo")
    async def echo(websocket: WebSocket) -> None:
        await websocket.accept()
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                await websocket.send_text(await websocket.receive_text())

    return app


def serve_echo(listening, cores):
    import uvicorn

    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, cores)
    config = uvicorn.Config(echo_application(), log_level="error", ws_per_message_deflate=False)
    uvicorn.Server(config).run(sockets=[listening])


class Server:
    """`connectk serve` on some cores."""

    def __init__(self, database, workers, cores):
        environment = {**os.environ, "CONNECTK_ADDRESS_RATE": "1e6", "CONNECTK_LOG_LEVEL": "info"}
        command = [sys.executable, "-m", "connectk", "serve", "--port", "0", "--log", "json", "--database", database]
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115 - one line for each drop, as in life
        self.process = subprocess.Popen([*command, "--workers", str(workers)], stderr=self._log, env=environment)
        with contextlib.suppress(OSError):
            os.sched_setaffinity(self.process.pid, cores)
        self.port = self._port()

    def _port(self):
        for _ in range(600):
            self._log.seek(0)
            for line in self._log:
                with contextlib.suppress(ValueError):
                    if (told := json.loads(line))["event"] == "serving":
                        port = int(told["url"].rsplit(":", 1)[1].strip("/"))
                        with contextlib.suppress(httpx.TransportError):
                            if httpx.get(f"http://127.0.0.1:{port}/readyz", trust_env=False).status_code == 200:
                                return port
            time.sleep(0.1)
        raise RuntimeError("the server did not start")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def family(pid):
    """A process and all that it has started."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
    return found


def resident_mb(pid):
    """Of the server's processes together."""
    page, total = os.sysconf("SC_PAGE_SIZE"), 0
    for process in family(pid):
        with contextlib.suppress(OSError):
            total += int(Path(f"/proc/{process}/statm").read_text().split()[1]) * page
    return total / 2**20


def processor_seconds(pid):
    total = 0
    for process in family(pid):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def measure(title, pipe, port, pid, is_echo):
    """Rates one after the other, until one cannot be followed."""
    print(f"\n{title}")
    print("  asked/s  done/s   median      99%      max  late  refused  processor  resident")
    for rate in RATES:
        before, began = processor_seconds(pid), time.perf_counter()
        pipe.send((port, rate, is_echo))
        while not pipe.poll(0.2):
            pass
        answer = pipe.recv()
        used = (processor_seconds(pid) - before) / (time.perf_counter() - began)
        times = sorted(answer["times"]) or [float("nan")]
        worst, median = times[-max(1, len(times) // 100)], statistics.median(times)
        print(
            f"  {rate:7} {answer['rate']:7.0f} {median * 1e3:6.1f}ms {worst * 1e3:6.1f}ms {times[-1] * 1e3:6.1f}ms"
            f" {answer['late']:5} {answer['refused']:8} {used:9.0%} {resident_mb(pid):6.0f} MB",
            flush=True,
        )
        if answer["rate"] < 0.9 * rate:
            print("  more than it can follow: drops wait, none is lost")
            return


def main():
    from tests.storage.postgres import WHY_NOT, ThrowawayPostgres, binaries

    from connectk.server.running import listen

    cores = sorted(os.sched_getaffinity(0))
    one, others = {cores[0]}, set(cores[1:]) or {cores[0]}
    context = multiprocessing.get_context("spawn")
    pipe, theirs = context.Pipe()
    asking = context.Process(target=clients, args=(theirs, others), daemon=True)
    asking.start()
    print(f"{PAIRS * 2} sockets; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before we began")

    listening = listen("127.0.0.1", 0)
    echo = context.Process(target=serve_echo, args=(listening, one), daemon=True)
    echo.start()
    time.sleep(4)
    measure("bare echo, one core", pipe, listening.getsockname()[1], echo.pid, is_echo=True)
    echo.terminate()

    with tempfile.TemporaryDirectory() as folder:
        server = Server(f"sqlite:///{folder}/matches.db", 1, one)
        measure("connectk, SQLite, one core", pipe, server.port, server.process.pid, is_echo=False)
        server.stop()
    if not binaries():
        print(WHY_NOT)
    else:
        postgres = ThrowawayPostgres("-c", "fsync=on")
        server = Server(postgres.create("bench"), 2, set(cores))
        measure("connectk, PostgreSQL, 2 workers, all cores", pipe, server.port, server.process.pid, is_echo=False)
        server.stop()
        postgres.remove()
    pipe.send(None)


if __name__ == "__main__":
    main()
