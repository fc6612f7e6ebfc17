"""Tests what each evaluation counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectk.errors import BadEvaluation
from connectk.notation import parse_diagram
from connectk.players.evaluations import NAMED_EVALUATIONS, centre, combined, lines, load_evaluation, windows
from connectk.rules import Position, Side

BOARD = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . o o . .
    . . x x x o .
"""


def test_centre_counts_the_windows_through_a_cell():
    """The cells of the bottom row of the classic board are worth 3 4 5 7 5 4 3."""
    worths = [centre(Position.from_moves((column,)), Side.FIRST) for column in range(7)]
    assert worths == [3, 4, 5, 7, 5, 4, 3]


def test_lines_counts_1_for_two_5_for_three_25_for_four():
    """Of the evaluation `lines`: a run of three is worth 5, and runs of two are worth 1 each."""
    position = parse_diagram(BOARD)
    assert lines(position, Side.FIRST) == 5 - 1 - 1


def test_windows_counts_what_may_still_become_a_line():
    """Two discs side by side lie in two windows that are still open. A third disc makes these windows worth more."""
    assert windows(Position.from_moves("314"), Side.FIRST) == 2 * 2
    assert windows(Position.from_moves("31415"), Side.FIRST) == 10 + 10 + 2 - 2


@pytest.mark.parametrize("evaluate", NAMED_EVALUATIONS.values())
def test_what_is_good_for_one_side_is_bad_for_the_other(evaluate):
    """For every built-in evaluation, the values for the two sides are opposite numbers."""
    position = parse_diagram(BOARD)
    assert evaluate(position, Side.FIRST) == -evaluate(position, Side.SECOND)
    assert evaluate(Position.start(), Side.FIRST) == 0


def test_combined_is_the_sum_of_the_three():
    """`combined` adds `windows`, `centre` and `lines`, and nothing else."""
    position = parse_diagram(BOARD)
    parts = [evaluate(position, Side.FIRST) for evaluate in (windows, centre, lines)]
    assert combined(position, Side.FIRST) == sum(parts)


def test_an_evaluation_of_your_own_is_a_function_in_a_file(tmp_path: Path):
    """`myfile.py:evaluate` names a user's own evaluation: a function in a file."""
    file = tmp_path / "mine.py"
    file.write_text("def evaluate(position, side):\n    return position.ply\n")
    assert load_evaluation(f"{file}:evaluate")(Position.from_moves("44"), Side.FIRST) == 2


def test_a_file_may_hold_whatever_a_module_may(tmp_path: Path):
    """A user's file may define a dataclass, which works only in a module that Python can look up."""
    file = tmp_path / "mine.py"
    file.write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Weights:\n    disc: int = 3\n"
        "def evaluate(position, side):\n    return Weights().disc * position.ply\n"
    )
    assert load_evaluation(f"{file}:evaluate")(Position.from_moves("44"), Side.FIRST) == 6


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("return 1 / 0", "ZeroDivisionError"),
        ("return float('nan')", "nan, which is no number"),
        ("return None", "None, which is no number"),
        ("return 'good'", "'good', which is no number"),
        ("return '7'", "'7', which is no number"),
    ],
)
def test_an_evaluation_that_fails_shows_the_position(tmp_path: Path, body: str, complaint: str):
    """If an evaluation fails, the error names the evaluation, its exception and the position."""
    file = tmp_path / "mine.py"
    file.write_text(f"def evaluate(position, side):\n    {body}\n")
    position = Position.from_moves("44")
    with pytest.raises(BadEvaluation, match=complaint) as caught:
        load_evaluation(f"{file}:evaluate")(position, Side.FIRST)
    assert str(position) in str(caught.value)
    assert caught.value.position == position


@pytest.mark.parametrize(
    ("source", "complaint"),
    [("x = 1", "has no function evaluate"), ("def evaluate(:", "SyntaxError"), ("1 / 0", "ZeroDivisionError")],
)
def test_a_file_without_the_function_is_refused(tmp_path: Path, source: str, complaint: str):
    """A file that lacks the named function is refused in one sentence."""
    file = tmp_path / "mine.py"
    file.write_text(source)
    with pytest.raises(BadEvaluation, match=complaint):
        load_evaluation(f"{file}:evaluate")


@pytest.mark.parametrize("name", ["nothing", "missing.py:evaluate", "lines.txt:evaluate", ""])
def test_an_unknown_evaluation_is_refused(name: str):
    """An unknown evaluation is refused with a list of the existing ones; an unreadable file is reported."""
    with pytest.raises(BadEvaluation, match=r"windows, centre, lines, combined|cannot be read"):
        load_evaluation(name)
