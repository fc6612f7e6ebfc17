"""Tests behaviour that differs between operating systems. Each run tests only the system on which it runs."""

import os
import subprocess
import sys

import pytest

from connectk import system

LOCK_HOLDER_SCRIPT = """
import os, subprocess
from connectk.system import tune_malloc

def resident():
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
    except FileNotFoundError:  # not Linux
        return int(subprocess.check_output(["ps", "-o", "rss=", "-p", str(os.getpid())])) >> 10

tune_malloc()
first = bytes(16 << 20)
del first  # left alone, glibc from now on keeps pieces of up to this size
before, pieces, small = resident(), [], []
for _ in range(100):
    pieces.append(b"x" * (1 << 20))
    small.append(b"y" * 50_000)
pieces.clear()
print(resident() - before)
"""


def test_large_freed_blocks_return_to_the_system():
    """Large freed blocks return to the system even with small blocks between them; by default glibc would keep them."""
    done = subprocess.run([sys.executable, "-c", LOCK_HOLDER_SCRIPT], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 20


@pytest.fixture
def pipe(monkeypatch):
    """A pipe that is connected to standard input. The value is its other end."""
    reader, writer = os.pipe()
    with os.fdopen(reader) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield writer


def test_a_pipe_with_something_in_it_has_content_and_keeps_it(pipe):
    os.write(pipe, b"4453")
    os.close(pipe)
    assert system.stdin_has_content(pytest.fail)
    assert sys.stdin.read() == "4453"


def test_a_pipe_that_stays_silent_says_so_once_and_is_empty_when_it_closes(pipe, monkeypatch):
    monkeypatch.setattr(system, "STDIN_NOTICE_DELAY_SECONDS", 0)
    told = []
    assert not system.stdin_has_content(lambda: told.append(os.close(pipe)))
    assert len(told) == 1


def test_a_file_has_content_until_it_is_read(tmp_path, monkeypatch):
    (tmp_path / "moves").write_text("4453")
    with (tmp_path / "moves").open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert system.stdin_has_content(pytest.fail)
        os.lseek(stdin.fileno(), 0, os.SEEK_END)
        assert not system.stdin_has_content(pytest.fail)
