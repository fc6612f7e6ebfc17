"""The opening book is complete, exact and small. It never gives a wrong answer."""

import random
import signal
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from connectk import _native
from connectk.cluster import open_pool
from connectk.errors import DamagedBook, SearchStopped, UnsupportedVariant
from connectk.notation import parse_diagram
from connectk.rules import CLASSIC, Position, Side, Variant
from connectk.solver import OpeningBook, Solver, solve
from connectk.solver.bitboards import bitboards_of
from connectk.solver.book import shipped_book
from connectk.solver.book.build import build, build_from_scores, check, frontier_keys
from connectk.watch import stop_after
from tests.solver.plain import plain_score

FILE = Path(sys.modules["connectk.solver.book"].__file__).parent / "7x6x4.book"
SMALL = Variant(4, 4, 3)


@pytest.fixture(scope="module")
def book() -> OpeningBook:
    shipped = shipped_book(CLASSIC)
    assert shipped is not None
    return shipped


@pytest.fixture(scope="module")
def small_book(tmp_path_factory) -> OpeningBook:
    return build(SMALL, 6, tmp_path_factory.mktemp("book") / "small.book", jobs=1, table_mb=1)


def random_position(dice: random.Random, ply: int, variant: Variant = CLASSIC) -> Position:
    while True:
        position = Position.start(variant)
        while position.outcome is None and position.ply < ply:
            position = position.drop(dice.choice(position.legal_columns))
        if position.outcome is None:
            return position


def test_the_shipped_book_is_whole_and_small(book):
    """The shipped book has every position of up to 12 discs of the classic game, in less than 2 MB."""
    assert (book.variant, book.discs, book.entries) == (CLASSIC, 12, 4_141_472)
    assert book.size == FILE.stat().st_size < 2_000_000


def test_the_empty_board(book):
    """The first player wins the classic game with the very last disc, and only by a first disc in the middle."""
    assert book.score(Position.start()) == 1
    assert [-book.score(Position.start().drop(c)) for c in range(7)] == [-2, -1, 0, 1, 0, -1, -2]


def test_the_frontier_has_the_known_size():
    """From all positions of 8 discs, forced replies lead to 76,768 quiet positions, as is known."""
    assert len(frontier_keys(CLASSIC, 8)) == 8 * 76_768


def test_a_book_agrees_with_search(book):
    """Random positions near the depth limit of the book have the score that a search finds."""
    dice = random.Random(7)
    solver = Solver(book=False)
    for ply in (12, 12, 12, 12, 11, 11, 10, 10):
        position = random_position(dice, ply)
        assert book.score(position) == solver.find(position).lower


def test_a_parent_is_worth_its_best_child(book):
    """In every layer of the book, the score of a position is that of its best drop."""
    dice = random.Random(1)
    for ply in list(range(12)) * 10:
        position = random_position(dice, ply)
        children = [position.drop(column) for column in position.legal_columns]
        won = any(child.outcome is not None for child in children)
        expected = (42 + 2 - (ply + 1)) // 2 if won else max(-book.score(child) for child in children)
        assert book.score(position) == expected


def test_mirror_images_score_alike(book):
    dice = random.Random(2)
    for ply in range(13):
        position = random_position(dice, ply)
        assert book.score(position) == book.score(position.mirrored())


def test_a_book_says_where_it_ends(book):
    """The book gives no answer for too many discs, for a finished game, or for another board."""
    assert book.score(random_position(random.Random(3), 13)) is None
    assert book.score(Position.from_moves("1212121")) is None
    assert book.score(Position.start(Variant(6, 6, 4))) is None


def test_a_board_that_play_cannot_reach_is_not_in_the_book(book):
    """The book refuses positions that no game reaches, because it stores no keys and would give a random answer. The
    search still solves them."""
    position = parse_diagram("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        x x . . . . .
        o o . . . . .
    """)
    assert book.score(position) is None
    assert solve(position, goal="result", stop=lambda: True).source == "search"


def test_a_board_with_a_disc_in_the_air_is_not_in_the_book(book):
    """The book refuses bits with a floating disc, which no game leads to."""
    assert book.score_bits(0, 0b10) is None
    assert book.score_bits(0, 1 << 6 | 1) is None
    with pytest.raises(ValueError, match="no game"):
        book.stored_score(0, 0b10)


@pytest.mark.parametrize("where", [0, 16, 21, 40, 60, 5_000, 40_000, 900_000, 1_717_700, -1])
def test_a_damaged_book_is_refused(where):
    """If any one bit of a book's file is wrong, opening the book fails."""
    file = bytearray(FILE.read_bytes())
    file[where] ^= 4
    with pytest.raises(DamagedBook, match=r"book"):
        OpeningBook(bytes(file))


def test_a_book_with_more_contexts_than_can_be_counted_is_refused():
    """A book is refused if its table of contexts is so large that their number overflows to zero."""
    cuts, weights, shard = (1 << 16) - 1, 512, 128
    head = bytes([4, 1, 4, 4, 9, -4 & 0xFF]) + struct.pack("<IIII", cuts, cuts, weights, 1)
    tables = bytes(2 * (4 + 4 * cuts + weights)) + struct.pack("<I", shard) + bytes(shard // 8 + 8)
    start = b"connectk book 1\n" + head + struct.pack("<Q", 1)
    file = start + struct.pack("<Q", len(start) + 8 + len(tables) + 8) + tables
    with pytest.raises(DamagedBook, match="do not fit"):
        OpeningBook(file + struct.pack("<Q", checksum(file)))


def checksum(file: bytes) -> int:
    total, full = 0xCBF29CE484222325 ^ len(file), (1 << 64) - 1
    for at in range(0, len(file), 8):
        total = (total ^ int.from_bytes(file[at : at + 8], "little")) * 0x100000001B3 & full
        total ^= total >> 29
    return total


@pytest.mark.parametrize("length", [0, 10, 45, 53, 60, 1_000, 1_717_000, 1_717_795])
def test_a_book_that_is_cut_short_is_refused(length):
    with pytest.raises(DamagedBook):
        OpeningBook(FILE.read_bytes()[:length])


def test_a_book_with_something_behind_it_is_refused(tmp_path):
    file = tmp_path / "longer.book"
    file.write_bytes(FILE.read_bytes() + b"\n")
    with pytest.raises(DamagedBook, match=r"longer\.book"):
        OpeningBook.load(file)


def test_a_small_book_is_exactly_plain_search(small_book):
    """Every position of up to 6 discs on 4x4x3 has the same score in a book as by a plain search."""
    known: dict[Position, int] = {}
    level = {Position.start(SMALL)}
    for _ in range(7):
        for position in level:
            assert small_book.score(position) == plain_score(position, known)
        level = {p.drop(c) for p in level for c in p.legal_columns}
        level = {position for position in level if position.outcome is None}


@pytest.mark.parametrize(("board", "discs"), [("1x1x1", 0), ("1x1x1", 1), ("3x3x3", 9), ("2x5x2", 3), ("3x4x3", 12)])
def test_books_of_whole_small_games(board, discs, tmp_path):
    """Books of small games are right, even if they store no position or every position of the game."""
    variant = Variant.parse(board)
    book = build(variant, discs, tmp_path / "whole.book", jobs=1, table_mb=1)
    dice = random.Random(1)
    for _ in range(50):
        position = random_position(dice, dice.randint(0, min(discs, 4)), variant) if variant.run > 1 else None
        if position is not None:
            assert book.score(position) == Solver(variant, book=False).find(position).lower
    assert book.score(Position.start(variant)) == plain_score(Position.start(variant))


def test_a_book_of_one_s_own_serves_the_solver(small_book):
    solution = Solver(SMALL, book=small_book).solve(Position.start(SMALL))
    assert solution.source == "book"
    assert solution.score == plain_score(Position.start(SMALL))
    assert Solver(SMALL).book is None


def test_building_again_gives_the_same_bytes(tmp_path):
    files = [tmp_path / "one.book", tmp_path / "two.book"]
    for file, jobs in zip(files, (1, 2), strict=True):
        build(Variant(5, 4, 3), 6, file, jobs=jobs, table_mb=1)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_killed_build_resumes(tmp_path):
    """After a build of a book is killed, the next run keeps the finished parts and makes the same book."""
    variant, killed, whole = Variant(5, 4, 4), tmp_path / "killed.book", tmp_path / "whole.book"
    script = f"""
import os, pathlib, signal
from connectk import watch
from connectk.rules import Variant
from connectk.solver.book.build import build
watch.PROGRESS_INTERVAL_SECONDS = 0.0
def progress(report):
    if report.done >= 3000:
        os.kill(os.getpid(), signal.SIGKILL)
build(Variant.parse("{variant}"), 8, pathlib.Path({str(killed)!r}), jobs=1, table_mb=1, progress=progress)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == -signal.SIGKILL
    assert not killed.exists()
    reports = []
    build(variant, 8, killed, jobs=1, table_mb=1, progress=reports.append)
    assert reports[0].done >= 3000
    assert reports[-1].done == reports[-1].total
    build(variant, 8, whole, jobs=1, table_mb=1)
    assert killed.read_bytes() == whole.read_bytes()
    assert list(tmp_path.glob("*.parts")) == []


def test_a_stopped_build_resumes(tmp_path):
    """After a build of a book is stopped, the next run keeps the finished parts and makes the same book."""
    variant, stopped, whole = Variant(5, 4, 4), tmp_path / "stopped.book", tmp_path / "whole.book"
    parts = tmp_path / "stopped.book.parts"
    with pytest.raises(SearchStopped):
        build(variant, 8, stopped, jobs=1, table_mb=1, stop=lambda: len(list(parts.glob("*.scores"))) >= 2)
    assert not stopped.exists()
    assert len(list(parts.glob("*.scores"))) == 2
    reports = []
    build(variant, 8, stopped, jobs=1, table_mb=1, progress=reports.append)
    assert reports[0].done == 2 * 1024
    build(variant, 8, whole, jobs=1, table_mb=1)
    assert stopped.read_bytes() == whole.read_bytes()


def test_a_stop_ends_the_searches_of_a_build(tmp_path):
    """A stop ends even the running searches of a build, here of positions with four discs that take minutes."""
    started = time.monotonic()
    with pytest.raises(SearchStopped):
        build(CLASSIC, 4, tmp_path / "x.book", jobs=2, table_mb=1, stop=stop_after(0.2))
    assert time.monotonic() - started < 20


def test_a_stop_leaves_the_rest_to_a_pool_s_next_run(tmp_path):
    stop = threading.Event()
    stop.set()
    with open_pool(jobs=1) as pool, pytest.raises(SearchStopped):
        build(SMALL, 4, tmp_path / "x.book", jobs=1, table_mb=1, stop=stop, pool=pool)
    assert list(tmp_path.glob("*.parts/*.scores")) == []


def test_parts_of_another_book_are_not_mixed_in(tmp_path):
    out = tmp_path / "x.book"
    (tmp_path / "x.book.parts").mkdir()
    (tmp_path / "x.book.parts" / "plan.json").write_text("{}")
    with pytest.raises(ValueError, match="another book"):
        build(SMALL, 4, out, jobs=1)


def test_a_book_can_be_solved_again(small_book):
    assert check(small_book, 100, seed=1, jobs=1, table_mb=1) == 0


def test_a_check_can_be_stopped_and_reports_progress(small_book):
    reports = []
    check(small_book, 100, seed=1, jobs=1, table_mb=1, progress=reports.append)
    assert reports[-1].done == reports[-1].total > 0
    with pytest.raises(SearchStopped):
        check(small_book, 100, seed=1, jobs=1, table_mb=1, stop=lambda: True)


def test_scores_from_elsewhere_must_be_as_many_as_positions(tmp_path):
    with pytest.raises(ValueError, match="as many scores"):
        build_from_scores(SMALL, 4, tmp_path / "x.book", b"\0")


def test_a_score_that_no_game_has_is_refused(tmp_path):
    keys = frontier_keys(SMALL, 4)
    with pytest.raises(ValueError, match="no game"):
        build_from_scores(SMALL, 4, tmp_path / "x.book", bytes(len(keys) // 8 - 1) + bytes([127]))


def test_a_board_too_large_for_a_book_is_refused():
    with pytest.raises(UnsupportedVariant):
        frontier_keys(Variant(8, 8, 4), 2)


def test_a_wrong_score_is_found_by_the_check(tmp_path):
    """`check` finds wrong scores in a book whose file is complete, because it solves its positions again."""
    keys = frontier_keys(SMALL, 4)
    wrong = build_from_scores(SMALL, 4, tmp_path / "wrong.book", bytes(len(keys) // 8))
    assert check(wrong, 1000, seed=1, jobs=1, table_mb=1) > 0


def test_the_core_reads_boards_from_keys():
    """The core restores a whole position from its key."""
    keys = frontier_keys(CLASSIC, 4)
    own, everyone = _native.book_board(7, 6, 4, int.from_bytes(keys[:8], "little"))
    assert own.bit_count() == 2
    assert everyone.bit_count() == 4
    assert bitboards_of(Position.from_moves("44")) == (1 << 21, 3 << 21)
    assert Position.from_moves("44").side_to_move is Side.FIRST
