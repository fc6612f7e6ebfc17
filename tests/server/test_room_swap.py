"""Rooms in which games begin with a choice of sides, or from starting positions that are proven draws."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import zipfile
from typing import Any

import pytest

from connectk import Variant, solve
from connectk.notation import parse_start
from tests.server.clients import act, bearer, drop
from tests.server.room_clients import enter, make_room
from tests.server.serving import ROOT
from tests.server.test_connect import COMMAND, begin, wait_for
from tests.server.test_rooms import Sitting, ask, read_csv

SMALL = {"width": 5, "height": 4, "run": 3}
SWAPPING_BOT = """
def choose(position):
    return 2 if position.ply == 0 else position.legal_columns[0]

def swap(position):
    return True
"""


def begun_for_two(client: Any, **order: Any) -> tuple[str, str, dict[str, str], str]:
    """A started round robin of Ann and Bob. Returns its code, the host's secret, each side's secret, and the match."""
    code, host = make_room(client, format="round_robin", **order)
    secrets = {name: enter(client, code, name)[1] for name in ("Ann", "Bob")}
    begin(client, code, host)
    with Sitting(client, code, secrets["Ann"]) as ann:
        found = ann.receive("match")
    first, second = ("Ann", "Bob") if found["sides"] == ["first"] else ("Bob", "Ann")
    return (
        code,
        host,
        {"first": secrets[first], "second": secrets[second], "names": f"{first} {second}"},
        found["match"]["id"],
    )


def test_the_point_goes_to_whoever_plays_the_winning_side_after_a_swap(client):
    """If the second member takes over the first disc and wins, the table, the files and the grades name that member."""
    code, host, by, match_id = begun_for_two(client, swap=True)
    first, second = by["names"].split()
    with Sitting(client, code, by["first"]) as one, Sitting(client, code, by["second"]) as other:
        match = one.receive("match")["match"]
        assert (match["id"], match["swap"]) == (match_id, True)
        drop(client, match_id, by["first"], 3, 0)
        other.send({"type": "swap", "match": match_id, "id": 1})
        assert other.receive("done", "refused")["type"] == "done"
        for ply, (who, column) in enumerate([("first", 0), ("second", 3)] * 2 + [("first", 0), ("second", 3)], 1):
            assert drop(client, match_id, by[who], column, ply).status_code == 201
        while one.receive("changed")["event"] != "closed":
            pass
    room = client.get(f"/api/rooms/{code}").json()["room"]
    points = {room["members"][line["member"] - 1]["name"]: line["points"] for line in room["standings"]}
    assert points == {second: 1, first: 0}
    rows = read_csv(client, code, "games.csv")
    assert (rows[0]["first"], rows[0]["second"], rows[0]["result"]) == (first, second, "0-1")
    [game] = client.get(f"/api/rooms/{code}/games").json()["games"]
    assert (game["first"], game["second"], game["winner"]) == (second, first, "first")
    grades = client.get(f"/api/rooms/{code}/grades", headers=bearer(host)).json()["members"]
    assert {grade["name"]: grade["missed_blocks"] for grade in grades} == {first: 1, second: 0}


def test_whoever_places_discs_is_not_absent_and_a_member_who_leaves_loses(client):
    """A member who has placed discs is not absent. A member whom the host removes loses."""
    code, host, by, match_id = begun_for_two(client, swap=True, swap_discs=3)
    second = by["names"].split()[1]
    for ply, column in enumerate((0, 3, 3)):
        assert drop(client, match_id, by["first"], column, ply).status_code == 201
    assert act(client, match_id, by["second"], "extend").status_code == 200
    number = client.get(f"/api/rooms/{code}", headers=bearer(by["first"])).json()["you"]
    ask(client, code, f"members/{number}/remove", host)
    with Sitting(client, code, by["second"]) as other:
        while not other.welcome["room"]["state"]["closed"] and other.receive("changed")["event"] != "closed":
            pass
    room = client.get(f"/api/rooms/{code}").json()["room"]
    assert {room["members"][meeting["winner"] - 1]["name"] for meeting in room["meetings"]} == {second}


def test_games_of_a_room_start_from_proven_draws(client):
    _, _, by, match_id = begun_for_two(client, openings="fair", variant=SMALL)
    match = client.get(f"/api/matches/{match_id}", headers=bearer(by["first"])).json()["match"]
    board = parse_start(match["start"], Variant(**SMALL))
    assert board.ply in (1, 3)
    assert solve(board).score == 0


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ({"openings": "fair", "variant": {"width": 9, "height": 9, "run": 5}}, "no_fair_start"),
        ({"swap": True, "swap_discs": 3, "openings": [[3]]}, "bad_swap_discs"),
        ({"swap": True, "swap_discs": 3, "variant": SMALL}, "bad_swap_discs"),
    ],
)
def test_what_a_board_does_not_allow_is_refused(order, reason, client):
    refusal = client.post("/api/rooms", json=order)
    assert (refusal.status_code, refusal.json()["reason"]) == (422, reason)


def test_bots_in_python_and_cpp_swap_in_a_room(client, tmp_path):
    """Bots in Python and C++ take over a first disc in the middle."""
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    (tmp_path / "swapper.py").write_text(SWAPPING_BOT)
    program = tmp_path / "bot_cpp"
    subprocess.run([compiler, "-std=c++17", "-o", program, ROOT / "examples/bot_cpp.cpp"], check=True)
    code, host = make_room(client, format="round_robin", games=2, swap=True)
    home = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    players = {"Pat": str(tmp_path / "swapper.py"), "Cleo": str(program)}
    bots = [
        subprocess.Popen(
            [*COMMAND, player, "--server", f"127.0.0.1:{client.port}", "--room", code, "--name", name],
            stdout=subprocess.PIPE,
            text=True,
            env=home,
        )
        for name, player in players.items()
    ]
    wait_for(client, code, 2)
    begin(client, code, host)
    said = [bot.communicate(timeout=120)[0] for bot in bots]
    assert [bot.returncode for bot in bots] == [0, 0], said
    files = zipfile.ZipFile(io.BytesIO(client.get(f"/api/rooms/{code}/games.zip").content))
    saved = [json.loads(files.read(name)) for name in files.namelist()]
    assert [game["swap"] for game in saved] == [True, True]
