"""Runs every attack at its full size, on both databases, from one client, against a server with its usual settings.

Meanwhile somebody else plays an ordinary game. 99% of the drops of that game take at most a tenth of a second, and each
drop takes less than a quarter of a second. The server with all its processes needs less than twice its idle memory. No
answer is a server error, and every refusal has a sentence.
"""

import asyncio
import json
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from socket import create_connection
from socket import socket as Connection  # noqa: N812 - a method here has the same name
from typing import Any

import httpx
import pytest

from connectk.play.ruling import MAX_REDONE_DISCS
from tests.server.clients import ME, Socket, bearer, drop, look, make
from tests.server.hostile.conftest import MAX_99TH_PERCENTILE_SECONDS, MAX_DROP_SECONDS, Bystander, words
from tests.server.hostile.floods import ATTACKER_ADDRESS, NAMES, flooding
from tests.server.hostile.memory import megabytes
from tests.server.hostile.test_replay import long_match, read_all
from tests.server.hostile.test_uploads import long_number, results_file, saved_game
from tests.server.serving import Client, ServerProcess
from tests.server.slowness import slowness

pytestmark = pytest.mark.deep
LARGE_VARIANT = {"width": 60, "height": 60, "run": 6}
FLOOD_SECONDS = 10.0
BASELINE_SECONDS = 3.0  # how long the ordinary game is measured before the flood


def stand_back() -> None:
    """Lower the priority of the attack's threads. A real attack comes from another machine and takes no processor time
    here."""
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)


class Attacker(Client):
    """A client at an address of its own, which records the status of every answer."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.close()
        transport = httpx.HTTPTransport(local_address=ATTACKER_ADDRESS, limits=httpx.Limits(max_connections=200))
        httpx.Client.__init__(self, base_url=f"http://127.0.0.1:{port}", timeout=120, transport=transport)
        self.statuses: list[int] = []
        self.event_hooks = {"response": [lambda response: self.statuses.append(response.status_code)]}

    def socket(self, match_id: str, **options: Any) -> Any:
        return super().socket(match_id, source_address=(ATTACKER_ADDRESS, 0), **options)

    def raw(self, data: bytes = b"") -> Connection:
        connection = create_connection(("127.0.0.1", self.port), source_address=(ATTACKER_ADDRESS, 0), timeout=60)
        connection.sendall(data)
        return connection

    def many(self, count: int, ask: Callable[[int], Any]) -> list[Any]:
        """Call `ask` this many times at once, each time in its own thread."""
        with ThreadPoolExecutor(count, initializer=stand_back) as threads:
            return list(threads.map(ask, range(count)))


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request, tmp_path_factory) -> Iterator[ServerProcess]:
    if request.param == "postgresql":
        database = request.getfixturevalue("postgres").create(uuid.uuid4().hex)
    else:
        database = f"sqlite:///{tmp_path_factory.mktemp('beside')}/matches.db"
    server = started(database)
    yield server
    server.stop()


def started(database: str) -> ServerProcess:
    """A server with 1,024 file descriptors, in which each process has done one job, so that its idle memory is
    known."""
    server = ServerProcess(database, plain=True, files=1024)
    assert server.client.post("/api/judge", content=b"7 6 4\n1\n").status_code == 200
    assert server.client.post("/api/hint", json={"moves": [3]}).status_code == 200
    assert server.client.post("/api/review", json={"moves": [3, 3]}).status_code == 200
    made = make(server.client, second={"kind": "player", "player": "level:3"})
    drop(server.client, made["match"]["id"], made["secret"], 3, 0)
    while len(look(server.client, made["match"]["id"], made["secret"])["moves"]) < 2:
        time.sleep(0.05)
    return server


def nearly_all(seconds: list[float]) -> float:
    """The longest time of a drop, leaving out the slowest 1%."""
    return sorted(seconds)[int(0.99 * (len(seconds) - 1))]


class Beside:
    """Plays an ordinary game, first alone and then during an attack. At the end, its times and the server's memory are
    checked."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server

    def __enter__(self) -> Attacker:
        self._slowness = slowness()
        self._bystander = Bystander(self.server.client).__enter__()
        time.sleep(BASELINE_SECONDS)
        self._quiet, self._before = len(self._bystander.seconds), megabytes(self.server.pid)
        self._most = self._before
        self._attacker = Attacker(self.server.port)
        self._looking = True
        self._look = ThreadPoolExecutor(1)
        self._look.submit(self._watch_memory)
        return self._attacker

    def _watch_memory(self) -> None:
        while self._looking:
            self._most = max(self._most, megabytes(self.server.pid))
            time.sleep(0.1)

    def __exit__(self, kind: object, *_: object) -> None:
        self._looking = False
        self._look.shutdown()
        self._bystander.__exit__()
        self._attacker.close()
        if kind is None:
            self._check()

    def _check(self) -> None:
        alone, beside = self._bystander.seconds[: self._quiet], self._bystander.seconds[self._quiet :]
        slow = max(self._slowness, slowness())
        facts = f"99% {nearly_all(beside):.3f} s, longest {max(beside):.3f} s; alone {nearly_all(alone):.3f} s and"
        facts += (
            f" {max(alone):.3f} s, machine {slow:.1f} times slower; {self._before:.0f} MB, then {self._most:.0f} MB"
        )
        print(facts)
        assert nearly_all(beside) < MAX_99TH_PERCENTILE_SECONDS * slow, facts
        assert max(beside) < MAX_DROP_SECONDS * slow, facts
        assert self._most < 2 * self._before, facts
        assert self._bystander.statuses == {201}
        assert not [status for status in self._attacker.statuses if status >= 500]


@pytest.mark.parametrize("kind", NAMES)
def test_a_flood(server, kind):
    with Beside(server), flooding(kind, server.port) as outcome:
        time.sleep(FLOOD_SECONDS)
    print(outcome)


@pytest.mark.parametrize("path", ["/api/judge", "/api/page/read"])
def test_a_number_of_eight_million_digits(server, path):
    with Beside(server) as attacker:
        answers = attacker.many(4, lambda _: attacker.post(path, content=long_number(8_000_000)))
        assert all(answer.status_code == 200 for answer in answers)  # the core judges the file, and no game is shown
        assert all(answer.json()["game"] is None for answer in answers)


def test_a_saved_game_of_two_million_moves(server):
    with Beside(server) as attacker:
        for _ in range(3):
            answer = attacker.post("/api/saved", content=saved_game(2_000_000, "1000000x1000000x4"))
            assert words(answer)["reason"] == "too_large"
        answer = attacker.post("/api/page/read", content=saved_game(2_000_000, "1000000x1000000x4"))
        assert answer.json()["wrong"]


def test_many_large_files_at_once(server):
    """Fifty files of eight megabytes arrive at once, half of them slowly. The server does not read a file before its
    turn."""
    file = b"1000 1000 4\n" + b"1\n" * 4_000_000
    head = b"POST /api/judge HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(file)
    with Beside(server) as attacker:
        slow = [attacker.raw(head + file[: 100 * 1024]) for _ in range(25)]
        attacker.many(25, lambda _: attacker.post("/api/judge", content=file))
        for connection in slow:
            connection.close()


def test_a_long_match_read_again_and_again(server):
    """Ten sockets read a long match by pages and from many places, take its moves back, and redo them."""
    with Beside(server) as attacker:
        made = long_match(attacker, 9_600)
        match_id, secret = made["match"]["id"], made["secret"]
        with suppress(KeyError):  # at some point the server tells the client to wait
            read_all(attacker, made)
        address = f"/api/matches/{match_id}/events?after="
        answers = attacker.many(40, lambda n: attacker.get(f"{address}{n * 240}", headers=bearer(secret)))
        assert {answer.status_code for answer in answers} <= {200, 429}
        sockets = attacker.many(10, lambda n: Socket(attacker, match_id, secret, after=n * 900))
        for table in sockets:
            table.send({"type": "take_back", "to_ply": 0})
            table.send({"type": "redo", "to_ply": 9_600})
            table.send({"type": "redo", "to_ply": MAX_REDONE_DISCS})
            table.send({"type": "analyse", "ply": 9_000})
        for table in sockets:
            table.close()
        for path in ("saved", "review", "picture.gif", "picture.svg"):
            attacker.get(f"/api/matches/{match_id}/{path}", headers=bearer(secret))


def test_long_matches_made_at_once(server):
    """The moves of a new match count towards the limits, so a client that creates too many long matches is refused."""
    with Beside(server) as attacker:
        order = {"first": ME, "second": ME, "variant": {"width": 97, "height": 100, "run": 100}}
        order["moves"] = [n % 97 for n in range(9_600)]
        answers = attacker.many(30, lambda _: attacker.post("/api/matches", json=order))
        refused = [words(answer)["reason"] for answer in answers if answer.status_code != 201]
        assert set(refused) <= {"too_fast", "too_many"}
        assert len(refused) >= 10
        attacker.many(30, lambda _: attacker.post("/api/position", json=order))


def test_demos_do_not_keep_a_person_waiting(server):
    """A person plays against `level:3` without delay while twenty demos of `engine:5s` run on large boards."""
    with Beside(server) as attacker:
        demo = {"kind": "player", "player": "engine:5s"}
        for _ in range(20):
            make(attacker, first=demo, second=demo, variant=LARGE_VARIANT)
        made = make(server.client, second={"kind": "player", "player": "level:3"}, clock={"seconds": 60})
        match_id, secret = made["match"]["id"], made["secret"]
        for ply in range(0, 8, 2):
            match = look(server.client, match_id, secret)
            if match["state"]["result"]:
                break
            assert (
                drop(server.client, match_id, secret, match["state"]["legal_columns"][ply // 2], ply).status_code == 201
            )
            began = time.monotonic()
            while (
                len((match := look(server.client, match_id, secret))["moves"]) < ply + 2
                and not match["state"]["result"]
            ):
                time.sleep(0.1)  # slow enough for the rate limit
            took = time.monotonic() - began
            assert took < 30 * slowness(), "a demo's thought is a second at most, and one may be under way"
        assert match["state"]["clock"]["first"] > 50


def test_forty_invented_tokens(server):
    """Forty invented tokens of one client count as one client in the queue, so another client's hint is not delayed by
    them."""
    with Beside(server) as attacker, ThreadPoolExecutor(40) as threads:
        hard = {"variant": {"width": 9, "height": 9, "run": 5}, "moves": [4, 4, 3]}

        def ask(number: int) -> httpx.Response:
            return attacker.post("/api/scores", json=hard, headers=bearer(f"invented-{number}" * 3))

        asked = [threads.submit(ask, number) for number in range(40)]
        time.sleep(1)
        began = time.monotonic()
        hint = server.client.post("/api/hint", json={"moves": [3, 3]}, timeout=120)
        waited = time.monotonic() - began
        assert hint.status_code == 200
        assert waited < 25 * slowness(), "one analysis may be under way, ten seconds long"
        answers = [one.result() for one in asked]
        refused = [words(answer)["reason"] for answer in answers if answer.status_code != 200]
        assert len(refused) >= 20
        assert set(refused) == {"busy"}


@pytest.mark.anyio
async def test_three_thousand_half_open_connections(server):
    """Although the server has only 1,024 file descriptors, 3,000 half-open connections stop neither a running game nor
    new clients."""
    with Beside(server) as attacker:
        await half_open(server.port, 3_000)
        assert attacker.get("/healthz").status_code == 200
        assert Client(server.port).get("/healthz").status_code == 200


async def half_open(port: int, count: int) -> None:
    """Open many connections with an unfinished header, and read from them only after the server has closed the first
    ones."""
    opened = []
    for _ in range(count // 100):
        more = (asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER_ADDRESS, 0)) for _ in range(100))
        opened += [one for one in await asyncio.gather(*more, return_exceptions=True) if isinstance(one, tuple)]
        for _, writer in opened[-100:]:
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-")
    refusals = [await asyncio.wait_for(reader.read(1000), 60) for reader, _ in opened[:20]]
    assert all(words.startswith(b"HTTP/1.1 408") and b"time_is_up" in words for words in refusals), refusals
    for _, writer in opened:
        writer.close()


def test_a_flood_over_many_sockets(server):
    with Beside(server) as attacker:
        match_id = make(attacker, public=True)["match"]["id"]

        def flood(_: int) -> None:
            with suppress(Exception), attacker.socket(match_id) as table:
                table.send(json.dumps({"type": "hello"}))
                for _ in range(400):
                    table.send('{"type": "ping"}')

        attacker.many(60, flood)


def test_uploads_and_a_hang_up_do_not_delay_a_stop(tmp_path):
    """The server stops within its time limit, although a client has just sent files of half a million players and
    disconnected."""
    server = started(f"sqlite:///{tmp_path}/matches.db")
    file = results_file(500_000)
    head = b"POST /api/page/arena HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(file)

    def send_and_leave(_: int) -> None:
        with suppress(OSError):
            attacker.raw(head + file).close()

    try:
        with Beside(server) as attacker:
            attacker.many(6, send_and_leave)
            answer = attacker.post("/api/page/arena", content=file)
            assert "200 players" in answer.json()["wrong"]
            attacker.many(6, send_and_leave)
    finally:
        began = time.monotonic()
        server.stop()
    assert time.monotonic() - began < 20 * slowness()
