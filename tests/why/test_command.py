"""Tests that `connectk why` prints, draws, saves and checks explanations."""

import json
import re

import pytest
from typer.testing import CliRunner

from connectk.cli import app
from connectk.errors import ExplanationRefused
from connectk.texts import LANGUAGES, load_texts

WON_POSITION = "4444443265353"  # the first player has a threat, the second is to move


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["why", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_tells_why_in_every_language(language):
    texts = load_texts(language)
    said = run(WON_POSITION, "--proof", "--language", language)
    assert texts("why.claim.first.wins") in said
    assert texts("why.always") in said
    first = run(WON_POSITION, "--language", language)
    assert texts("why.always") not in first
    assert said.startswith(first[: first.index(texts("why.proof.shown", count=1))])
    assert "{" not in said


def test_what_is_saved_can_be_checked(tmp_path):
    file, picture = tmp_path / "why.json", tmp_path / "why.svg"
    said = run(WON_POSITION, "--out", str(file), "--out", str(picture), "--language", "en")
    assert run("--check", str(file), "--language", "en") == said
    assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_what_was_altered_is_refused(tmp_path):
    """A file altered to claim a win for the other side is refused."""
    file = tmp_path / "why.json"
    run(WON_POSITION, "--out", str(file))
    document = json.loads(file.read_text(encoding="utf-8"))
    document["pages"][0]["answers"].pop()
    file.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ExplanationRefused):
        run("--check", str(file))


def test_json_is_the_explanation_itself():
    facts = json.loads(run(WON_POSITION, "--json"))
    assert facts["claim"] == {"side": "first", "result": "wins"}
    assert facts["checked"] > 100


def test_no_short_explanation_is_an_answer():
    texts = load_texts("en")
    said = run("433", "--boards", "1", "--limit", "1s", "--language", "en")
    assert texts("why.step.line", line="3").rstrip("3.") in said
    assert (
        "For the second player: column 3 draws; columns 1, 2, 4, 5, 6 and 7 lose. With best play nobody wins." in said
    )
    assert json.loads(run("433", "--boards", "1", "--limit", "1s", "--json"))["line"][0] == 2


def test_an_opening_is_walked_through():
    """In an opening, the command prints the certified strategy's drop, its answer to each reply, and the next command
    to run."""
    said = run("44", "--language", "en")
    assert "The first player wins from here: a certified strategy of 8,525 boards" in said
    assert "After column 1: column 5." in said
    assert "After column 1: column" in run(said.split("connectk why ")[1].split()[0], "--language", "en")
    facts = json.loads(run("44", "--json"))["opening"]
    assert facts["drop"] == [3, 2]
    assert [one["reply"][0] for one in facts["answers"]] == list(range(7))


def test_off_the_strategy_the_nearest_board_is_told():
    said = run("4453", "--language", "en")
    assert "For the first player every column loses. Column 3 or 6 or 7 holds out longest, until disc 40." in said
    assert "Without the discs in column 3, row 1 and column 5, row 1 the first player wins with column 4" in said
    assert said.endswith("connectk why 44 shows that strategy.\n")


def test_a_finished_game_is_told_where_it_was_decided():
    """A finished game has nothing to explain on its last board, so the command names the winning line and the turning
    point."""
    said = run("4455667", "--language", "en")
    assert "The game is over: the first player won." in said
    assert "The winning line: column 4, row 1; column 5, row 1; column 6, row 1; column 7, row 1." in said
    assert "The turning point: move 4, the second player, column 5." in said
    assert said.endswith("connectk review 4455667 shows every move.\n")
    set_up = run("3o.4xo.5xo.6x.7x", "--language", "en")
    assert "The game is over: the first player won.\nThe winning line:" in set_up
    assert "turning point" not in set_up, "nobody knows the moves"


def test_for_the_ear_no_board_is_drawn_and_cells_are_named_in_words():
    """With `--no-board`, a proof has the same sentences, in which cells are named in words."""
    said = run(WON_POSITION, "--proof", "--no-board", "--language", "en")
    assert not re.search(r"\d/\d|[○●]|^[.xo] ", said, re.MULTILINE)
    assert re.search(r"column \d, row \d", said)
    assert said.startswith("Column 2, from the bottom: second player.\n")


def test_an_explanation_is_played_against():
    """The strategy answers each typed column with its reason, u takes back, and an illegal column is reported."""
    arguments = ["why", "5347732264", "--play", "--language", "en"]
    done = CliRunner().invoke(app, arguments, input="x\n9\n1\n4\nu\n5\nq\n", catch_exceptions=False)
    played = done.stdout.split("--proof shows it.")[1]
    assert done.exit_code == 0
    assert played.count("try to stop the win") == 3
    assert "There is no column 9" in played
    assert "Column 1 completes a line. The strategy has won." in played
    assert "The game is already over." in played
    opening = CliRunner().invoke(app, ["why", "44", "--play", "--language", "en"], input="1\n", catch_exceptions=False)
    assert "The strategy drops into column 4. You drop for the second player: try to stop the win." in opening.stdout
    assert "says what to do after your drop" in opening.stdout


def test_a_force_is_drawn_with_numbers():
    """A force is drawn with numbered discs: two open discs become three, which threaten to win on both sides."""
    said = run("3344", "--proof", "--language", "en")
    assert "Column 2 threatens to win in columns 1 and 5 at once" in said
    assert "2 1 ○ ○ 3 . ." in said


def test_a_review_tells_why_after_its_turning_point():
    """A review explains the position after its turning point. Here the lowest row was left open, so the first player
    forces a win."""
    arguments = ["review", "3344251", "--why", "--language", "en"]
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    assert "The first player drops into column 2: that threatens to win in columns 1 and 5 at once" in done.stdout
