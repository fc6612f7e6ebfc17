"""Clocks for whole games: `60s+1s` is a minute for each side and a second more for every disc."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from connectk.errors import BotForfeit
from connectk.notation.moves import parse_duration
from connectk.players.player import Clock

GRACE_SECONDS = 0.25  # how late a side may be in all moves of a game together, to allow for overhead


@dataclass(frozen=True, slots=True)
class GameClock:
    """`seconds` for each side's game, `increment` more with every disc."""

    seconds: float
    increment: float = 0.0

    @classmethod
    def parse(cls, text: str) -> GameClock:
        """A time written `60s` or `60s+1s`."""
        whole, plus, increment = text.partition("+")
        return cls(parse_duration(whole), parse_duration(increment) if plus else 0.0)

    def __str__(self) -> str:
        return f"{self.seconds:g}s+{self.increment:g}s"


@dataclass(slots=True)
class SideClock:
    """One side's time in one game: a limit for each move, a clock for the whole game, or neither.

    A side may exceed its time by `grace` seconds in the whole game.
    """

    name: str
    per_move: float | None
    game: GameClock | None
    strict: bool = True
    grace: float = GRACE_SECONDS
    late: float = 0.0  # how much of the grace is used
    left: float = field(init=False, default=0.0)
    started: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self.left = self.game.seconds if self.game else 0.0

    def start(self) -> Clock:
        """Start the clock of the next move."""
        self.started = time.monotonic()
        if self.game is None:
            return Clock(self.per_move)
        return Clock(max(self.left, 0.001), increment=self.game.increment)

    def stop(self) -> float:
        """The seconds that the move took; raises `BotForfeit` if it was too late."""
        spent = time.monotonic() - self.started
        allowed = self.left if self.game else self.per_move
        if allowed is not None:
            self._spend(spent, allowed)
        return round(spent, 6)

    def _spend(self, spent: float, allowed: float) -> None:
        over = max(0.0, spent - allowed)
        self.late += over
        if self.strict and self.late > self.grace:
            raise BotForfeit(self.name, "late", "error.BotForfeit.late")
        if self.game:
            self.left = max(0.0, self.left - spent) + self.game.increment
