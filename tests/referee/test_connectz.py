"""`connectz` prints one code and nothing else."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import connectz as connectz_module
from tests.referee.cases import FIRST_WINS, game_file
from tests.referee.test_codes import CODES, GOLDEN

COMMAND = Path(sys.executable).parent / "connectz"


def connectz(*arguments: object) -> str:
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("name", sorted(CODES)[::9])
def test_it_prints_the_code_alone(name):
    assert connectz(GOLDEN / name) == f"{CODES[name]}\n"


@pytest.mark.parametrize("arguments", [(), ("a", "b"), ("a", "b", "c")])
def test_it_asks_for_one_file(arguments):
    assert connectz(*arguments) == "connectz.py: Provide one input file\n"


def test_it_says_9_when_there_is_no_file(tmp_path):
    assert connectz(tmp_path / "missing.txt") == "9\n"
    assert connectz(tmp_path) == "9\n"


def test_any_name_will_do(tmp_path):
    path = tmp_path / "-- ä.txt"
    path.write_bytes(game_file(FIRST_WINS))

    assert connectz(path) == "1\n"


def test_it_imports_only_what_it_needs():
    """The command starts quickly because it imports no rules, no command line library and no dataclasses."""
    code = "import sys; before = set(sys.modules); import connectk.connectz; print(*set(sys.modules) - before)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert {name for name in modules if name.startswith("connectk")} == {
        "connectk",
        "connectk._native",
        "connectk.connectz",
    }
    assert not {"typer", "rich", "dataclasses", "inspect", "json"} & set(modules)


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_it_helps(flag):
    """`connectz --help` lists every code."""
    said = connectz(flag)
    assert all(re.search(rf"\b{code}  ", said) for code in range(10))


def test_those_who_know_the_original_find_its_function():
    """As in the original program, `import connectz` offers `parse_and_play(path)`."""
    assert [connectz_module.parse_and_play(GOLDEN / name) for name in sorted(CODES)[::9]] == [
        CODES[name] for name in sorted(CODES)[::9]
    ]


def test_it_runs_as_a_module(tmp_path):
    path = tmp_path / "game.txt"
    path.write_bytes(game_file(FIRST_WINS))
    done = subprocess.run([sys.executable, "-m", "connectz", path], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


def test_an_answer_that_nobody_takes_is_no_traceback():
    """If the reader closes the pipe, `connectz` ends without an error message."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        ended = subprocess.run([COMMAND, "--help"], stdout=closed, stderr=subprocess.PIPE)
    assert (ended.returncode, ended.stderr) == (0, b"")
