"""Tests for small server bugs that a client could notice."""

import asyncio
import threading
import time

import pytest

from connectk.play.service import MatchService
from connectk.server.settings import Settings
from tests.server.clients import Socket, act, bearer, drop, look, make
from tests.server.hostile.conftest import words
from tests.server.serving import serving, settings_for


def test_a_key_with_a_later_ply_is_refused(client):
    made = make(client)
    match_id, secret = made["match"]["id"], made["secret"]
    assert drop(client, match_id, secret, 3, 0, **{"Idempotency-Key": "k"}).status_code == 201
    assert drop(client, match_id, secret, 3, 0, **{"Idempotency-Key": "k"}).status_code == 201
    drop(client, match_id, secret, 3, 1)
    assert drop(client, match_id, secret, 3, 2, **{"Idempotency-Key": "k"}).json()["reason"] == "key_reused"


def test_waiting_for_news_is_not_ended_by_who_comes_and_goes(client):
    """A request that waits for news ends only with an event of the match, not when somebody connects or disconnects."""
    made = make(client)
    address = f"/api/matches/{made['match']['id']}/events?after=0&wait=20"
    bodies = []
    asking = threading.Thread(target=lambda: bodies.append(client.get(address, headers=bearer(made["secret"])).json()))
    asking.start()
    while client.host.audiences.audience(made["match"]["id"]) is None:
        time.sleep(0.01)
    with client.socket(made["match"]["id"]) as socket:
        socket.send('{"type": "hello", "secret": "%s"}' % made["secret"])  # noqa: UP031
        while '"presence"' not in socket.recv():
            pass
        assert asking.is_alive()
        drop(client, made["match"]["id"], made["secret"], 3, 0)
    asking.join()
    assert [event["event"] for event in bodies[0]["events"]] == ["dropped"]


def test_perfect_is_refused_where_it_cannot_play(client):
    perfect = {"kind": "player", "player": "perfect"}
    large = {"width": 30, "height": 30, "run": 5}
    answer = client.post("/api/matches", json={"first": {"kind": "me"}, "second": perfect, "variant": large})
    assert words(answer)["reason"] == "not_valid"
    assert client.post("/api/matches", json={"first": {"kind": "me"}, "second": perfect}).status_code == 201


def test_an_unsolved_board_is_reviewed_by_estimate(tmp_path):
    with serving(settings_for(tmp_path, analysis_seconds=4)) as client:
        order = {"variant": {"width": 9, "height": 9, "run": 5}, "moves": [4, 4, 3, 5]}
        while (answer := client.post("/api/review", json=order, timeout=120)).status_code == 422:
            assert answer.json()["reason"] == "time_is_up"  # on a busy machine a second may not be enough at first
        assert answer.status_code == 200
        assert answer.json()["exact"] is False


@pytest.mark.parametrize(
    ("limit", "ask"),
    [
        ("address_matches", lambda client: client.post("/api/matches", json={})),
        ("address_open", lambda client: client.post("/api/matches", json={})),
        ("address_uploads", lambda client: client.post("/api/page/qr", json={"text": "x"})),
        ("address_analyses", lambda client: client.post("/api/hint", json={"moves": [3]})),
        ("address_megabytes", lambda client: client.post("/api/saved", content=b"x" * 600_000)),
    ],
)
def test_limits_of_an_hour(tmp_path, limit, ask):
    """The last request within an hourly limit is served, and the next is refused with a sentence."""
    with serving(settings_for(tmp_path, **{limit: 1})) as client:
        ask(client)
        second = ask(client)
        assert (second.status_code, second.json()["reason"]) == (429, "too_many")


def test_a_match_that_is_over_is_not_open_any_more(tmp_path):
    with serving(settings_for(tmp_path, address_open=1)) as client:
        made = make(client)
        assert words(client.post("/api/matches", json={}))["reason"] == "too_many"
        act(client, made["match"]["id"], made["secret"], "resign")
        assert client.post("/api/matches", json={}).status_code == 201


def test_a_rematch_counts_as_a_new_match(tmp_path):
    """A rematch counts as a new match, over HTTP and over the socket. Otherwise a client could create any number of
    matches."""
    with serving(settings_for(tmp_path, address_matches=3)) as client:
        made = make(client)
        match_id, secret = made["match"]["id"], made["secret"]
        act(client, match_id, secret, "resign")
        again = act(client, match_id, secret, "rematch").json()["match"]["state"]["next_match"]
        assert client.host.limits.open_matches.total() == 1
        with Socket(client, again, secret) as socket:
            assert socket.ask({"type": "resign"})[0]["type"] == "done"
            assert socket.ask({"type": "rematch"})[0]["type"] == "done"
        third = look(client, again, secret)["state"]["next_match"]
        act(client, third, secret, "resign")
        assert words(act(client, third, secret, "rematch"))["reason"] == "too_many"


def test_a_rematch_that_two_begin_at_once_counts_once(tmp_path):
    """A rematch that both players begin at once counts once, and no longer counts when it is over."""
    with serving(settings_for(tmp_path)) as client:
        made = make(client)
        match_id, secret = made["match"]["id"], made["secret"]
        act(client, match_id, secret, "resign")

        async def begin_twice():
            access = await client.host.service.admit(match_id, secret)
            asked = [client.host.run_offer_action("ann", MatchService.rematch, access) for _ in range(2)]
            return await asyncio.gather(*asked)

        first, second = asyncio.run_coroutine_threadsafe(begin_twice(), client.host.loop).result()
        assert first.match.next_match == second.match.next_match
        assert client.host.limits.open_matches == {"ann": 1}
        act(client, first.match.next_match, secret, "resign")
        assert client.host.limits.open_matches == {}


def test_moves_at_the_start_count_as_matches_and_as_requests(tmp_path):
    with serving(settings_for(tmp_path, address_matches=10)) as client:
        order = {"variant": {"width": 50, "height": 50, "run": 50}, "moves": [n % 50 for n in range(500)]}
        assert client.post("/api/matches", json=order).status_code == 201
        assert words(client.post("/api/matches", json=order))["reason"] == "too_many"
    with serving(settings_for(tmp_path, address_rate=1)) as client:
        answers = [client.post("/api/position", json=order).status_code for _ in range(20)]
        assert answers[0] == 200
        # Each counts as 25 requests, and four are allowed at once. A slow machine may answer more than one.
        assert 429 in answers[1:6]


def test_a_match_that_goes_to_and_fro_is_played_to_its_end(client, monkeypatch):
    monkeypatch.setattr("connectk.play.service.MAX_EVENTS", 3)
    made = make(client, variant={"width": 1, "height": 2, "run": 2})
    match_id, secret = made["match"]["id"], made["secret"]
    for _ in range(6):
        assert drop(client, match_id, secret, 0, 0).status_code == 201
        refused = act(client, match_id, secret, "take-back", {"to_ply": 0})
    assert words(refused)["reason"] == "too_long"
    assert drop(client, match_id, secret, 0, 1).status_code == 201


@pytest.mark.parametrize("jump", [86_400.0, -86_400.0])
def test_a_jump_of_the_time_of_day_costs_nobody_anything(client, monkeypatch, jump):
    """If the machine's clock is set during a timed game, no player loses time."""
    made = make(client, clock={"seconds": 60})
    match_id, secret = made["match"]["id"], made["secret"]
    assert drop(client, match_id, secret, 3, 0).status_code == 201
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    for ply in range(1, 5):
        assert drop(client, match_id, secret, ply, ply).status_code == 201
    match = look(client, match_id, secret)
    assert match["state"]["result"] is None
    assert min(match["state"]["clock"][side] for side in ("first", "second")) > 30
    assert all(0 <= event["at"] - made["match"]["created"] < 60 for event in all_events(client, match_id, secret))
    assert client.get("/readyz").status_code == 200


def all_events(client, match_id: str, secret: str) -> list[dict]:
    return client.get(f"/api/matches/{match_id}/events", headers=bearer(secret)).json()["events"]


def test_every_setting_is_documented():
    from pathlib import Path

    page = (Path(__file__).parents[3] / "docs" / "how-to" / "operations.md").read_text("utf-8")
    missing = [name for name in Settings.model_fields if f"`{name}`" not in page]
    assert missing == []
