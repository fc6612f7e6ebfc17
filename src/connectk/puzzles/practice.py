"""A person's practice record: their rating, the puzzles tried, and the mistakes scheduled for repetition.

A puzzle counts for the rating only the first time. A missed puzzle is repeated the next day; each time it is solved the
interval grows, and after the last interval it is dropped. Another miss restarts the schedule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, NamedTuple

from connectk.puzzles.puzzle import Puzzle, Theme
from connectk.puzzles.rating import Glicko, RatedGame, rate

REPEAT_INTERVAL_DAYS = (1, 3, 7, 21)
PUZZLE_DEVIATION = 80.0  # a puzzle's rating is an estimate


class ScheduledRepeat(NamedTuple):
    """The day a missed puzzle is repeated, and the index of the interval that ends then."""

    day: date
    stage: int = 0


@dataclass
class Practice:
    """The practice record; `to_json` and `from_json` convert it for storage."""

    rating: Glicko = field(default_factory=Glicko)
    tried: dict[str, bool] = field(default_factory=dict)  # by puzzle key: whether the first answer was right
    due: dict[str, ScheduledRepeat] = field(default_factory=dict)
    lessons: dict[str, int] = field(default_factory=dict)  # by lesson name: the number of cards done

    def record(self, puzzle: Puzzle, right: bool, today: date) -> None:
        """Record the first answer given while a puzzle was shown."""
        if puzzle.key not in self.tried:
            self.tried[puzzle.key] = right
            self.rating = rate(self.rating, [RatedGame(Glicko(puzzle.rating, PUZZLE_DEVIATION), float(right))])
        self._schedule(puzzle.key, right, today)

    def _schedule(self, key: str, right: bool, today: date) -> None:
        before = self.due.pop(key, None)
        stage = 0 if not right else before.stage + 1 if before else len(REPEAT_INTERVAL_DAYS)
        if stage < len(REPEAT_INTERVAL_DAYS):
            self.due[key] = ScheduledRepeat(today + timedelta(days=REPEAT_INTERVAL_DAYS[stage]), stage)

    def next_puzzle(self, puzzles: Sequence[Puzzle], today: date) -> Puzzle | None:
        """Return a missed puzzle that is due, else the untried one nearest to the rating; None if all are done."""
        back = [puzzle for puzzle in puzzles if (due := self.due.get(puzzle.key)) and due.day <= today]
        if back:
            return min(back, key=lambda puzzle: self.due[puzzle.key].day)
        new = (puzzle for puzzle in puzzles if puzzle.key not in self.tried)
        return min(new, key=lambda puzzle: abs(puzzle.rating - self.rating.rating), default=None)

    @property
    def right(self) -> int:
        """The number of puzzles answered correctly at the first attempt."""
        return sum(self.tried.values())

    def to_json(self) -> dict[str, Any]:
        return {
            "format": "connectk-practice",
            "version": 1,
            "rating": [self.rating.rating, self.rating.deviation, self.rating.volatility],
            "tried": self.tried,
            "due": {key: [due.day.isoformat(), due.stage] for key, due in self.due.items()},
            "lessons": self.lessons,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Practice:
        """Raises `ValueError`, `TypeError` or `KeyError` for a damaged document."""
        due = {
            str(key): ScheduledRepeat(date.fromisoformat(day), int(stage))
            for key, (day, stage) in document["due"].items()
        }
        tried = {str(key): bool(right) for key, right in document["tried"].items()}
        lessons = {str(name): int(cards) for name, cards in document["lessons"].items()}
        return cls(Glicko(*map(float, document["rating"])), tried, due, lessons)


def select_puzzles(
    puzzles: Iterable[Puzzle], theme: Theme | None = None, difficulty: int | None = None
) -> tuple[Puzzle, ...]:
    """Return the puzzles with the given theme and difficulty; None matches all."""
    return tuple(
        puzzle for puzzle in puzzles if theme in (None, puzzle.theme) and difficulty in (None, puzzle.difficulty)
    )
