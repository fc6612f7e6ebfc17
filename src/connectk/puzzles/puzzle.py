"""A puzzle: a position in which exactly one drop is right."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from connectk.notation.start import parse_start
from connectk.rules import Position, Variant

BASE_PUZZLE_RATING, RATING_PER_LEVEL, RATING_PER_DEPTH = 700, 100, 50
DIFFICULTY_RATINGS = (1250, 1400, 1550, 1850)  # the ratings at which the difficulty goes up by one


class Aim(StrEnum):
    """What only the right drop achieves."""

    WIN = "win"  # it alone wins
    HOLD = "hold"  # it alone does not lose
    SOONEST = "soonest"  # others win as well, but not as soon


class Theme(StrEnum):
    """The idea behind a puzzle, derived from the shape of an explanation that the checker accepted."""

    FORK = "fork"  # a drop that makes two threats at once
    STACK = "stack"  # one threat right above the other
    TRAP = "trap"  # a threat that prepares one of these
    FORCE = "force"  # a longer chain of threats
    ZUGZWANG = "zugzwang"  # the other side runs out of other moves
    PLAN = "plan"  # an answer to everything, until a line is complete
    HOLD = "hold"  # an answer to everything, so that no line is completed


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, its answer, and how hard computer players find it.

    `levels` counts how many of the nine levels without a clock miss the answer; `depth` is the smallest search depth
    that finds it.
    """

    variant: Variant
    start: str  # the position, as notation.start writes it
    answer: int
    aim: Aim
    theme: Theme
    levels: int
    depth: int

    @property
    def position(self) -> Position:
        return parse_start(self.start, self.variant)

    @property
    def key(self) -> str:
        """An identifier that stays the same across versions of the collection."""
        return f"{self.variant}:{self.start}"

    @property
    def rating(self) -> int:
        """An estimate on the Glicko scale: a person with this rating solves it half of the time."""
        return BASE_PUZZLE_RATING + RATING_PER_LEVEL * self.levels + RATING_PER_DEPTH * self.depth

    @property
    def difficulty(self) -> int:
        """From 1 to 5."""
        return 1 + sum(self.rating >= step for step in DIFFICULTY_RATINGS)
