"""Tests what an administrator needs: health, settings, stops, backups, purges, logs and the network."""

import asyncio
import contextlib
import io
import itertools
import json
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from connectk.server import monitoring
from connectk.server.app import _announce_shutdown_on_signals
from connectk.server.network import NoNetwork
from connectk.server.settings import BadSettings, load_settings
from tests.server.clients import Socket, bearer, drop, look, make
from tests.server.serving import ServerProcess, serving, settings_for


def connectk(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "connectk", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env={**os.environ, **environment})


def test_health_readiness_and_metrics(client):
    made = make(client)
    drop(client, made["match"]["id"], made["secret"], 3, 0)
    drop(client, made["match"]["id"], made["secret"], 3, 0)

    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ok"}
    metrics = client.get("/metrics").text
    assert 'connectk_drops_total{by="person"}' in metrics
    assert 'connectk_refusals_total{reason="stale"}' in metrics
    assert 'route="/api/matches/{match_id}/drops",status="409"' in metrics


def test_a_flag_wins_over_the_environment_over_the_file(tmp_path, monkeypatch):
    file = tmp_path / "my.toml"
    file.write_text('port = 1\nthinkers = 3\nlog = "json"\n')
    monkeypatch.setenv("CONNECTK_PORT", "2")
    monkeypatch.setenv("CONNECTK_THINKERS", "4")

    settings = load_settings(str(file), port=5)

    assert (settings.port, settings.thinkers, settings.log, settings.workers) == (5, 4, "json", 1)


def test_the_log_names_only_the_settings_that_were_changed():
    """At its start, the server logs only the settings that differ from their defaults."""
    assert load_settings(port=5, log_level="info").shown(changed=True) == {"port": 5}


def test_settings_are_printed_without_the_password():
    shown = connectk("serve", "--show-settings", CONNECTK_DATABASE="postgresql://me:hunter2@localhost/games").stdout
    assert "postgresql://me:***@localhost/games" in shown
    assert "hunter2" not in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--workers", "2"], "SQLite is for one process"),
        (["--port", "70000"], "'port' is not valid"),
        (["--database", "mysql://x/y"], "SQLite file or in PostgreSQL"),
        (["--database", "postgresql://nobody@127.0.0.1:1/none"], "cannot be used"),
        (["--database", "sqlite:////proc/none/m.db"], "cannot be used"),
        (["--config", "none.toml"], "no settings file"),
        (["--log", "loud"], "'log' is not valid"),
    ],
)
def test_what_cannot_be_started_is_said_in_one_sentence(arguments, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = connectk("serve", *arguments)
    assert ended.returncode == 2
    assert sentence in ended.stderr.splitlines()[-1]
    assert "Traceback" not in ended.stderr


def test_a_bad_settings_file_is_said_in_one_sentence(tmp_path):
    file = tmp_path / "my.toml"
    for text in ("port = \n", "wings = 2\n"):
        file.write_text(text)
        with pytest.raises(BadSettings):
            load_settings(str(file))


def test_serve_explains_itself():
    shown = connectk("serve", "--help", COLUMNS="200").stdout
    assert "connectk serve --host 0.0.0.0 --workers 4 --database postgresql://" in shown


def test_who_waits_for_an_answer_is_told_of_a_stop_at_once(tmp_path, monkeypatch):
    """On a slow disk, a client hears of the stop at once, and gets its answer when the drop is stored."""
    writing, may_write = threading.Event(), threading.Event()
    with serving(settings_for(tmp_path)) as client:
        made = make(client)
        writer = client.host.store._writer
        commit = writer._commit_all

        def slowly(works):
            writing.set()
            may_write.wait(60)
            commit(works)

        monkeypatch.setattr(writer, "_commit_all", slowly)
        with Socket(client, made["match"]["id"], made["secret"]) as socket:
            socket.send({"type": "drop", "column": 3, "ply": 0})
            assert writing.wait(60)
            client.host.loop.call_soon_threadsafe(client.host.announce_shutdown)
            first = socket.receive()
            may_write.set()
            assert [first["type"], socket.receive()["type"], socket.receive()["type"]] == ["come_back", "event", "done"]


def test_who_comes_in_during_a_stop_is_told_too(tmp_path):
    with serving(settings_for(tmp_path)) as client:
        made = make(client)
        client.host.loop.call_soon_threadsafe(client.host.announce_shutdown)
        wait_until_set(client.host.stopping)
        with Socket(client, made["match"]["id"], made["secret"]) as socket:
            assert socket.receive()["type"] == "come_back"


def wait_until_set(event: asyncio.Event) -> None:
    while not event.is_set():
        time.sleep(0.01)


@pytest.mark.anyio
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_sockets_are_told_of_a_stop_before_they_are_closed(number):
    """At a stop signal, the server announces the stop before the sockets are closed."""
    order: list[str] = []
    kept = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    closed = asyncio.Event()
    try:
        for one in kept:
            signal.signal(one, lambda *_: (order.append("closed"), closed.set()))
        _announce_shutdown_on_signals(SimpleNamespace(announce_shutdown=lambda: order.append("announced")))
        os.kill(os.getpid(), number)
        await closed.wait()
    finally:
        for one, handler in kept.items():
            signal.signal(one, handler)
    assert order == ["announced", "closed"]


def test_a_stop_tells_sockets_to_come_back_and_finishes_what_is_under_way(tmp_path):
    """When the server stops, sockets are told to reconnect, and no answered drop is lost. Each drop and request has one
    log line."""
    database = f"sqlite:///{tmp_path}/m.db"
    server = ServerProcess(database)
    made = make(server.client)
    match_id, secret = made["match"]["id"], made["secret"]
    with Socket(server.client, match_id, secret) as socket:
        for ply in range(10):
            socket.send({"type": "drop", "column": ply % 7, "ply": ply})
        os.kill(server.pid, signal.SIGTERM)
        messages: list[dict] = []
        with pytest.raises(ConnectionClosed) as closed:
            socket.receive_until_closed(messages)
    server.stop()

    assert "come_back" in [message["type"] for message in messages]
    assert closed.value.rcvd.code == 1012
    done = [message["seq"] for message in messages if message["type"] == "done"]
    logged = [line for line in server.lines if line["event"] == "drop_played"]
    assert [line["seq"] for line in logged][: len(done)] == done
    assert {"match", "ply", "column", "by"} <= logged[0].keys()
    requests = [line for line in server.lines if line["event"] == "request"]
    assert {"method", "route", "status", "ms"} <= requests[-1].keys()

    again = ServerProcess(database)
    assert len(look(again.client, match_id, secret)["moves"]) == len(logged) >= len(done)
    again.stop()


def test_a_backup_of_a_running_server_is_restored(tmp_path):
    database = f"sqlite:///{tmp_path}/m.db"
    server = ServerProcess(database)
    made = make(server.client)
    drop(server.client, made["match"]["id"], made["secret"], 3, 0)

    saved = connectk("backup", str(tmp_path / "b.gz"), "--database", database)
    refused = connectk("restore", str(tmp_path / "b.gz"), "--database", database)
    server.stop()
    restored = connectk("restore", str(tmp_path / "b.gz"), "--database", f"sqlite:///{tmp_path}/n.db")

    assert saved.stdout == "saved 1 match with 1 disc\n"
    assert "Another server is using" in refused.stderr
    assert restored.stdout == "restored 1 match with 1 disc\n"
    again = ServerProcess(f"sqlite:///{tmp_path}/n.db")
    assert look(again.client, made["match"]["id"], made["secret"])["moves"] == [3]
    again.stop()


def test_old_matches_are_purged_by_command_or_by_the_server(tmp_path):
    """Old matches are purged, and recently changed ones stay. The command refuses to purge while a server uses the
    file."""
    database = f"sqlite:///{tmp_path}/m.db"
    server = ServerProcess(database)
    old, older, new = (make(server.client) for _ in range(3))
    refused = connectk("purge", "--older-than", "90d", "--database", database)
    server.stop()
    with sqlite3.connect(tmp_path / "m.db") as connection:
        for match, days in ((old, 50), (older, 100)):
            age = (time.time() - days * 86_400, match["match"]["id"])
            connection.execute("UPDATE matches SET changed = ? WHERE id = ?", age)
    connection.close()

    purged = connectk("purge", "--older-than", "90d", "--database", database)
    nonsense = connectk("purge", "--older-than", "long", "--database", database)
    again = ServerProcess(database, "--keep-days", "30")
    while not [line for line in again.lines if line["event"] == "matches_purged"]:
        time.sleep(0.02)
    left = {match["match"]["id"] for match in (old, older, new) if "seq" in look_or_none(again.client, match)}
    again.stop()

    assert "Another server is using" in refused.stderr
    assert purged.stdout == "deleted 1 match\n"
    assert nonsense.returncode == 2
    assert left == {new["match"]["id"]}


def look_or_none(client, made):
    return client.get(f"/api/matches/{made['match']['id']}", headers=bearer(made["secret"])).json().get("match") or {}


def test_a_local_server_is_closed_from_its_page(tmp_path, client):
    assert client.post("/api/close").json()["reason"] == "not_closable"
    server = ServerProcess(f"sqlite:///{tmp_path}/m.db", "--closable")
    foreign = server.client.post("/api/close", headers={"Host": "evil.example"})
    assert foreign.status_code == 421
    assert server.client.post("/api/close").status_code == 202
    for _ in range(300):
        if any(line["event"] == "stopped" for line in server.lines):
            break
        time.sleep(0.05)
    server.stop()


def test_the_api_is_described_on_a_page_that_loads_nothing_from_elsewhere(client):
    page = client.get("/api/docs").text
    assert "/api/matches/{match_id}/drops" in page
    assert "://" not in page
    assert "<script" not in page
    assert client.get("/api/openapi.json").json()["info"]["title"] == "connectk"


def test_the_example_client_plays_a_game(client, monkeypatch):
    """The example client, a student's first client in a few lines, plays a game and waits when the server tells it
    to."""
    allows, asked = client.host.limits.addresses.allows, itertools.count()
    refusing = (0, 2, 4, 9)  # the refused requests: for a match, a drop, the news, and more

    def stingy(name, cost=1.0):
        return next(asked) not in refusing and allows(name, cost)

    monkeypatch.setattr(client.host.limits.addresses, "allows", stingy)
    example = Path(__file__).parents[2] / "examples" / "client.py"
    ended = subprocess.run(
        [sys.executable, example, f"http://127.0.0.1:{client.port}"], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 0, ended.stderr
    assert "won" in ended.stdout or "draw" in ended.stdout
    assert next(asked) > max(refusing)


def test_others_on_the_network_are_let_in_only_when_asked(tmp_path):
    """By default only this machine has access. A page on this machine can open the server to the network, and clients
    from there cannot stop the server."""
    with serving(settings_for(tmp_path, closable=True, network_host="127.0.0.2")) as client:
        there = f"http://127.0.0.2:{client.port}"
        assert client.get("/api/page/about").json()["network"] == {"possible": there, "address": None}
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{there}/healthz", trust_env=False)

        assert client.post("/api/network").json() == {"address": there}

        assert client.post("/api/network").json() == {"address": there}  # asked again, it is the same
        for path in ("/api/network", "/api/close"):
            assert httpx.post(f"{there}{path}", trust_env=False).json()["reason"] == "not_closable"
        seen = httpx.get(f"{there}/api/page/about", trust_env=False).json()
        assert (seen["network"], seen["closable"]) == (None, False)


def test_a_server_that_listens_no_more_still_tells_about_itself(tmp_path):
    """A server that has stopped listening still describes itself, but cannot be opened to the network."""
    with serving(settings_for(tmp_path, closable=True, network_host="127.0.0.2")) as client:

        async def stop_listening():
            client.server.servers[0].close()
            with pytest.raises(NoNetwork):
                await client.host.network.open_to_lan()
            return client.host.network.candidate_address

        assert asyncio.run_coroutine_threadsafe(stop_listening(), client.host.loop).result() is None


def test_a_server_for_all_lets_nobody_in_from_its_page(client):
    assert client.post("/api/network").json()["reason"] == "not_closable"
    assert client.get("/api/page/about").json()["network"] == {"possible": None, "address": None}


def test_a_server_on_all_addresses_tells_a_page_on_its_machine_the_one_for_others(tmp_path):
    """A page at localhost gets the network address of a server that listens on all addresses, to show it to others."""
    with serving(settings_for(tmp_path, host="0.0.0.0", network_host="127.0.0.2")) as client:
        about = client.get("/api/page/about").json()
        named = client.get("/api/page/about", headers={"Host": "school.example"}).json()

    assert about["network"] == {"possible": None, "address": f"http://127.0.0.2:{client.port}"}
    assert named["network"] is None


class Written(io.StringIO):
    """A replacement for standard error that records each piece of text as it was written."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def write(self, text: str) -> int:
        self.pieces.append(text)
        return len(text)


@pytest.mark.parametrize("style", ["text", "json"])
def test_a_log_line_is_written_at_once(style, monkeypatch):
    """A log line is written in one piece. If lines were buffered, workers that share the output would mix their
    lines."""
    written = Written()
    with monkeypatch.context() as patch:
        patch.setattr("sys.stderr", written)
        monitoring.configure_logging(style, "info")
        monitoring.log.info("started", process=1)
        logging.getLogger("uvicorn.error").warning("something")
    monitoring.configure_logging("text", "error")
    assert len(written.pieces) == 2
    assert all(line.endswith("\n") for line in written.pieces)


@pytest.mark.parametrize(("level", "lines"), [("info", 2), ("warning", 1)])
def test_what_happened_is_logged_in_one_shape_whichever_way_it_goes(level, lines, capfd):
    """Info lines have the same fields as other log lines, although they are written without structlog."""
    monitoring.configure_logging("json", level)
    monitoring.log.info("drop_played", match="m", ply=3, by=ValueError("secret"))
    monitoring.log.warning("drop_played", match="m", ply=3)
    monitoring.configure_logging("text", "error")
    written = capfd.readouterr().err
    entries = [json.loads(line) for line in written.splitlines()]
    assert len(entries) == lines
    for line in entries:
        line.pop("by", None)
        assert list(line) == ["match", "ply", "event", "level", "timestamp"]
        assert line["timestamp"].endswith("Z")
        assert datetime.fromisoformat(line["timestamp"]).tzinfo
    assert "secret" not in written


def answers(client: httpx.Client) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return client.get("/readyz").status_code == 200
    return False


def test_a_server_whose_log_nobody_reads_any_more_plays_on(tmp_path):
    command = [sys.executable, "-m", "connectk", "serve", "--database", f"sqlite:///{tmp_path}/m.db", "--port", "0"]
    process = subprocess.Popen([*command, "--log", "json"], stderr=subprocess.PIPE, text=True)
    assert process.stderr
    serving = next(line for line in map(json.loads, process.stderr) if line["event"] == "serving")
    process.stderr.close()
    try:
        with httpx.Client(base_url=serving["url"], timeout=120, trust_env=False) as client:
            while process.poll() is None and not answers(client):
                time.sleep(0.05)
            made = make(client)
            match_id, secret = made["match"]["id"], made["secret"]
            assert [drop(client, match_id, secret, 3, ply).status_code for ply in range(3)] == [201] * 3
    finally:
        process.terminate()
    assert process.wait(60) in (0, -signal.SIGTERM, 120)  # 120: Python could not flush its output
