"""The core by itself under the sanitizers: plain minimax is the judge (see tests/native/solver_test.cpp)."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "native"
SOLVER = [NATIVE / "memory.cpp", *sorted(f for f in (NATIVE / "solver").rglob("*.cpp") if f.stem != "bindings")]
PLAYERS = sorted(f for f in (NATIVE / "players").glob("*.cpp") if f.stem != "bindings")

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler here"),
    pytest.mark.parametrize("sanitizer", ["address,undefined", "thread"]),
]


def test_the_core_of_the_solver_by_itself(tmp_path, sanitizer):
    run_sanitized(sanitizer, tmp_path, "solver_test.cpp", SOLVER, "1", "60")


def test_what_threads_share(tmp_path, sanitizer):
    """Many positions at once, asked, answered, stopped and closed; players with helpers."""
    run_sanitized(sanitizer, tmp_path, "threads_test.cpp", [*SOLVER, *PLAYERS])


def run_sanitized(sanitizer: str, folder: Path, test: str, core: list[Path], *arguments: str) -> None:
    sources = [ROOT / "tests/native" / test, *core]
    checks = [f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all"]
    flags = [f"-I{NATIVE}", "-std=c++20", "-O1", "-g", "-pthread", *checks]
    program = folder / "test"
    subprocess.run(["c++", *flags, *map(str, sources), "-o", str(program)], check=True)
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr, file=sys.stderr)
    assert done.returncode == 0
