"""Measures the game server under load, beside a bare echo on the same stack and the same game on Granian.

    python bench/server.py                                    all of them, about two minutes
    python bench/server.py postgresql --rates 500,700         one kind, at these rates
    python bench/server.py sqlite granian                     two kinds: on our connections, and on Granian if installed
    python bench/server.py postgresql --profile out.svg       and py-spy shows where a worker spends its time

There are 1,000 sockets: 500 matches between two people each. The clients run in another process on loopback. The server
broadcasts a drop only when it is durable. The measured time runs from sending a drop to its arrival at the opponent.
The echo only answers each message on the same socket, so the difference to the echo is the cost of the game server. The
rates rise until the server cannot keep up.

Processor time covers the seconds in which drops are sent; 100% is one core. The clients' lag is the 99th percentile of
the delay of their own timers. Every measured time includes this lag, although the server does not cause it. The same is
true of stolen time, which the host took from this virtual machine on all cores together. The cost of a drop is the
processor time of all processes except the clients, in milliseconds. Other work on the machine hardly changes it.
"""

import argparse
import asyncio
import base64
import contextlib
import gc
import importlib.util
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import uvloop

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # imports the temporary PostgreSQL from the tests

MATCH_COUNT, RUN_SECONDS = 500, 10
DROPS_PER_SECOND = (500, 1000, 2000, 3000)
DRAWN_GAME = [int(column) for column in "146660203633536103043506522512202545444111"]  # a whole game without a line
DROP_MESSAGES = [
    json.dumps({"type": "drop", "column": column, "ply": ply}).encode() for ply, column in enumerate(DRAWN_GAME)
]
GRANIAN_BACKLOG = 4096  # requests and sockets that Granian serves at once; its default is too few for these
POLL_INTERVAL_SECONDS = 0.002
ME, INVITED = {"kind": "me"}, {"kind": "invited"}


class Socket(asyncio.Protocol):
    """A minimal WebSocket client, so that the clients need less processor time than the server."""

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
        """Send a frame that is masked with zeros. The protocol allows this, and it costs no time."""
        length = len(payload)
        head = (
            bytes([128 | kind, 128 | length]) if length < 126 else bytes([128 | kind, 254]) + length.to_bytes(2, "big")
        )
        self._transport.write(head + b"\0\0\0\0" + payload)

    def close(self):
        self._transport.abort()


class Game:
    """A match of two people. The time of a drop runs from sending it to its arrival at the opponent."""

    def __init__(self, match_id, secrets, times):
        self._id, self._secrets, self._times = match_id, secrets, times
        self.ply, self.waiting, self._sent, self.refused = 0, False, 0.0, 0

    async def sit_down(self, port):
        loop, path = asyncio.get_running_loop(), f"/api/matches/{self._id}/socket"
        self.sockets = []
        for side in (0, 1):
            _, socket = await loop.create_connection(
                lambda side=side: Socket(path, self._hears(side)), "127.0.0.1", port_for(port, int(self._id, 16) + side)
            )
            await socket.opened
            socket.send(json.dumps({"type": "hello", "secret": self._secrets[side]}).encode())
            self.sockets.append(socket)

    def _hears(self, side):
        opponent = (b'"side":"second"', b'"side":"first"')[side]

        def on_message(text):
            if b'"event":"dropped"' in text and opponent in text:
                self._times.append(time.perf_counter() - self._sent)
                self.ply, self.waiting = self.ply + 1, False
            elif text.startswith(b'{"type":"refused"'):
                self.refused += 1

        return on_message

    def drop(self):
        """Send the next drop. Returns False if the last drop has not arrived yet or the game is over."""
        if self.waiting or self.ply == len(DRAWN_GAME):
            return False
        self.waiting, self._sent = True, time.perf_counter()
        self.sockets[self.ply % 2].send(DROP_MESSAGES[self.ply])
        return True


class Echo:
    """Sends the same messages to a server that only returns them."""

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


def port_for(port, number):
    """The port for this number. If there are several servers, neighbouring numbers get different ports."""
    return port[number % len(port)] if isinstance(port, tuple) else port


async def make_games(port, times):
    """Create matches between two people over HTTP."""
    port = port_for(port, 0)
    limits = httpx.Limits(max_connections=20)
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", limits=limits, timeout=60, trust_env=False
    ) as client:

        async def one():
            made = (await client.post("/api/matches", json={"first": ME, "second": INVITED})).json()
            match_id = made["match"]["id"]
            joined = await client.post(f"/api/matches/{match_id}/join", json={"invitation": made["invitation"]})
            return Game(match_id, (made["secret"], joined.json()["secret"]), times)

        return await asyncio.gather(*(one() for _ in range(MATCH_COUNT)))


async def stage(pipe, port, rate, is_echo):
    """Send this number of drops per second, each at its own time and independent of the others."""
    times = []
    games = [Echo(times) for _ in range(MATCH_COUNT)] if is_echo else await make_games(port, times)
    for start in range(0, MATCH_COUNT, 25):
        await asyncio.gather(*(game.sit_down(port) for game in games[start : start + 25]))
    await asyncio.sleep(1)
    times.clear()
    gc.freeze()
    pipe.send("begins")
    seconds = min(RUN_SECONDS, 38 * MATCH_COUNT / rate)
    late, lags = await send_all(games, rate, seconds)
    pipe.send("ends")
    await asyncio.sleep(0.5)
    for game in games:
        for socket in game.sockets:
            socket.close()
    refused = sum(game.refused for game in games)
    return {"rate": len(times) / seconds, "late": late, "refused": refused, "times": times, "lags": lags}


async def send_all(games, rate, seconds):
    """Send drops at this rate. Returns the number of skipped drops, whose previous drop had not arrived yet, and each
    delay of this process's own timer."""
    began, sent, late, lags = time.perf_counter(), 0, 0, []
    while (now := time.perf_counter() - began) < seconds:
        while sent < now * rate:
            late += not games[sent % MATCH_COUNT].drop()
            sent += 1
        slept = time.perf_counter()
        await asyncio.sleep(POLL_INTERVAL_SECONDS)
        lags.append(time.perf_counter() - slept - POLL_INTERVAL_SECONDS)
    return late, lags


def clients(pipe, cores):
    """Run all clients. This function runs in a separate process."""
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, cores)
    while (task := pipe.recv()) is not None:
        pipe.send(uvloop.run(stage(pipe, *task)))


def echo_application():
    """Run a bare echo on the same stack."""
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


UNLIMITED_SETTINGS = {
    **{f"CONNECTK_ADDRESS_{name}": "1000000" for name in ("RATE", "SOCKETS", "CONNECTIONS", "OPEN", "MATCHES")},
    "CONNECTK_LOG_LEVEL": "info",
}


def has_granian():
    return importlib.util.find_spec("granian") is not None


def start_granian(database, workers, port, settings, log=None):
    """Start the same application on Granian. The tables of its database are created first, because the application
    needs them."""
    from connectk.storage.database import prepare_database

    if lock := prepare_database(database):
        lock.close()
    environment = {**os.environ, **settings, "CONNECTK_DATABASE": database, "CONNECTK_LOG": "json"}
    command = [sys.executable, "-m", "granian", "--interface", "asgi", "--http", "1", "--no-log", "--factory"]
    command += ["--workers", str(workers), "--port", str(port), "--backlog", str(GRANIAN_BACKLOG)]
    command += ["--working-dir", str(ROOT / "bench"), "granian_app:create"]
    return subprocess.Popen(command, env=environment, stderr=log)


class Server:
    """`connectk serve` on some processor cores."""

    def __init__(self, database, workers, cores):
        environment = {**os.environ, **UNLIMITED_SETTINGS}
        command = [sys.executable, "-m", "connectk", "serve", "--port", "0", "--log", "json", "--database", database]
        self._log = tempfile.TemporaryFile("a+")  # noqa: SIM115 - one line for each drop, as in life
        self.process = subprocess.Popen([*command, "--workers", str(workers)], stderr=self._log, env=environment)
        with contextlib.suppress(OSError):
            os.sched_setaffinity(self.process.pid, cores)
        self.port = self._port()

    def _port(self):
        for _ in range(600):
            self._log.seek(0)
            for line in self._log:
                with contextlib.suppress(ValueError):
                    if (entry := json.loads(line))["event"] == "serving":
                        port = int(entry["url"].rsplit(":", 1)[1].strip("/"))
                        with contextlib.suppress(httpx.TransportError):
                            if httpx.get(f"http://127.0.0.1:{port}/readyz", trust_env=False).status_code == 200:
                                return port
            time.sleep(0.1)
        raise RuntimeError("the server did not start")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def family(pid):
    """The process and all processes that descend from it."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
    return found


def resident_mb(pid):
    """The resident memory of a process in megabytes."""
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return 0.0


def processor_seconds(pid):
    """The processor time of a process."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def stolen_seconds():
    """The processor time that the host has taken from this virtual machine since its start."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/stat").read_text().split()[8]) / os.sysconf("SC_CLK_TCK")
    return 0.0


class Watch:
    """Measures the processor time of groups of processes between two moments."""

    def __init__(self, roots):
        self._roots, self._began, self._stolen = roots, time.perf_counter(), stolen_seconds()
        self._before = {pid: processor_seconds(pid) for root in roots.values() for pid in family(root)}

    def used(self):
        """For each name, the processor time of its active processes, as shares of one core."""
        seconds = time.perf_counter() - self._began
        shares = {}
        for name, root in self._roots.items():
            used = [(processor_seconds(pid) - self._before.get(pid, 0.0)) / seconds for pid in family(root)]
            shares[name] = sorted((share for share in used if share >= 0.005), reverse=True)
        return shares

    def stolen(self):
        return stolen_seconds() - self._stolen


class Bench:
    """The process of the clients, and the measurements made with it."""

    def __init__(self, options, cores):
        context = multiprocessing.get_context("spawn")
        self._options = options
        self._pipe, theirs = context.Pipe()
        self._clients = context.Process(target=clients, args=(theirs, cores), daemon=True)
        self._clients.start()

    def measure(self, title, port, is_echo=False, **roots):
        """Measure one rate after the other, until the server cannot keep up."""
        print(f"\n{title}")
        print(
            "  asked/s  done/s   median      99%      max  late  refused  resident  lag 99%  taken  ms/drop  processor"
        )
        for rate in self._options.rates:
            self._pipe.send((port, rate, is_echo))
            assert self._pipe.recv() == "begins"
            watch = Watch({**roots, "clients": self._clients.pid})
            profiling = self._profile(roots["server"])
            assert self._pipe.recv() == "ends"
            used, stolen, answer = watch.used(), watch.stolen(), self._pipe.recv()
            resident = max(resident_mb(pid) for pid in family(roots["server"]))
            _print_line(rate, answer, resident, used, stolen)
            if profiling:
                profiling.wait()
            if answer["rate"] < 0.9 * rate:
                print("  more than it can follow: drops wait, none is lost")
                return

    def _profile(self, server):
        """Run py-spy on the server's busiest process, if the user asked for it."""
        if not self._options.profile:
            return None
        busiest = max(family(server), key=processor_seconds)
        command = ["py-spy", "record", "-d", str(RUN_SECONDS - 2), "-o", self._options.profile, "-p", str(busiest)]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def close(self):
        self._pipe.send(None)
        self._clients.join()


def percentile(values, share):
    ordered = sorted(values) or [float("nan")]
    return ordered[-max(1, round(len(ordered) * (1 - share)))] * 1e3


def _print_line(rate, answer, resident, used, stolen):
    times = answer["times"]
    of_servers = sum(sum(shares) for name, shares in used.items() if name != "clients")
    processor = "; ".join(f"{name} {' + '.join(f'{s:.0%}' for s in shares)}" for name, shares in used.items())
    print(
        f"  {rate:7} {answer['rate']:7.0f} {percentile(times, 0.5):6.1f}ms {percentile(times, 0.99):6.1f}ms"
        f" {percentile(times, 1):6.1f}ms {answer['late']:5} {answer['refused']:8} {resident:6.0f} MB"
        f" {percentile(answer['lags'], 0.99):6.1f}ms {1000 * stolen:5.0f}ms"
        f" {1000 * of_servers / (answer['rate'] or 1):8.2f}  {processor}",
        flush=True,
    )


def bench_echo(bench, cores):
    from connectk.server.runner import listen

    listening = listen("127.0.0.1", 0)
    context = multiprocessing.get_context("spawn")
    echo = context.Process(target=serve_echo, args=(listening, {cores[0]}), daemon=True)
    echo.start()
    time.sleep(4)
    bench.measure("bare echo, one core", listening.getsockname()[1], is_echo=True, server=echo.pid)
    echo.terminate()


def bench_sqlite(bench, cores):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(f"sqlite:///{folder}/matches.db", 1, {cores[0]})
        bench.measure("connectk, SQLite, one core", server.port, server=server.process.pid)
        server.stop()


def bench_granian(bench, cores):
    from tests.server.serving import free_fixed_port

    if not has_granian():
        print("granian is not installed: pip install granian")
        return
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("a+") as log:
        port = free_fixed_port()
        process = start_granian(f"sqlite:///{folder}/matches.db", 1, port, UNLIMITED_SETTINGS, log)
        with contextlib.suppress(OSError):
            os.sched_setaffinity(process.pid, {cores[0]})
        try:
            wait_until_ready(port)
            bench.measure("connectk on Granian, SQLite, one core", port, server=process.pid)
        finally:
            process.terminate()
            process.wait()


def wait_until_ready(port):
    for _ in range(600):
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"http://127.0.0.1:{port}/readyz", trust_env=False).status_code == 200:
                return
        time.sleep(0.1)
    raise RuntimeError("the server did not start")


def bench_postgresql(bench, cores):
    from tests.storage.postgres import NO_POSTGRES, ThrowawayPostgres, binaries

    if not binaries():
        print(NO_POSTGRES)
        return
    postgres = ThrowawayPostgres("-c", "fsync=on")
    try:
        server = Server(postgres.create("bench"), 2, set(cores))
        title = "connectk, PostgreSQL, 2 workers, all cores; resident is the larger worker's"
        bench.measure(title, server.port, server=server.process.pid, database=postgres.pid)
        server.stop()
    finally:
        postgres.remove()


BENCHMARKS = {"echo": bench_echo, "sqlite": bench_sqlite, "granian": bench_granian, "postgresql": bench_postgresql}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", help=" ".join(BENCHMARKS))
    parser.add_argument("--rates", type=lambda text: [int(rate) for rate in text.split(",")], default=DROPS_PER_SECOND)
    parser.add_argument("--profile", metavar="FILE", help="a flame graph of the busiest worker")
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    bench = Bench(options, set(cores[1:]) or set(cores))
    print(f"{MATCH_COUNT * 2} sockets; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before we began")
    for kind in options.kinds or BENCHMARKS:
        BENCHMARKS[kind](bench, cores)
    bench.close()


if __name__ == "__main__":
    main()
