"""Puzzle and lesson sessions, shown card by card by both the plain program and the full screen."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Protocol

from connectk.lessons import Card, Lesson, lessons
from connectk.puzzles import Puzzle, puzzle_of_day, shipped_puzzles
from connectk.puzzles.drop_quality import judge_drop
from connectk.puzzles.practice import Practice
from connectk.puzzles.themes import MAX_SOLUTION_BOARDS
from connectk.rules import CLASSIC, Position, Side
from connectk.solver import Solver
from connectk.system import state_folder, write_atomically
from connectk.texts import Texts
from connectk.why import CheckedExplanation, explain

EXPLANATION_TIMEOUT_SECONDS = 5.0


class SavedPractice:
    """The user's practice record, stored beside the autosaves and saved after every answer.

    A missing or damaged file starts a new record.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or state_folder() / "practice.json"
        self.practice = self._read()

    def _read(self) -> Practice:
        try:
            return Practice.from_json(json.loads(self.path.read_bytes()))
        except FileNotFoundError:
            return Practice()
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            with suppress(OSError):  # keep the unreadable file instead of overwriting it
                self.path.replace(self.path.with_suffix(".damaged"))
            return Practice()

    def save(self) -> None:
        """Write the record; if that fails it lasts only until the program ends."""
        with suppress(OSError):
            write_atomically(self.path, lambda: json.dumps(self.practice.to_json()) + "\n")


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A board with its text; `asks` is False for a card that is only read."""

    title: str
    text: str
    position: Position
    asks: bool = True


@dataclass(frozen=True, slots=True)
class Reply:
    """The response to a drop: a text, whether the drop was right, and the board to show next."""

    text: str
    right: bool
    position: Position


class Session(Protocol):
    """A sequence of cards. A card with a question is open until its answer was found or shown."""

    texts: Texts
    is_open: bool

    @property
    def card(self) -> ShownCard | None:
        """The current card; None after the last one."""
        ...

    def answer(self, column: int) -> Reply: ...

    def solution(self) -> Reply: ...

    def hint(self) -> str: ...

    def why(self) -> CheckedExplanation | None:
        """A short explanation of the card's answer; None if there is none."""
        ...

    def progress_text(self) -> str:
        """The user's progress in a sentence; empty if there is nothing to report."""
        ...

    def next_card(self) -> None: ...


class PuzzleSession:
    """Puzzles chosen by the user's rating, or starting with the puzzle of the day."""

    def __init__(
        self, saved: SavedPractice, puzzles: Sequence[Puzzle], texts: Texts, today: date, first: Puzzle | None = None
    ) -> None:
        """`first` is shown first, titled as the puzzle of the day."""
        self.saved, self.puzzles, self.texts, self.today = saved, puzzles, texts, today
        self._daily_puzzle = first
        self.puzzle = first or saved.practice.next_puzzle(puzzles, today)
        self.is_open, self._is_recorded = True, False
        self._solver: Solver | None = None

    @property
    def card(self) -> ShownCard | None:
        if self.puzzle is None:
            return None
        return ShownCard(self._title(self.puzzle), task_text(self.puzzle, self.texts), self.puzzle.position)

    def _title(self, puzzle: Puzzle) -> str:
        if puzzle is self._daily_puzzle:
            title = self.texts("puzzle.of_day", day=self.today.isoformat())
        else:
            title = self.texts("puzzle.again" if puzzle.key in self.saved.practice.due else "puzzle.title")
        return f"{title} {self.texts(f'puzzle.difficulty.{puzzle.difficulty}')}"

    def answer(self, column: int) -> Reply:
        assert self.puzzle is not None
        position = self.puzzle.position
        after, right = position.drop(column), column == self.puzzle.answer
        self._record(right)
        if right:
            self.is_open = False
            return Reply(self.texts("puzzle.right"), True, after)
        return Reply(judge_drop(position, column, self.solver).describe(self.texts), False, position)

    def _record(self, right: bool) -> None:
        """Record the answer if it is the first one to this puzzle."""
        if not self._is_recorded and self.puzzle is not None:
            self._is_recorded = True
            self.saved.practice.record(self.puzzle, right, self.today)
            self.saved.save()

    def solution(self) -> Reply:
        assert self.puzzle is not None
        self._record(False)
        self.is_open = False
        message = self.texts("puzzle.solution", column=self.puzzle.answer + 1)
        return Reply(message, False, self.puzzle.position.drop(self.puzzle.answer))

    def hint(self) -> str:
        return "" if self.puzzle is None else self.texts(f"puzzle.theme.{self.puzzle.theme}")

    def why(self) -> CheckedExplanation | None:
        assert self.puzzle is not None
        side = self.puzzle.position.side_to_move
        return explain(
            self.puzzle.position,
            side=side,
            boards=MAX_SOLUTION_BOARDS,
            seconds=EXPLANATION_TIMEOUT_SECONDS,
            solver=self.solver,
        ).found

    def progress_text(self) -> str:
        practice = self.saved.practice
        if not practice.tried:
            return ""
        facts = {"rating": round(practice.rating.rating), "right": practice.right, "count": len(practice.tried)}
        return self.texts("puzzle.standing", **facts)

    def next_card(self) -> None:
        self.puzzle = self.saved.practice.next_puzzle(self.puzzles, self.today)
        self.is_open, self._is_recorded = True, False

    @property
    def solver(self) -> Solver:
        assert self.puzzle is not None
        if self._solver is None or self._solver.variant != self.puzzle.variant:
            self._solver = Solver(self.puzzle.variant)
        return self._solver


def task_text(puzzle: Puzzle, texts: Texts) -> str:
    """Return the side to move and what to find, in a sentence."""
    side = "first" if puzzle.position.side_to_move is Side.FIRST else "second"
    return f"{texts(f'puzzle.to_move.{side}')} {texts(f'puzzle.task.{puzzle.aim}')}"


class LessonSession:
    """The lesson cards from a given one on; the solver judges the drops and plays the other side."""

    def __init__(self, saved: SavedPractice, texts: Texts, number: int, card: int = 0) -> None:
        """`number` is the index of the lesson, counted from 0."""
        self.saved, self.texts, self._number, self._card = saved, texts, number, card
        self._start_card()

    def _start_card(self) -> None:
        """Reset the board to the start of the current card."""
        self.is_open = bool(self._current_card and self._current_card.ask)
        self._position = self._current_card.position if self._current_card else Position.start()
        self._solver = Solver(self._position.variant) if self.is_open else None

    @property
    def lesson(self) -> Lesson | None:
        return lessons()[self._number] if self._number < len(lessons()) else None

    @property
    def _current_card(self) -> Card | None:
        return self.lesson.cards[self._card] if self.lesson else None

    @property
    def card(self) -> ShownCard | None:
        lesson, now = self.lesson, self._current_card
        if lesson is None or now is None:
            return None
        facts = {"number": self._number + 1, "card": self._card + 1, "cards": len(lesson.cards)}
        title = self.texts("lesson.title", title=self.texts(f"lesson.{lesson.name}.title"), **facts)
        text = self.texts(f"lesson.{lesson.name}.{self._card + 1}")
        return ShownCard(title, text, now.position, now.ask is not None)

    def answer(self, column: int) -> Reply:
        assert self._current_card is not None
        assert self._solver is not None
        after = self._position.drop(column)
        judgement = judge_drop(self._position, column, self._solver)
        message = judgement.describe(self.texts)
        if not self._current_card.accepts(judgement):
            return Reply(message, False, self._position)
        self._position = after
        return self._reply_with_drop(message) if self._current_card.to_end else self._end(message)

    def _reply_with_drop(self, message: str) -> Reply:
        """Reply with the solver's best drop, unless the game is over."""
        assert self._solver is not None
        if self._position.outcome is not None:
            return self._end(message)
        column = self._solver.solve(self._position).best_columns[0]
        self._position = self._position.drop(column)
        reply = self.texts("lesson.reply", column=column + 1)
        return (
            Reply(f"{message} {reply}", True, self._position) if self._position.outcome is None else self._end(message)
        )

    def _end(self, message: str) -> Reply:
        self.is_open = False
        outcome = self._position.outcome
        end = "" if outcome is None else self.texts("lesson.won" if outcome.winner is not None else "lesson.drawn")
        return Reply(f"{message} {end}".rstrip(), True, self._position)

    def solution(self) -> Reply:
        """Play the best drop for the user."""
        assert self._solver is not None
        column = self._solver.solve(self._position).best_columns[0]
        reply = self.answer(column)
        return Reply(self.texts("lesson.solution", column=column + 1), False, reply.position)

    def hint(self) -> str:
        assert self._solver is not None
        return self.texts("lesson.hint", column=self._solver.solve(self._position).best_columns[0] + 1)

    def why(self) -> CheckedExplanation | None:
        """Explain the card's starting position."""
        now = self._current_card
        if now is None or now.position.outcome is not None:
            return None
        return explain(now.position, boards=MAX_SOLUTION_BOARDS, seconds=EXPLANATION_TIMEOUT_SECONDS).found

    def progress_text(self) -> str:
        return ""

    def next_card(self) -> None:
        """Go to the next card; after a lesson's last card, to the next lesson."""
        lesson = self.lesson
        if lesson is None:
            return
        self._card += 1
        done = self.saved.practice.lessons
        done[lesson.name] = max(done.get(lesson.name, 0), self._card)
        self.saved.save()
        if self._card == len(lesson.cards):
            self._number, self._card = self._number + 1, 0
        self._start_card()


def new_daily_puzzle(today: date, puzzles: Sequence[Puzzle], saved: SavedPractice) -> Puzzle | None:
    """Return the puzzle of the day; None if it was tried already."""
    found = puzzle_of_day(today, puzzles)
    return None if found.key in saved.practice.tried else found


def daily_puzzle_session(saved: SavedPractice, texts: Texts) -> PuzzleSession:
    """A session on the classic board that starts with the puzzle of the day."""
    today, puzzles = date.today(), shipped_puzzles(CLASSIC)
    return PuzzleSession(saved, puzzles, texts, today, new_daily_puzzle(today, puzzles, saved))


def next_lesson_session(saved: SavedPractice, texts: Texts) -> LessonSession:
    """A session that resumes at the next lesson card."""
    return LessonSession(saved, texts, *next_lesson_card(saved))


def next_lesson_card(saved: SavedPractice) -> tuple[int, int]:
    """Return the first unfinished lesson and its next card; (0, 0) if all are finished."""
    for number, lesson in enumerate(lessons()):
        done = saved.practice.lessons.get(lesson.name, 0)
        if done < len(lesson.cards):
            return number, done
    return 0, 0
