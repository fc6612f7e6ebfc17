"""Small wrongs that a client could meet."""

import threading
import time

import pytest

from connectk.server.settings import Settings
from tests.server.hostile.conftest import words
from tests.server.people import act, bearer, drop, make
from tests.server.serving import serving, settings_for


def test_a_key_with_a_later_ply_is_refused(client):
    made = make(client)
    match_id, secret = made["match"]["id"], made["secret"]
    assert drop(client, match_id, secret, 3, 0, **{"Idempotency-Key": "k"}).status_code == 201
    assert drop(client, match_id, secret, 3, 0, **{"Idempotency-Key": "k"}).status_code == 201
    drop(client, match_id, secret, 3, 1)
    assert drop(client, match_id, secret, 3, 2, **{"Idempotency-Key": "k"}).json()["reason"] == "key_reused"


def test_waiting_for_news_is_not_ended_by_who_comes_and_goes(client):
    """Only an event ends it; before, the word about who is connected did."""
    made = make(client)
    address = f"/api/matches/{made['match']['id']}/events?after=0&wait=20"
    heard = []
    asking = threading.Thread(target=lambda: heard.append(client.get(address, headers=bearer(made["secret"])).json()))
    asking.start()
    while client.host.rooms.room(made["match"]["id"]) is None:
        time.sleep(0.01)
    with client.socket(made["match"]["id"]) as socket:
        socket.send('{"type": "hello", "secret": "%s"}' % made["secret"])  # noqa: UP031
        while '"presence"' not in socket.recv():
            pass
        assert asking.is_alive()
        drop(client, made["match"]["id"], made["secret"], 3, 0)
    asking.join()
    assert [event["event"] for event in heard[0]["events"]] == ["dropped"]


def test_perfect_is_refused_where_it_cannot_play(client):
    perfect = {"kind": "player", "player": "perfect"}
    large = {"width": 30, "height": 30, "run": 5}
    answer = client.post("/api/matches", json={"first": {"kind": "me"}, "second": perfect, "variant": large})
    assert words(answer)["reason"] == "not_valid"
    assert client.post("/api/matches", json={"first": {"kind": "me"}, "second": perfect}).status_code == 201


def test_an_unsolved_board_is_reviewed_by_estimate(tmp_path):
    with serving(settings_for(tmp_path, analysis_seconds=1)) as client:
        order = {"variant": {"width": 9, "height": 9, "run": 5}, "moves": [4, 4, 3, 5]}
        answer = client.post("/api/review", json=order, timeout=120)
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
    """One passes, the next is refused in words."""
    with serving(settings_for(tmp_path, **{limit: 1})) as client:
        ask(client)
        second = ask(client)
        assert second.status_code in (400, 429)
        assert second.json()["reason"] in ("too_many", "bad_request")


def test_a_match_that_is_over_is_not_open_any_more(tmp_path):
    with serving(settings_for(tmp_path, address_open=1)) as client:
        made = make(client)
        assert words(client.post("/api/matches", json={}))["reason"] == "too_many"
        act(client, made["match"]["id"], made["secret"], "resign")
        assert client.post("/api/matches", json={}).status_code == 201


def test_every_setting_is_documented():
    from pathlib import Path

    page = (Path(__file__).parents[3] / "docs" / "operations.md").read_text("utf-8")
    missing = [name for name in Settings.model_fields if f"`{name}`" not in page]
    assert missing == []
