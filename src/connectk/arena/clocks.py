"""Clocks for whole games: `60s+1s` gives each side a minute for the game, plus a second for every disc that it
drops."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from connectk.errors import BotForfeit
from connectk.notation.moves import parse_duration
from connectk.players.player import Clock

CLOCK_GRACE_SECONDS = 0.25  # by how much a side may exceed its time in one game altogether, to allow for overhead


@dataclass(frozen=True, slots=True)
class GameClock:
    """The time of each side: `seconds` for the whole game, plus `increment` seconds for every disc that it drops."""

    seconds: float
    increment: float = 0.0

    @classmethod
    def parse(cls, text: str) -> GameClock:
        """The clock for a time that is written as `60s` or `60s+1s`."""
        whole, plus, increment = text.partition("+")
        return cls(parse_duration(whole), parse_duration(increment) if plus else 0.0)

    def __str__(self) -> str:
        return f"{self.seconds:g}s+{self.increment:g}s"


@dataclass(slots=True)
class SideClock:
    """The clock of one side in one game.

    It limits each move, the whole game, or nothing. Over the whole game, the side may exceed its limits by `grace`
    seconds.
    """

    name: str
    per_move: float | None
    game: GameClock | None
    strict: bool = True
    grace: float = CLOCK_GRACE_SECONDS
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
        """Stop the clock and return the seconds that the move took. Raises `BotForfeit` if the move was too late."""
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
