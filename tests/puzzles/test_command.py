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
from connectk.rules import Cell
from tests.terminal.command import environment, status_of
from tests.terminal.screens import ScreenUser

DAY = "2026-11-16"


def run(state: Path, capsys: pytest.CaptureFixture[str], *options: str, answers: str = "", **more: str) -> str:
    """Run the command, and return its output or raise its error."""
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
    """In plain text, a wrong answer to the puzzle of the day is explained. The right answer is accepted and explained,
    and the rating is saved."""
    puzzle = todays()
    wrong = next(column for column in puzzle.position.legal_columns if column != puzzle.answer)
    finish = "a\n" if puzzle.is_forcing else ""
    answers = f"x\n9\nh\n{wrong + 1}\n{puzzle.answer + 1}\n{finish}y\nq\n"

    said = run(tmp_path, capsys, "puzzle", "--plain", "--day", DAY, answers=answers)

    assert f"Puzzle of the day, {DAY}." in said
    assert "Hint: " in said
    assert f"olumn {wrong + 1} " in said
    assert "Right." in said
    assert "Board 1" in said
    kept = json.loads((tmp_path / "connectk" / "practice.json").read_text())
    assert kept["tried"] == {puzzle.key: False}
    assert kept["rating"][0] < 1500
    assert "Try again." in said
    assert "2 more answers place you." in said


def test_the_solution_can_be_asked_for(tmp_path, capsys):
    puzzle = todays()

    said = run(tmp_path, capsys, "puzzle", "--plain", "--day", DAY, "--language", "sv", answers="a\n\nq\n")

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
    """`connectk puzzle make` makes puzzles for a small board, and `connectk puzzle` asks them from the file."""
    out = tmp_path / "own.txt"
    options = ("--variant", "5x4x4", "--count", "1", "--min-discs", "4", "--max-discs", "14")
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
    """On the full screen, a wrong drop shows its refutation. After the right drop, the explanation and the next puzzle
    follow."""
    from datetime import date

    from connectk.terminal.learning_sessions import PuzzleSession, SavedPractice
    from connectk.terminal.screen.app import ConnectkApp
    from connectk.terminal.screen.learning_screen import LearningScreen
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
    app.start_with(LearningScreen(session))
    puzzle = shipped_puzzles()[0]
    wrong = next(column for column in puzzle.position.legal_columns if column != puzzle.answer)
    async with app.run_test(size=(100, 30)) as pilot:
        me = ScreenUser(app, pilot)
        await me.press("h")
        assert "Hint" in me.side_text
        await me.press(str(wrong + 1))
        await me.wait_until(lambda: f"olumn {wrong + 1} " in me.side_text)
        assert "Try again." in me.side_text
        assert app.screen.board._scene.numbers[Cell(wrong, puzzle.position.height_of(wrong))] == 1
        await me.press(str(puzzle.answer + 1))
        await me.wait_until(lambda: "Right." in me.side_text)
        assert puzzle.position.drop(puzzle.answer).ply <= app.screen.board.position.ply
        if puzzle.is_forcing:
            await me.press("a")
            await me.wait_until(lambda: not session.is_open)
        await me.press("y")
        await me.wait_until(lambda: "wins" in me.side_text and "1 / " in me.side_text, seconds=60)
        await me.press("escape")
        await me.press("enter")
        await me.wait_until(lambda: session.puzzle != puzzle)
        assert app.screen.board.position == session.puzzle.position
    assert SavedPractice(tmp_path / "practice.json").practice.tried == {puzzle.key: False}


def test_a_damaged_practice_file_is_renamed(tmp_path):
    from connectk.terminal.learning_sessions import SavedPractice

    path = tmp_path / "practice.json"
    path.write_text('{"rating": 5}')

    assert SavedPractice(path).practice.tried == {}
    assert path.with_suffix(".damaged").read_text() == '{"rating": 5}'


def test_the_mistakes_of_a_game_are_practised(tmp_path, capsys):
    """A missed block of a reviewed game becomes today's first puzzle, with a hint about the mistake."""
    said = run(tmp_path, capsys, "review", "444441326225", "--practise", "second")
    assert "1 position comes back as a puzzle" in said

    said = run(tmp_path, capsys, "puzzle", "--plain", "--theme", "fork", answers="h\n5\nq\n")

    assert "A mistake from a game of yours." in said
    assert "missed block" in said
    assert "Right." in said
    kept = json.loads((tmp_path / "connectk" / "practice.json").read_text())
    [(key, (_, stage))] = kept["due"].items()
    assert (key, stage) == ("7x6x4:1o.2xo.3x.4xoxox.6x", 0) or stage == 0
    assert kept["tried"] == {}
