"""The book's core under the sanitizers, with the counts that others have published."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "src" / "connectk" / "solver" / "book" / "7x6x4.book"


@pytest.mark.deep
@pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler here")
def test_the_core_of_the_book_by_itself(tmp_path):
    program = tmp_path / "book_test"
    source = ROOT / "tests" / "native" / "book_test.cpp"
    flags = ["-std=c++20", "-O2", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["c++", *flags, str(source), "-o", str(program)], check=True)
    done = subprocess.run([str(program), str(BOOK)], capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr, file=sys.stderr)
    assert done.returncode == 0
