"""Strangers over HTTP and sockets: profiles, pairing, ratings, series, phrases and limits."""

import asyncio
import json
import secrets
import time
import uuid
from collections.abc import Iterator

import pytest
from sqlalchemy import func, select

from connectk.rules import Side
from connectk.storage.admin import BadOrder
from connectk.storage.conduct import clear_name, conduct_to_look_at
from connectk.storage.database import open_database
from connectk.storage.encounters import encounter_from
from connectk.storage.profiles import profile_from
from connectk.storage.stranger_tables import encounters
from connectk.storage.stranger_tables import profiles as profile_table
from connectk.strangers import profile as profiles
from connectk.strangers import rating, service
from connectk.strangers import seek as seeks
from tests.server.clients import Socket, act, bearer, drop, look, make, make_for_two
from tests.server.serving import Client, ServerProcess, serving, settings_for
from tests.server.stranger_clients import (
    encounter,
    new_profile,
    pair,
    play_to_win,
    profile,
    seek,
    settled,
    wait_for_match,
)
from tests.server.stranger_crowd import DISCONNECTED, DISTURBANCES, Crowd
from tests.server.test_admin import wait_for
from tests.server.test_operations import connectk
from tests.storage.conftest import postgres  # noqa: F401


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server that rates games within one address, because all clients of these tests share one."""
    with serving(settings_for(tmp_path_factory.mktemp("server"), same_address_rated=True)) as client:
        yield client


def test_two_strangers_play_a_rated_game(client):
    """When two strangers are paired, the clock starts at once, and both ratings change once, by the same amount."""
    ann, bob = new_profile(client, "Ann"), new_profile(client, "Bob")
    match_id, first, second = pair(client, client, ann, bob)
    match = look(client, match_id, first)
    assert match["strangers"]
    assert match["public"]
    assert {match["seats"][side]["name"] for side in ("first", "second")} == {"Ann", "Bob"}
    assert match["state"]["clock"]["running"] == "first"
    before = encounter(client, match_id, second)
    assert (before["rated"], before["settled"], before["first"]["after"]) == (True, False, None)
    assert before["first"]["before"] == {"rating": 1500, "deviation": 350, "provisional": True}
    play_to_win(client, match_id, first, second)
    after = settled(client, match_id, first)
    assert after["counted"]
    gain, loss = (after[side]["after"]["rating"] - 1500 for side in ("first", "second"))
    assert gain == -loss > 100
    assert after["first"]["ceiling"] is None
    ratings = {profile(client, secret)["rating"]["rating"] for secret in (ann, bob)}
    assert ratings == {1500 + gain, 1500 + loss}


def test_a_winner_learns_that_the_rating_has_reached_its_ceiling(client, monkeypatch):
    monkeypatch.setattr(rating, "BASE_CEILING", 1500.0)
    match_id, first, second = pair(client, client, new_profile(client), new_profile(client), clock={"seconds": 64})
    play_to_win(client, match_id, first, second)
    after = settled(client, match_id, first)
    assert (after["first"]["after"]["rating"], after["first"]["ceiling"]) == (1530, 1530)
    assert after["second"]["ceiling"] is None


def test_a_level_steps_in_when_nobody_comes(client, monkeypatch):
    """If no opponent comes, a computer level plays. The answer says so, and the match is not rated."""
    monkeypatch.setattr(seeks, "COMPUTER_JOINS_AFTER_SECONDS", 1.0)
    seek_id, secret, answer = seek(client, new_profile(client), variant={"width": 6, "height": 5, "run": 4})
    assert (answer["state"], answer["match"], answer["level"]) == ("waiting", None, False)
    found = wait_for_match(client, seek_id, secret, 5)
    assert found["level"]
    match = look(client, found["match"], secret)
    assert not match["strangers"]
    assert {match["seats"][side]["player"] for side in ("first", "second")} == {None, "level:5"}
    assert client.get(f"/api/matches/{found['match']}/encounter", headers=bearer(secret)).status_code == 404


def test_nobody_plays_themselves(client):
    """Two seeks of one profile are not paired, nor are two profiles on one device."""
    ann = new_profile(client)
    first, first_secret, _ = seek(client, ann, clock={"seconds": 61})
    _, _, answer = seek(client, ann, clock={"seconds": 61})
    assert answer["match"] is None
    assert client.get(f"/api/seeks/{first}", headers=bearer(first_secret)).json()["reason"] == "no_seek"
    device = secrets.token_urlsafe(24)
    waiting = [seek(client, new_profile(client), clock={"seconds": 62}, device=device) for _ in range(2)]
    time.sleep(1.2)
    for seek_id, secret, _ in waiting:
        assert client.get(f"/api/seeks/{seek_id}", headers=bearer(secret)).json()["match"] is None
        assert client.post(f"/api/seeks/{seek_id}/cancel", headers=bearer(secret)).json() == {"done": True}


def test_a_challenge_is_listed_and_taken_once(client):
    """Somebody else can take a listed challenge once, and its author cannot take it."""
    ann = new_profile(client, "Challenger")
    seek_id, secret, _ = seek(client, ann, clock={"seconds": 300, "increment": 3}, takes_level=False, best_of=3)
    listed = {one["id"]: one for one in client.get("/api/seeks").json()["seeks"]}
    assert (listed[seek_id]["name"], listed[seek_id]["best_of"]) == ("Challenger", 3)
    assert listed[seek_id]["clock"] == [300, 3]

    def take(who: str) -> dict:
        body = {"secret": secrets.token_urlsafe(24), "device": secrets.token_urlsafe(24), "rated": False}
        return client.post(f"/api/seeks/{seek_id}/take", json=body, headers=bearer(who)).json()

    assert take(ann)["reason"] == "own_seek"
    taken = take(new_profile(client))
    assert taken["match"] == wait_for_match(client, seek_id, secret)["match"]
    assert take(new_profile(client))["reason"] == "no_seek"
    assert encounter(client, taken["match"], secret)["rated"] is False
    assert seek_id not in {one["id"] for one in client.get("/api/seeks").json()["seeks"]}


def test_a_challenge_with_a_link_is_not_listed(client):
    seek_id, _, _ = seek(client, new_profile(client), clock={"seconds": 301}, listed=False, public=False)
    other, other_secret, _ = seek(client, new_profile(client), clock={"seconds": 301})
    assert seek_id not in {one["id"] for one in client.get("/api/seeks").json()["seeks"]}
    time.sleep(1.2)
    assert client.get(f"/api/seeks/{other}", headers=bearer(other_secret)).json()["match"] is None
    body = {"secret": secrets.token_urlsafe(24), "device": secrets.token_urlsafe(24)}
    taken = client.post(f"/api/seeks/{seek_id}/take", json=body, headers=bearer(new_profile(client))).json()
    assert client.get(f"/api/matches/{taken['match']}").status_code == 404  # private
    client.post(f"/api/seeks/{other}/cancel", headers=bearer(other_secret))
    assert client.get(f"/api/seeks/{seek_id}", headers=bearer("wrong" * 8)).status_code == 404


def test_a_seek_that_nobody_asks_for_is_forgotten(client, monkeypatch):
    """A seek expires when its page is closed, and is not paired any more."""
    monkeypatch.setattr(service, "POLL_GAP_SECONDS", 0.2)
    monkeypatch.setattr(service, "SEEK_EXPIRY_SECONDS", 1.0)
    monkeypatch.setattr(service, "PRESENCE_WRITE_INTERVAL_SECONDS", 0.2)
    seek(client, new_profile(client), clock={"seconds": 63})
    time.sleep(2.0)
    _, _, answer = seek(client, new_profile(client), clock={"seconds": 63})
    assert answer["match"] is None


def test_a_match_of_strangers_has_no_help_and_no_taking_back(client):
    match_id, first, second = pair(client, client, new_profile(client), new_profile(client))
    assert drop(client, match_id, first, 3, 0).status_code == 201
    assert act(client, match_id, second, "take-back", {}).json()["reason"] == "fair_play"
    with Socket(client, match_id, second) as socket:
        assert socket.ask({"type": "hint", "id": 1})[0]["reason"] == "fair_play"
        assert socket.ask({"type": "analyse", "id": 2})[0]["reason"] == "fair_play"
    act(client, match_id, first, "resign")


def test_what_is_said_reaches_the_opponent_and_is_limited(client):
    """Phrases reach the opponent and the spectators, within a limit. Spectators cannot send any."""
    match_id, first, second = pair(client, client, new_profile(client), new_profile(client))
    with (
        Socket(client, match_id, first) as ann,
        Socket(client, match_id, second) as bob,
        Socket(client, match_id) as eve,
    ):
        ann.send({"type": "say", "id": 1, "phrase": "good_luck"})
        for socket in (ann, bob, eve):
            while (heard := socket.receive())["type"] != "said":
                pass
            assert heard == {"type": "said", "side": "first", "phrase": "good_luck"}
        for socket, phrase in ((eve, "good_luck"), (ann, "buy my shoes"), *[(ann, "smile")] * 10):
            socket.send({"type": "say", "id": 2, "phrase": phrase})
        for socket, reason in ((eve, "no_seat"), (ann, "bad_request"), (ann, "too_fast")):
            while socket.receive().get("reason") != reason:
                pass
    act(client, match_id, first, "resign")


def test_friends_may_say_something_too_but_nobody_talks_to_a_computer(client):
    match_id, ann, _ = make_for_two(client)
    with Socket(client, match_id, ann) as socket:
        socket.send({"type": "say", "id": 1, "phrase": "hello"})
        assert {socket.receive()["type"], socket.receive()["type"]} == {"said", "done"}


def test_ratings_follow_the_players_when_they_swap(client):
    """After a swap, ratings and reports follow the person: the winner's rating rises, and the report is about the
    loser."""
    people = {name: new_profile(client, name) for name in ("Sue", "Sam")}
    match_id, first, second = pair(client, client, *people.values(), swap_discs=1, clock={"seconds": 63})
    began, other = (look(client, match_id, first)["seats"][side]["name"] for side in ("first", "second"))
    assert drop(client, match_id, first, 0, 0).status_code == 201
    assert act(client, match_id, second, "swap").status_code == 200
    before = encounter(client, match_id, second)
    assert (before["first"]["name"], before["second"]["name"]) == (other, began)
    play_to_win(client, match_id, second, first, from_ply=1)  # the first side is now that of the second secret
    after = settled(client, match_id, second)
    assert after["counted"]
    assert after["first"]["after"]["rating"] > 1500 > after["second"]["after"]["rating"]
    assert profile(client, people[other])["wins"] == profile(client, people[began])["losses"] == 1
    body = {"reason": "other"}
    assert client.post(f"/api/matches/{match_id}/report", json=body, headers=bearer(second)).status_code == 200
    known = conduct_to_look_at(open_database(client.host.settings.database), 0.0)
    assert [one.profile.name for one in known if match_id in one.reported] == [began]


def test_a_seek_with_the_swap_rule_meets_only_its_like(client):
    """A seek with the swap rule is paired only with one that has it too. A three-disc start is refused on a
    connect-three board."""
    clock = {"seconds": 64}
    plain, plain_secret, _ = seek(client, new_profile(client), clock=clock)
    _, _, answer = seek(client, new_profile(client), clock=clock, swap_discs=1)
    assert answer["seek"]["swap_discs"] == 1
    time.sleep(1.2)
    found = client.get(f"/api/seeks/{plain}", headers=bearer(plain_secret)).json()
    assert found["match"] is None
    body = {"secret": secrets.token_urlsafe(24), "device": secrets.token_urlsafe(24)}
    wish = {"variant": {"width": 5, "height": 4, "run": 3}, "swap_discs": 3, "clock": clock, **body}
    refused = client.post("/api/seeks", json=wish, headers=bearer(new_profile(client)))
    assert refused.json()["reason"] == "bad_swap_discs"


def test_a_level_that_steps_in_plays_by_the_swap_rule(client, monkeypatch):
    monkeypatch.setattr(seeks, "COMPUTER_JOINS_AFTER_SECONDS", 1.0)
    seek_id, secret, _ = seek(client, new_profile(client), clock={"seconds": 65}, swap_discs=1)
    found = wait_for_match(client, seek_id, secret, 10)
    assert found["level"]
    assert look(client, found["match"], secret)["swap"] is True


def test_whoever_resigns_before_both_have_played_has_left(client):
    """Resigning before both have played counts as leaving. Otherwise a player could refuse opponents without a cost."""
    match_id, first, second = pair(client, client, new_profile(client), new_profile(client), clock={"seconds": 66})
    assert act(client, match_id, first, "resign").status_code == 200
    found = settled(client, match_id, second)
    assert (found["counted"], found["abandoned"]) == (False, "first")


def test_a_series_is_played_to_its_end(client):
    """In a series, the next game begins by itself with the sides exchanged, until the points decide it."""
    match_id, first, second = pair(client, client, new_profile(client), new_profile(client), best_of=3)
    play_to_win(client, match_id, first, second)
    assert settled(client, match_id, first)["points"] == [1.0, 0.0]
    until = time.monotonic() + 15
    while not (following := look(client, match_id, first)["state"]["next_match"]):
        assert time.monotonic() < until
        time.sleep(0.1)
    found = encounter(client, following, first)
    assert (found["game"], found["points"], found["series_over"]) == (2, [0.0, 1.0], False)
    assert act(client, following, second, "resign").status_code == 200  # who moves first now
    over = settled(client, following, first)
    assert (over["points"], over["series_over"]) == ([0.0, 2.0], True)


def test_whoever_never_drops_a_disc_has_abandoned_the_game(client, monkeypatch):
    """If a player never drops a disc, the match ends unrated. A player with too many such games has to pause."""
    monkeypatch.setattr(service, "FIRST_DISC_TIMEOUT_SECONDS", 0.5)
    monkeypatch.setattr(profiles, "GAMES_ABANDONED_BEFORE_PAUSE", 1)
    people = new_profile(client), new_profile(client)
    match_id, first, _ = pair(client, client, *people)
    found = settled(client, match_id, first)
    assert (found["abandoned"], found["counted"]) == ("first", False)
    (paused,) = [who for who in people if profile(client, who)["paused_seconds"]]
    body = {"secret": secrets.token_urlsafe(24), "device": secrets.token_urlsafe(24)}
    refused = client.post("/api/seeks", json=body, headers=bearer(paused))
    assert (refused.status_code, refused.json()["reason"]) == (429, "paused")


def test_whoever_leaves_loses(client, monkeypatch):
    """A player who is disconnected for too long loses the rated game to the one who stays."""
    monkeypatch.setattr(service, "DISCONNECTED_FORFEIT_SECONDS", 0.5)
    match_id, first, second = pair(client, client, new_profile(client), new_profile(client))
    drop(client, match_id, first, 3, 0)
    drop(client, match_id, second, 3, 1)
    with Socket(client, match_id, first):
        found = settled(client, match_id, first)
    assert (found["abandoned"], found["counted"]) == ("second", True)
    assert look(client, match_id, first)["state"]["result"]["reason"] == "forfeit"


def test_a_muted_opponent_is_not_met_again(client):
    ann, bob = new_profile(client), new_profile(client)
    match_id, first, second = pair(client, client, ann, bob)
    assert act(client, match_id, first, "mute", {"muted": True}).json() == {"done": True}
    assert encounter(client, match_id, first)["muted"]
    assert not encounter(client, match_id, second)["muted"]
    act(client, match_id, first, "resign")
    waiting = [seek(client, who, clock={"seconds": 64}) for who in (ann, bob)]
    assert [answer["match"] for _, _, answer in waiting] == [None, None]
    for seek_id, secret, _ in waiting:
        client.post(f"/api/seeks/{seek_id}/cancel", headers=bearer(secret))


def test_a_profile_moves_to_another_device(client):
    """A code, in upper or lower case, moves a profile to another device once. A wrong code is refused."""
    ann = new_profile(client, "Mover")
    code = client.post("/api/profiles/me/transfer", headers=bearer(ann)).json()["code"]
    phone = secrets.token_urlsafe(24)
    typed = f"{code[:4].lower()}-{code[4:]}"
    assert client.post("/api/profiles/claim", json={"code": "AAAABBBB", "secret": phone}).status_code == 403
    moved = client.post("/api/profiles/claim", json={"code": typed, "secret": phone}).json()
    assert moved["name"] == "Mover"
    assert profile(client, phone)["id"] == profile(client, ann)["id"]
    again = client.post("/api/profiles/claim", json={"code": code, "secret": secrets.token_urlsafe(24)})
    assert again.json()["reason"] == "wrong_transfer_code"
    assert client.post("/api/profiles/me/delete", headers=bearer(phone)).json() == {"done": True}
    assert profile(client, ann)["reason"] == "no_profile"


def test_names_are_clean_and_not_those_of_others(client):
    ann = new_profile(client)

    def named(name: str) -> dict:
        return client.post("/api/profiles/me/name", json={"name": name}, headers=bearer(ann)).json()

    new_profile(client, "Taken")
    assert named("taken ")["reason"] == "profile_name_taken"
    assert named("Level 3")["reason"] == "name_reserved"
    assert named("a\u202eb")["reason"] == "bad_name"
    assert named("!!!")["reason"] == "bad_name"
    assert named("  Zoë  Å ")["name"] == "Zoë Å"
    assert named("")["name"] == ""


def test_strangers_of_two_servers_meet_once(postgres):  # noqa: F811
    """Two servers that share a PostgreSQL pair their clients with each other and record each result once."""
    database = postgres.create(uuid.uuid4().hex)
    servers = [ServerProcess(database) for _ in range(2)]
    try:
        one, other = (server.client for server in servers)
        ann, bob = new_profile(one), new_profile(other)
        match_id, first, second = pair(one, other, ann, bob)
        with Socket(one, match_id, first) as here, Socket(other, match_id, second) as there:
            here.send({"type": "say", "id": 1, "phrase": "hello"})
            while (heard := there.receive())["type"] != "said":
                pass
            assert heard["phrase"] == "hello"
        for ply in range(7):
            client = servers[ply % 2].client
            assert drop(client, match_id, (first, second)[ply % 2], ply % 2, ply).status_code == 201
        assert settled(other, match_id, first) == settled(one, match_id, first)
        waiting = [(client, *seek(client, new_profile(client))[:2]) for client in (one, other) * 5]
        found = [wait_for_match(client, seek_id, secret)["match"] for client, seek_id, secret in waiting]
        assert sorted(found.count(match) for match in found) == [2] * 10
    finally:
        for server in servers:
            server.stop()


def test_the_operator_reads_reports_and_evidence_and_clears_a_name(tmp_path):
    """The operator sees reports with match and reason, and the server's comparison of rated games with the solver. The
    operator can remove a name."""
    settings = settings_for(tmp_path, same_address_rated=True)
    here = ("--database", settings.database)
    with serving(settings) as client:
        ann, bob = new_profile(client, "Ann"), new_profile(client, "Bob")
        match_id, first, second = pair(client, client, ann, bob)
        play_to_win(client, match_id, first, second)
        name = look(client, match_id, first)["seats"]["first"]["name"]
        for reason in ("left", "programs"):
            report = client.post(f"/api/matches/{match_id}/report", json={"reason": reason}, headers=bearer(second))
            assert report.status_code == 200, report.text

        engine = open_database(settings.database)
        wait_for(lambda: conduct_to_look_at(engine, 0.0)[0].compared == (match_id,))
        (found,) = json.loads(connectk("--json", "admin", "reports", *here).stdout)["profiles"]
        assert (found["name"], found["reports"], found["reported"]) == (name, {"programs": 1}, [match_id])
        assert 0 < found["decisions"] <= 4
        assert not found["unlikely"]
        text = connectk("admin", "reports", *here).stdout
        assert f"reported: lets a program play (1); matches: {match_id}" in text
        assert "1 game compared: kept the result in" in text

        assert connectk("admin", "clear-name", found["profile"], *here).returncode == 0
        owner = ann if name == "Ann" else bob
        assert profile(client, owner)["name"] == ""
        assert connectk("admin", "delete-profile", found["profile"], *here).returncode == 0
        assert client.get("/api/profiles/me", headers=bearer(owner)).json()["reason"] == "no_profile"
        with pytest.raises(BadOrder, match="There is no profile"):
            clear_name(engine, found["profile"])


@pytest.mark.parametrize(
    ("count", "seconds", "disturbances"),
    [(10, 3, {DISCONNECTED: 0.1}), pytest.param(100, 60, DISTURBANCES, marks=pytest.mark.deep)],
)
def test_a_crowd_of_strangers_is_paired_and_rated(tmp_path, count, seconds, disturbances):
    """In a crowd, players find opponents although some disconnect, stall or leave. Each result changes two ratings
    once."""
    settings = settings_for(tmp_path, proxies=1)
    with serving(settings) as client:
        crowd = Crowd(client.port, count, disturbances=disturbances)
        asyncio.run(crowd.play(seconds))
        wait_for(lambda: not unsettled(settings.database))
        assert asyncio.run(crowd.lost_matches()) == []
    assert crowd.seen["people"] >= count
    with open_database(settings.database).connect() as connection:
        rows = connection.execute(select(encounters).where(encounters.c.counted).order_by(encounters.c.settled))
        found = [encounter_from(row) for row in rows]
        known = [profile_from(row) for row in connection.execute(select(profile_table))]
    assert len(known) == count
    assert sum(one.games for one in known) == 2 * len(found) > 0
    assert sum(one.wins for one in known) == sum(one.losses for one in known)
    after = {game.profile_of(side): game.after[side.value] for game in found for side in Side if game.after}
    assert {one.id: one.glicko for one in known if one.id in after} == after


def unsettled(database: str) -> int:
    with open_database(database).connect() as connection:
        open_ones = select(func.count()).select_from(encounters).where(encounters.c.settled.is_(None))
        return int(connection.execute(open_ones).scalar_one())


def test_a_seek_becomes_a_match_and_needs_room_for_one(tmp_path):
    """An address that has reached its limit of open matches cannot seek."""
    with serving(settings_for(tmp_path, address_open=1)) as client:
        profile, match = new_profile(client), make(client)
        body = {"secret": "s" * 32, "device": "d" * 32}
        refused = client.post("/api/seeks", json=body, headers=bearer(profile))
        assert (refused.status_code, refused.json()["reason"]) == (429, "too_many")
        act(client, match["match"]["id"], match["secret"], "resign")
        assert client.post("/api/seeks", json=body, headers=bearer(profile)).status_code == 201
