"""The memory of a server with all its processes."""

import re
from contextlib import suppress
from pathlib import Path

from tests.server.serving import process_tree


def megabytes(pid: int) -> float:
    """The memory of a process and all its descendants in megabytes. A page that they share is counted once."""
    total = 0
    for one in process_tree(pid):
        with suppress(OSError):
            found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{one}/smaps_rollup").read_text(), re.M)
            total += int(found[1]) if found else 0
    return total / 1024
