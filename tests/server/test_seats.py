"""Seats and their secrets."""

import asyncio
import secrets
import sqlite3
from collections import Counter

import httpx
import pytest

from tests.server.clients import INVITED, Socket, bearer, drop, look, make
from tests.server.serving import ServerProcess

RACING_CLIENTS = 100


@pytest.mark.anyio
async def test_of_a_hundred_who_want_a_seat_one_gets_it(client):
    """Of a hundred clients that ask for a seat at the same time, exactly one gets it."""
    made = make(client, second=INVITED)
    match_id = made["match"]["id"]

    async with httpx.AsyncClient(
        base_url=client.base_url, limits=httpx.Limits(max_connections=RACING_CLIENTS), timeout=60, trust_env=False
    ) as racers:
        order = {"invitation": made["invitation"]}
        answers = await asyncio.gather(
            *(
                racers.post(f"/api/matches/{match_id}/join", json=order | {"name": str(i)})
                for i in range(RACING_CLIENTS)
            )
        )

    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: RACING_CLIENTS - 1}
    assert {answer.json()["reason"] for answer in answers if answer.status_code == 409} == {"seat_taken"}
    winner = next(answer.json() for answer in answers if answer.status_code == 200)
    assert winner["sides"] == ["second"]
    assert look(client, match_id, winner["secret"])["seq"] == 1


@pytest.mark.anyio
async def test_whoever_brings_a_secret_may_ask_for_the_seat_again(client):
    """A client that brings its own secret gets the same seat each time it asks. With another secret, the seat is
    taken."""
    made = make(client, second=INVITED)
    path, own = f"/api/matches/{made['match']['id']}/join", secrets.token_urlsafe(24)
    order = {"invitation": made["invitation"], "name": "Bob", "secret": own}

    async with httpx.AsyncClient(base_url=client.base_url, timeout=60, trust_env=False) as asking:
        answers = await asyncio.gather(*(asking.post(path, json=order) for _ in range(10)))
    answers.append(client.post(path, json=order))

    assert {answer.status_code for answer in answers} == {200}
    assert {(answer.json()["secret"], *answer.json()["sides"]) for answer in answers} == {(own, "second")}
    assert look(client, made["match"]["id"], own)["seq"] == 1
    other = client.post(path, json=order | {"secret": secrets.token_urlsafe(24)})
    assert other.json()["reason"] == "seat_taken"
    assert client.post(path, json=order | {"invitation": "guessed"}).status_code == 404


def test_a_secret_of_ones_own_must_be_long(client):
    made = make(client, second=INVITED)
    order = {"invitation": made["invitation"], "secret": "hunter2"}
    assert client.post(f"/api/matches/{made['match']['id']}/join", json=order).status_code == 422


def test_secrets_are_long_and_differ(client):
    """Secrets and invitations differ from each other. A secret has 192 bits, which are 32 characters, an invitation 128
    bits, which are 22."""
    made = [make(client) for _ in range(20)]
    all_of_them = {m["secret"] for m in made} | {m["invitation"] for m in made}
    assert len(all_of_them) == 40
    assert {(len(m["secret"]), len(m["invitation"])) for m in made} == {(32, 22)}
    assert {len(m["match"]["id"]) for m in made} == {32}  # 128 bits in hexadecimal


def test_a_secret_is_neither_in_the_database_nor_in_a_log(tmp_path):
    """After a match over HTTP and over the socket with everything logged, no database file and no log line contains a
    secret."""
    server = ServerProcess(f"sqlite:///{tmp_path}/m.db", "--log-level", "debug")
    made = make(server.client, second=INVITED)
    match_id = made["match"]["id"]
    joined = server.client.post(f"/api/matches/{match_id}/join", json={"invitation": made["invitation"]}).json()
    drop(server.client, match_id, made["secret"], 3, 0)
    with Socket(server.client, match_id, joined["secret"]) as socket:
        socket.ask({"type": "drop", "column": 3, "ply": 1})
    server.client.get(f"/api/matches/{match_id}", headers=bearer("wrong-secret-that-was-tried"))
    server.stop()

    dump = "\n".join(sqlite3.connect(tmp_path / "m.db").iterdump()) + str(server.lines)
    assert match_id in dump
    for secret in (made["secret"], made["invitation"], joined["secret"], "wrong-secret-that-was-tried"):
        assert secret not in dump


def test_an_invitation_is_told_again_to_whoever_made_the_match(client):
    """Only the client that made the match sees the invitation again, and only while the seat is free."""
    made = make(client, second={"kind": "invited"})
    match_id = made["match"]["id"]
    with Socket(client, match_id, made["secret"]) as owner, Socket(client, match_id, made["invitation"]) as guest:
        assert owner.welcome["invitation"] == made["invitation"]
        assert guest.welcome["invitation"] is None
    joined = client.post(f"/api/matches/{match_id}/join", json={"invitation": made["invitation"]}).json()

    for secret in (made["secret"], joined["secret"]):
        with Socket(client, match_id, secret) as later:
            assert later.welcome["invitation"] is None
