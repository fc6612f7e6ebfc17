"""Column numbers typed digit by digit."""

from __future__ import annotations

from time import monotonic

PAUSE = 1.0  # seconds after which a digit starts a new number


class TypedNumber:
    """Collects the digits of a column number on a board of this width."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._digits = ""
        self._last = 0.0

    @property
    def is_one_digit(self) -> bool:
        """Whether every column is a single key."""
        return self._width <= 9

    def add(self, digit: str) -> int:
        """The column written so far, counted from 0."""
        now = monotonic()
        longer = self._digits + digit
        goes_on = not self.is_one_digit and now - self._last < PAUSE and int(longer) <= self._width
        self._digits = longer if goes_on else digit
        self._last = now
        return int(self._digits) - 1
