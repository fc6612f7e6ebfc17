"""Tests `connectk solve` as a person or a script uses it."""

import json
import os
import pathlib
import pty
import signal
import subprocess
import sys
import time

import pytest

from tests.terminal.command import Done, run_in_process

COMMAND = [sys.executable, "-m", "connectk", "solve"]


def run(*words: str, lines: str = "") -> Done:
    return run_in_process("solve", *words, answers=lines)


def test_a_position_in_words():
    done = run("4455")
    assert done.returncode == 0
    assert "The first player is to move: wins in 2." in done.stdout
    assert "column 3  wins in 2           best" in done.stdout
    assert "column 1  loses in 16" in done.stdout
    assert "Best line: 3 4 2" in done.stdout or "Best line: 6" in done.stdout
    assert "From the opening book." in done.stdout
    assert done.stderr == ""


def test_a_full_column_is_called_full():
    assert "column 4  full" in run("444444").stdout


def test_without_the_book_the_answer_is_searched():
    done = run("--no-book", "--jobs", "2", "--table", "8", "44455555334567")
    assert done.returncode == 0
    assert "Searched " in done.stdout


def test_the_figures_are_those_of_everything():
    """The printed number of nodes covers the score, the columns and the line, so it is higher than that for the score
    alone."""
    facts = json.loads(run("--no-book", "--json", "44455555334567").stdout)
    alone = run("--no-book", "-", lines="44455555334567\n").stdout.split()
    assert facts["nodes"] > int(alone[2]) > 0


def test_only_the_result():
    done = run("--goal", "result", "4455")
    assert "column 3  wins                best" in done.stdout
    assert "column 1  loses\n" in done.stdout


def test_other_boards():
    assert "draw" in run("--variant", "4x4x4").stdout


def test_a_finished_game_is_told():
    done = run("1212121")
    assert done.returncode == 0
    assert "The game is over: the first player won." in done.stdout


def test_json():
    facts = json.loads(run("--json", "4455").stdout)
    assert facts["score"] == 18
    assert facts["best_columns"] == [2, 5]
    assert facts["columns"][2] == 18
    assert facts["source"] == "book"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["8"], "no column 8"),
        (["4444444"], "full"),
        (["12121212"], "over"),
        (["--variant", "20x20x4"], "128 bits"),
        (["--variant", "7x6"], "7x6x4"),
        (["--goal", "best"], "score, result"),
        (["--table", "0"], "memory"),
        (["--table", "nan"], "memory"),
        (["--table", "inf"], "memory"),
        (["--table", "99999999"], "this machine can give"),
        (["--table", "99999999", "-"], "this machine can give"),
        (["--variant", "20x20x4", "-"], "128 bits"),
        (["--jobs", "0"], "jobs"),
        (["--what"], "--what"),
    ],
)
def test_wrong_usage_is_one_reason_and_status_2(words, reason):
    done = run(*words)
    assert done.returncode == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_a_list_of_positions():
    done = run("-", lines="4455 18\n44 1\n\n- 1\n")
    assert done.returncode == 0
    *rows, last = done.stdout.splitlines()
    assert [row.split()[:2] for row in rows] == [["4455", "18"], ["44", "1"], ["-", "1"]]
    assert all(len(row.split()) == 4 for row in rows)
    assert last == "3 positions, 0 mismatches"


def test_mismatches_are_counted_and_make_the_status_1():
    done = run("-", lines="4455 17\n44 1\n")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0].endswith("expected 17")
    assert done.stdout.splitlines()[-1] == "2 positions, 1 mismatch"


def test_without_expected_scores_nothing_is_counted():
    done = run("-", lines="4455\n")
    assert len(done.stdout.splitlines()) == 1
    assert done.returncode == 0


def test_bad_lines_say_their_number_and_reason_and_the_rest_is_solved():
    done = run("-", lines="44 1\n9\n44 x\n4455 18\n")
    assert done.returncode == 1
    assert "line 2: There is no column 9" in done.stderr
    assert "line 3: 'x' is not a score" in done.stderr
    assert done.stdout.splitlines()[-1] == "2 positions, 0 mismatches"


def test_a_limit_is_for_the_whole_list():
    """`--limit` covers the whole list: solved positions are printed, and the exit status says that some are missing."""
    done = run("-", "--variant", "9x9x4", "--limit", "3s", lines="112233\n1\n445566\n")
    assert done.returncode == 1
    assert {line.split()[0] for line in done.stdout.splitlines()} <= {"112233", "445566"}
    assert done.stdout.startswith("112233 ")
    assert done.stderr == "The time is up; the positions that are missing here were not solved.\n"


@pytest.mark.parametrize("words", [("--out", "x.jsonl"), ("--cluster", "local:1")])
def test_a_limit_for_work_that_goes_on_is_refused(words):
    """`--limit` together with `--out` or `--cluster` is refused and not ignored."""
    done = run("-", "--limit", "1s", *words, lines="44\n")
    assert (done.returncode, "--limit: does not go together" in done.stderr) == (2, True)


def test_bad_lines_are_localized():
    done = run("--language", "fi", "-", lines="44\n4444444\n")
    assert done.stderr.startswith("rivi 2: ")
    assert "Sarake 4" in done.stderr


def test_a_list_as_json():
    done = run("--json", "--goal", "result", "-", lines="4455 18\n")
    assert json.loads(done.stdout) | {"microseconds": 0} == {
        "moves": "4455", "score": 1, "nodes": 0, "microseconds": 0, "expected": 1,
    }  # fmt: skip


def test_a_list_is_the_same_on_any_number_of_threads():
    """Solving a list gives the same order, scores and node counts on any number of threads."""
    lines = "44455555334567\n4455\n44455555334566\n" * 5
    first, second = (run("--no-book", "--jobs", threads, "-", lines=lines) for threads in ("1", "3"))
    assert [row.split()[:3] for row in first.stdout.splitlines()] == [
        row.split()[:3] for row in second.stdout.splitlines()
    ]


def test_a_line_is_answered_before_the_next_one_comes():
    """Each line of standard input is answered before the next one arrives, because a program may wait for the
    answer."""
    running = subprocess.Popen([*COMMAND, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for moves, score in (("4455", "18"), ("44", "1")):
        running.stdin.write(f"{moves}\n")
        running.stdin.flush()
        assert running.stdout.readline().split()[:2] == [moves, score]
    running.stdin.close()
    assert running.wait(timeout=60) == 0
    running.stdout.close()


def test_ctrl_c_leaves_what_was_answered():
    running = subprocess.Popen(
        [*COMMAND, "--variant", "8x8x4", "--jobs", "2", "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    running.stdin.write("1,2,1,2,1,2,1\n-\n".replace(",", ""))
    running.stdin.flush()
    assert running.stdout.readline().split()[:2] == ["1212121", "-29"]
    running.send_signal(signal.SIGINT)
    out, output = running.communicate(timeout=60)
    assert (running.returncode, out, output) == (130, "", "Stopped.\n")


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize(
    "words",
    [["solve", "4455"], ["solve", "--json", "4455"], ["solve", "-"], ["review", "4455"], ["players"], ["--help"]],
    ids=" ".join,
)
def test_a_full_disk_is_reported_in_one_line(words):
    with pathlib.Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "connectk", *words]
        done = subprocess.run(command, input="4455\n", stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (2, "connectk: The output cannot be written: the disk is full.\n")


def test_a_closed_pipe_prints_no_error():
    """Closing the pipe early, as in `connectk players | head -1`, prints no error."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "connectk", "players"], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=120
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


def test_help_has_examples():
    done = run("--help")
    assert done.returncode == 0
    assert "connectk solve 4455" in " ".join(done.stdout.split())


@pytest.mark.parametrize("words", [["--variant", "8x8x4"], ["--variant", "8x8x4", "-"]])
def test_ctrl_c_ends_a_long_search_cleanly(words):
    """Ctrl-C ends a long search with one sentence and status 130, without a traceback."""
    terminal, theirs = pty.openpty()
    running = subprocess.Popen(
        [*COMMAND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    running.stdin.write(b"-\n")
    running.stdin.close()
    output = b""
    deadline = time.monotonic() + 60
    while b"million positions" not in output and time.monotonic() < deadline:
        output += os.read(terminal, 1000)
    running.send_signal(signal.SIGINT)
    while True:
        try:
            more = os.read(terminal, 1000)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        output += more
    assert running.wait(timeout=120) == 130
    assert b"Stopped." in output
    assert b"Traceback" not in output
    running.stdout.close()
    os.close(terminal)
