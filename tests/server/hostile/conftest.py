"""A server as anyone starts it, with its own settings, and a game that must go on beside every attack."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from connectk.server.settings import Settings
from tests.server.people import drop, make
from tests.server.serving import Client, serving
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
        self._client = Client(client.port)
        self.seconds: list[float] = []
        self.statuses: set[int] = set()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play)

    def _play(self) -> None:
        while not self._stop.is_set():
            made: dict[str, Any] = make(self._client)
            for ply in range(12):
                began = time.perf_counter()
                answer = drop(self._client, made["match"]["id"], made["secret"], ply % 6, ply)
                self.seconds.append(time.perf_counter() - began)
                self.statuses.add(answer.status_code)
                self._stop.wait(0.02)

    def __enter__(self) -> "Bystander":
        self._thread.start()
        while not self.seconds:
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._client.close()


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
