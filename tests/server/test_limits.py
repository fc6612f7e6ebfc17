"""Floods, large things, slow readers and foreign pages: refused, while others play on."""

import json
import socket as sockets
import time
from contextlib import suppress

import pytest
from cachetools import LRUCache
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.server.clients import Socket, drop, make
from tests.server.serving import serving, settings_for


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A server with its limits in place."""
    folder = tmp_path_factory.mktemp("strict")
    with serving(settings_for(folder, seat_rate=20, address_rate=50, most_sockets=30)) as client:
        yield client


def test_a_flood_over_one_seat_is_refused_and_others_play_on(tmp_path):
    with serving(settings_for(tmp_path, seat_rate=20)) as client:
        noisy, calm = make(client), make(client)
        with Socket(client, noisy["match"]["id"], noisy["secret"]) as flood:
            for _ in range(300):
                with suppress(ConnectionClosed):
                    flood.send({"type": "ping"})
            assert drop(client, calm["match"]["id"], calm["secret"], 3, 0).status_code == 201
            heard = []
            with suppress(ConnectionClosed):
                while len(heard) < 300:
                    heard.append(flood.receive())
            assert {message["reason"] for message in heard if message["type"] == "refused"} == {"too_fast"}


def test_an_address_is_limited_generously(tmp_path):
    """A burst of four seconds' worth passes, a flood does not; it heals by itself. Slow enough for any machine."""
    with serving(settings_for(tmp_path, address_rate=5)) as client:
        answers = [client.get("/healthz").status_code for _ in range(150)]
        assert answers[:20] == [200] * 20
        assert 429 in answers
        while client.get("/healthz").status_code != 200:
            time.sleep(0.05)


@pytest.mark.parametrize("header", [{"content-length": "999999999"}, {}])
def test_a_large_body_is_refused(client, header):
    """Whether it says how long it is or not."""
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
    open_sockets = [Socket(strict, made["match"]["id"]) for _ in range(30)]
    with pytest.raises(InvalidStatus), strict.socket(made["match"]["id"]):
        pass
    for socket in open_sockets:
        socket.close()


def test_a_slow_reader_is_sent_away_and_comes_back_by_number(client):
    """One who reads nothing while a long match is played costs a bounded queue; the match goes on."""
    made = make(client, public=True, variant={"width": 100, "height": 100, "run": 100})
    match_id, secret = made["match"]["id"], made["secret"]
    client.listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 2048)  # of all who come from now on
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
    with Socket(client, match_id, after=ply - 5) as back:
        assert back.receive()["seq"] == ply - 4


def test_memory_stays_bounded_under_a_flood_of_matches(client):
    """Matches that nobody plays any more leave memory; they are still in the store."""
    live = client.host.service.live
    live._recent, before = LRUCache(50), live._recent
    made = [make(client) for _ in range(120)]
    assert sum(live.in_memory(one["match"]["id"]) is not None for one in made) <= 51  # the loop may hold the last
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


def test_nonsense_in_an_authorization_header_is_harmless(client):
    match_id = make(client)["match"]["id"]
    for value in ("Bearer", "Basic x", "Bearer " + "x" * 5000, "Bearer \xff"):
        answer = client.get(f"/api/matches/{match_id}", headers={"Authorization": value.encode("latin-1")})
        assert answer.status_code == 404
