"""Helpers for tests of strangers: profiles, seeks, and a game between two."""

import secrets
import time
from typing import Any

from tests.server.clients import bearer, drop


def new_profile(client: Any, name: str = "", **headers: str) -> str:
    """Make a profile; returns its secret."""
    secret = secrets.token_urlsafe(24)
    answer = client.post("/api/profiles", json={"secret": secret, "name": name}, headers=headers)
    assert answer.status_code == 201, answer.text
    return secret


def seek(client: Any, profile: str, **wish: Any) -> tuple[str, str, dict[str, Any]]:
    """Ask for an opponent; returns the seek's id, its secret and the answer."""
    secret, device = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
    body = {"secret": secret, "device": device, "clock": {"seconds": 60}, **wish}
    answer = client.post("/api/seeks", json=body, headers=bearer(profile))
    assert answer.status_code == 201, answer.text
    return answer.json()["seek"]["id"], secret, answer.json()


def wait_for_match(client: Any, seek_id: str, secret: str, seconds: float = 25.0) -> dict[str, Any]:
    """Ask until the seek has a match, and return that answer."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = client.get(f"/api/seeks/{seek_id}", params={"wait": 5}, headers=bearer(secret))
        assert found.status_code == 200, found.text
        if found.json()["match"]:
            return dict(found.json())
    raise AssertionError("there is no match")


def pair(one: Any, other: Any, first: str, second: str, **wish: Any) -> tuple[str, str, str]:
    """Pair two profiles, through one server or two. Returns the match and the secrets of both sides, the first side
    first."""
    ann, ann_secret, _ = seek(one, first, **wish)
    bob, bob_secret, _ = seek(other, second, **wish)
    match_id = wait_for_match(one, ann, ann_secret)["match"]
    assert wait_for_match(other, bob, bob_secret)["match"] == match_id
    mine = one.get(f"/api/matches/{match_id}", headers=bearer(ann_secret)).json()["sides"]
    return (match_id, ann_secret, bob_secret) if mine == ["first"] else (match_id, bob_secret, ann_secret)


def play_to_win(client: Any, match_id: str, first: str, second: str, from_ply: int = 0) -> None:
    """Play a game that the first side wins in the leftmost column."""
    for ply in range(from_ply, 7):
        answer = drop(client, match_id, (first, second)[ply % 2], ply % 2, ply)
        assert answer.status_code == 201, answer.text


def encounter(client: Any, match_id: str, secret: str) -> dict[str, Any]:
    answer = client.get(f"/api/matches/{match_id}/encounter", headers=bearer(secret))
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def settled(client: Any, match_id: str, secret: str, seconds: float = 20.0) -> dict[str, Any]:
    """Wait until the result has been entered, and return the encounter."""
    until = time.monotonic() + seconds
    while not (found := encounter(client, match_id, secret))["settled"]:
        assert time.monotonic() < until, "the result is not entered"
        time.sleep(0.05)
    return found


def profile(client: Any, secret: str) -> dict[str, Any]:
    return dict(client.get("/api/profiles/me", headers=bearer(secret)).json())
