"""A server with its usual settings, and a game that must go on during every attack."""

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

MAX_99TH_PERCENTILE_SECONDS, MAX_DROP_SECONDS = (
    0.1,
    0.25,
)  # seconds that 99% of someone else's drops may take, and all of them, in the deep tests


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder: Path = tmp_path_factory.mktemp("attacked")
    with serving(Settings(database=f"sqlite:///{folder}/matches.db", log_level="error")) as client:
        yield client


class Bystander:
    """Somebody who plays one ordinary game after the other, and records how long each drop took."""

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
    """Whether the server still accepts a new match and a drop in it."""
    made = make(client)
    return drop(client, made["match"]["id"], made["secret"], 3, 0).status_code == 201


def words(answer: Any) -> dict[str, Any]:
    """Check that an answer is a refusal with a reason and a sentence, and return the refusal."""
    assert 400 <= answer.status_code < 500, answer.text[:300]
    refusal = json.loads(answer.text)
    assert refusal["reason"]
    assert refusal["message"]
    return dict(refusal)
