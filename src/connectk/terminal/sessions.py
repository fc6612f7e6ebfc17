"""Puzzles and lessons as one card after the other: what both the plain program and the full screen show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from connectk.puzzles import Puzzle
from connectk.puzzles.themes import BOARDS
from connectk.puzzles.verdict import judge
from connectk.rules import Position, Side
from connectk.solver import Solver
from connectk.terminal.practice import KeptPractice
from connectk.texts import Texts
from connectk.why import Explanation, explain

WHY_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Card:
    """A board and what is said about it; where nothing is asked, it is only to be read."""

    title: str
    text: str
    position: Position
    asks: bool = True


@dataclass(frozen=True, slots=True)
class Reply:
    """What is said to a drop, whether it was right, and the board from there on."""

    text: str
    right: bool
    position: Position


class Session(Protocol):
    """One card after the other. A card that asks is open until its answer was found or shown."""

    texts: Texts
    is_open: bool

    @property
    def card(self) -> Card | None:
        """What is to be seen now; None when there is no more."""
        ...

    def answer(self, column: int) -> Reply: ...

    def solution(self) -> Reply: ...

    def hint(self) -> str: ...

    def why(self) -> Explanation | None:
        """Why the card's answer is right, as far as there is a short explanation."""
        ...

    def standing(self) -> str:
        """How far one has come."""
        ...

    def go_on(self) -> None: ...


class PuzzleSession:
    """Puzzles that suit the person, or those of one day."""

    def __init__(
        self, kept: KeptPractice, puzzles: Sequence[Puzzle], texts: Texts, today: date, first: Puzzle | None = None
    ) -> None:
        """`first` comes first, and is called the puzzle of the day."""
        self.kept, self.puzzles, self.texts, self.today = kept, puzzles, texts, today
        self._of_day = first
        self.puzzle = first or kept.practice.next_of(puzzles, today)
        self.is_open, self._noted = True, False
        self._solver: Solver | None = None

    @property
    def card(self) -> Card | None:
        if self.puzzle is None:
            return None
        return Card(self._title(self.puzzle), task_in_words(self.puzzle, self.texts), self.puzzle.position)

    def _title(self, puzzle: Puzzle) -> str:
        if puzzle is self._of_day:
            title = self.texts("puzzle.of_day", day=self.today.isoformat())
        else:
            title = self.texts("puzzle.again" if puzzle.key in self.kept.practice.due else "puzzle.title")
        return f"{title} {self.texts(f'puzzle.difficulty.{puzzle.difficulty}')}"

    def answer(self, column: int) -> Reply:
        assert self.puzzle is not None
        position = self.puzzle.position
        after, right = position.drop(column), column == self.puzzle.answer
        self._note(right)
        if right:
            self.is_open = False
            return Reply(self.texts("puzzle.right"), True, after)
        return Reply(judge(position, column, self.solver).words(self.texts), False, position)

    def _note(self, right: bool) -> None:
        """Only the first answer counts."""
        if not self._noted and self.puzzle is not None:
            self._noted = True
            self.kept.practice.note(self.puzzle, right, self.today)
            self.kept.save()

    def solution(self) -> Reply:
        assert self.puzzle is not None
        self._note(False)
        self.is_open = False
        said = self.texts("puzzle.solution", column=self.puzzle.answer + 1)
        return Reply(said, False, self.puzzle.position.drop(self.puzzle.answer))

    def hint(self) -> str:
        return "" if self.puzzle is None else self.texts(f"puzzle.theme.{self.puzzle.theme}")

    def why(self) -> Explanation | None:
        assert self.puzzle is not None
        side = self.puzzle.position.side_to_move
        return explain(
            self.puzzle.position, side=side, boards=BOARDS, seconds=WHY_SECONDS, solver=self.solver
        ).explanation

    def standing(self) -> str:
        practice = self.kept.practice
        if not practice.tried:
            return ""
        facts = {"rating": round(practice.rating.rating), "right": practice.right, "count": len(practice.tried)}
        return self.texts("puzzle.standing", **facts)

    def go_on(self) -> None:
        self.puzzle = self.kept.practice.next_of(self.puzzles, self.today)
        self.is_open, self._noted = True, False

    @property
    def solver(self) -> Solver:
        assert self.puzzle is not None
        if self._solver is None or self._solver.variant != self.puzzle.variant:
            self._solver = Solver(self.puzzle.variant)
        return self._solver


def task_in_words(puzzle: Puzzle, texts: Texts) -> str:
    """Whose turn it is and what to find; the disc is drawn as the terminal has it."""
    side = "first" if puzzle.position.side_to_move is Side.FIRST else "second"
    return f"{texts(f'puzzle.to_move.{side}')} {texts(f'puzzle.task.{puzzle.aim}')}"
