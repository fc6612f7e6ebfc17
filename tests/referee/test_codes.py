"""Tests every sentence of the Connect-Z challenge about codes, with both referees."""

import json
from pathlib import Path

import pytest

from connectk.referee import Code, Offence, Verdict, judge_bytes, judge_file, judge_plainly, parse_and_play
from connectk.rules import Side
from tests.referee.cases import FIRST_WINS, SECOND_WINS, game_file

GOLDEN = Path(__file__).parent.parent / "data" / "referee"
CODES: dict[str, int] = json.loads((GOLDEN / "codes.json").read_text(encoding="ascii"))


@pytest.fixture(params=[judge_bytes, judge_plainly])
def judge(request):
    return request.param


@pytest.mark.parametrize("name", CODES)
def test_golden_files(judge, name):
    """The expected code of each file was judged by hand from the published wording."""
    assert judge((GOLDEN / name).read_bytes()).code == CODES[name]


def test_golden_files_are_all_listed():
    assert {path.name for path in GOLDEN.iterdir()} - {"codes.json"} == set(CODES)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (game_file("1 1", "1 2 2"), Code.DRAW),
        (game_file(FIRST_WINS), Code.FIRST_WINS),
        (game_file(SECOND_WINS), Code.SECOND_WINS),
        (game_file(""), Code.INCOMPLETE),
        (game_file("1 2 3"), Code.INCOMPLETE),
        (game_file(FIRST_WINS + " 5"), Code.ILLEGAL_CONTINUE),
        (game_file("1 1 1 1 1 1 1"), Code.ILLEGAL_ROW),
        (game_file("1 8 1"), Code.ILLEGAL_COLUMN),
        (game_file("", "3 4 5"), Code.ILLEGAL_GAME),
        (game_file("one"), Code.INVALID_FILE),
    ],
)
def test_each_code(judge, data, code):
    assert judge(data).code is code


@pytest.mark.parametrize(
    ("moves", "offence", "first"),
    [
        (FIRST_WINS + " 5", (4, 9), (4, 9)),
        (FIRST_WINS + " 1 1 1", (5, 11), (4, 9)),  # two more discs fit into column 1; the third does not
        (FIRST_WINS + " 8 1", (6, 9), (6, 9)),
        (FIRST_WINS + " 5 8 0", (8, 11), (4, 9)),
        (FIRST_WINS + " 0", (8, 9), (8, 9)),
        ("1 1 1 1 1 1 1 9 x", (8, 10), (5, 8)),
        ("1 1 1 1 1 1 1 9 9", (6, 9), (5, 8)),
        ("9 1 1 1 1 1 1 1", (6, 2), (6, 2)),
        ("1 9 8 2", (6, 3), (6, 3)),
        ("x y 9", (8, 2), (8, 2)),
    ],
)
def test_the_gravest_offence_decides_and_the_first_is_told(judge, moves, offence, first):
    verdict = judge(game_file(moves))

    assert verdict.code == offence[0]
    assert verdict.offence == offence
    assert verdict.first_offence == first
    assert verdict.line == offence[1]


def test_an_offence_on_the_same_line_as_a_graver_one_is_not_told(judge):
    """If a move breaks two rules, only the graver offence is reported, here a move after the win into a full column."""
    verdict = judge(game_file("1 2 1 2 1", "2 3 3") + b"1\n")

    assert verdict.offence == verdict.first_offence == Offence(Code.ILLEGAL_ROW, 7)
    assert verdict.winner is Side.FIRST


def test_an_impossible_game_is_the_first_offence_of_its_file(judge):
    verdict = judge(game_file("1 9 1 1 1 1 x", "3 4 5"))

    assert (verdict.code, verdict.line) == (8, 8)
    assert verdict.first_offence == Offence(Code.ILLEGAL_GAME, 1)
    assert (verdict.moves, verdict.winner) == (6, None)


def test_an_impossible_game_with_impossible_moves_is_an_impossible_game(judge):
    assert judge(game_file("9 1 1 1 1 1 1", "3 4 5")).offence == Offence(Code.ILLEGAL_GAME, 1)


def test_a_win_is_told_with_its_line_and_all_its_cells(judge):
    """A disc between two pairs completes a line of five, and the verdict names all five cells."""
    verdict = judge(game_file("1 1 2 2 4 4 5 5 3"))

    assert verdict == Verdict(Code.FIRST_WINS, 9, None, None, Side.FIRST, 10, ((0, 0), (1, 0), (2, 0), (3, 0), (4, 0)))


def test_two_lines_at_once_are_both_told(judge):
    data = (GOLDEN / "geo_7x6_two_lines_h_diag_p2.txt").read_bytes()

    assert judge(data).winning_cells == ((0, 1), (1, 1), (1, 3), (2, 1), (2, 2), (3, 1), (4, 0))


def test_nobody_wins_after_an_offence(judge):
    """A line that is completed after the first offence is no win."""
    verdict = judge(game_file("1 9 1 2 1 2 1"))

    assert (verdict.code, verdict.winner, verdict.winning_cells) == (6, None, ())


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (game_file("1 1", "1 2 2"), 0),
        (game_file("1 1 1", "1 2 2"), 5),  # every column is full
        (game_file("2 1 1", "2 2 2"), 1),
        (game_file("1", "1 1 1"), 1),
        (game_file("1", "9 9 1"), 1),
        (game_file("5 1", "9 9 1"), 4),
        (game_file("", "2 9 5"), 3),
        (game_file("", "9 2 5"), 3),
        (game_file("1 1 1 1 1", "1 5 5"), 0),
        (game_file("1 1 2 2 1 1 2 2 3 3 3 3", "3 4 4"), 0),
    ],
)
def test_edges_of_the_board(judge, data, code):
    """Tests the limits of boards: a full board, a run of one, a run longer than one side, and a single column."""
    assert judge(data).code == code


def test_a_winning_disc_that_fills_the_board_is_a_win(judge):
    assert judge(game_file("1", "1 1 1")).code == 1
    assert judge((GOLDEN / "geo_win_last_cell_p1_5x5.txt").read_bytes()).code == 1


@pytest.mark.parametrize("data", [b"7 6 4", b"7 6 4\n", b"7 6 4\r", b"7 6 4\r\n", b" 7\t6  4\t", b"007 06 4\n"])
def test_a_header_alone_is_incomplete(judge, data):
    assert judge(data) == Verdict(Code.INCOMPLETE)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(judge, end):
    assert judge(game_file(FIRST_WINS, end=end)).code == 1
    assert judge(game_file(FIRST_WINS, end=end).rstrip()).code == 1
    assert judge(game_file(FIRST_WINS, end=end) + end.encode()).offence == (8, 9)
    assert judge(game_file(FIRST_WINS, end=end) + b" ").offence == (8, 9)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("wrong", ["", " ", "0", "-1", "1 2", "1x", "99999999999x", "1\f"])
def test_the_line_is_right_in_a_long_file(judge, end, wrong):
    """Line numbers are right in a long file, whose last lines are read by another routine of the core."""
    lines = ["999999999 999999999 999999999", *["12345678"] * 50]
    for at in (1, 2, 9, 30, 49, 50):
        data = end.join([*lines[:at], wrong, *lines[at:], ""]).encode()
        assert judge(data).offence == (8, at + 1)


@pytest.mark.parametrize("mix", [b"7 6 4\r\n1\n2\r1\n2\r\n1\r2\n1", b"7 6 4\n1 \n\t2\n 1\t\n2\n1\n2\n1\n"])
def test_mixed_line_ends_and_blanks_around_numbers(judge, mix):
    assert judge(mix).code == 1


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", 1),
        (b"\n", 1),
        (b"\n7 6 4\n", 1),
        (b" \n", 1),
        (b"7 6\n", 1),
        (b"7 6 4 4\n", 1),
        (b"7,6,4\n", 1),
        (b"7 6 0\n", 1),
        (b"0 6 4\n", 1),
        (b"7 -6 4\n", 1),
        (b"7 6 +4\n", 1),
        (b"7 6 4.0\n", 1),
        (b"7 6 4e1\n", 1),
        (b"0x7 6 4\n", 1),
        (b"7 6 1_0\n", 1),
        (b"7\n6\n4\n", 1),
        (b"7 6 4\x0b", 1),
        (b"\xef\xbb\xbf7 6 4\n", 1),
        ("7 6 4\n".encode("utf-16"), 1),
        ("７ 6 4\n".encode(), 1),
        (b"7 6 4\n\n", 2),
        (b"7 6 4\n\n1\n", 2),
        (b"7 6 4\n\r1\n", 2),
        (b"7 6 4\n1\n0\n", 3),
        (b"7 6 4\n1\n000\n", 3),
        (b"7 6 4\n1\n-1\n", 3),
        (b"7 6 4\n1\n+1\n", 3),
        (b"7 6 4\n1\n1 1\n", 3),
        (b"7 6 4\n1\n1.0\n", 3),
        (b"7 6 4\n1\n1_0\n", 3),
        (b"7 6 4\n1\n0x1\n", 3),
        (b"7 6 4\n1\n\x001\n", 3),
        (b"7 6 4\n1\n1\x00", 3),
        (b"7 6 4\n1\n1\x1a", 3),
        (b"7 6 4\n1\n1\x0c\n", 3),
        (b"7 6 4\n1\n1\xa0\n", 3),
        ("7 6 4\n1\n１\n".encode(), 3),
        ("7 6 4\n1\n¹\n".encode(), 3),
        ("7 6 4\n1\n1\u2028".encode(), 3),
        (b"7 6 4\n1\n\t\n2\n", 3),
    ],
)
def test_what_does_not_conform(judge, data, line):
    assert judge(data).offence == Offence(Code.INVALID_FILE, line)


@pytest.mark.parametrize("digits", [30, 4300, 4301, 5000, 20000])
def test_numbers_of_any_length_are_numbers(judge, digits):
    """The referee reads numbers of more than 4300 digits, which Python's `int` refuses."""
    huge = "9" * digits
    assert judge(game_file("", f"{huge} 6 4")).code == 3
    assert judge(game_file("", f"7 {huge} 4")).code == 3
    assert judge(game_file("", f"7 6 {huge}")).code == 7
    assert judge(game_file("", f"{huge} 6 {huge}")).code == 3
    assert judge(game_file("", f"{huge[1:]} 6 {huge}")).code == 7
    assert judge(game_file("1 " + huge)).offence == (6, 3)
    assert judge(game_file("1 " + "0" * digits + "7")).code == 3


@pytest.mark.parametrize("digits", [10, 20, 40, 5000])
def test_columns_side_by_side_far_out_on_a_huge_board(judge, digits):
    """On a huge board, four neighbouring columns from 999... to 1000... form a line, and four columns with a gap do
    not."""
    wide, edge = "1" + "0" * digits, 10 ** (digits - 1) if digits < 100 else None
    far = ["9" * (digits - 1), "1" + "0" * (digits - 1), "1" + "0" * (digits - 2) + "1", "9" * (digits - 2) + "8"]
    assert edge is None or [int(column) - edge for column in far] == [-1, 0, 1, -2]
    row = " 1 ".join(far)

    verdict = judge(game_file(row, f"{wide} 9 4"))
    assert (verdict.code, len(verdict.winning_cells)) == (1, 4)
    first = verdict.winning_cells[0].column
    assert verdict.winning_cells == tuple((first + right, 0) for right in range(4))
    assert judge(game_file(row.replace(far[1], far[0]), f"{wide} 9 4")).code == 3


def test_a_disc_in_the_last_column_of_a_board_beyond_all_integers(judge):
    wide = "9" * 60
    assert judge(game_file(f"{wide} {wide} {wide}", f"{wide} 2 4")).offence == (5, 4)
    assert judge(game_file("1" + "0" * 60, f"{wide} 2 4")).offence == (6, 2)


@pytest.mark.parametrize("width", [2**32 - 2, 2**32 - 1, 2**32, 2**64 - 2, 2**64 - 1, 2**64])
def test_the_widths_at_which_the_core_takes_larger_integers(judge, width):
    row = f"{width} 1 {width - 1} 1 {width - 2} 1"
    assert judge(game_file(f"{row} {width - 3}", f"{width} 9 4")).code == 1
    assert judge(game_file(f"{row} {width + 1}", f"{width} 9 4")).offence == (6, 8)


def test_a_thousand_million_columns(judge):
    assert judge(game_file("1000000000 1 999999999 1 999999998 1", "1000000000 1000000000 4")).code == 3


def test_files_that_cannot_be_read(tmp_path):
    """A missing file, a folder, and an impossible file name give a verdict and no exception."""
    for path in (tmp_path / "missing", tmp_path, "a\0b", tmp_path / "x" / "y"):
        assert judge_file(path) == Verdict(Code.FILE_ERROR)
        assert parse_and_play(path) == 9


def test_paths_of_every_kind(tmp_path):
    path = tmp_path / "Spiel ä.txt"
    path.write_bytes(game_file(FIRST_WINS))

    assert parse_and_play(path) == parse_and_play(str(path)) == parse_and_play(bytes(path)) == 1
    assert type(parse_and_play(path)) is int


def test_a_file_longer_than_the_first_reads(tmp_path):
    """A file that is longer than the core's first reads is judged whole."""
    path = tmp_path / "long.txt"
    for moves in (8188, 8189, 8190, 8191, 8192, 100_000):
        path.write_bytes(b"1 9 1\n" + b"1\n" * moves)
        assert judge_file(path).moves == moves
