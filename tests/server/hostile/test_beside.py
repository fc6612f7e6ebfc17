"""Every attack at its full size, on both databases, by one visitor upon a server as anyone starts it.

Meanwhile someone else plays an ordinary game: no drop of theirs takes longer than a quarter of a second, the server
with all its processes needs less than twice its quiet memory, nothing answers that it failed, and the attacker gets
words.
"""

import asyncio
import json
import os
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from socket import create_connection
from socket import socket as Connection  # noqa: N812 - a method here has the same name
from typing import Any

import httpx
import pytest

from connectk.play.ruling import MAX_REDONE_DISCS
from tests.server.clients import ME, Socket, bearer, drop, look, make
from tests.server.hostile.conftest import SLOWEST, Bystander, words
from tests.server.hostile.test_replay import long_match, read_all
from tests.server.hostile.test_uploads import long_number, results_file, saved_game
from tests.server.serving import Client, ServerProcess, process_tree

pytestmark = pytest.mark.deep
ATTACKER = "127.0.0.2"  # the whole network 127 is this machine
LARGE = {"width": 60, "height": 60, "run": 6}
QUIET = 3.0  # seconds for which the game beside is looked at first


def stand_back() -> None:
    """An attack comes from another machine: here its threads take what processors the server and the game beside leave
    free, and what is measured is the server."""
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)


class Attacker(Client):
    """A client at an address of its own, which notes every status."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.close()
        transport = httpx.HTTPTransport(local_address=ATTACKER, limits=httpx.Limits(max_connections=200))
        httpx.Client.__init__(self, base_url=f"http://127.0.0.1:{port}", timeout=120, transport=transport)
        self.statuses: list[int] = []
        self.event_hooks = {"response": [lambda response: self.statuses.append(response.status_code)]}

    def socket(self, match_id: str, **options: Any) -> Any:
        return super().socket(match_id, source_address=(ATTACKER, 0), **options)

    def raw(self, data: bytes = b"") -> Connection:
        connection = create_connection(("127.0.0.1", self.port), source_address=(ATTACKER, 0), timeout=60)
        connection.sendall(data)
        return connection

    def many(self, count: int, ask: Callable[[int], Any]) -> list[Any]:
        """The same from many connections at once."""
        with ThreadPoolExecutor(count, initializer=stand_back) as threads:
            return list(threads.map(ask, range(count)))


def megabytes(pid: int) -> float:
    """Of a process and all that it has started, each page counted once."""
    total = 0
    for one in process_tree(pid):
        with suppress(OSError):
            found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{one}/smaps_rollup").read_text(), re.M)
            total += int(found[1]) if found else 0
    return total / 1024


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
    """With 1,024 descriptors, and each of its processes at work once, so that its quiet memory is known."""
    server = ServerProcess(database, plain=True, files=1024)
    assert server.client.post("/api/judge", content=b"7 6 4\n1\n").status_code == 200
    assert server.client.post("/api/hint", json={"moves": [3]}).status_code == 200
    made = make(server.client, second={"kind": "player", "player": "level:3"})
    drop(server.client, made["match"]["id"], made["secret"], 3, 0)
    while len(look(server.client, made["match"]["id"], made["secret"])["moves"]) < 2:
        time.sleep(0.05)
    return server


def slowness(seconds: float = 1.0) -> float:
    """How much longer something takes here because others use the machine; 1 where nobody does."""
    began, used = time.perf_counter(), time.thread_time()
    while time.perf_counter() - began < seconds:
        pass
    return seconds / (time.thread_time() - used)


class Beside:
    """An ordinary game, first alone and then beside an attack; what must hold is looked at when both are over."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server

    def __enter__(self) -> Attacker:
        self._slowness = slowness()
        self._bystander = Bystander(self.server.client).__enter__()
        time.sleep(QUIET)
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
        facts = f"longest {max(beside):.3f} s, alone {max(alone):.3f} s, machine {self._slowness:.1f} times slower"
        facts += f"; {self._before:.0f} MB, then {self._most:.0f} MB"
        print(facts)
        assert max(beside) < SLOWEST * self._slowness, facts
        assert self._most < 2 * self._before, facts
        assert self._bystander.statuses == {201}
        assert not [status for status in self._attacker.statuses if status >= 500]


@pytest.mark.parametrize("path", ["/api/judge", "/api/page/read"])
def test_a_number_of_eight_million_digits(server, path):
    with Beside(server) as attacker:
        answers = attacker.many(4, lambda _: attacker.post(path, content=long_number(8_000_000)))
        assert all(answer.status_code == 200 for answer in answers)  # the core judges it; no game is shown
        assert all(answer.json()["game"] is None for answer in answers)


def test_a_saved_game_of_two_million_moves(server):
    with Beside(server) as attacker:
        for _ in range(3):
            answer = attacker.post("/api/saved", content=saved_game(2_000_000, "1000000x1000000x4"))
            assert words(answer)["reason"] == "too_large"
        answer = attacker.post("/api/page/read", content=saved_game(2_000_000, "1000000x1000000x4"))
        assert answer.json()["wrong"]


def test_many_large_files_at_once(server):
    """Fifty of eight megabytes, half of them slowly: they wait on their way and not in memory."""
    file = b"1000 1000 4\n" + b"1\n" * 4_000_000
    head = b"POST /api/judge HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(file)
    with Beside(server) as attacker:
        slow = [attacker.raw(head + file[: 100 * 1024]) for _ in range(25)]
        attacker.many(25, lambda _: attacker.post("/api/judge", content=file))
        for connection in slow:
            connection.close()


def test_a_long_match_read_again_and_again(server):
    """By ten sockets, by pages, from random places, and taken back and forth."""
    with Beside(server) as attacker:
        made = long_match(attacker, 9_600)
        match_id, secret = made["match"]["id"], made["secret"]
        with suppress(KeyError):  # at some point it is told to wait
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
    """Their moves count; whoever makes more is refused in words."""
    with Beside(server) as attacker:
        order = {"first": ME, "second": ME, "variant": {"width": 97, "height": 100, "run": 100}}
        order["moves"] = [n % 97 for n in range(9_600)]
        answers = attacker.many(30, lambda _: attacker.post("/api/matches", json=order))
        refused = [words(answer)["reason"] for answer in answers if answer.status_code != 201]
        assert set(refused) <= {"too_fast", "too_many"}
        assert len(refused) >= 10
        attacker.many(30, lambda _: attacker.post("/api/position", json=order))


def test_demos_do_not_keep_a_person_waiting(server):
    """Twenty of `engine:5s` on large boards; and a person's game against `level:3` beside them."""
    with Beside(server) as attacker:
        demo = {"kind": "player", "player": "engine:5s"}
        for _ in range(20):
            make(attacker, first=demo, second=demo, variant=LARGE)
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
                time.sleep(0.1)  # not faster than one may ask
            assert time.monotonic() - began < 30, "a demo's thought is a second at most, and one may be under way"
        assert match["state"]["clock"]["first"] > 50


def test_forty_invented_tokens(server):
    """They all wait as one; another's hint comes between."""
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
        assert waited < 25, "one analysis may be under way, ten seconds long"
        answers = [one.result() for one in asked]
        refused = [words(answer)["reason"] for answer in answers if answer.status_code != 200]
        assert len(refused) >= 20
        assert set(refused) == {"busy"}


@pytest.mark.anyio
async def test_three_thousand_half_open_connections(server):
    """With 1,024 descriptors for the server; those who play go on, and newcomers are served."""
    with Beside(server) as attacker:
        await half_open(server.port, 3_000)
        assert attacker.get("/healthz").status_code == 200
        assert Client(server.port).get("/healthz").status_code == 200


async def half_open(port: int, count: int) -> None:
    """Nobody reads until all are there; the first have been told to go by then."""
    opened = []
    for _ in range(count // 100):
        more = (asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER, 0)) for _ in range(100))
        opened += [one for one in await asyncio.gather(*more, return_exceptions=True) if isinstance(one, tuple)]
        for _, writer in opened[-100:]:
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-")
    told = [await asyncio.wait_for(reader.read(1000), 60) for reader, _ in opened[:20]]
    assert all(words.startswith(b"HTTP/1.1 408") and b"time_is_up" in words for words in told), told
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
    """Half a million players six times, then gone: the server ends within the time for that."""
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
    assert time.monotonic() - began < 20
