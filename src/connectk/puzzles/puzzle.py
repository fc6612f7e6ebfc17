"""A puzzle: a position in which exactly one drop is right."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from connectk.notation.start import parse_start
from connectk.rules import Position, Variant

BASE_PUZZLE_RATING, RATING_PER_LEVEL, RATING_PER_DEPTH = 700, 100, 50
DIFFICULTY_RATINGS = (1250, 1400, 1550, 1850)  # at each of these ratings the difficulty rises by one


class Aim(StrEnum):
    """The goal of a puzzle, which only the right drop achieves."""

    WIN = "win"  # only the right drop wins
    HOLD = "hold"  # only the right drop does not lose
    SOONEST = "soonest"  # other drops win too, but later
    BETTER = "better"  # for mistakes from one's own games: no drop is better


FORCING_THEMES = ("fork", "stack", "trap", "force")  # puzzles with these themes continue until a line is complete


class Theme(StrEnum):
    """The idea behind a puzzle, derived from the shape of an explanation that the checker accepted."""

    FORK = "fork"  # a drop that makes two threats at once
    STACK = "stack"  # one threat right above the other
    TRAP = "trap"  # a threat that prepares a fork or stacked threats
    FORCE = "force"  # a longer chain of threats
    ZUGZWANG = "zugzwang"  # the other side runs out of safe moves
    PLAN = "plan"  # a rule that answers every drop and in the end completes a line
    HOLD = "hold"  # a rule that answers every drop and prevents every line


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, its answer, and how hard computer players find it.

    `levels` is the number of computer levels that miss the answer, out of the nine levels without a clock. `depth` is
    the smallest search depth that finds it. A puzzle made from the person's own mistake has no theme. Its `label` is
    that of the mistake in the review, and `others` lists other drops that are as good as the answer.
    """

    variant: Variant
    start: str  # the position, as notation.start writes it
    answer: int
    aim: Aim
    theme: Theme | None
    levels: int
    depth: int
    others: tuple[int, ...] = ()
    label: str = ""

    @property
    def position(self) -> Position:
        return parse_start(self.start, self.variant)

    @property
    def key(self) -> str:
        """An identifier that stays the same across versions of the collection."""
        return f"{self.variant}:{self.start}"

    def is_right(self, column: int) -> bool:
        return column == self.answer or column in self.others

    @property
    def is_own(self) -> bool:
        """Whether the puzzle is a mistake from the person's own game. Such a puzzle is practised but not rated."""
        return bool(self.label)

    @property
    def is_forcing(self) -> bool:
        """Whether the puzzle continues after the first drop, until a line is complete."""
        return self.theme in FORCING_THEMES

    @property
    def rating(self) -> int:
        """The estimated rating on the Glicko scale. A person with the same rating solves the puzzle half of the
        time."""
        return BASE_PUZZLE_RATING + RATING_PER_LEVEL * self.levels + RATING_PER_DEPTH * self.depth

    @property
    def difficulty(self) -> int:
        """The difficulty from 1 to 5."""
        return 1 + sum(self.rating >= step for step in DIFFICULTY_RATINGS)
