"""Readable books have the solver's scores and survive a kill. The solver uses a user's compact book like those in the
package."""

from __future__ import annotations

import csv
import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from connectk.cluster import open_pool
from connectk.errors import DamagedBook, JobMismatch
from connectk.players import Clock, load_player
from connectk.rules import Position, Variant
from connectk.rules.sampling import all_positions
from connectk.solver import OpeningBook, Solver, load_book, score_columns, solve
from connectk.solver.book import readable
from connectk.solver.book.readable import ReadableBook, write_readable_book
from tests.solver.plain import plain_score
from tests.terminal.command import run_in_process

SMALL, PLIES = Variant(4, 4, 3), 4


@pytest.fixture(scope="module", params=["csv", "parquet"])
def book(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ReadableBook:
    out = tmp_path_factory.mktemp("book") / f"small.{request.param}"
    with open_pool(jobs=1) as pool:
        write_readable_book(SMALL, PLIES, str(out), pool)
    assert not list(out.parent.glob("*.parts"))
    found = load_book(out)
    assert isinstance(found, ReadableBook)
    return found


def test_every_early_position_has_its_score_once(book: ReadableBook) -> None:
    """All open positions of up to four discs on 4x4x3 have the scores of the plain rules. Only one of two mirror images
    has a row."""
    known: dict[Position, int] = {}
    positions = list(all_positions(PLIES, Position.start(SMALL), open_only=True))
    for position in positions:
        assert book.score(position) == plain_score(position, known)
        if position.ply < PLIES:
            assert book.scores(position) == score_columns(position, book=False)
    assert len(book) == len({frozenset((position, position.mirrored())) for position in positions})
    assert (book.variant, book.plies) == (SMALL, PLIES)


def test_a_book_has_no_score_beyond_its_end(book: ReadableBook) -> None:
    deeper = Position.from_moves("11223", SMALL)
    assert (book.score(deeper), book.scores(deeper)) == (None, None)
    assert book.scores(Position.from_moves("1122", SMALL)) is None
    assert book.score(Position.start(Variant(5, 4, 3))) is None


def test_the_rows_are_ordinary_csv(tmp_path: Path) -> None:
    out = tmp_path / "five.csv"
    done = run_in_process("book", "--variant", "5x4x4", "--plies", "1", "--jobs", "1", "--out", str(out), "--json")
    rows = list(csv.DictReader(out.open(encoding="utf-8")))
    assert [row["moves"] for row in rows] == ["", "1", "2", "3"]
    assert [rows[0][f"column_{column}"] for column in range(1, 6)] == ["-1", "0", "0", "0", "-1"]
    assert (rows[1]["variant"], rows[1]["ply"], rows[1]["score"], rows[1]["column_1"]) == ("5x4x4", "1", "1", "")
    facts = json.loads(done.stdout)
    assert (facts["positions"], facts["bytes"]) == (4, out.stat().st_size)


@pytest.mark.parametrize(
    "content",
    ["", "moves\n4\n", "variant,moves,ply,score\n4x4x3,1,1,0\n", "variant,moves,ply,score,column_1\n1x1x1,1,0,0,\n"],
)
def test_another_file_is_refused_by_its_name(content: str, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text(content)
    with pytest.raises(DamagedBook, match=r"other\.csv"):
        load_book(tmp_path / "other.csv")


def test_a_killed_book_goes_on(tmp_path: Path) -> None:
    """After the process is killed (-9) in the middle, the same call continues with the finished parts and makes the
    same file."""
    killed, whole = tmp_path / "killed.csv", tmp_path / "whole.csv"
    script = f"""
import os, signal
from connectk.cluster import open_pool
from connectk.rules import Variant
from connectk.solver.book.readable import write_readable_book
def progress(report):
    if report.done >= 20:
        os.kill(os.getpid(), signal.SIGKILL)
with open_pool(jobs=1) as pool:
    write_readable_book(Variant.parse("{SMALL}"), {PLIES}, {str(killed)!r}, pool, progress=progress)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == -signal.SIGKILL
    assert not killed.exists()
    reports: list[int] = []
    with open_pool(jobs=1) as pool:
        write_readable_book(SMALL, PLIES, str(killed), pool, progress=lambda report: reports.append(report.done))
        write_readable_book(SMALL, PLIES, str(whole), pool)
    assert reports[0] >= 20
    assert killed.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["killed.csv", "whole.csv"]


def test_the_parts_of_another_book_are_not_mixed_in(tmp_path: Path) -> None:
    parts = tmp_path / "x.csv.parts"
    parts.mkdir()
    (parts / "plan.json").write_text("{}")
    with open_pool(jobs=1) as pool, pytest.raises(JobMismatch):
        write_readable_book(SMALL, PLIES, str(tmp_path / "x.csv"), pool)


def test_ctrl_c_says_that_the_same_command_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(readable, "run_job", interrupted)
    done = run_in_process("book", "--variant", "5x4x4", "--plies", "2", "--jobs", "1", "--out", str(tmp_path / "x.csv"))
    assert done.returncode == 130
    assert "the same command goes on" in done.stderr


def test_a_board_of_more_bits_than_a_compact_book_takes(tmp_path: Path) -> None:
    """A board of 8x7 has 64 bits. Its readable book is made, and its compact book is refused with the reason."""
    out = tmp_path / "eight"
    board = ("--variant", "8x7x3", "--plies", "3", "--jobs", "1")
    assert run_in_process("book", *board, "--out", f"{out}.csv").returncode == 0
    made = ReadableBook.load(f"{out}.csv")
    position = Position.from_moves("45", Variant(8, 7, 3))
    assert made.score(position) == solve(position, book=False).score
    refused = run_in_process("book", *board, "--out", f"{out}.book")
    assert (refused.returncode, "at most 63 bits" in refused.stderr) == (2, True)


def test_a_book_of_the_user_is_used_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After `connectk book` without --out, the solver and the best level use the new book."""
    board = Variant(5, 4, 4)
    monkeypatch.setenv("CONNECTK_BOOKS", str(tmp_path / "books"))
    assert Solver(board).book is None
    done = run_in_process("book", "--variant", str(board), "--plies", "6")
    assert done.returncode == 0, done
    solver, start = Solver(board), Position.start(board)
    assert isinstance(solver.book, OpeningBook)
    assert (solver.book.variant, solver.book.discs) == (board, 6)
    assert solver.solve(start).source == "book"
    assert solver.solve(start).score == Solver(board, book=False).solve(start).score
    player = load_player("level:10")
    for moves in ("", "3", "33"):
        position = Position.from_moves(moves, board)
        choice = player.choose(position, Clock(60))
        assert choice.column in solve(position, book=False).best_columns
        assert choice.thought.proven
    player.close()


def test_a_damaged_book_of_the_user_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONNECTK_BOOKS", str(tmp_path))
    (tmp_path / "4x4x4.book").write_bytes(b"no book")
    done = run_in_process("solve", "--variant", "4x4x4")
    assert (done.returncode, f"{tmp_path / '4x4x4.book'}: " in done.stderr) == (2, True)


def shipped_files() -> list[Path]:
    folder = Path(sys.modules["connectk.solver.book"].__file__ or "").parent
    return sorted(path for path in folder.glob("*.book") if path.name != "7x6x4.book")


@pytest.mark.parametrize("path", shipped_files(), ids=lambda path: path.stem)
def test_a_shipped_book_of_another_board_agrees_with_search(path: Path) -> None:
    """A book in the package for another board is small. Random positions near its depth limit have the scores that a
    search finds."""
    book, dice = OpeningBook.load(path), random.Random(37)
    assert path.stat().st_size <= 200_000
    assert str(book.variant) == path.stem
    solver = Solver(book.variant, book=False)
    for _ in range(20):
        position = Position.start(book.variant)
        while position.ply < book.discs and position.outcome is None:
            position = position.drop(dice.choice(position.legal_columns))
        if position.outcome is None:
            assert book.score(position) == book.score(position.mirrored()) == solver.find(position).lower


def test_a_large_compact_book_of_an_even_width_is_refused_before_any_work(tmp_path: Path) -> None:
    """On 6x5 the core reads other scores for mirror images, once a book is large enough to guess its scores first."""
    out = tmp_path / "six.book"
    done = run_in_process("book", "--variant", "6x5x4", "--plies", "10", "--out", str(out))
    assert (done.returncode, "even number of columns" in done.stderr) == (2, True)
    assert list(tmp_path.iterdir()) == []
