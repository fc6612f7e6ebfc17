"""Runs all parts of the core with asserts for a few seconds, because the installed core has none."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "native"
SOURCES = [
    ROOT / "tests/native/asserts_test.cpp",
    NATIVE / "memory.cpp",
    NATIVE / "arrays/boards.cpp",
    *(file for file in (NATIVE / "referee").glob("*.cpp") if file.stem != "bindings"),
]

pytestmark = pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler here")


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> str:
    path = str(tmp_path_factory.mktemp("asserts") / "asserts_test")
    subprocess.run(["c++", "-std=c++20", "-pthread", f"-I{NATIVE}", *map(str, SOURCES), "-o", path], check=True)
    return path


def test_every_assert_on_the_way_holds(program):
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_broken_invariant_ends_the_program(program):
    done = subprocess.run([program, "break"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "word != 0" in done.stderr
