"""In each puzzle exactly one drop is right by the solver, and the checker accepts its explanation."""

import errno
import os
import re
import zlib
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectk.drawing import to_pdf
from connectk.errors import FileNotWritable, JobMismatch, NotationError, UnsupportedVariant
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
from connectk.puzzles.practice import (
    BEGINNER_RATING,
    HELPED_SCORE,
    REPEAT_INTERVAL_DAYS,
    Practice,
    own_puzzle,
    select_puzzles,
)
from connectk.puzzles.puzzle_finder import (
    SEARCH_DEPTHS_TRIED,
    UNSOLVED_DEPTH,
    PuzzleTask,
    depth_that_finds,
    find_task,
    is_candidate,
    levels_that_miss,
)
from connectk.puzzles.sheet import draw_sheet, stack_pages
from connectk.puzzles.themes import explain_answer, theme_of
from connectk.rules import CLASSIC, Cell, Variant
from connectk.solver import Solver
from connectk.terminal.learning_sessions import PuzzleSession, SavedPractice
from connectk.texts import LANGUAGES, load_texts
from connectk.why import check

SMALL_RECIPE = PuzzleRecipe(Variant(5, 4, 4), count=4, min_discs=4, max_discs=14)
TODAY = date(2026, 11, 16)
CHUNK_SIZE = 100  # puzzles that one deep test proves
PUZZLE_CHUNKS = [
    (variant, first) for variant in puzzle_boards() for first in range(0, len(shipped_puzzles(variant)), CHUNK_SIZE)
]
BUSY_MACHINE_TIMEOUT_SECONDS = 60.0

FORK_POSITION = parse_start("1o.3oo.4xxo.5xx.6ox.7xo")
QUIET_POSITION = parse_diagram("""
    . . . o . . .
    . . . x . . .
""")


def one(**changes: object) -> Puzzle:
    facts = {"variant": CLASSIC, "start": "4xo", "answer": 3, "aim": Aim.WIN, "theme": Theme.FORK, "levels": 4}
    return Puzzle(**{**facts, "depth": 4, **changes})


def prove(puzzle: Puzzle, solver: Solver) -> None:
    """Check that only the puzzle's answer is right, and that the checker accepts an explanation with the puzzle's
    theme."""
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
@pytest.mark.parametrize(("variant", "first"), PUZZLE_CHUNKS, ids=str)
def test_every_shipped_puzzle_is_proved_again(variant, first):
    """Every shipped puzzle is proved again, a hundred in each test, so that tests can run in parallel."""
    solver = Solver(variant)
    for puzzle in shipped_puzzles(variant)[first : first + CHUNK_SIZE]:
        prove(puzzle, solver)
        assert levels_that_miss(puzzle.position, puzzle.answer) == puzzle.levels, puzzle.key
        assert depth_that_finds(puzzle.position, puzzle.answer) == puzzle.depth, puzzle.key


def test_there_are_enough_of_every_kind():
    """There are about two thousand different puzzles, with all themes and difficulties, and at most 500 of a theme. In
    each, at least three drops are sensible."""
    puzzles = shipped_puzzles()
    themes = Counter(puzzle.theme for puzzle in puzzles)

    assert len(puzzles) >= 1850
    assert all(is_candidate(puzzle.position) for puzzle in puzzles)
    assert len({puzzle.key for puzzle in puzzles}) == len(puzzles)
    assert set(themes) == set(Theme)
    assert max(themes.values()) <= 500
    assert {puzzle.difficulty for puzzle in puzzles} == {1, 2, 3, 4, 5}
    assert sum(len(shipped_puzzles(variant)) for variant in puzzle_boards()) >= len(puzzles) + 200


def test_the_shipped_files_are_small():
    folder = Path(__file__).parents[2] / "src/connectk/puzzles/data"
    assert sum(file.stat().st_size for file in folder.iterdir()) < 300_000


def test_a_fork_is_a_puzzle():
    """A drop into column 5 makes two threats, and no other drop wins."""
    solver = Solver()
    task = find_task(FORK_POSITION, solver)

    assert task == PuzzleTask(Aim.WIN, 4)
    found = explain_answer(FORK_POSITION, task, solver, BUSY_MACHINE_TIMEOUT_SECONDS)
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


def test_a_full_disk_is_named_with_the_file(tmp_path, monkeypatch):
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileNotWritable, match=r"six\.txt cannot be written: the disk is full"):
        make_puzzles(PuzzleRecipe(Variant(6, 5, 4), 1), tmp_path / "six.txt")
    assert not list(tmp_path.iterdir())


def test_making_puzzles_resumes(tmp_path):
    """A run with many stops makes the same file as a run without stops. All its puzzles are proved."""
    whole = make_puzzles(SMALL_RECIPE, tmp_path / "whole.txt")
    parts = tmp_path / "parts.txt"
    all_reports = []
    for _ in range(1000):
        reports: list[int] = []
        made = make_puzzles(SMALL_RECIPE, parts, stop=lambda reports=reports: bool(reports), progress=reports.append)
        all_reports += reports
        if not reports:
            break

    assert made == whole
    assert parts.read_text() == (tmp_path / "whole.txt").read_text()
    assert all_reports[-1].done == len(whole) == SMALL_RECIPE.count
    for puzzle in whole:
        prove(puzzle, Solver(SMALL_RECIPE.variant))


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
        depth=st.sampled_from([*SEARCH_DEPTHS_TRIED, UNSOLVED_DEPTH]),
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
    """The puzzle depends only on the date. No puzzle is repeated until all others have been asked."""
    puzzles = shipped_puzzles()[:50]
    days = [puzzle_of_day(TODAY + timedelta(days=n), puzzles) for n in range(50)]

    assert puzzle_of_day(TODAY, puzzles) == days[0]
    assert set(days) == set(puzzles)


def test_a_mistake_comes_back_until_it_is_learned():
    practice, puzzle, day = Practice(), one(), TODAY
    practice.record(puzzle, False, day)
    lower = practice.rating.rating
    assert lower < BEGINNER_RATING
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

    assert practice.next_puzzle([easy, middling, hard], TODAY) == easy, "a beginner starts with an easy one"
    practice.record(easy, True, TODAY)
    assert practice.rating.rating > BEGINNER_RATING
    assert practice.next_puzzle([easy, middling, hard], TODAY) == middling


def test_three_answers_place_a_beginner():
    """A beginner who solves the first puzzles gets harder ones; a beginner who fails them gets easier ones."""
    puzzles = [one(start=f"{number % 7 + 1}{'xo' * (number // 7 + 1)}", levels=number % 10) for number in range(40)]
    ends = {}
    for right in (True, False):
        practice = Practice()
        for left in (3, 2, 1):
            assert practice.placement_left == left
            practice.record(practice.next_puzzle(puzzles, TODAY), right, TODAY)
        assert practice.placement_left == 0
        ends[right] = practice.rating.rating
    assert ends[True] > BEGINNER_RATING + 250
    assert ends[False] < BEGINNER_RATING - 250


def test_a_hint_or_a_slower_win_counts_half():
    ratings = {}
    for score in (0.0, HELPED_SCORE, 1.0):
        practice = Practice()
        practice.record(one(), score == 1, TODAY, score)
        ratings[score] = practice.rating.rating
    assert ratings[0.0] < ratings[HELPED_SCORE] < ratings[1.0]


def test_days_in_a_row_are_counted():
    """A day without a solved puzzle ends the streak, but today does not end it yet."""
    practice, day = Practice(), TODAY
    for number in range(3):
        practice.record(one(start=f"{number + 1}xo"), True, day + timedelta(days=number))
    assert practice.streak_days(day + timedelta(days=2)) == practice.streak_days(day + timedelta(days=3)) == 3
    assert practice.streak_days(day + timedelta(days=4)) == 0
    practice.record(one(start="4xo"), True, day + timedelta(days=4))
    assert practice.streak_days(day + timedelta(days=4)) == 1
    assert Practice.from_json(practice.to_json()) == practice


def test_a_mistake_of_ones_own_comes_back_and_is_not_rated():
    """A mistake of one's own is asked today and then at growing intervals, before other puzzles. It is not rated, and
    any best column is right."""
    practice, day = Practice(), TODAY
    before = practice.rating
    mine = own_puzzle(QUIET_POSITION, (2, 4), "missed_block")
    practice.add_own(mine, day)
    for rest in (0, *REPEAT_INTERVAL_DAYS):
        day += timedelta(days=rest)
        assert practice.next_puzzle([one(start="5xo")], day) == mine
        assert Practice.from_json(practice.to_json()) == practice
        practice.record(mine, True, day)
        assert practice.next_puzzle([], day) is None
    assert practice.own == {}
    assert practice.rating == before
    assert mine.is_right(2)
    assert mine.is_right(4)
    assert not mine.is_right(3)


def session(puzzle, path):
    return PuzzleSession(SavedPractice(path), [puzzle], load_texts("en"), TODAY, puzzle, titled=False)


def test_a_wrong_drop_is_refuted_on_the_board_and_does_not_give_the_answer_away(tmp_path):
    """A wrong drop is refuted by numbered drops that begin with it and do not show the answer. The user may try
    again."""
    for puzzle in shipped_puzzles()[::400]:
        asked = session(puzzle, tmp_path / f"{puzzle.answer}.json")
        wrong = next(column for column in puzzle.position.legal_columns if column != puzzle.answer)
        reply = asked.answer(wrong)

        assert not reply.right
        assert asked.is_open
        assert reply.text.endswith("Try again.")
        assert f"olumn {puzzle.answer + 1} " not in reply.text.replace("play column", "")
        first = Cell(wrong, puzzle.position.height_of(wrong))
        assert reply.numbers[first] == 1
        assert reply.position.ply == puzzle.position.ply + len(reply.numbers)


def test_a_puzzle_is_played_to_the_end_of_its_point(tmp_path):
    """In a puzzle of several moves, the other side answers each right drop until a line is complete. Only the first
    answer is rated."""
    puzzle = next(one for one in shipped_puzzles() if one.theme is Theme.TRAP)
    asked, drops = session(puzzle, tmp_path / "a.json"), 0
    column = puzzle.answer
    while asked.is_open:
        reply = asked.answer(column)
        assert reply.right
        drops += 1
        if reply.position.outcome is None:
            column = Solver().solve(reply.position).best_columns[0]
    assert drops == 3
    assert reply.position.outcome.winner is puzzle.position.side_to_move
    assert asked.saved.practice.tried == {puzzle.key: True}


def test_the_solution_of_a_puzzle_that_goes_on_is_the_next_drop(tmp_path):
    puzzle = next(one for one in shipped_puzzles() if one.theme is Theme.FORK)
    asked = session(puzzle, tmp_path / "a.json")
    after = asked.answer(puzzle.answer).position

    assert asked.solution().position.outcome is not None
    assert after.ply == puzzle.position.ply + 2
    assert not asked.is_open


def test_puzzles_are_chosen_by_theme_and_difficulty():
    easy, hard = one(levels=0, depth=2), one(levels=9, depth=12, theme=Theme.HOLD)

    assert select_puzzles([easy, hard], Theme.HOLD) == (hard,)
    assert select_puzzles([easy, hard], difficulty=1) == (easy,)
    assert select_puzzles([easy, hard], Theme.HOLD, 1) == ()


def test_a_drop_is_judged_in_words():
    """A slower win and a loss get different sentences."""
    solver = Solver()
    wins = parse_diagram("""
        . . . . . . .
        . . o o . . .
        . x x x . . o
    """)
    assert {judge_drop(wins, column, solver).quality for column in (0, 4)} == {DropQuality.BEST}
    assert judge_drop(QUIET_POSITION, 3, solver).quality is DropQuality.BEST
    said = judge_drop(FORK_POSITION, 1, solver).describe(load_texts("en"))
    assert "column" in said.lower()


def test_a_sheet_has_every_puzzle_and_every_solution():
    """A sheet has six puzzles on each page, and all solutions after them."""
    texts = load_texts("en")
    puzzles = shipped_puzzles()[:8]
    pages = draw_sheet(puzzles, texts)

    words = [shape.words for page in pages for shape in page.shapes if hasattr(shape, "words")]
    assert len(pages) == 3
    for number, puzzle in enumerate(puzzles, start=1):
        assert any(word.startswith(f"{number}. ") for word in words)
        assert texts("puzzle.sheet.answer", number=number, column=puzzle.answer + 1) in words
    assert stack_pages(pages).height == sum(page.height for page in pages)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sheet_is_a_pdf_of_a4_pages_with_real_text(language):
    """A sheet is a valid PDF of A4 pages. Its words can be searched, and it consists of lines and text only."""
    texts = load_texts(language)
    written = to_pdf(draw_sheet(shipped_puzzles()[:8], texts))
    table = written[int(written.split(b"startxref\n")[1].split(b"\n")[0]) :].split(b"\n")
    places = [int(line[:10]) for line in table[3:] if line.endswith(b" n ")]
    for number, place in enumerate(places, start=1):
        assert written[place:].startswith(f"{number} 0 obj\n".encode())
    streams = [part.split(b"\nendstream")[0] for part in written.split(b">>stream\n")[1:]]
    text = b"\n".join(map(zlib.decompress, streams)).decode("cp1252")

    assert written.count(b"/MediaBox[0 0 595.20 841.92]") == len(streams) == 3
    assert b"/Image" not in written
    said = re.findall(r"\((.*?)(?<!\\)\) Tj", text)
    assert texts("puzzle.sheet.title") in said
    assert texts("puzzle.sheet.answer", number=8, column=shipped_puzzles()[7].answer + 1) in said
    assert "0.980 0.969 0.949 rg" not in text
    assert text.count("BT") == text.count("ET") > 30
