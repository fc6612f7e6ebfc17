"""The solver's core by itself under the sanitizers: plain minimax is the judge (see tests/native/solver_test.cpp)."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "native"
SOURCES = [ROOT / "tests/native/solver_test.cpp", NATIVE / "memory.cpp", *sorted((NATIVE / "solver").rglob("*.cpp"))]


@pytest.mark.deep
@pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler here")
@pytest.mark.parametrize("sanitizer", ["address,undefined", "thread"])
def test_the_core_of_the_solver_by_itself(tmp_path, sanitizer):
    program = tmp_path / "solver_test"
    flags = [
        f"-I{NATIVE}",
        "-std=c++20",
        "-O1",
        "-g",
        "-pthread",
        f"-fsanitize={sanitizer}",
        "-fno-sanitize-recover=all",
    ]
    subprocess.run(["c++", *flags, *map(str, SOURCES), "-o", str(program)], check=True)
    done = subprocess.run([str(program), "1", "60"], capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr, file=sys.stderr)
    assert done.returncode == 0
