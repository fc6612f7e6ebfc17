"""Tests explanations over HTTP: the server sends only those that its checker accepts, and anyone can check them
again."""

import json

import pytest
from typer.testing import CliRunner

from connectk.cli import app
from connectk.texts import LANGUAGES, load_texts
from connectk.why import check, parse_explanation
from tests.server.serving import serving, settings_for

FORCE = {"moves": [2, 2, 3, 3]}
STRATEGY = {"moves": [3, 3, 3, 3, 3, 3, 2, 1, 5, 4, 2, 4, 2]}


def test_a_force_is_told_drop_by_drop(client):
    answer = client.post("/api/why", json=FORCE).json()
    assert (answer["claim"], answer["kind"]) == ({"side": "first", "result": "wins"}, "force")
    assert [step["kind"] for step in answer["steps"]] == ["double", "win"]
    assert answer["steps"][0]["words"] == load_texts("en")("why.step.double", column=2, columns="1 and 5")
    assert answer["steps"][-1]["played"] == [[1, 0], [0, 0], [4, 0]]
    assert answer["steps"][-1]["lines"] == [[[1, 0], [2, 0], [3, 0], [4, 0]]]


def test_a_strategy_shows_which_cells_answer_which(client):
    answer = client.post("/api/why", json=STRATEGY).json()
    assert answer["kind"] in ("strategy", "tree")
    always = next(step for step in answer["steps"] if step["kind"] == "always")
    assert all(len(pair) == 2 for pair in always["pairs"])
    assert len(always["pairs"]) > 3
    assert {step["kind"] for step in answer["steps"]} >= {"always", "rule"}
    assert all(0 <= step["page"] < answer["boards"] for step in answer["steps"])


def test_what_was_sent_is_proved_again_by_the_command(client, tmp_path):
    """The field `explanation` of an answer, saved unchanged, is accepted by `connectk why --check`."""
    answer = client.post("/api/why", json=STRATEGY).json()
    file = tmp_path / "why.json"
    file.write_text(json.dumps(answer["explanation"]), encoding="utf-8")
    assert check(parse_explanation(file.read_text(encoding="utf-8"))) == answer["checked"]
    done = CliRunner().invoke(app, ["why", "--check", str(file), "--language", "en"], catch_exceptions=False)
    assert load_texts("en")("why.claim.first.wins") in done.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_spoken_and_worked_out_once(client, language):
    texts = load_texts(language)
    client.post("/api/why", json=STRATEGY)
    thinkers, asked = client.host._analysts, []
    think, thinkers.think = thinkers.think, lambda *arguments: asked.append(arguments) or think(*arguments)
    answer = client.post("/api/why", json=STRATEGY | {"language": language}).json()
    thinkers.think = think
    assert asked == []
    assert answer["headline"].startswith(texts("why.claim.first.wins"))
    assert texts("why.step.always") in [step["words"] for step in answer["steps"]]
    assert not any("{" in step["words"] or "why." in step["words"] for step in answer["steps"])


def test_no_short_explanation_is_an_answer_with_best_play(client):
    answer = client.post("/api/why", json={}).json()
    if answer["claim"] is not None:
        pytest.skip("one was found")
    assert answer["known"] == {"kind": "win", "side": "first"}
    (step,) = client.post("/api/why", json={"moves": [3, 2, 2]}).json()["steps"]
    assert (step["kind"], step["played"][0]) == ("line", [2, 2])


def test_of_a_game_that_is_over_only_the_end_is_told(client):
    answer = client.post("/api/why", json={"moves": [0, 1, 0, 1, 0, 1, 0]}).json()
    assert (answer["claim"], answer["steps"]) == (None, [])
    assert answer["known"] == {"kind": "won", "side": "first"}


def test_a_board_too_large_is_refused_before_anyone_thinks(client):
    answer = client.post("/api/why", json={"variant": {"width": 30, "height": 30, "run": 5}})
    assert answer.status_code == 422
    assert client.post("/api/why", json={"side": "third"}).status_code == 422


def test_a_file_is_checked_before_it_is_told(client):
    good = client.post("/api/why", json=STRATEGY).json()
    again = client.post("/api/why/check?language=sv", content=json.dumps(good["explanation"]).encode()).json()
    assert again["claim"] == good["claim"]
    assert [step["kind"] for step in again["steps"]] == [step["kind"] for step in good["steps"]]
    assert again["headline"].startswith(load_texts("sv")("why.claim.first.wins"))


def test_a_file_of_half_a_megabyte_is_checked(client):
    """A file to check may have half a megabyte, which is more than other requests may have."""
    good = client.post("/api/why", json=STRATEGY).json()
    body = json.dumps(good["explanation"]).encode() + b" " * 500_000
    assert client.post("/api/why/check", content=body).json()["claim"] == good["claim"]
    assert client.post("/api/why/check", content=body + b" " * 600_000).status_code == 413


@pytest.mark.parametrize("alter", ["answers", "claim"])
def test_an_altered_file_is_refused_in_the_askers_language(client, alter):
    document = client.post("/api/why", json=STRATEGY).json()["explanation"]
    if alter == "claim":
        document["claim"]["side"] = "second"
    else:
        for page in document["pages"]:
            page.pop("answers", None)
    said = client.post("/api/why/check", content=json.dumps(document).encode(), headers={"Accept-Language": "fi"})
    assert said.status_code == 422
    assert said.json()["message"].startswith("Selitys ei päde")


@pytest.mark.parametrize("body", [b"", b"{}", b"[" * 100_000, b"\xff\xfe", b"x" * (2 << 20)])
def test_what_is_no_explanation_is_refused(client, body):
    assert client.post("/api/why/check", content=body).status_code in (413, 422)


def test_whys_count_as_analyses(tmp_path):
    with serving(settings_for(tmp_path, address_analyses=1)) as client:
        assert client.post("/api/why", json=FORCE).status_code == 200
        assert client.post("/api/why", json=FORCE).status_code == 200  # known by now
        assert client.post("/api/why", json=STRATEGY).status_code == 429
