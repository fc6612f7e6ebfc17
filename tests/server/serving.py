"""Servers for tests: in a thread, or in a separate process that can be killed."""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from websockets.sync.client import connect

from connectk.server import monitoring
from connectk.server.app import create_app
from connectk.server.runner import config_for, listen
from connectk.server.settings import Settings
from connectk.storage.database import prepare_database
from tests.server import secrecy
from tests.server.stalls import MAX_STALL_SECONDS, StallWatch

ROOT = Path(__file__).parents[2]
UNLIMITED_SETTINGS = {"seat_rate": 1_000_000, "address_rate": 1_000_000, "address_joins": 1_000_000}


def settings_for(folder: Path, **changes: object) -> Settings:
    values = {"database": f"sqlite:///{folder}/matches.db", "log_level": "debug", **UNLIMITED_SETTINGS}
    return Settings(**{**values, **changes})


class Client(httpx.Client):
    """Sends HTTP requests and opens sockets to one server. `host` is the server's `Host` if it runs in this process."""

    host: Any = None
    server: Any = None
    listening: Any = None

    def __init__(self, port: int) -> None:
        limits = httpx.Limits(keepalive_expiry=2)  # shorter than the server's
        url = f"http://127.0.0.1:{port}"
        super().__init__(base_url=url, timeout=120, trust_env=False, limits=limits)  # on a busy machine
        self.port = port

    def socket(self, match_id: str, **options: Any) -> Any:
        url = f"ws://127.0.0.1:{self.port}/api/matches/{match_id}/socket"
        return connect(url, compression=None, proxy=None, open_timeout=60, **options)


@contextlib.contextmanager
def serving(settings: Settings) -> Iterator[Client]:
    """A server in a thread."""
    monitoring.configure_logging(settings.log, settings.log_level)
    prepare_database(settings.database)
    app = create_app(settings)
    listening = listen("127.0.0.1", 0)
    server = app.state.server = uvicorn.Server(config_for(settings, app))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    stalls = StallWatch(app.state.host.loop)
    try:
        with Client(listening.getsockname()[1]) as client:
            client.host, client.server, client.listening = app.state.host, server, listening
            yield client
    finally:
        stalls.stop()
        server.should_exit = True
        thread.join()
    assert stalls.longest < MAX_STALL_SECONDS, (
        f"the loop was busy for {stalls.longest:.3f} seconds with one thing: {stalls.where}"
    )


def limit_open_files(count: int) -> None:
    """Lowers the limit of open files of this process, which cannot be raised again."""
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))


def process_tree(pid: int) -> list[int]:
    """The ids of a process and of all its descendants, whichever thread has started them."""
    found = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += children.read_text().split()
    return [pid, *(one for child in found for one in process_tree(int(child)))]


def is_running(process: int) -> bool:
    """Whether a process runs. A zombie counts as ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return False


def free_fixed_port() -> int:
    """A free port below the range of automatically assigned ports, so that nobody else takes it while our server
    restarts."""
    while True:
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class ServerProcess:
    """`connectk serve` as a process without rate limits and with a stall guard, or with `plain` as a user starts it."""

    def __init__(
        self, database: str, *options: str, plain: bool = False, files: int | None = None, program: str = ""
    ) -> None:
        """`program` is the module to run instead of `connectk`."""
        program = program or ("connectk" if plain else "tests.server.stall_guard")
        command = [sys.executable, "-m", program, "serve", "--database", database, "--port", "0"]
        unlimited = (
            {} if plain else {f"CONNECTK_{name.upper()}": str(limit) for name, limit in UNLIMITED_SETTINGS.items()}
        )
        self._process = subprocess.Popen(
            [*command, "--log", "json", "--log-level", "info" if plain else "debug", *options],
            preexec_fn=partial(limit_open_files, files) if files else None,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **unlimited},
            cwd=ROOT,
        )
        self.lines: list[dict[str, Any]] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.port = self._wait_for_port()
        self.client = Client(self.port)
        self._wait_until_ready()

    def _read(self) -> None:
        assert self._process.stderr
        for line in self._process.stderr:
            secrecy.LOGGED_LINES.append(line)
            with contextlib.suppress(ValueError):
                self.lines.append(json.loads(line))

    def _wait_for_port(self) -> int:
        while self._process.poll() is None:
            for line in list(self.lines):
                if line["event"] == "serving":
                    return int(line["url"].rsplit(":", 1)[1].strip("/"))
            time.sleep(0.01)
        raise RuntimeError(f"the server has ended: {self.lines}")

    def _wait_until_ready(self) -> None:
        for _ in range(2000):
            with contextlib.suppress(httpx.TransportError):
                if self.client.get("/readyz").status_code == 200:
                    return
            time.sleep(0.05)
        raise RuntimeError("the server is not ready")

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        """Kills the server without any cleanup, like a power cut."""
        os.kill(self.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join(60)
        self._check_loop()

    def _check_loop(self) -> None:
        stalls = [(line["seconds"], line["where"]) for line in self.lines if line["event"] == "loop_stalled"]
        assert not stalls, f"the loop was busy with one thing: {stalls}"

    def stop(self) -> int:
        """Stops the server with SIGTERM. uvicorn raises the signal again after the shutdown, so the exit status shows
        it."""
        self.client.close()
        self._process.terminate()
        status = self._process.wait(90)
        self._reader.join(60)
        assert status in (0, -signal.SIGTERM), status
        self._check_loop()
        assert "stopped" in [line["event"] for line in self.lines], self.lines[-10:]
        return status


def workers(server: ServerProcess) -> list[int]:
    """The process ids of the running workers, the oldest first."""
    started = [line["process"] for line in list(server.lines) if line["event"] == "started"]
    return [process for process in started if is_running(process)]
