"""A server as anyone starts it, with its own settings, and a game that must go on beside every attack."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from connectk.server.settings import Settings
from tests.server.clients import drop, make
from tests.server.serving import ROOT, Client, serving
from tests.storage.conftest import postgres  # noqa: F401

SLOWEST = 0.25  # seconds that a drop of someone else may take, in the deep tests


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder: Path = tmp_path_factory.mktemp("attacked")
    with serving(Settings(database=f"sqlite:///{folder}/matches.db", log_level="error")) as client:
        yield client


class Bystander:
    """Someone who plays an ordinary game, match after match, and notes how long each drop took."""

    def __init__(self, client: Client) -> None:
        self.seconds: list[float] = []
        self.statuses: set[int] = set()
        command = [sys.executable, "-m", "tests.server.hostile.bystander", str(client.port)]
        self._process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True, cwd=ROOT)
        self._reader = threading.Thread(target=self._read)

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            seconds, status = line.split()
            self.seconds.append(float(seconds))
            self.statuses.add(int(status))

    def __enter__(self) -> "Bystander":
        self._reader.start()
        while not self.seconds and self._process.poll() is None:
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._reader.join()
        assert self._process.wait() == 0


def plays_on(client: Client) -> bool:
    """Whether an ordinary game goes on."""
    made = make(client)
    return drop(client, made["match"]["id"], made["secret"], 3, 0).status_code == 201


def words(answer: Any) -> dict[str, Any]:
    """A refusal: never a failure, always a reason and a sentence."""
    assert 400 <= answer.status_code < 500, answer.text[:300]
    told = json.loads(answer.text)
    assert told["reason"]
    assert told["message"]
    return dict(told)
