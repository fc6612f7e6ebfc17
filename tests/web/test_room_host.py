"""Tests the requests of a room's host on the page, and what pupils see."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import expect
from websockets.sync.client import ClientConnection, connect

from tests.web.conftest import OpenTable
from tests.web.serving import Server
from tests.web.test_rooms import made, named


class Bot:
    """A member that answers when the test tells it to."""

    def __init__(self, server: Server, code: str, name: str) -> None:
        entry = server.ask(f"api/rooms/{code}/join", name=name, kind="bot")
        self.number = entry["you"]
        self._address = f"ws://127.0.0.1:{server.port}/api/rooms/{code}/socket"
        self._secret = entry["secret"]

    def __enter__(self) -> Bot:
        self._socket: ClientConnection = connect(self._address, proxy=None, open_timeout=60)
        self.send(type="hello", secret=self._secret)
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, **message: Any) -> None:
        self._socket.send(json.dumps(message))

    def receive(self, kind: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(self._socket.recv(timeout=60))
            if message["type"] == kind:
                return message


def test_whoever_rests_reads_so_and_a_bot_that_crashes_says_why(open_table: OpenTable, server: Server) -> None:
    """A resting member, a bot's failure with its reason, and uncertain ratings are shown.

    The next round begins at once with the member who rested, so the test looks at the host's page.
    """
    host, code = made(open_table, "Swiss")
    with Bot(server, code, "Robo") as robo, Bot(server, code, "Other") as other:
        ann = named(open_table, code, "Ann")
        host.press("Begin")
        expect(ann.headline).to_have_text("You rest this round (+1).")
        match = robo.receive("match")["match"]["id"]
        robo.send(type="fail", match=match, words="IndexError: list index out of range")
        expect(host.page.locator(".news")).to_contain_text("Robo could not go on: IndexError: list index out of range")
        expect(host.page.locator(".news")).to_contain_text("Other beats Robo, which could not go on: IndexError")
        expect(host.page.locator(".room-table abbr").first).to_have_text(re.compile(r"\?"))
        expect(ann.page).to_have_url(re.compile("#/match/"))
        assert other.receive("match")["sides"]
