"""`connectk why` tells, draws, saves and checks."""

import json

import pytest
from typer.testing import CliRunner

from connectk.cli import app
from connectk.errors import ExplanationRefused
from connectk.texts import LANGUAGES, load_texts

WON = "4444443265353"  # the first player has a threat, the second is to move


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["why", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_tells_why_in_every_language(language):
    texts = load_texts(language)
    said = run(WON, "--language", language)
    assert texts("why.claim.first.wins") in said
    assert texts("why.always") in said
    assert "{" not in said


def test_what_is_saved_can_be_checked(tmp_path):
    file, picture = tmp_path / "why.json", tmp_path / "why.svg"
    said = run(WON, "--save", str(file), "--svg", str(picture), "--language", "en")
    assert run("--check", str(file), "--language", "en") == said
    assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_what_was_altered_is_refused(tmp_path):
    """The other side wins just as little as the file may say so."""
    file = tmp_path / "why.json"
    run(WON, "--save", str(file))
    document = json.loads(file.read_text(encoding="utf-8"))
    document["pages"][0]["answers"].pop()
    file.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ExplanationRefused):
        run("--check", str(file))


def test_json_is_the_explanation_itself():
    facts = json.loads(run(WON, "--json"))
    assert facts["claim"] == {"side": "first", "result": "wins"}
    assert facts["checked"] > 100


def test_no_short_explanation_is_an_answer():
    texts = load_texts("en")
    assert texts("why.none") in run("", "--boards", "1", "--time", "1s", "--language", "en")
    assert json.loads(run("", "--boards", "1", "--time", "1s", "--json"))["line"][0] == 3


def test_a_force_is_drawn_with_numbers():
    """Two open discs become three, which threaten on both sides."""
    said = run("3344", "--language", "en")
    assert load_texts("en")("why.force", moves="2, (1), 5") in said
    assert "2 1 ○ ○ 3 . ." in said


def test_a_review_tells_why_after_its_turning_point():
    """The second player leaves the lowest row open on both sides, and a force follows."""
    arguments = ["review", "3344251", "--why", "--language", "en"]
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    assert load_texts("en")("why.force", moves="2, (1), 5") in done.stdout
