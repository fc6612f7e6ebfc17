"""What systems do differently, where it can be seen on this one."""

import subprocess
import sys
from pathlib import Path

import pytest

HOLDING = """
from connectk.system import give_memory_back

def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096 >> 20

if GIVES:
    give_memory_back()
first = bytes(16 << 20)
del first  # from now on glibc keeps pieces of up to this size, if it is let
before, pieces, small = resident(), [], []
for _ in range(100):
    pieces.append(b"x" * (1 << 20))
    small.append(b"y" * 50_000)
pieces.clear()
print(resident() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux says how much memory is in use")
def test_large_pieces_of_memory_are_given_back():
    """A hundred large pieces, a small one that stays between each two: without it, the large ones stay as well."""
    kept, given = (megabytes_after(gives) for gives in (False, True))
    if kept < 50:
        pytest.skip("this C library gives memory back by itself")
    assert given < 20


def megabytes_after(gives: bool) -> int:
    code = HOLDING.replace("GIVES", str(gives))
    return int(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
