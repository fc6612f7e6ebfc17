"""Measures rooms under load: the time until a drop reaches the opponent, while a wall shows every board.

    python bench/rooms.py                          both kinds, about three minutes
    python bench/rooms.py sqlite --seconds 20      one kind, shorter

sqlite: one room with sixty people, thirty bots and a wall, on one core. A ladder pairs the players all the time.
postgresql: ten rooms of thirty on two workers, each with a wall.

People drop about every three seconds, and bots about every half second. The clients run in another process on loopback.
The server broadcasts a drop only when it is durable. The measured time runs from sending a drop to its arrival on the
opponent's room socket. Processor time covers only the measured seconds; 100% is one core.
"""

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # imports the temporary PostgreSQL from the tests

PERSON_DELAY_SECONDS, BOT_DELAY_SECONDS = 3.0, 0.5  # seconds to think, on average
DATABASES = {"sqlite": (1, 60, 30), "postgresql": (10, 20, 10)}  # rooms, and the people and bots in each room
UNLIMITED_SETTINGS = {
    "CONNECTK_ADDRESS_RATE": "1e6",
    "CONNECTK_ADDRESS_ROOMS": "1000",
    "CONNECTK_ADDRESS_JOINS": "1000",
}
DELIVERY_TARGET_SECONDS = 0.050  # 99 of 100 drops should reach the opponent within this time
WARM_UP_SECONDS = 5.0  # before the measurement, while everybody joins


class Clients:
    """The clients of some rooms. `times` has the delay of each drop that arrived."""

    def __init__(self, port, seed=0):
        self.port, self.chance = port, random.Random(seed)
        self.sent, self.times, self.measuring, self.refused = {}, [], False, 0
        self.saying = set()

    async def room(self, people, bots):
        order = {"format": "ladder", "rest_seconds": 1, "show_seconds": 600, "clock": {"seconds": 3600}}
        address = f"http://127.0.0.1:{self.port}"
        async with httpx.AsyncClient(base_url=address, timeout=60, trust_env=False) as asking:
            made = (await asking.post("/api/rooms", json=order)).json()
            code = made["room"]["code"]
            tasks = [asyncio.ensure_future(self._sit(code, None, 0.0))]
            for number in range(people + bots):
                kind = "person" if number < people else "bot"
                joined = await asking.post(f"/api/rooms/{code}/join", json={"name": f"{kind} {number}", "kind": kind})
                think = PERSON_DELAY_SECONDS if kind == "person" else BOT_DELAY_SECONDS
                tasks.append(asyncio.ensure_future(self._sit(code, joined.json()["secret"], think)))
            begin = await asking.post(f"/api/rooms/{code}/begin", headers={"Authorization": f"Bearer {made['secret']}"})
            begin.raise_for_status()
        return tasks

    async def _sit(self, code, secret, think):
        """Connect a member or, without a secret, the wall."""
        url = f"ws://127.0.0.1:{self.port}/api/rooms/{code}/socket"
        sides = {}
        async with connect(url, compression=None, proxy=None, max_size=1 << 24, max_queue=None) as socket:
            await socket.send(json.dumps({"type": "hello", "secret": secret, "boards": secret is None}))
            async for text in socket:
                if secret is None or not text.startswith(('{"type":"match"', '{"type":"board"', '{"type":"refused"')):
                    continue
                message = json.loads(text)
                self.refused += message["type"] == "refused"
                if message["type"] == "match":
                    sides[message["match"]["id"]] = message["sides"]
                    self._later(socket, message["match"]["id"], message["match"]["state"], message["sides"], think)
                elif message["type"] == "board":
                    self._on_dropped(message, sides.get(message["match"], []))
                    self._later(socket, message["match"], message["message"]["state"], sides[message["match"]], think)

    def _on_dropped(self, message, sides):
        event = message["message"]
        if event["event"] == "dropped" and event["side"] not in sides:
            began = self.sent.pop((message["match"], event["ply"]), None)
            if began is not None and self.measuring:
                self.times.append(time.perf_counter() - began)

    def _later(self, socket, match, state, sides, think):
        if state["result"] is None and state["side_to_move"] in sides:
            seconds = self.chance.uniform(0.5, 1.5) * think
            asyncio.get_running_loop().call_later(seconds, self._drop, socket, match, state)

    def _drop(self, socket, match, state):
        drop = {"type": "drop", "match": match, "column": self.chance.choice(state["legal_columns"])}
        self.sent[match, state["ply"]] = time.perf_counter()
        saying = asyncio.ensure_future(_say(socket, {**drop, "ply": state["ply"], "id": state["ply"]}))
        self.saying.add(saying)
        saying.add_done_callback(self.saying.discard)


async def _say(socket, message):
    with contextlib.suppress(ConnectionClosed):  # clients that were still thinking at the end
        await socket.send(json.dumps(message))


async def measured(pipe, port, kind, seconds):
    rooms, people, bots = DATABASES[kind]
    clients, lags = Clients(port), []
    tasks = [task for _ in range(rooms) for task in await clients.room(people, bots)]
    await asyncio.sleep(WARM_UP_SECONDS)
    clients.measuring = True
    pipe.send("begins")
    until = time.perf_counter() + seconds
    while (now := time.perf_counter()) < until:
        await asyncio.sleep(0.01)
        lags.append(time.perf_counter() - now - 0.01)
    clients.measuring = False
    pipe.send("ends")
    gone = [task for task in tasks if task.done()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, *clients.saying, return_exceptions=True)
    return {"times": clients.times, "lags": lags, "refused": clients.refused, "gone": len(gone)}


def play(pipe, port, kind, seconds, cores):
    os.sched_setaffinity(0, cores)
    pipe.send(asyncio.run(measured(pipe, port, kind, seconds)))


def served(database, workers, cores):
    """Run `connectk serve` on these processor cores."""
    command = [sys.executable, "-m", "connectk", "serve", "--database", database, "--workers", str(workers)]
    return subprocess.Popen(
        [*command, "--port", "0", "--log", "json", "--log-level", "info"],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
        env={
            **os.environ,
            "CONNECTK_ADDRESS_RATE": "1e6",
            "CONNECTK_ADDRESS_ROOMS": "1000",
            "CONNECTK_ADDRESS_JOINS": "1000",
        },
    )


def port_of(server):
    for line in server.stderr:
        if '"serving"' in line:
            return int(json.loads(line)["url"].rsplit(":", 1)[1].strip("/"))
    raise SystemExit("the server has ended")


def wait_until_ready(port):
    while True:
        try:
            if httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=10, trust_env=False).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)


def processor_seconds(pid):
    """The processor time of a process and of all processes that it has started."""
    own = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return (int(own[11]) + int(own[12])) / os.sysconf("SC_CLK_TCK") + sum(map(processor_seconds, children))


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def run(kind, database, seconds):
    """Measure one kind of load, and print its line of the table."""
    all_cores = sorted(os.sched_getaffinity(0))
    workers, cores = (1, {all_cores[0]}) if kind == "sqlite" else (2, set(all_cores))
    server = served(database, workers, cores)
    try:
        port = port_of(server)
        threading.Thread(target=server.stderr.read, daemon=True).start()  # a full pipe would block the server
        wait_until_ready(port)
        pipe, theirs = multiprocessing.Pipe()
        others = set(all_cores[1:]) or cores
        clients = multiprocessing.Process(target=play, args=(theirs, port, kind, seconds, others))
        clients.start()
        pipe.recv()
        before = processor_seconds(server.pid)
        pipe.recv()
        used = processor_seconds(server.pid) - before
        results = pipe.recv()
        clients.join()
    finally:
        server.terminate()
        server.wait(60)
    times = results["times"]
    share, target = sum(t <= DELIVERY_TARGET_SECONDS for t in times) / len(times), 1000 * DELIVERY_TARGET_SECONDS
    lag = 1000 * percentile(results["lags"], 0.99)
    print(
        f"{kind:>10}  {len(times) / seconds:6.0f} drops a second  median {1000 * percentile(times, 0.5):6.1f} ms  "
        f"99% {1000 * percentile(times, 0.99):6.1f} ms  within {target:.0f} ms {100 * share:5.1f}%  "
        f"server {100 * used / seconds:4.0f}% of a core  clients' lag {lag:.1f} ms  "
        f"refused {results['refused']}  gone {results['gone']}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="sqlite postgresql; default: both")
    parser.add_argument("--seconds", type=float, default=60.0)
    asked = parser.parse_args()
    for kind in asked.kinds or DATABASES:
        if kind == "sqlite":
            with tempfile.TemporaryDirectory() as folder:
                run(kind, f"sqlite:///{folder}/rooms.db", asked.seconds)
            continue
        from tests.storage.postgres import NO_POSTGRES, ThrowawayPostgres, binaries

        if not binaries():
            print(NO_POSTGRES)
            continue
        postgres = ThrowawayPostgres("-c", "fsync=on")
        try:
            run(kind, postgres.create("rooms"), asked.seconds)
        finally:
            postgres.remove()


if __name__ == "__main__":
    main()
