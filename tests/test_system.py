"""Tests behaviour that differs between operating systems. Each run tests only the system on which it runs."""

import subprocess
import sys

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
