"""Tests a room's results over HTTP and with `connectk room`: each member's grades, and each review as a page."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
import zipfile

import pytest

from connectk.review.grading import PlayGrade, sum_grades
from tests.server.clients import bearer
from tests.server.room_clients import enter, make_room
from tests.server.serving import ROOT, serving, settings_for
from tests.server.test_rooms import Sitting, ask, read_csv

ROOM_COMMAND = [sys.executable, "-c", "from connectk.cli import main; main()", "room"]
SMALL = {"width": 5, "height": 4, "run": 3}


def test_a_grade_over_several_games_weighs_each_move_alike():
    """A grade is the mean over all moves, so a long game counts for more. Games without a choice add nothing."""
    grades = [PlayGrade(1, 1, 10.0, 1, 0, 0), PlayGrade(1, 3, 90.0, 0, 2, 1), PlayGrade(1, 0, None, 0, 0, 0)]
    assert sum_grades(grades) == PlayGrade(3, 4, 70.0, 1, 2, 1)
    assert sum_grades(grades).serious_mistakes == 4
    assert sum_grades([]).accuracy is None


def played(client, columns, **options):
    """Play a room of two members with these discs to its end. Returns its code, the host's secret and the names by
    side."""
    code, host = make_room(client, format="round_robin", **options)
    _, hers = enter(client, code, "Ann")
    _, his = enter(client, code, "=Bob/..")
    with Sitting(client, code, hers) as one, Sitting(client, code, his) as other:
        ask(client, code, "begin", host)
        boards = [(sitting, sitting.receive("match")) for sitting in (one, other)]
        by_side = {match["sides"][0]: sitting for sitting, match in boards}
        names = {match["sides"][0]: name for (_, match), name in zip(boards, ("Ann", "=Bob/.."), strict=True)}
        for ply, column in enumerate(columns):
            mover = by_side["second" if ply % 2 else "first"]
            mover.send({"type": "drop", "match": boards[0][1]["match"]["id"], "column": column, "ply": ply, "id": ply})
            assert mover.receive("done", "refused")["type"] == "done"
        while one.receive("changed")["event"] != "closed":
            pass
    return code, host, names


def test_accuracy_and_serious_mistakes_of_each_game_and_of_each_member(client):
    """The grades of a game count a missed block against the second player. Only the host may read grades."""
    code, host, names = played(client, [3, 0, 3, 0, 3, 1, 3])
    assert client.get(f"/api/rooms/{code}/grades").json()["reason"] == "not_host"
    for file in ("grades.csv", "graded-games.csv", "reviews.zip"):
        assert client.get(f"/api/rooms/{code}/{file}").json()["reason"] == "not_host"
    answer = client.get(f"/api/rooms/{code}/grades", headers=bearer(host)).json()
    assert (answer["reviewed"], answer["left"]) == (1, 0)
    by_name = {member["name"]: member for member in answer["members"]}
    loser = by_name[names["second"]]
    assert loser["missed_blocks"] == 1
    assert loser["moves"] == 3
    assert 0 <= loser["accuracy"] < by_name[names["first"]]["accuracy"] <= 100

    row = read_csv(client, code, "graded-games.csv", host)[0]
    assert (row["serious_mistakes_first"], row["serious_mistakes_second"]) == ("0", "1")
    assert float(row["accuracy_second"]) == pytest.approx(loser["accuracy"], abs=0.05)
    rows = read_csv(client, code, "grades.csv", host)
    assert {line["name"].removeprefix("'") for line in rows} == {"Ann", "=Bob/.."}
    assert sum(int(line["missed_blocks"]) for line in rows) == 1


def test_every_review_is_a_page_in_an_archive(client):
    code, host, _ = played(client, [3, 0, 3, 0, 3, 1, 3])
    content = client.get(f"/api/rooms/{code}/reviews.zip", headers={**bearer(host), "accept-language": "sv"}).content
    archive = zipfile.ZipFile(io.BytesIO(content))
    (name,) = archive.namelist()
    assert name in ("0001-Ann-_Bob___.html", "0001-_Bob___-Ann.html")
    page = archive.read(name).decode()
    assert '<html lang="sv"' in page
    assert "=Bob/.." in page


def test_a_game_that_cannot_be_reviewed_holds_nobody_up(client):
    """A game without discs cannot be reviewed. It counts as a game, has no grades and delays no other."""
    code, host = make_room(client, format="round_robin")
    _, hers = enter(client, code, "Ann")
    enter(client, code, "Bob")
    with Sitting(client, code, hers) as sitting:
        ask(client, code, "begin", host)
        match = sitting.receive("match")["match"]["id"]
        sitting.send({"type": "resign", "match": match, "id": 1})
        while sitting.receive("changed")["event"] != "closed":
            pass
    answer = client.get(f"/api/rooms/{code}/grades", headers=bearer(host)).json()
    assert answer == {"members": [], "reviewed": 0, "left": 0}
    (row,) = read_csv(client, code, "graded-games.csv", host)
    assert row["reason"] == "resigned"
    assert row["accuracy_first"] == row["serious_mistakes_second"] == ""
    archive = zipfile.ZipFile(io.BytesIO(client.get(f"/api/rooms/{code}/reviews.zip", headers=bearer(host)).content))
    assert archive.namelist() == []


def run(arguments, tmp_path, check=True):
    """Run `connectk room` with its own state folder. Returns the finished process."""
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "BROWSER": "true", "CONNECTK_LANGUAGE": "en"}
    done = subprocess.run(
        [*ROOM_COMMAND, *arguments], capture_output=True, text=True, cwd=ROOT, env=environment, timeout=300
    )
    assert not check or done.returncode == 0, done.stderr
    return done


def test_a_room_is_made_started_and_saved_from_the_command_line(client, tmp_path):
    """A room can be made, started and saved on the command line. The host's secret stays on this computer; another
    computer needs the host's link."""
    server = f"http://127.0.0.1:{client.port}"
    options = ["--title", "Class 7B", "--format", "knockout", "--variant", "5x4x3", "--json", "--server", server]
    made = json.loads(run(["make", *options], tmp_path).stdout)
    code = made["code"]
    for level in (1, 2):
        secret = made["host"].rsplit("/", 1)[1]
        assert ask(client, code, "levels", secret, level=level).status_code == 200
    refused = run(["start", code, "--server", server], tmp_path / "elsewhere", check=False)
    assert refused.returncode != 0
    assert "Give the host's link" in refused.stderr
    assert "Started with 2 members" in run(["start", code.lower(), "--server", server], tmp_path).stdout
    while not client.get(f"/api/rooms/{code}").json()["room"]["state"]["closed"]:
        time.sleep(0.1)
    folder = tmp_path / "results"
    order = ["results", made["host"], "--out", str(folder), "--language", "fi"]
    said = run(order, tmp_path / "elsewhere").stdout
    assert "Level 1" in said
    assert {path.name for path in folder.iterdir()} >= {"table.csv", "grades.csv", "graded-games.csv", "games.zip"}
    assert (folder / "table.csv").read_text(encoding="utf-8-sig").startswith("rank;name;")
    assert [path.suffix for path in (folder / "reviews").iterdir()] == [".html"] * len(
        list((folder / "reviews").iterdir())
    )
    assert list((folder / "reviews").iterdir())
    opened = json.loads(run(["open", code, "--wall", "--json", "--server", server], tmp_path).stdout)
    assert opened["link"] == f"{server}/#/wall/{code}"


def test_teams_are_named_on_the_command_line(client, tmp_path):
    server = f"http://127.0.0.1:{client.port}"
    options = ["--format", "teams", "--team", "7A", "--team", "7B", "--approval", "--server", server]
    said = run(["make", *options], tmp_path).stdout
    code = next(line.removeprefix("Code: ") for line in said.splitlines() if line.startswith("Code: "))
    room = client.get(f"/api/rooms/{code}").json()["room"]
    assert [team["name"] for team in room["teams"]] == ["7A", "7B"]
    assert room["approval"]


def test_grades_are_forgotten_with_the_games(tmp_path):
    with serving(settings_for(tmp_path)) as client:
        code, host, _ = played(client, [0, 1, 0, 1, 0], variant=SMALL)
        assert client.get(f"/api/rooms/{code}/grades", headers=bearer(host)).json()["reviewed"] == 1
        ask(client, code, "members/1/delete", host)
        assert client.get(f"/api/rooms/{code}/grades", headers=bearer(host)).json()["reviewed"] == 0


def test_the_link_of_a_new_room_is_one_that_others_can_open(tmp_path):
    with serving(settings_for(tmp_path, host="0.0.0.0", network_host="127.0.0.2")) as client:
        made = json.loads(run(["make", "--json", "--server", f"http://127.0.0.1:{client.port}"], tmp_path).stdout)

        assert made["link"] == f"http://127.0.0.2:{client.port}/#/room/{made['code']}"
