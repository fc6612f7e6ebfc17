"""A player's time for the whole game, worked out from when things happened."""

from __future__ import annotations

from dataclasses import dataclass

from connectk.rules import Side


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Seconds for each side, and seconds given back after each drop."""

    seconds: float
    increment: float = 0.0


@dataclass(frozen=True, slots=True)
class Times:
    """What each side has left when its turn begins."""

    first: float
    second: float

    def of(self, side: Side) -> float:
        return self.first if side is Side.FIRST else self.second

    def spend(self, side: Side, seconds: float, control: TimeControl) -> Times:
        left = self.of(side) - seconds + control.increment
        return Times(left, self.second) if side is Side.FIRST else Times(self.first, left)
