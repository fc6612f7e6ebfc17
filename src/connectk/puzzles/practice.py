"""A person's practice record: their rating, the puzzles that they tried, and the mistakes to repeat.

A puzzle counts for the rating only the first time it is tried. A right answer counts half if the person took a hint, or
if the win took longer than required. A beginner's rating starts low and very uncertain, so that three answers are
enough to find the right rating. Mistakes from the person's own games are practised too, but they do not count for the
rating.

A missed puzzle is shown again the next day. Each time it is solved, the interval until the next repetition grows, and
after the last interval it is done. If it is missed again, the intervals start from the beginning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, NamedTuple

from connectk.glicko import Glicko, RatedGame, rate
from connectk.notation.start import parse_start, write_start
from connectk.puzzles.puzzle import Aim, Puzzle, Theme
from connectk.rules import Position, Variant

REPEAT_INTERVAL_DAYS = (1, 3, 7, 21)
BEGINNER_RATING = 1000.0
PLACEMENT_PUZZLES = 3  # rated answers after which a beginner's rating is shown
HELPED_SCORE = 0.5  # the score of a right answer after a hint, or of a win that took longer than required
PUZZLE_DEVIATION = 80.0  # the deviation of a puzzle's rating, which is an estimate


class Streak(NamedTuple):
    """The last day on which a puzzle was solved at the first attempt, and the number of such days in a row."""

    day: date
    days: int


class ScheduledRepeat(NamedTuple):
    """The day of the next repetition of a missed puzzle, and the index of the interval that ends then. The index is -1
    if no interval has begun yet."""

    day: date
    stage: int = 0


@dataclass
class Practice:
    """A person's practice record. `to_json` and `from_json` convert the record for storage."""

    rating: Glicko = field(default_factory=lambda: Glicko(BEGINNER_RATING))
    tried: dict[str, bool] = field(default_factory=dict)  # by puzzle key: whether the first answer was right
    due: dict[str, ScheduledRepeat] = field(default_factory=dict)
    lessons: dict[str, int] = field(default_factory=dict)  # by lesson name: the number of cards done
    own: dict[str, Puzzle] = field(default_factory=dict)  # by puzzle key: mistakes from the person's own games
    streak: Streak | None = None

    def record(self, puzzle: Puzzle, right: bool, today: date, score: float | None = None) -> None:
        """Record the first answer to a shown puzzle. `score` is the value of the answer for the rating; by default 1
        for a right answer and 0 for a wrong one."""
        if not puzzle.is_own and puzzle.key not in self.tried:
            self.tried[puzzle.key] = right
            counted = float(right) if score is None else score
            self.rating = rate(self.rating, [RatedGame(Glicko(puzzle.rating, PUZZLE_DEVIATION), counted)])
        if right:
            self._continue_streak(today)
        self._schedule(puzzle.key, right, today)
        if puzzle.key not in self.due:
            self.own.pop(puzzle.key, None)

    def add_own(self, puzzle: Puzzle, today: date) -> None:
        """Add a mistake from one of the person's own games. It can be practised from `today` on."""
        self.own[puzzle.key] = puzzle
        self.due[puzzle.key] = ScheduledRepeat(today, -1)

    def _continue_streak(self, today: date) -> None:
        """Add `today` to the streak, or start a new streak. Nothing changes if the streak contains this day already."""
        before = self.streak
        if before is None or before.day != today:
            follows = before is not None and before.day == today - timedelta(days=1)
            self.streak = Streak(today, before.days + 1 if before and follows else 1)

    def streak_days(self, today: date) -> int:
        """The length of the streak in days. A streak that ended yesterday still counts, because today's puzzle can
        continue it."""
        alive = self.streak is not None and today - self.streak.day <= timedelta(days=1)
        return self.streak.days if self.streak and alive else 0

    @property
    def placement_left(self) -> int:
        """The number of rated answers that are still needed before a beginner's rating is shown."""
        return max(0, PLACEMENT_PUZZLES - len(self.tried))

    def _schedule(self, key: str, right: bool, today: date) -> None:
        before = self.due.pop(key, None)
        stage = 0 if not right else before.stage + 1 if before else len(REPEAT_INTERVAL_DAYS)
        if stage < len(REPEAT_INTERVAL_DAYS):
            self.due[key] = ScheduledRepeat(today + timedelta(days=REPEAT_INTERVAL_DAYS[stage]), stage)

    def next_puzzle(self, puzzles: Sequence[Puzzle], today: date) -> Puzzle | None:
        """Return a missed puzzle that is due. If there is none, return the untried puzzle whose rating is nearest to
        the person's rating. None if all puzzles are done."""
        back = [
            puzzle
            for puzzle in (*self.own.values(), *puzzles)
            if (due := self.due.get(puzzle.key)) and due.day <= today
        ]
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
            "own": {key: _own_to_json(puzzle) for key, puzzle in self.own.items()},
            "streak": [self.streak.day.isoformat(), self.streak.days] if self.streak else None,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Practice:
        """Read a practice record. Raises `ValueError`, `TypeError` or `KeyError` if the document is damaged."""
        due = {
            str(key): ScheduledRepeat(date.fromisoformat(day), int(stage))
            for key, (day, stage) in document["due"].items()
        }
        tried = {str(key): bool(right) for key, right in document["tried"].items()}
        lessons = {str(name): int(cards) for name, cards in document["lessons"].items()}
        own = {str(key): _own_from_json(facts) for key, facts in document.get("own", {}).items()}
        streak = document.get("streak") and Streak(
            date.fromisoformat(document["streak"][0]), int(document["streak"][1])
        )
        return cls(Glicko(*map(float, document["rating"])), tried, due, lessons, own, streak)


def own_puzzle(position: Position, best_columns: Sequence[int], label: str) -> Puzzle:
    """Make a puzzle from a mistake in the person's own game. Every best column is a right answer."""
    answer, *others = best_columns
    start = write_start(position)
    return Puzzle(position.variant, start, answer, Aim.BETTER, None, 0, 0, tuple(others), label)


def _own_to_json(puzzle: Puzzle) -> dict[str, Any]:
    answers = [puzzle.answer, *puzzle.others]
    return {"variant": str(puzzle.variant), "start": puzzle.start, "answers": answers, "label": puzzle.label}


def _own_from_json(facts: Mapping[str, Any]) -> Puzzle:
    return own_puzzle(
        parse_start(facts["start"], Variant.parse(facts["variant"])), list(map(int, facts["answers"])), facts["label"]
    )


def select_puzzles(
    puzzles: Iterable[Puzzle], theme: Theme | None = None, difficulty: int | None = None
) -> tuple[Puzzle, ...]:
    """Return the puzzles with this theme and difficulty. None stands for any theme or any difficulty."""
    return tuple(
        puzzle for puzzle in puzzles if theme in (None, puzzle.theme) and difficulty in (None, puzzle.difficulty)
    )
