"""Puzzles: one drop is right, the solver says so, and the checker accepts the reason."""

from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectk.errors import JobMismatch, NotationError, UnsupportedVariant
from connectk.notation import parse_diagram
from connectk.notation.start import parse_start
from connectk.puzzles import (
    Aim,
    Puzzle,
    PuzzleRecipe,
    Theme,
    make_puzzles,
    parse_puzzles,
    puzzle_boards,
    puzzle_of_day,
    shipped_puzzles,
)
from connectk.puzzles.drop_quality import DropQuality, judge_drop
from connectk.puzzles.files import PuzzleFileHeader, write_puzzles
from connectk.puzzles.judging import DEPTHS, UNSOLVED_DEPTH, PuzzleTask, depth_that_finds, find_task, levels_that_miss
from connectk.puzzles.practice import REPEAT_INTERVAL_DAYS, Practice, select_puzzles
from connectk.puzzles.sheet import draw_sheet, stack_pages
from connectk.puzzles.themes import explain_answer, theme_of
from connectk.rules import CLASSIC, Variant
from connectk.solver import Solver
from connectk.texts import load_texts
from connectk.why import check

SMALL = PuzzleRecipe(Variant(5, 4, 4), count=4, min_discs=4, max_discs=14)
TODAY = date(2026, 11, 16)
CHUNK_SIZE = 100  # puzzles that one deep test proves
CHUNKS = [
    (variant, first) for variant in puzzle_boards() for first in range(0, len(shipped_puzzles(variant)), CHUNK_SIZE)
]
BUSY_MACHINE_TIMEOUT_SECONDS = 60.0

FORK = parse_start("1o.3oo.4xxo.5xx.6ox.7xo")
QUIET = parse_diagram("""
    . . . o . . .
    . . . x . . .
""")


def one(**changes: object) -> Puzzle:
    facts = {"variant": CLASSIC, "start": "4xo", "answer": 3, "aim": Aim.WIN, "theme": Theme.FORK, "levels": 4}
    return Puzzle(**{**facts, "depth": 4, **changes})


def prove(puzzle: Puzzle, solver: Solver) -> None:
    """Solved again, the answer alone is right, and the checker accepts an explanation of the same theme."""
    position = puzzle.position
    task = find_task(position, solver)
    assert task == PuzzleTask(puzzle.aim, puzzle.answer), puzzle.key
    found = explain_answer(position, task, solver, BUSY_MACHINE_TIMEOUT_SECONDS)
    assert found is not None, puzzle.key
    check(found.explanation)
    assert theme_of(found) is puzzle.theme, puzzle.key


@pytest.mark.parametrize("variant", puzzle_boards(), ids=str)
def test_a_sample_of_the_shipped_puzzles_is_proved_again(variant):
    solver, puzzles = Solver(variant), shipped_puzzles(variant)
    for puzzle in puzzles[:: max(1, len(puzzles) // 12)]:
        prove(puzzle, solver)


@pytest.mark.deep
@pytest.mark.parametrize(("variant", "first"), CHUNKS, ids=str)
def test_every_shipped_puzzle_is_proved_again(variant, first):
    """Each test checks a hundred, so that tests can run in parallel."""
    solver = Solver(variant)
    for puzzle in shipped_puzzles(variant)[first : first + CHUNK_SIZE]:
        prove(puzzle, solver)
        assert levels_that_miss(puzzle.position, puzzle.answer) == puzzle.levels, puzzle.key
        assert depth_that_finds(puzzle.position, puzzle.answer) == puzzle.depth, puzzle.key


def test_there_are_enough_of_every_kind():
    """Two thousand on the classic board, no theme more than a quarter, every theme and difficulty, none twice."""
    puzzles = shipped_puzzles()
    themes = Counter(puzzle.theme for puzzle in puzzles)

    assert len(puzzles) >= 2000
    assert len({puzzle.key for puzzle in puzzles}) == len(puzzles)
    assert set(themes) == set(Theme)
    assert max(themes.values()) <= len(puzzles) / 4
    assert {puzzle.difficulty for puzzle in puzzles} == {1, 2, 3, 4, 5}
    assert sum(len(shipped_puzzles(variant)) for variant in puzzle_boards()) >= len(puzzles) + 200


def test_the_shipped_files_are_small():
    folder = Path(__file__).parents[2] / "src/connectk/puzzles/data"
    assert sum(file.stat().st_size for file in folder.iterdir()) < 300_000


def test_a_fork_is_a_puzzle():
    """A drop on the fifth column threatens twice, and no other wins."""
    solver = Solver()
    task = find_task(FORK, solver)

    assert task == PuzzleTask(Aim.WIN, 4)
    found = explain_answer(FORK, task, solver, BUSY_MACHINE_TIMEOUT_SECONDS)
    assert found is not None
    assert theme_of(found) is Theme.FORK


@pytest.mark.parametrize(
    "drawn",
    [
        ". x x x . . .\n. o o o . . .",  # a win at once
        "o . . . . . .\no . . . . . x\no x . . . . x",  # a threat to be blocked
    ],
)
def test_an_obvious_move_is_no_puzzle(drawn):
    assert find_task(parse_diagram(drawn), Solver()) is None


def test_making_puzzles_resumes(tmp_path):
    """A file made with many stops is the same as one made without; all its puzzles are proved."""
    whole = make_puzzles(SMALL, tmp_path / "whole.txt")
    parts = tmp_path / "parts.txt"
    all_reports = []
    for _ in range(1000):
        reports: list[int] = []
        made = make_puzzles(SMALL, parts, stop=lambda reports=reports: bool(reports), progress=reports.append)
        all_reports += reports
        if not reports:
            break

    assert made == whole
    assert parts.read_text() == (tmp_path / "whole.txt").read_text()
    assert all_reports[-1].done == len(whole) == SMALL.count
    for puzzle in whole:
        prove(puzzle, Solver(SMALL.variant))


def test_a_file_of_another_recipe_is_not_overwritten(tmp_path):
    (tmp_path / "other.txt").write_text(write_puzzles(PuzzleFileHeader(seed=2), []))

    with pytest.raises(JobMismatch):
        make_puzzles(PuzzleRecipe(), tmp_path / "other.txt")


def test_a_board_that_is_too_large_is_refused(tmp_path):
    with pytest.raises(UnsupportedVariant):
        make_puzzles(PuzzleRecipe(Variant(40, 40, 4)), tmp_path / "large.txt")


@given(
    st.builds(
        one,
        answer=st.integers(0, 6),
        aim=st.sampled_from(Aim),
        theme=st.sampled_from(Theme),
        levels=st.integers(0, 9),
        depth=st.sampled_from([*DEPTHS, UNSOLVED_DEPTH]),
    )
)
def test_written_puzzles_are_read_back(puzzle):
    head = PuzzleFileHeader(games=7)

    assert parse_puzzles(write_puzzles(head, [puzzle])) == (head, (puzzle,))
    assert 1 <= puzzle.difficulty <= 5


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing",
        f"{PuzzleFileHeader()}\n4xo 4 win fork 1",
        f"{PuzzleFileHeader()}\n4xo 9x win fork 1 2",
        f"{PuzzleFileHeader()}\n4xo 4 eat fork 1 2",
    ],
)
def test_a_malformed_puzzle_file_is_refused(text):
    with pytest.raises(NotationError):
        parse_puzzles(text)


def test_the_puzzle_of_the_day_is_the_same_for_everyone():
    """It depends only on the date, and no puzzle repeats before all were shown."""
    puzzles = shipped_puzzles()[:50]
    days = [puzzle_of_day(TODAY + timedelta(days=n), puzzles) for n in range(50)]

    assert puzzle_of_day(TODAY, puzzles) == days[0]
    assert set(days) == set(puzzles)


def test_a_mistake_comes_back_until_it_is_learned():
    practice, puzzle, day = Practice(), one(), TODAY
    practice.record(puzzle, False, day)
    lower = practice.rating.rating
    assert lower < 1500
    for rest in REPEAT_INTERVAL_DAYS:
        assert practice.next_puzzle([puzzle], day) is None
        day += timedelta(days=rest)
        assert practice.next_puzzle([puzzle], day) == puzzle
        practice.record(puzzle, True, day)

    assert practice.next_puzzle([puzzle], day + timedelta(days=999)) is None
    assert practice.rating.rating == lower, "a puzzle counts once"
    assert Practice.from_json(practice.to_json()) == practice


def test_the_next_puzzle_suits_the_rating():
    easy, middling, hard = (one(start=start, levels=n) for n, start in ((1, "1xo"), (6, "2xo"), (9, "3xo")))
    practice = Practice()

    assert practice.next_puzzle([easy, middling, hard], TODAY) == middling
    practice.record(middling, True, TODAY)
    assert practice.rating.rating > 1500
    assert practice.next_puzzle([easy, middling, hard], TODAY) == hard


def test_puzzles_are_chosen_by_theme_and_difficulty():
    easy, hard = one(levels=0, depth=2), one(levels=9, depth=12, theme=Theme.HOLD)

    assert select_puzzles([easy, hard], Theme.HOLD) == (hard,)
    assert select_puzzles([easy, hard], difficulty=1) == (easy,)
    assert select_puzzles([easy, hard], Theme.HOLD, 1) == ()


def test_a_drop_is_judged_in_words():
    """'Still wins, but the other is sooner' is another thing than 'loses'."""
    solver = Solver()
    wins = parse_diagram("""
        . . . . . . .
        . . o o . . .
        . x x x . . o
    """)
    assert {judge_drop(wins, column, solver).quality for column in (0, 4)} == {DropQuality.BEST}
    assert judge_drop(QUIET, 3, solver).quality is DropQuality.BEST
    said = judge_drop(FORK, 1, solver).describe(load_texts("en"))
    assert "column" in said.lower()


def test_a_sheet_has_every_puzzle_and_every_solution():
    """Six to a page, and the solutions after them."""
    texts = load_texts("en")
    puzzles = shipped_puzzles()[:8]
    pages = draw_sheet(puzzles, texts)

    words = [shape.words for page in pages for shape in page.shapes if hasattr(shape, "words")]
    assert len(pages) == 3
    for number, puzzle in enumerate(puzzles, start=1):
        assert any(word.startswith(f"{number}. ") for word in words)
        assert texts("puzzle.sheet.answer", number=number, column=puzzle.answer + 1) in words
    assert stack_pages(pages).height == sum(page.height for page in pages)
