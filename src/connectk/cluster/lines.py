"""Lines of a file between two bytes, so that several workers read one file without anybody counting its lines."""

from __future__ import annotations

from collections.abc import Iterator

from connectk.cluster.files import open_to_read


def lines_between(path: str, start: int, stop: int) -> Iterator[bytes]:
    """The lines that begin at `start` or after it and before `stop`; whole, even where they end later."""
    with open_to_read(path) as file:
        if start:
            file.seek(start - 1)
            start += len(file.readline()) - 1  # up to the end of a line that began earlier
        while start < stop and (line := file.readline()):
            start += len(line)
            yield line.rstrip(b"\r\n")
