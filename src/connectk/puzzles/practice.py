"""What someone has practised: a rating of their own, what was tried, and the mistakes that come back.

A puzzle counts for the rating the first time only. A mistake comes back the next day; each time it is solved it rests
longer, and after the last of the rests it is learned. A new mistake begins from the front.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, NamedTuple

from connectk.puzzles.puzzle import Puzzle, Theme
from connectk.puzzles.rating import Glicko, Played, rate

REPEAT_INTERVAL_DAYS = (1, 3, 7, 21)  # days
PUZZLE_DEVIATION = 80.0  # a puzzle's rating is an estimate


class Due(NamedTuple):
    """When a mistake comes back, and how many rests are behind it."""

    day: date
    rests: int = 0


@dataclass
class Practice:
    """Grows with every answer; `to_json` and `from_json` keep it."""

    rating: Glicko = field(default_factory=Glicko)
    tried: dict[str, bool] = field(default_factory=dict)  # by the puzzle's key: whether the first try was right
    due: dict[str, Due] = field(default_factory=dict)
    lessons: dict[str, int] = field(default_factory=dict)  # how many cards of each are behind one

    def note(self, puzzle: Puzzle, right: bool, today: date) -> None:
        """The first answer to a puzzle that was shown."""
        if puzzle.key not in self.tried:
            self.tried[puzzle.key] = right
            self.rating = rate(self.rating, [Played(Glicko(puzzle.rating, PUZZLE_DEVIATION), float(right))])
        self._rest(puzzle.key, right, today)

    def _rest(self, key: str, right: bool, today: date) -> None:
        before = self.due.pop(key, None)
        rests = 0 if not right else before.rests + 1 if before else len(REPEAT_INTERVAL_DAYS)
        if rests < len(REPEAT_INTERVAL_DAYS):
            self.due[key] = Due(today + timedelta(days=REPEAT_INTERVAL_DAYS[rests]), rests)

    def next_of(self, puzzles: Sequence[Puzzle], today: date) -> Puzzle | None:
        """A mistake whose day has come, else the untried one nearest to one's own rating; None when all are done."""
        back = [puzzle for puzzle in puzzles if (due := self.due.get(puzzle.key)) and due.day <= today]
        if back:
            return min(back, key=lambda puzzle: self.due[puzzle.key].day)
        new = (puzzle for puzzle in puzzles if puzzle.key not in self.tried)
        return min(new, key=lambda puzzle: abs(puzzle.rating - self.rating.rating), default=None)

    @property
    def right(self) -> int:
        """How many puzzles were solved at the first try."""
        return sum(self.tried.values())

    def to_json(self) -> dict[str, Any]:
        return {
            "format": "connectk-practice",
            "version": 1,
            "rating": [self.rating.rating, self.rating.deviation, self.rating.volatility],
            "tried": self.tried,
            "due": {key: [due.day.isoformat(), due.rests] for key, due in self.due.items()},
            "lessons": self.lessons,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Practice:
        """`ValueError`, `TypeError` or `KeyError` where it is damaged."""
        due = {str(key): Due(date.fromisoformat(day), int(rests)) for key, (day, rests) in document["due"].items()}
        tried = {str(key): bool(right) for key, right in document["tried"].items()}
        lessons = {str(name): int(cards) for name, cards in document["lessons"].items()}
        return cls(Glicko(*map(float, document["rating"])), tried, due, lessons)


def chosen(puzzles: Iterable[Puzzle], theme: Theme | None = None, difficulty: int | None = None) -> tuple[Puzzle, ...]:
    """Those of a theme and a difficulty, where these are asked for."""
    return tuple(
        puzzle for puzzle in puzzles if theme in (None, puzzle.theme) and difficulty in (None, puzzle.difficulty)
    )
