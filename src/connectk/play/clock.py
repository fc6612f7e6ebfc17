"""A clock that follows the database's clock, so that several machines agree on the time."""

from __future__ import annotations

import time
from typing import NamedTuple


class ClockReading(NamedTuple):
    """One reading of another clock: the seconds that it is ahead of the local monotonic clock, and the duration of the
    reading."""

    took: float
    offset: float


class SharedClock:
    """A clock that is set by regular readings of a common clock, so that several machines agree on the time."""

    def __init__(self) -> None:
        self._offset = time.time() - time.monotonic()

    def __call__(self) -> float:
        return self._offset + time.monotonic()

    def correct(self, reading: ClockReading) -> float:
        """Set this clock by a reading, and return the change in seconds. Differences within the duration of the reading
        are ignored, because the reading is no more exact than that."""
        difference = reading.offset - self._offset
        if abs(difference) <= reading.took:
            return 0.0
        self._offset = reading.offset
        return difference
