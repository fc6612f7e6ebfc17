"""Harmful files with long numbers, many players or long games are refused, or judged in another process within a time
limit."""

import json
import os
import signal
import socket
from contextlib import suppress

import pytest

from tests.server.hostile.conftest import MAX_DROP_SECONDS, Bystander, plays_on, words


def long_number(digits: int) -> bytes:
    return b"7 6 " + b"0" * digits + b"4\n1\n2\n"


@pytest.mark.parametrize("digits", [5_000, 500_000])
def test_a_long_number_is_judged_by_the_core_alone(attacked, digits):
    """A file with a very long number gets a verdict from the core, but no game, because Python code would have to parse
    it."""
    answer = attacked.post("/api/judge", content=long_number(digits))
    assert answer.status_code == 200
    assert answer.json()["game"] is None
    read = attacked.post("/api/page/read", content=long_number(digits))
    assert read.status_code == 200
    assert plays_on(attacked)


def results_file(players: int) -> bytes:
    names = [f"p{n}" for n in range(players)]
    header = {"format": "connectk-arena", "version": 2, "players": names, "variant": "7x6x4", "games": 2}
    return json.dumps(header | {"seed": 1, "gauntlet": False, "openings": []}).encode() + b"\n"


def test_many_players_are_refused_before_they_are_compared(attacked):
    answer = attacked.post("/api/page/arena", content=results_file(20_000))
    assert "200 players" in answer.json()["wrong"]


def saved_game(moves: int, variant: str) -> bytes:
    game = {"format": "connectk-game", "version": 2, "variant": variant, "moves": "1 " * moves}
    return json.dumps(game).encode()


def test_a_long_saved_game_is_refused_by_its_size(attacked):
    answer = attacked.post("/api/saved", content=saved_game(200_000, "1000000x1000000x4"))
    assert words(answer)["reason"] == "too_large"


def test_reading_a_file_ends_with_the_time_for_it(tmp_path, monkeypatch):
    """A process that does not finish reading a file in time is killed, and a new process does the next job."""
    from connectk.server.settings import Settings
    from tests.server.serving import serving

    game = b"7 6 4\n1\n"
    settings = Settings(database=f"sqlite:///{tmp_path}/m.db", upload_seconds=60, thinkers=1, log_level="error")
    with serving(settings) as client:
        assert client.post("/api/judge", content=game).json()["code"] == 3
        os.kill(client.host.uploads._all[0]._process.pid, signal.SIGSTOP)
        with monkeypatch.context() as patched:
            patched.setattr("connectk.thinking.process.STOP_GRACE_SECONDS", -59.9)
            assert words(client.post("/api/judge", content=game))["reason"] == "time_is_up"
        assert client.host.uploads._all[0]._process is None
        assert client.post("/api/judge", content=game).json()["code"] == 3


def test_who_hangs_up_is_not_worked_for(attacked):
    """If a client disconnects after sending a file, the work for it stops, and the next file is read as usual."""
    assert attacked.post("/api/judge", content=b"7 6 4\n1\n").status_code == 200
    file = b"1000 1000 4\n" + b"1\n" * 1_000_000
    with suppress(ConnectionError), socket.create_connection(("127.0.0.1", attacked.port)) as connection:
        connection.sendall(b"POST /api/judge HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(file))
        connection.sendall(file)
    assert attacked.post("/api/judge", content=b"7 6 4\n1\n").json()["code"] == 3


@pytest.mark.deep
def test_the_large_ones_beside_an_ordinary_game(attacked):
    """While files of the largest accepted size are processed, no other player's drop waits, and no request fails."""
    files = [
        ("/api/judge", long_number(8_000_000)),
        ("/api/page/read", long_number(8_000_000)),
        ("/api/page/arena", results_file(500_000)),
        ("/api/saved", saved_game(2_000_000, "1000000x1000000x4")),
        ("/api/judge", b"1000000 1000000 4\n" + os.urandom(8_000_000).hex()[:8_000_000].encode()),
    ]
    with Bystander(attacked) as bystander:
        for path, content in files * 2:
            answer = attacked.post(path, content=content, timeout=60)
            assert answer.status_code < 500, (path, answer.text[:200])
    assert max(bystander.seconds) < MAX_DROP_SECONDS, max(bystander.seconds)
    assert bystander.statuses == {201}
