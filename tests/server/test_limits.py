"""The server refuses floods, large requests, slow readers and pages of other sites while others play on."""

import asyncio
import json
import socket as sockets
import time
from contextlib import ExitStack, suppress

import pytest
from cachetools import LRUCache
from websockets.exceptions import ConnectionClosed, InvalidStatus

from connectk.server import limits
from connectk.server.limits import RoundRobinScheduler
from connectk.server.middleware import is_own_host
from tests.server.clients import Socket, drop, make
from tests.server.serving import serving, settings_for


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A server with low limits."""
    folder = tmp_path_factory.mktemp("strict")
    with serving(settings_for(folder, seat_rate=20, address_rate=50, max_sockets=30)) as client:
        yield client


def test_a_flood_over_one_seat_is_refused_and_others_play_on(tmp_path):
    with serving(settings_for(tmp_path, seat_rate=20)) as client:
        noisy, calm = make(client), make(client)
        with Socket(client, noisy["match"]["id"], noisy["secret"]) as flood:
            for _ in range(300):
                with suppress(ConnectionClosed):
                    flood.send({"type": "ping"})
            assert drop(client, calm["match"]["id"], calm["secret"], 3, 0).status_code == 201
            received = []
            with suppress(ConnectionClosed):
                while len(received) < 300:
                    received.append(flood.receive())
            assert {message["reason"] for message in received if message["type"] == "refused"} == {"too_fast"}


def test_an_address_is_limited_generously(tmp_path):
    """An address may send the requests of four seconds at once, but not a flood. After a pause it is served again."""
    with serving(settings_for(tmp_path, address_rate=5)) as client:
        answers = [client.get("/healthz").status_code for _ in range(150)]
        assert answers[:20] == [200] * 20
        assert 429 in answers
        while client.get("/healthz").status_code != 200:
            time.sleep(0.05)


@pytest.mark.parametrize("header", [{"content-length": "999999999"}, {}])
def test_a_large_body_is_refused(client, header):
    """The server refuses a large body even if the client does not declare its length."""
    body = b"x" * 100_000
    stream = (body[i : i + 1000] for i in range(0, len(body), 1000))
    content = body if header else stream
    answer = client.post("/api/matches", content=content, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["reason"]) == (413, "too_large")


def test_an_oversized_frame_ends_the_socket(client):
    made = make(client)
    with Socket(client, made["match"]["id"], made["secret"]) as socket:
        socket.raw.send("x" * 100_000)
        with pytest.raises(ConnectionClosed) as closed:
            socket.receive_until_closed()
    assert closed.value.rcvd.code == 1009


def test_a_foreign_page_is_refused(client):
    made = make(client)
    match_id = made["match"]["id"]
    foreign = {"Origin": "https://evil.example"}
    own = {"Origin": f"http://127.0.0.1:{client.port}"}

    assert drop(client, match_id, made["secret"], 3, 0, **foreign).json()["reason"] == "foreign_origin"
    with pytest.raises(InvalidStatus), client.socket(match_id, origin="https://evil.example"):
        pass
    assert drop(client, match_id, made["secret"], 3, 0, **own).status_code == 201
    with client.socket(match_id, origin=own["Origin"]) as socket:
        socket.send(json.dumps({"type": "hello", "secret": made["secret"]}))
        assert json.loads(socket.recv())["type"] == "welcome"


def test_too_many_sockets_are_told_to_come_back(strict):
    made = make(strict, public=True)
    match_id = made["match"]["id"]
    with ExitStack() as stack:
        for _ in range(27):  # a tenth of the thirty places is for sockets without a hello
            stack.enter_context(Socket(strict, match_id))
        one_more = stack.enter_context(Socket(strict, match_id))
        assert (one_more.welcome["type"], one_more.welcome["reason"]) == ("refused", "busy")
        silent = [stack.enter_context(strict.socket(match_id)) for _ in range(3)]
        with pytest.raises(InvalidStatus) as refused, strict.socket(match_id):
            pass
        assert refused.value.response.status_code == 429
        assert silent


def test_a_player_is_never_refused_for_a_watcher(tmp_path):
    """If watchers have taken every place, a player gets the place of one of them, who is told to reconnect later."""
    with ExitStack() as stack:
        client = stack.enter_context(serving(settings_for(tmp_path, max_sockets=30)))
        made = make(client, public=True)
        match_id, secret = made["match"]["id"], made["secret"]
        watchers = [stack.enter_context(Socket(client, match_id)) for _ in range(27)]
        with Socket(client, match_id, secret) as player:
            assert player.welcome["sides"] == ["first", "second"]
            assert player.ask({"type": "drop", "id": 1, "column": 3, "ply": 0})[0]["type"] == "done"
            received = []
            with pytest.raises(ConnectionClosed) as closed:
                watchers[-1].receive_until_closed(received)
            assert closed.value.rcvd.code == 1013
            assert [message["reason"] for message in received if message["type"] == "refused"] == ["busy"]
            assert watchers[0].receive()["type"] == "event"


@pytest.mark.anyio
async def test_requests_wait_while_something_is_stored(monkeypatch):
    """While the store is writing, the server pauses between requests to let the writing thread run. In this test the
    pause does not end."""
    monkeypatch.setattr(limits, "WRITE_PAUSE_SECONDS", 3600)
    is_writing = False
    scheduler = RoundRobinScheduler(lambda: is_writing)
    for is_writing in (False, True):
        requests = [asyncio.ensure_future(scheduler.wait_for_slot("a")) for _ in range(3)]
        await asyncio.wait(requests[:1])  # no request was before this one
        for _ in range(20):
            await asyncio.sleep(0)
        assert [request.done() for request in requests] == [True, not is_writing, not is_writing]
    for request in requests:
        request.cancel()


def test_a_slow_reader_is_sent_away_and_comes_back_by_number(client):
    """A client that reads nothing is disconnected when its limited queue is full, and can then resume by event
    number."""
    made = make(client, public=True, variant={"width": 100, "height": 100, "run": 100})
    match_id, secret = made["match"]["id"], made["secret"]
    usual = client.listening.getsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF)
    client.listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 2048)  # for all later connections
    narrow = sockets.socket()
    narrow.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 2048)
    narrow.connect(("127.0.0.1", client.port))
    with client.socket(match_id, sock=narrow, max_queue=1) as slow, Socket(client, match_id, secret) as player:
        slow.send(json.dumps({"type": "hello"}))
        slow.recv()
        ply = 0
        while client.host.audiences.audience(match_id).count()["watching"]:
            answer, _ = player.ask({"type": "drop", "column": ply % 100, "ply": ply})
            assert answer["type"] == "done"
            ply += 1
            assert all(len(s.queue) <= 256 for s in client.host.audiences.all_subscribers())
            assert ply < 5000, "the slow reader is still there"
    client.listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, usual // 2)  # the kernel doubles it
    with Socket(client, match_id, after=ply - 5) as back:
        assert back.receive()["seq"] == ply - 4


def test_memory_stays_bounded_under_a_flood_of_matches(client):
    """Under a flood of new matches, matches without connected players are removed from memory and stay in the store."""
    live = client.host.service.live
    live._recent, before = LRUCache(50), live._recent
    made = [make(client) for _ in range(120)]
    assert sum(live.in_memory(one["match"]["id"]) is not None for one in made) <= 51  # the loop may keep the last
    live._recent = before
    first = made[0]
    assert drop(client, first["match"]["id"], first["secret"], 3, 0).status_code == 201


def test_every_answer_has_strict_headers(client):
    for path in ("/healthz", "/api/players", "/nowhere", "/api/docs", "/metrics"):
        headers = client.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-embedder-policy"] == "require-corp"
        assert "server" not in headers


def test_scripts_and_styles_have_only_the_headers_that_browsers_heed_in_them(client):
    """The page's scripts and stylesheets have no content policy. Documents and the scripts of workers have one, because
    browsers apply it there."""
    for path in ("/js/app.js", "/css/page.css"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert not {"content-security-policy", "cross-origin-embedder-policy", "permissions-policy"} & headers.keys()
    for path in ("/js/core/worker.js", "/js/core/helper.js", "/sw.js", "/", "/icons/icon.svg"):
        headers = client.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["cross-origin-embedder-policy"] == "require-corp"


def test_nonsense_in_an_authorization_header_is_harmless(client):
    match_id = make(client)["match"]["id"]
    for value in ("Bearer", "Basic x", "Bearer " + "x" * 5000, "Bearer \xff"):
        answer = client.get(f"/api/matches/{match_id}", headers={"Authorization": value.encode("latin-1")})
        assert answer.status_code == 404


@pytest.mark.parametrize(
    ("hosts", "closable", "host", "is_own"),
    [
        ((), False, "any.example", True),
        ((), True, "evil.example:8000", False),
        ((), True, "127.0.0.1:8000", True),
        ((), True, "[::1]:8000", True),
        ((), True, "LOCALHOST:8000", True),
        ((), True, "127.0.0.1.evil.example", False),
        ((), True, "[::1].evil.example", False),
        (("chess.example",), False, "Chess.example:443", True),
        (("chess.example",), False, "evil.example", False),
        (("chess.example",), False, "", True),
    ],
)
def test_a_server_answers_to_its_own_names(tmp_path, hosts, closable, host, is_own):
    assert is_own_host(host, settings_for(tmp_path, allowed_hosts=hosts, closable=closable)) == is_own


def test_another_name_for_a_server_is_refused(tmp_path):
    """A request with a foreign host name is refused, because it comes from a page whose domain was redirected to this
    machine."""
    with serving(settings_for(tmp_path, closable=True)) as client:
        refused = client.get("/api/players", headers={"host": "evil.example"})
        assert (refused.status_code, refused.json()["reason"]) == (421, "foreign_host")
        assert client.get("/healthz").status_code == 200
