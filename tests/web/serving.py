"""A server that runs in its own process."""

from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

COMMAND = [
    sys.executable,
    "-c",
    "from connectk.cli import main; main()",
    "serve",
    "--log-level",
    "warning",
    "--closable",
]


def free_port() -> int:
    """A port that stays free until the test uses it, below the range that systems use for outgoing connections."""
    while True:
        port = random.randrange(10_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Server:
    """A `connectk serve` with a database in a folder. It can be stopped, and started again on the same port."""

    def __init__(self, port: int, folder: Path) -> None:
        self.port, self._folder = port, folder
        self.url = f"http://127.0.0.1:{port}/"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        database = f"sqlite:///{self._folder / 'matches.db'}"
        self.process = subprocess.Popen([*COMMAND, "--port", str(self.port), "--database", database], cwd=self._folder)
        for _ in range(6000):
            try:
                urllib.request.urlopen(f"{self.url}healthz", timeout=5).read()
                return
            except OSError:
                assert self.process.poll() is None, "the server did not start"
                time.sleep(0.05)
        raise AssertionError("the server did not answer")

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
        if self.process:
            self.process.wait(timeout=120)

    def ask(self, path: str, secret: str = "", **body: Any) -> Any:
        """Send a request as a program would, and return the answer."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {secret}"} if secret else {})
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers)
        return json.load(urllib.request.urlopen(request, timeout=60))

    def look(self, path: str, secret: str = "") -> Any:
        """Send a GET request, with a secret or without, and return the answer."""
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        return json.load(urllib.request.urlopen(urllib.request.Request(self.url + path, headers=headers), timeout=60))

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
