"""Puzzles and lessons as a series of cards, which the plain program and the full screen both show."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Protocol

from connectk.lessons import Card, Lesson, lessons
from connectk.lessons.certificate import TEST_LESSON
from connectk.puzzles import Puzzle, puzzle_of_day, shipped_puzzles
from connectk.puzzles.drop_quality import DropJudgement, DropQuality, judge_drop
from connectk.puzzles.practice import HELPED_SCORE, Practice, own_puzzle
from connectk.puzzles.themes import MAX_SOLUTION_BOARDS
from connectk.review import MoveReview, review_game
from connectk.review.reasons import describe_reason
from connectk.review.variation_boards import play_numbered
from connectk.rules import CLASSIC, Cell, Game, Position, Side
from connectk.solver import Solver
from connectk.system import state_folder, write_atomically
from connectk.texts import Texts
from connectk.why import CheckedExplanation, explain

EXPLANATION_TIMEOUT_SECONDS = 5.0


class SavedPractice:
    """The user's practice record. It is stored beside the autosaves, and written after every answer.

    If the file is missing or damaged, practice starts from the beginning."""

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

    def add_mistakes(self, moves: Iterable[MoveReview], today: date) -> int:
        """Add the position before each of these moves to the user's puzzles. Returns the number of these positions."""
        puzzles = [own_puzzle(move.position, move.best_columns, move.label.value) for move in moves]
        for puzzle in puzzles:
            self.practice.add_own(puzzle, today)
        self.save()
        return len(puzzles)

    def save(self) -> None:
        """Write the file. If it cannot be written, the record is lost when the program ends."""
        with suppress(OSError):
            write_atomically(self.path, lambda: json.dumps(self.practice.to_json()) + "\n")


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A board with a text. `asks` is False for a card without a question."""

    title: str
    text: str
    position: Position
    asks: bool = True


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a drop: a text, whether the drop was right, and the board to show next."""

    text: str
    right: bool
    position: Position
    numbers: Mapping[Cell, int] = field(default_factory=dict)  # numbers the discs of a line of play


class LearningSession(Protocol):
    """A series of cards. A card with a question stays open until the user finds its answer or the program shows it."""

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
        """A short explanation of the right answer. None if the search finds none."""
        ...

    def progress_text(self) -> str:
        """A sentence about the user's progress; empty if there is none."""
        ...

    def next_card(self) -> None: ...


class PuzzleSession:
    """Puzzles that suit the user's rating. The first one may be the puzzle of the day."""

    def __init__(
        self,
        saved: SavedPractice,
        puzzles: Sequence[Puzzle],
        texts: Texts,
        today: date,
        first: Puzzle | None = None,
        *,
        titled: bool = True,
    ) -> None:
        """`first` is the puzzle to begin with. If `titled`, it is called the puzzle of the day."""
        self.saved, self.puzzles, self.texts, self.today = saved, puzzles, texts, today
        self._daily_puzzle = first if titled else None
        self.puzzle = first or saved.practice.next_puzzle(puzzles, today)
        self._solver: Solver | None = None
        self._start()

    def _start(self) -> None:
        """Show the board with which the puzzle begins."""
        self.is_open, self._is_recorded, self._is_hinted = True, False, False
        self._position = self.puzzle.position if self.puzzle else Position.start()

    @property
    def card(self) -> ShownCard | None:
        if self.puzzle is None:
            return None
        return ShownCard(self._title(self.puzzle), task_text(self.puzzle, self.texts), self.puzzle.position)

    def _title(self, puzzle: Puzzle) -> str:
        if puzzle.is_own:
            return self.texts("puzzle.own")
        if puzzle is self._daily_puzzle:
            title = self.texts("puzzle.of_day", day=self.today.isoformat())
        else:
            title = self.texts("puzzle.again" if puzzle.key in self.saved.practice.due else "puzzle.title")
        return f"{title} {self.texts(f'puzzle.difficulty.{puzzle.difficulty}')}"

    def answer(self, column: int) -> Reply:
        """Judge a drop. After a right drop the rival answers, until the puzzle is solved. After a wrong drop the reply
        shows why it fails."""
        assert self.puzzle is not None
        after = self._position.drop(column)
        judgement = judge_drop(self._position, column, self.solver)
        is_first = self._position == self.puzzle.position
        right = self.puzzle.is_right(column) if is_first else judgement.keeps_result
        self._record(right, judgement)
        if right:
            return self._play_on(after)
        line, reason = refutation(self._position, column, self.texts)
        shown, numbers = play_numbered(self._position, line)
        text = f"{judgement.describe(self.texts)}{reason} {self.texts('learn.try_again')}"
        return Reply(text, False, shown, numbers)

    def _play_on(self, after: Position) -> Reply:
        """Let the rival drop if the puzzle asks for a whole winning line; otherwise the puzzle is solved."""
        assert self.puzzle is not None
        if after.outcome is not None or not self.puzzle.is_forcing:
            self.is_open = False
            return Reply(self.texts("puzzle.right"), True, after)
        reply = self.solver.solve(after).best_columns[0]
        self._position = after.drop(reply)
        return Reply(self.texts("puzzle.go_on", column=reply + 1), True, self._position)

    def _record(self, right: bool, judgement: DropJudgement | None = None) -> None:
        """Record the user's first answer to this puzzle. A right answer counts half after a hint, and so does a slower
        win."""
        if self._is_recorded or self.puzzle is None:
            return
        self._is_recorded = True
        is_slower = judgement is not None and judgement.quality is DropQuality.SLOWER
        score = HELPED_SCORE if is_slower or (right and self._is_hinted) else float(right)
        self.saved.practice.record(self.puzzle, right, self.today, score)
        self.saved.save()

    def solution(self) -> Reply:
        assert self.puzzle is not None
        self._record(False)
        self.is_open = False
        is_first = self._position == self.puzzle.position
        column = self.puzzle.answer if is_first else self.solver.solve(self._position).best_columns[0]
        return Reply(self.texts("puzzle.solution", column=column + 1), False, self._position.drop(column))

    def hint(self) -> str:
        """A hint. After it, a right answer counts half."""
        if self.puzzle is None:
            return ""
        self._is_hinted = True
        if self.puzzle.is_own:
            return self.texts("puzzle.own.hint", label=self.texts(f"label.{self.puzzle.label}").lower())
        return self.texts(f"puzzle.theme.{self.puzzle.theme}")

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
        if practice.placement_left:
            return self.texts("puzzle.placing", count=practice.placement_left)
        facts = {"rating": round(practice.rating.rating), "right": practice.right, "count": len(practice.tried)}
        days = practice.streak_days(self.today)
        streak = f" {self.texts('puzzle.streak', count=days)}" if days > 1 else ""
        return self.texts("puzzle.standing", **facts) + streak

    def next_card(self) -> None:
        self.puzzle = self.saved.practice.next_puzzle(self.puzzles, self.today)
        self._start()

    @property
    def solver(self) -> Solver:
        assert self.puzzle is not None
        if self._solver is None or self._solver.variant != self.puzzle.variant:
            self._solver = Solver(self.puzzle.variant)
        return self._solver


def refutation(position: Position, column: int, texts: Texts) -> tuple[tuple[int, ...], str]:
    """The wrong drop with the moves that refute it, and sentences about why it is wrong, without naming the right
    drop."""
    [move] = review_game(Game(position, (column,))).moves
    return (column, *move.refutation), "".join(
        f" {describe_reason(reason, texts)}" for reason in move.reasons if reason["kind"].startswith("allowed")
    )


def task_text(puzzle: Puzzle, texts: Texts) -> str:
    """A sentence that says whose turn it is and what to find."""
    side = "first" if puzzle.position.side_to_move is Side.FIRST else "second"
    return f"{texts(f'puzzle.to_move.{side}')} {texts(f'puzzle.task.{puzzle.aim}')}"


class LessonSession:
    """The cards of the lessons, from a given card on. The solver judges the user's drops and plays the other side."""

    def __init__(self, saved: SavedPractice, texts: Texts, number: int, card: int = 0) -> None:
        """`number` is the index of the lesson, counted from 0."""
        self.saved, self.texts, self._number, self._card = saved, texts, number, card
        self._start_card()

    def _start_card(self) -> None:
        """Show the board with which the current card begins."""
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
            line, reason = refutation(self._position, column, self.texts)
            shown, numbers = play_numbered(self._position, line)
            return Reply(f"{message}{reason} {self.texts('learn.try_again')}", False, shown, numbers)
        message += self._whether_followed(column)
        self._position = after
        return self._reply_with_drop(message) if self._current_card.to_end else self._end(message)

    def _whether_followed(self, column: int) -> str:
        """A sentence that says whether the user dropped on top of the rival's last disc. Empty except in the lesson
        about following."""
        last = self._position.last_drop
        if (
            self.lesson is None
            or self.lesson.name != "follow"
            or last is None
            or not self._position.can_drop(last.column)
        ):
            return ""
        key = "lesson.followed" if column == last.column else "lesson.not_followed"
        return f" {self.texts(key, column=last.column + 1)}"

    def _reply_with_drop(self, message: str) -> Reply:
        """Let the solver drop its best disc for the other side, unless the game is over."""
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
        is_last = self.lesson is not None and self._is_test and self._card + 1 == len(self.lesson.cards)
        certificate = self.texts("learn.certificate.get") if is_last else ""
        return Reply(" ".join(filter(None, [message, end, certificate])), True, self._position)

    @property
    def _is_test(self) -> bool:
        return self.lesson is not None and self.lesson.name == TEST_LESSON

    def solution(self) -> Reply:
        """Drop the best disc for the user. In the test, refuse to help."""
        assert self._solver is not None
        if self._is_test:
            return Reply(self.texts("lesson.no_help"), False, self._position)
        column = self._solver.solve(self._position).best_columns[0]
        reply = self.answer(column)
        return Reply(self.texts("lesson.solution", column=column + 1), False, reply.position)

    def hint(self) -> str:
        assert self._solver is not None
        if self._is_test:
            return self.texts("lesson.no_help")
        return self.texts("lesson.hint", column=self._solver.solve(self._position).best_columns[0] + 1)

    def why(self) -> CheckedExplanation | None:
        """Explain the board at the start of the card."""
        now = self._current_card
        if now is None or now.position.outcome is not None:
            return None
        return explain(now.position, boards=MAX_SOLUTION_BOARDS, seconds=EXPLANATION_TIMEOUT_SECONDS).found

    def progress_text(self) -> str:
        return ""

    def next_card(self) -> None:
        """Show the next card. The last card of a lesson is followed by the first card of the next lesson."""
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
    """The puzzle of the day. None if the user has already tried it."""
    found = puzzle_of_day(today, puzzles)
    return None if found.key in saved.practice.tried else found


def daily_puzzle_session(saved: SavedPractice, texts: Texts) -> PuzzleSession:
    """A session of puzzles on the classic board that begins with the puzzle of the day."""
    today, puzzles = date.today(), shipped_puzzles(CLASSIC)
    return PuzzleSession(saved, puzzles, texts, today, new_daily_puzzle(today, puzzles, saved))


def next_lesson_session(saved: SavedPractice, texts: Texts) -> LessonSession:
    """A session of lessons that begins at the card where the user stopped."""
    return LessonSession(saved, texts, *next_lesson_card(saved))


def next_lesson_card(saved: SavedPractice) -> tuple[int, int]:
    """The index of the first unfinished lesson, and of its next card. (0, 0) if all lessons are finished."""
    for number, lesson in enumerate(lessons()):
        done = saved.practice.lessons.get(lesson.name, 0)
        if done < len(lesson.cards):
            return number, done
    return 0, 0
