"""What systems do differently, where it can be seen on this one."""

import subprocess
import sys

HOLDING = """
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
    """A hundred large pieces, a small one that stays between each two: left alone, glibc keeps the large ones too."""
    done = subprocess.run([sys.executable, "-c", HOLDING], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 20
