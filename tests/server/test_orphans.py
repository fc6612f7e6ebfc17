"""A killed server leaves no process behind: no worker, no thinking process, and none that keeps the port."""

import threading
import time
import uuid
from contextlib import suppress

import httpx
import pytest

from connectk.server.runner import listen
from tests.server.clients import make
from tests.server.serving import Client, ServerProcess, is_running, process_tree
from tests.storage.conftest import postgres  # noqa: F401

ENGINE = {"kind": "player", "player": "engine:5s"}
HARD_ORDER = {"variant": {"width": 9, "height": 9, "run": 5}, "moves": [4, 4, 1, 7]}
GAME_FILE = b"7 6 4\n1\n2\n3\n"
ADOPTION_TIMEOUT_SECONDS = 60.0  # seconds on a busy machine; normally a moment is enough


def put_to_work(port: int) -> None:
    """Request a move, an analysis and a verdict, each from any worker."""
    with Client(port) as client:
        make(client, first=ENGINE, second=ENGINE)
        client.post("/api/judge", content=GAME_FILE).raise_for_status()


def ask_something_hard(port: int) -> None:
    with suppress(httpx.TransportError), Client(port) as client:  # the server is killed before it answers
        client.post("/api/scores", json=HARD_ORDER)


@pytest.mark.parametrize(
    ("kind", "workers", "processes"),
    [("sqlite", 1, 5), pytest.param("postgresql", 2, 10, marks=pytest.mark.deep)],
)
def test_who_was_started_ends_with_a_killed_server(kind, workers, processes, tmp_path, request):
    """When a server is killed, the three processes that each worker has started end too."""
    shared = kind == "postgresql"
    database = request.getfixturevalue("postgres").create(uuid.uuid4().hex) if shared else f"sqlite:///{tmp_path}/m.db"
    server = ServerProcess(database, "--workers", str(workers), "--analysis-seconds", "60")
    asking: list[threading.Thread] = []
    while len(everyone := process_tree(server.pid)) < processes:
        put_to_work(server.port)
        asking.append(threading.Thread(target=ask_something_hard, args=(server.port,)))
        asking[-1].start()
        time.sleep(0.1)

    server.kill()

    until = time.monotonic() + ADOPTION_TIMEOUT_SECONDS
    while (left := [process for process in everyone if is_running(process)]) and time.monotonic() < until:
        time.sleep(0.02)
    assert not left
    listen("127.0.0.1", server.port).close()
    for thread in asking:
        thread.join(ADOPTION_TIMEOUT_SECONDS)
