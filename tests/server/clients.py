"""Helpers for tests that send requests to a server or open a socket at a match."""

import json
from typing import Any

from tests.server.secrecy import note_message

ME, INVITED = {"kind": "me"}, {"kind": "invited"}


def make(client: Any, **order: Any) -> dict[str, Any]:
    """Create a match in which both seats belong to the client, unless other arguments are given."""
    answer = client.post("/api/matches", json={"first": ME, "second": ME, **order})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def make_for_two(client: Any, **order: Any) -> tuple[str, str, str]:
    """Create a match between two people; returns its id and their secrets."""
    made = make(client, second=INVITED, **order)
    match_id = made["match"]["id"]
    joined = client.post(f"/api/matches/{match_id}/join", json={"invitation": made["invitation"], "name": "Bob"})
    assert joined.status_code == 200, joined.text
    return match_id, made["secret"], joined.json()["secret"]


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def act(client: Any, match_id: str, secret: str, what: str, body: Any = None, **headers: str) -> Any:
    return client.post(f"/api/matches/{match_id}/{what}", json=body, headers=bearer(secret) | headers)


def drop(client: Any, match_id: str, secret: str, column: int, ply: int, **headers: str) -> Any:
    return act(client, match_id, secret, "drops", {"column": column, "ply": ply}, **headers)


def look(client: Any, match_id: str, secret: str) -> dict[str, Any]:
    return dict(client.get(f"/api/matches/{match_id}", headers=bearer(secret)).json()["match"])


class Socket:
    """A socket at a match that has sent its hello."""

    def __init__(self, client: Any, match_id: str, secret: str | None = None, after: int | None = None) -> None:
        self._context = client.socket(match_id)
        self.raw = self._context.__enter__()
        self.send({"type": "hello", "secret": secret, "after": after})
        self.welcome = self.receive()

    def send(self, message: dict[str, Any]) -> None:
        self.raw.send(json.dumps(message))

    def receive(self, seconds: float = 30) -> dict[str, Any]:
        """The next message that is not about who is connected."""
        while True:
            message = note_message(self.raw.recv(timeout=seconds))
            if message["type"] != "presence":
                return dict(message)

    def receive_until_closed(self, received: list[dict[str, Any]] | None = None) -> None:
        """Receive messages until the server closes the socket, which raises an error."""
        while True:
            message = self.receive()
            if received is not None:
                received.append(message)

    def ask(self, message: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Send a request. Returns its answer, and the events that arrived before it."""
        self.send(message)
        events = []
        while (answer := self.receive())["type"] == "event":
            events.append(answer)
        return answer, events

    def close(self) -> None:
        self._context.__exit__(None, None, None)

    def __enter__(self) -> "Socket":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
