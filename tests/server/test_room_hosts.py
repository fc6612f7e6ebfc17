"""Tests the requests of hosts: admit members, pause, stop a round, share and hand over the room. Absent members
lose."""

from __future__ import annotations

import asyncio

import pytest

from connectk.rooms import ruling
from connectk.rooms.bracket import round_count
from tests.server.room_clients import RoomClient, enter, make_room
from tests.server.serving import serving, settings_for
from tests.server.test_rooms import SMALL, Sitting, ask, look


def members_of(client, code):
    return {member["name"]: member for member in look(client, code)["room"]["members"]}


def test_one_more_host_by_a_code(client):
    """A code makes one more person a host and works once. The first host may then resign."""
    code, host = make_room(client, format="swiss")
    _, hers = enter(client, code, "Ann")
    assert ask(client, code, "host-code", hers).json()["reason"] == "not_host"
    given = ask(client, code, "host-code", host).json()
    assert given["seconds"] == ruling.HOST_CODE_SECONDS
    assert ask(client, code, "host", None, code="AAAAAA").json()["reason"] == "wrong_host_code"
    second = ask(client, code, "host", None, code=f" {given['code'].lower()}").json()
    assert second["host"]
    assert second["you"] is None
    assert ask(client, code, "host", None, code=given["code"]).json()["reason"] == "wrong_host_code"
    assert ask(client, code, "lock", second["secret"]).json()["host"]
    assert not ask(client, code, "host/resign", host).json()["host"]
    assert ask(client, code, "unlock", host).json()["reason"] == "not_host"
    assert ask(client, code, "host/resign", second["secret"]).json()["reason"] == "last_host"


def test_host_codes_cannot_be_guessed_at_any_useful_rate(tmp_path):
    with serving(settings_for(tmp_path, wrong_codes=5)) as client:
        code, host = make_room(client)
        right = ask(client, code, "host-code", host).json()["code"]
        guesses = [ask(client, code, "host", None, code=f"{right[:5]}{'A' if right[5] != 'A' else 'B'}")] * 1
        guesses += [ask(client, code, "host", None, code="ABCDEF") for _ in range(9)]
        assert {answer.status_code for answer in guesses} == {403, 429}
        assert ask(client, code, "host", None, code=right).status_code == 429


def test_a_member_becomes_host_and_takes_over(client):
    code, host = make_room(client, format="swiss")
    ann, hers = enter(client, code, "Ann")
    bob, his = enter(client, code, "Bob")
    with Sitting(client, code, his) as sitting:
        assert ask(client, code, f"members/{ann}/host", host).json()["host"]
        change = sitting.receive("changed")
        assert change["event"] == "host_added"
        assert {member["name"]: member["host"] for member in change["members"]} == {"Ann": True, "Bob": False}
    assert ask(client, code, "lock", hers).json()["host"]
    answer = ask(client, code, f"members/{bob}/host", host, instead=True).json()
    assert not answer["host"]
    assert ask(client, code, "unlock", host).json()["reason"] == "not_host"
    assert ask(client, code, "unlock", his).json()["host"]
    assert ask(client, code, f"members/{ann}/remove", his).status_code == 200
    assert ask(client, code, "lock", hers).json()["reason"] == "not_host"
    assert ask(client, code, f"members/{bob}/remove", his).json()["reason"] == "last_host"


def test_names_wait_for_the_host(client):
    """If a room admits members by hand, a person waits until the host admits the name. A computer level need not
    wait."""
    code, host = make_room(client, format="round_robin", approval=True)
    ann, hers = enter(client, code, "Ann")
    enter(client, code, "Bob")
    ask(client, code, "levels", host, level=1)
    waiting = {name: member["waiting"] for name, member in members_of(client, code).items()}
    assert waiting == {"Ann": True, "Bob": True, "Level 1": False}
    assert ask(client, code, "begin", host).json()["reason"] == "too_few"
    assert ask(client, code, "admit", hers, members=[ann]).json()["reason"] == "not_host"
    assert ask(client, code, "admit", host, members=[ann]).status_code == 200
    assert {line["member"] for line in look(client, code)["room"]["standings"]} == {ann, 3}
    with Sitting(client, code, hers) as playing:
        ask(client, code, "begin", host)
        assert playing.receive("match")["match"]["id"]


def test_a_pause_starts_nothing_and_the_next_round_starts_now(client):
    code, host = make_room(client, format="swiss", rounds=3, rest_seconds=600)
    secrets = [enter(client, code, f"Member {number}")[1] for number in range(4)]
    with Sitting(client, code, secrets[0]) as playing:
        ask(client, code, "begin", host)
        first = playing.receive("match")
        assert ask(client, code, "pause", host).json()["room"]["state"]["paused"]
        assert ask(client, code, "next-round", secrets[1]).json()["reason"] == "not_host"
        assert ask(client, code, "next-round", host).status_code == 200
        while (change := playing.receive("changed"))["event"] != "scored":
            pass
        assert (change["meetings"][0]["reason"], change["meetings"][0]["winner"]) == ("stopped", None)
        assert not ask(client, code, "resume", host).json()["room"]["state"]["paused"]
        assert playing.receive("match")["match"]["id"] != first["match"]["id"]
        assert look(client, code)["room"]["state"]["round"] == 2
    assert ask(client, make_room(client)[0], "next-round", host).json()["reason"] == "not_host"
    other, its = make_room(client, format="ladder")
    assert ask(client, other, "next-round", its).json()["reason"] == "no_round"


def test_whoever_is_gone_too_long_loses_and_is_not_paired(client):
    """If Bob plays a disc and disappears for too long, Ann, who stays, wins. A computer level never counts as
    absent."""
    code, host = make_room(client, format="ladder", gone_seconds=10)
    ann, hers = enter(client, code, "Ann")
    bob, his = enter(client, code, "Bob")
    with Sitting(client, code, hers) as staying:
        with Sitting(client, code, his) as leaving:
            ask(client, code, "begin", host)
            match = staying.receive("match")
            other = leaving.receive("match")
            players = {"first": staying, "second": leaving}
            if match["sides"] == ["second"]:
                players = {"first": leaving, "second": staying}
            for ply, one in enumerate((players["first"], players["second"])):
                drop = {"type": "drop", "match": other["match"]["id"], "column": 3, "ply": ply, "id": ply}
                one.send(drop)
                assert one.receive("done", "refused")["type"] == "done"
        while (change := staying.receive("changed"))["event"] != "scored":
            pass
        meeting = change["meetings"][0]
        assert (meeting["winner"], meeting["gone"], meeting["no_show"]) == (ann, bob, None)
        assert meeting["reason"] == "forfeit"
        assert {member["number"]: member["away"] for member in change["members"]} == {ann: False, bob: True}


def test_teams_are_joined_and_moved(client):
    code, host = make_room(client, format="teams", teams=["7A", "7B"], rounds=1)
    ann, _ = enter(client, code, "Ann")
    enter(client, code, "Bob")
    answer = client.post(f"/api/rooms/{code}/join", json={"name": "Cleo", "team": 2}).json()
    teams = {name: member["team"] for name, member in members_of(client, code).items()}
    assert teams == {"Ann": 1, "Bob": 2, "Cleo": 2}
    assert answer["room"]["teams"] == [{"name": "7A", "points": 0}, {"name": "7B", "points": 0}]
    assert ask(client, code, f"members/{ann}/team", host, team=2).json()["room"]["members"][0]["team"] == 2
    assert ask(client, code, "begin", host).json()["reason"] == "too_few"
    ask(client, code, f"members/{ann}/team", host, team=1)
    assert ask(client, code, "begin", host).status_code == 200
    assert ask(client, code, f"members/{ann}/team", host, team=2).json()["reason"] == "no_team"


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["knockout", "teams"])
async def test_an_evening_in_rounds(client, kind):
    """Bots play in rounds until the room is over, and every client receives exactly the stored events."""
    code, host = make_room(client, format=kind, rounds=2, variant=SMALL)
    bots = [RoomClient(lambda: client.port, code, f"Bot {n}", seed=n) for n in range(6)]
    for bot in bots:
        await bot.join()
    await asyncio.to_thread(ask, client, code, "begin", host)
    await asyncio.wait_for(asyncio.gather(*(bot.play() for bot in bots)), 240)
    room = look(client, code)["room"]
    assert room["state"]["closed"]
    if kind == "teams":
        assert sum(team["points"] for team in room["teams"]) == 6
    else:
        assert room["state"]["round"] == room["state"]["rounds"] == round_count(range(6)) == 3
        assert room["bracket"][-1][0]["winner"] == room["standings"][0]["member"]
        assert len(room["state"]["out"]) == 5


def test_an_arena_says_when_it_ends(client):
    code, host = make_room(client, format="arena", minutes=5)
    assert look(client, code)["room"]["state"]["ends"] is None
    for level in (1, 2):
        ask(client, code, "levels", host, level=level)
    enter(client, code, "Ann")
    begun = ask(client, code, "begin", host).json()["room"]
    now = client.host.service.now()
    assert now + 290 < begun["state"]["ends"] <= now + 300
    assert {line["streak"] for line in begun["standings"]} == {False}
