"""Strangers who cheat gain nothing lasting and do not disturb others, whether by floods of requests or by abandoned
games."""

import secrets
from collections.abc import Iterator
from typing import Any

import pytest

from connectk.server.settings import Settings
from connectk.storage.conduct import conduct_to_look_at
from connectk.storage.database import open_database
from connectk.strangers.service import MAX_ADDRESS_ABANDONED
from tests.server.clients import act, bearer, drop
from tests.server.hostile.conftest import plays_on, words
from tests.server.serving import Client, serving
from tests.server.stranger_clients import encounter, new_profile, play_to_win, profile, settled, wait_for_match

HOSTILE, ANN, BOB = ({"X-Forwarded-For": f"192.0.2.{number}"} for number in (66, 1, 2))


@pytest.fixture
def client(tmp_path) -> Iterator[Client]:
    """A server with low limits, behind a proxy that tells it each client's address."""
    limits = {"address_open_seeks": 5, "address_profiles": 30, "address_reports": 3, "wrong_codes": 5}
    with serving(Settings(database=f"sqlite:///{tmp_path}/a.db", log_level="error", proxies=1, **limits)) as client:
        yield client


def seek(client: Client, who: str, place: dict[str, str], **wish: Any) -> Any:
    """Ask for an opponent from this address."""
    own = {"secret": secrets.token_urlsafe(24), "device": secrets.token_urlsafe(24), "clock": {"seconds": 60}}
    answer = client.post("/api/seeks", json={**own, **wish}, headers={**bearer(who), **place})
    return answer, wish.get("secret", own["secret"])


def paired(client: Client, one: str, other: str, places: tuple[dict[str, str], dict[str, str]]) -> tuple[str, str, str]:
    """Pair two strangers; returns their match and the secrets of their seats."""
    (_, mine), (answer, theirs) = seek(client, one, places[0]), seek(client, other, places[1])
    return wait_for_match(client, answer.json()["seek"]["id"], theirs)["match"], mine, theirs


def by_side(client: Client, match_id: str, *seats: str) -> tuple[str, ...]:
    """Sort these secrets by side: the first side's secret comes first."""
    sides = {seat: client.get(f"/api/matches/{match_id}", headers=bearer(seat)).json()["sides"] for seat in seats}
    return tuple(sorted(seats, key=lambda seat: sides[seat]))


def test_a_flood_of_seeks_is_refused_and_others_are_paired(client):
    answers = [
        seek(client, new_profile(client, **HOSTILE), HOSTILE, clock={"seconds": 1000 + number})[0]
        for number in range(12)
    ]
    refusals = [words(answer) for answer in answers if answer.status_code != 201]
    assert len(refusals) == 12 - 5
    assert {refusal["reason"] for refusal in refusals} == {"too_many"}
    match_id, *seats = paired(client, new_profile(client, **ANN), new_profile(client, **BOB), (ANN, BOB))
    first, second = by_side(client, match_id, *seats)
    assert drop(client, match_id, first, 3, 0).status_code == 201
    assert encounter(client, match_id, second)["rated"]


def test_a_flood_of_names_ends(client):
    def take(name: str, place: dict[str, str]) -> Any:
        body = {"secret": secrets.token_urlsafe(24), "name": name}
        return client.post("/api/profiles", json=body, headers=place)

    answers = [take(f"Squatter {number}", HOSTILE) for number in range(40)]
    assert sum(answer.status_code == 201 for answer in answers) == 30
    assert {words(answer)["reason"] for answer in answers[30:]} == {"too_many"}
    assert take("Ann", ANN).status_code == 201
    assert plays_on(client)


def test_codes_are_not_guessed(client):
    owner = new_profile(client, "Ann", **ANN)
    code = client.post("/api/profiles/me/transfer", headers=bearer(owner)).json()["code"]
    guesses = [f"{number:08}" for number in range(20)]
    thief = secrets.token_urlsafe(24)
    for guess in guesses:
        words(client.post("/api/profiles/claim", json={"code": guess, "secret": thief}, headers=HOSTILE))
    refused = client.post("/api/profiles/claim", json={"code": code, "secret": thief}, headers=HOSTILE)
    assert words(refused)["reason"] == "too_many"
    assert client.post("/api/profiles/claim", json={"code": code, "secret": thief}, headers=ANN).status_code == 200


def test_one_person_with_two_devices_gains_nothing(client):
    """Two profiles at one address never play a rated game, even if both ask for one."""
    strong, puppet = new_profile(client, **HOSTILE), new_profile(client, **HOSTILE)
    match_id, *seats = paired(client, strong, puppet, (HOSTILE, HOSTILE))
    first, second = by_side(client, match_id, *seats)
    assert not encounter(client, match_id, first)["rated"]
    play_to_win(client, match_id, first, second)
    assert not settled(client, match_id, first)["counted"]
    assert {profile(client, who)["rating"]["rating"] for who in (strong, puppet)} == {1500}


def test_a_flood_of_reports_counts_once(client):
    """Several reports by one player about another count as one. After three, the server refuses more."""
    match_id, seat, _ = paired(client, new_profile(client, **HOSTILE), new_profile(client, **ANN), (HOSTILE, ANN))
    reports = [
        client.post(f"/api/matches/{match_id}/report", json={"reason": "other"}, headers={**bearer(seat), **HOSTILE})
        for _ in range(6)
    ]
    assert [answer.status_code for answer in reports] == [200] * 3 + [429] * 3
    (conduct,) = conduct_to_look_at(open_database(client.host.settings.database), 0.0)
    assert conduct.reasons.total() == 1
    outsider = client.post(f"/api/matches/{match_id}/report", json={"reason": "other"}, headers=BOB)
    assert words(outsider)["reason"] == "no_seat"


def test_leaving_game_after_game_with_new_profiles_ends(client):
    """After ten abandoned games from one address, even with new profiles, nobody from there is paired for a while."""
    victim = new_profile(client, **ANN)
    for _ in range(MAX_ADDRESS_ABANDONED):
        match_id, hostile, other = paired(client, new_profile(client, **HOSTILE), victim, (HOSTILE, ANN))
        assert act(client, match_id, hostile, "resign").status_code == 200
        assert settled(client, match_id, other)["abandoned"]
    answer, _ = seek(client, new_profile(client, **HOSTILE), HOSTILE)
    assert words(answer)["reason"] == "paused"
    assert seek(client, victim, ANN)[0].status_code == 201
