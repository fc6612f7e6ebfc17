"""The command `connectk puzzle`."""

import io
import json
import os
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from connectk.cli import main
from connectk.puzzles import parse_puzzles, puzzle_of_day, shipped_puzzles
from tests.terminal.command import environment, status_of
from tests.terminal.screens import ScreenUser

DAY = "2026-11-16"


def run(state: Path, capsys: pytest.CaptureFixture[str], *options: str, answers: str = "", **more: str) -> str:
    """Run the command and return its output; raise its error."""
    with (
        patch.dict(os.environ, environment(state, **more), clear=True),
        patch.object(sys, "argv", ["connectk", *options]),
        patch.object(sys, "stdin", io.StringIO(answers)),
    ):
        status = status_of(main)
    said = capsys.readouterr()
    assert status == 0, said.err
    return said.out


def todays():
    from datetime import date

    return puzzle_of_day(date.fromisoformat(DAY))


def test_the_puzzle_of_the_day_in_sentences(tmp_path, capsys):
    """A wrong column is explained, the right one solves it, the explanation follows, and the rating is saved."""
    puzzle = todays()
    wrong = next(column for column in puzzle.position.legal_columns if column != puzzle.answer)
    answers = f"x\n9\nh\n{wrong + 1}\n{puzzle.answer + 1}\nw\nq\n"

    said = run(tmp_path, capsys, "puzzle", "--plain", "--day", DAY, answers=answers)

    assert f"Puzzle of the day, {DAY}." in said
    assert "Hint: " in said
    assert f"olumn {wrong + 1} " in said
    assert "Right." in said
    assert "Board 1" in said
    kept = json.loads((tmp_path / "connectk" / "practice.json").read_text())
    assert kept["tried"] == {puzzle.key: False}
    assert kept["rating"][0] < 1500
    assert f"Your rating: {round(kept['rating'][0])}." in said


def test_the_solution_can_be_asked_for(tmp_path, capsys):
    puzzle = todays()

    said = run(tmp_path, capsys, "puzzle", "--plain", "--day", DAY, "--language", "sv", answers="s\n\nq\n")

    assert f"Svaret är kolumn {puzzle.answer + 1}." in said
    assert said.count("är vid draget") == 2, "another puzzle follows"


def test_a_puzzle_as_json(tmp_path, capsys):
    facts = json.loads(run(tmp_path, capsys, "puzzle", "--json", "--theme", "fork", "--difficulty", "2"))

    assert facts["theme"] == "fork"
    assert facts["difficulty"] == 2


def test_a_filter_without_puzzles_is_refused(tmp_path, capsys):
    with pytest.raises(AssertionError, match="puzzle make"):
        run(tmp_path, capsys, "puzzle", "--variant", "4x4x4", "--json")


def test_puzzles_of_ones_own(tmp_path, capsys):
    """Made for a small board, then asked from the file."""
    out = tmp_path / "own.txt"
    options = ("--variant", "5x4x4", "--count", "1", "--least-discs", "4", "--most-discs", "14")
    made = json.loads(run(tmp_path, capsys, "puzzle", "make", str(out), *options, "--json"))

    (puzzle,) = parse_puzzles(out.read_text())[1]
    assert made[0]["start"] == puzzle.start
    asked = json.loads(run(tmp_path, capsys, "puzzle", "--from", str(out), "--json"))
    assert asked["answer"] == puzzle.answer


@pytest.mark.parametrize(("name", "beginning"), [("sheet.svg", b"<svg"), ("sheet.pdf", b"%PDF")])
def test_a_sheet_to_print(tmp_path, capsys, name, beginning):
    out = tmp_path / name

    said = run(tmp_path, capsys, "puzzle", "sheet", str(out), "--count", "2")

    assert "2 puzzles" in said
    assert out.read_bytes().startswith(beginning)


@pytest.mark.anyio
async def test_a_puzzle_on_the_full_screen(tmp_path):
    """A wrong drop leaves the board as it is, the right one falls; then the why, and the next puzzle."""
    from datetime import date

    from connectk.terminal.screen.app import ConnectkApp
    from connectk.terminal.screen.sessions import SessionScreen
    from connectk.terminal.sessions import PuzzleSession, SavedPractice
    from connectk.terminal.settings import TerminalSettings
    from connectk.terminal.store import Autosaves

    settings = TerminalSettings(reduced_motion=True, autosaves=Autosaves(tmp_path / "games"))
    app = ConnectkApp(settings)
    session = PuzzleSession(
        SavedPractice(tmp_path / "practice.json"),
        shipped_puzzles()[:50],
        app.texts,
        date.fromisoformat(DAY),
        shipped_puzzles()[0],
    )
    app.start_with(SessionScreen(session))
    puzzle = shipped_puzzles()[0]
    wrong = next(column for column in puzzle.position.legal_columns if column != puzzle.answer)
    async with app.run_test(size=(100, 30)) as pilot:
        me = ScreenUser(app, pilot)
        await me.press("h")
        assert "Hint" in me.side_text
        await me.press(str(wrong + 1))
        await me.wait_until(lambda: f"olumn {wrong + 1} " in me.side_text)
        assert app.screen.board.position == puzzle.position
        await me.press(str(puzzle.answer + 1))
        await me.wait_until(lambda: "Right." in me.side_text)
        assert app.screen.board.position == puzzle.position.drop(puzzle.answer)
        await me.press("w")
        await me.wait_until(lambda: "wins" in me.side_text and "1 / " in me.side_text, seconds=60)
        await me.press("escape")
        await me.press("enter")
        await me.wait_until(lambda: session.puzzle != puzzle)
        assert app.screen.board.position == session.puzzle.position
    assert SavedPractice(tmp_path / "practice.json").practice.tried == {puzzle.key: False}


def test_a_damaged_practice_file_is_renamed(tmp_path):
    from connectk.terminal.sessions import SavedPractice

    path = tmp_path / "practice.json"
    path.write_text('{"rating": 5}')

    assert SavedPractice(path).practice.tried == {}
    assert path.with_suffix(".damaged").read_text() == '{"rating": 5}'
