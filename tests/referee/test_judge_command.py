"""`connectk judge`: its output and its exit status."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from connectk.cli import app
from connectk.notation import parse_start, write_saved_game
from connectk.notation.saved_game import SavedGame
from connectk.referee import find_game_files, judge_bytes, judge_many
from connectk.referee.verdict_rows import table_lines
from connectk.rules import CLASSIC, Game
from connectk.texts import load_texts
from tests.referee.cases import FIRST_WINS, SECOND_WINS, game_file
from tests.terminal.command import run_in_process

FIELDS = ["path", "code", "name", "line", "moves", "winner", "winning_cells", "first_code", "first_line"]


@pytest.fixture
def games(tmp_path, monkeypatch):
    """A folder with a win, a folder within it with an unfinished game, and a game with two offences."""
    monkeypatch.chdir(tmp_path)
    folder = Path("games")
    (folder / "more").mkdir(parents=True)
    (folder / "won.txt").write_bytes(game_file(FIRST_WINS))
    (folder / "more" / "open.txt").write_bytes(game_file("4 4"))
    (folder / "wrong.txt").write_bytes(game_file(SECOND_WINS + " 1 9"))
    return folder


def run(*arguments, stdin=None):
    return CliRunner().invoke(app, ["judge", *map(str, arguments)], input=stdin)


def test_a_table_and_a_summary(games):
    result = run(games)

    assert result.exit_code == 1
    assert result.stdout == (
        "file                 code  name                  line  won\n"
        "games/more/open.txt     3  incomplete\n"
        "games/won.txt           1  win for player 1            player 1: 1,1 1,2 1,3 1,4\n"
        "games/wrong.txt         6  illegal column          11  player 2: 2,1 2,2 2,3 2,4\n"
        "                           Column 9 is not on a board with 7 columns.\n"
        "\n"
        "3 files: 2 valid, 1 not\n"
        "          1  1 win for player 1\n"
        "          1  3 incomplete\n"
        "          1  6 illegal column\n"
    )


def test_json_is_one_object_a_line(games):
    won, wrong = [
        json.loads(line) for line in run("--json", games / "won.txt", games / "wrong.txt").stdout.splitlines()
    ]

    assert won == {
        "path": "games/won.txt",
        "code": 1,
        "name": "win for player 1",
        "line": None,
        "moves": 7,
        "winner": "first",
        "winning_cells": [[0, 0], [0, 1], [0, 2], [0, 3]],
        "first_code": None,
        "first_line": None,
    }
    assert list(wrong) == FIELDS
    assert (wrong["code"], wrong["line"], wrong["first_code"], wrong["first_line"]) == (6, 11, 4, 10)


def test_csv_has_a_head_and_a_row_for_each_file(games):
    rows = list(csv.DictReader(io.StringIO(run("--csv", games).stdout)))

    assert list(rows[0]) == FIELDS
    assert [row["code"] for row in rows] == ["3", "1", "6"]
    assert json.loads(rows[1]["winning_cells"]) == [[0, 0], [0, 1], [0, 2], [0, 3]]
    assert (rows[0]["line"], rows[0]["winner"], rows[0]["winning_cells"]) == ("", "", "")


def test_parquet_holds_the_same_columns(games):
    parquet = pytest.importorskip("pyarrow.parquet")
    result = run("--out", "out.parquet", games)
    table = parquet.read_table("out.parquet")

    assert result.exit_code == 1
    assert result.stdout.startswith("3 files: 2 valid, 1 not\n")
    assert table.column_names == FIELDS
    assert table["code"].to_pylist() == [3, 1, 6]
    assert table["first_line"].to_pylist() == [None, None, 10]


def test_parquet_of_nothing_is_an_empty_table(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "out.parquet"
    (tmp_path / "empty").mkdir()

    assert run("--out", out, tmp_path / "empty").exit_code == 0
    assert parquet.read_table(out).num_rows == 0


def test_parquet_without_pyarrow_says_what_to_install(games, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = run("--out", "out.parquet", games)

    assert "connectk[tables]" in str(result.exception)


def test_parquet_that_cannot_be_written_is_told(games):
    pytest.importorskip("pyarrow.parquet")
    result = run("--out", "no/such/folder.parquet", games)

    assert "cannot be written" in str(result.exception)
    assert not Path("no").exists()


@pytest.mark.parametrize(
    ("names", "status"),
    [(["won.txt"], 0), (["won.txt", "more"], 0), (["won.txt", "wrong.txt"], 1), (["missing.txt"], 1)],
)
def test_the_exit_status_says_whether_all_are_valid(games, names, status):
    assert run(*(games / name for name in names)).exit_code == status


def test_wrong_usage_is_status_2(games):
    assert run().exit_code == 2
    assert run("--json", "--csv", games).exit_code == 2
    assert run("--nonsense", games).exit_code == 2


def test_standard_input(games):
    result = run("--json", "-", games / "won.txt", stdin=game_file("4 4 x"))
    piped, won = map(json.loads, result.stdout.splitlines())

    assert (piped["path"], piped["code"], piped["line"], piped["moves"]) == ("-", 8, 4, 2)
    assert won["code"] == 1


def test_a_column_longer_than_python_prints(tmp_path):
    path = tmp_path / "wide.txt"
    path.write_bytes(game_file("1" + "0" * 5000, "1" + "0" * 5000 + " 1 1"))
    facts = run("--json", path).stdout

    assert f'"winning_cells": [[{"9" * 5000}, 0]]' in facts
    assert "player 1: 1000" in run(path).stdout


def test_the_command_as_people_run_it(games):
    """The command runs as a separate process with file names that are not text, with a pipe and with a closed pipe."""
    odd = os.fsencode(games) + b"/\xff.txt"
    with open(odd, "wb") as file:  # noqa: PTH123
        file.write(game_file(FIRST_WINS))
    command = [Path(sys.executable).parent / "connectk", "judge"]
    done = subprocess.run([*command, odd], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert "xff.txt" in done.stdout
    assert "judge" in subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout


def test_a_folder_gives_its_files_by_name_and_passes_over_what_is_no_file(tmp_path):
    for name in ("b", "a", "c/z", "c/y"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "c" / "loop").symlink_to(tmp_path)
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")

    found = [os.path.relpath(path, tmp_path) for path in find_game_files([str(tmp_path)])]

    assert found == ["a", "b", "c/y", "c/z", "gone"]


def test_many_files_keep_their_order_on_all_cores(tmp_path):
    files = []
    for number in range(1500):
        moves = " ".join(FIRST_WINS.split()[: number % 9]) + (" x" if number % 7 == 0 else "")
        (tmp_path / str(number)).write_bytes(game_file(moves))
        files.append(str(tmp_path / str(number)))
    expected = [judge_bytes(Path(path).read_bytes()) for path in files]

    for workers in (1, 2, 5):
        assert list(judge_many(files, workers)) == expected


def test_ctrl_c_ends_with_one_word(games, monkeypatch):
    def interrupted(paths, workers=None):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr("connectk.referee.judge_many", interrupted)
    result = run(games)

    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "Stopped.\n")


def test_saved_games_are_judged_by_their_moves(tmp_path, monkeypatch):
    """Saved games are judged by their moves, so that `connectk judge` can read the files of `connectk arena --out
    games/`."""
    monkeypatch.chdir(tmp_path)
    assert run_in_process("arena", "greedy", "random", "--games", "2", "--jobs", "1", "--out", "games/").returncode == 0
    set_up = SavedGame(Game(parse_start("4xxx.5oo", CLASSIC), [0]))
    (tmp_path / "games" / "start.json").write_text(write_saved_game(set_up))
    done = run_in_process("judge", "games", "--json")
    found = {row["path"][-10:]: row["code"] for row in map(json.loads, done.stdout.splitlines())}
    assert found["start.json"] == 3
    assert len(found) == 3
    assert set(found.values()) <= {0, 1, 2, 3}
    assert run_in_process("judge", "games", "--out", "verdicts.jsonl").returncode == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7 6 4\n1\nfoo\n", "A line has one column, counted from 1; here it is 'foo'."),
        ("7 6 9\n", "No line of 9 fits 7 columns and 6 rows."),
        ("7 6 4\n1\n9\n", "Column 9 is not on a board with 7 columns."),
        ("2 2 2\r\n1\r\n1\r\n1\r\n", "Column 1 is full."),
        ("7 6 4\n1\n2\n1\n2\n1\n2\n1\n5\n", "The game was won on line 8, and goes on."),
        ('{"format": "other"}', "connectk-game"),
        ('{"format": "connectk-game", "version": 2, "moves": "44"}', 'The saved game has no "variant".'),
        ("\x7fELF\x02\x01\x01\x00", "This is not a text file."),
        ("", "The file is empty."),
    ],
)
def test_the_table_says_what_is_wrong(tmp_path, text, reason):
    (tmp_path / "game").write_bytes(text.encode())
    assert reason in run_in_process("--language", "en", "judge", str(tmp_path / "game")).stdout


def test_a_line_that_is_too_long_for_the_terminal_goes_on_below():
    """A line that is too long for the terminal is broken between words and aligned. In a pipe, each file has one
    line."""
    name, texts = "a-game-with-a-long-name.txt", load_texts("fi")
    won = judge_bytes(b"7 6 4\n1\n2\n1\n2\n1\n2\n1\n")
    narrow = list(table_lines([name], [won], texts, 80))
    assert max(map(len, narrow)) <= 80
    assert narrow[-1].split() == ["pelaaja", "1:", "1,1", "1,2", "1,3", "1,4"]
    assert len(list(table_lines([name], [won], texts))) == len(narrow) - 1


def test_a_file_that_is_not_there_says_why(tmp_path):
    assert "there is no such file" in run_in_process("judge", str(tmp_path / "none")).stdout


def test_a_line_without_a_game_says_what_a_line_has(tmp_path, monkeypatch):
    """A JSON line without a game gets an error that names the required fields."""
    monkeypatch.chdir(tmp_path)
    Path("results.jsonl").write_text('{"moves": "4453"}\n')
    done = run_in_process("judge", "results.jsonl")
    assert done.returncode == 1
    assert 'This line holds no game: a line has "path" and "game".' in done.stdout
