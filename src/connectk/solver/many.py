"""Exact scores of many positions, on all cores, in the order they were asked."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from itertools import islice
from typing import Any, NamedTuple

from connectk import _native
from connectk.errors import BadPosition, ConnectkError, NotationError
from connectk.notation.moves import parse_moves
from connectk.rules import CLASSIC, Position, Variant
from connectk.solver.bits import bits_of, position_of
from connectk.solver.book import OpeningBook, native_book
from connectk.solver.solution import Found, Goal
from connectk.solver.solver import only_result, require_supported
from connectk.solver.tables import table_bytes
from connectk.system import cores
from connectk.watch import POLL_SECONDS, Progress, Stop, Watch

AHEAD = 1 << 16  # questions asked before the first is answered: one long search must not keep the others waiting
AT_ONCE = 256  # questions asked, or answers taken, before a look at the other side
MOST_COLUMNS = 64  # that any board of the solver has; a wider one has no bits worth making
ROWS = 1024  # of an array, read at once
Positions = Any  # an iterable of positions and move strings, or an array of bits: anything with Python's buffers
Board = tuple[int, int, int, _native.Book | None]  # width, height, run and its book


class Question(NamedTuple):
    """A board as the core sees it."""

    variant: Variant
    own: int
    everyone: int


def solve_many(
    positions: Positions,
    *,
    variant: Variant = CLASSIC,
    goal: Goal = "score",
    threads: int | None = None,
    table_mb: float | None = None,
    book: bool | OpeningBook = True,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> list[Found]:
    """What each position is worth, in order; one that cannot be read raises `BadPosition` with the answers so far."""
    answers: list[Found] = []
    crowd = Crowd(goal, threads, table_mb, book)
    try:
        answers += crowd.answers(questions(positions, variant), Watch(stop, progress), _length(positions))
    except BadPosition as bad:
        bad.answers = answers
        raise
    return answers


def solve_each(
    positions: Positions,
    *,
    variant: Variant = CLASSIC,
    goal: Goal = "score",
    threads: int | None = None,
    table_mb: float | None = None,
    book: bool | OpeningBook = True,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Iterator[Found]:
    """The same one by one. Positions are read some way ahead of the answers; neither are kept."""
    crowd = Crowd(goal, threads, table_mb, book)
    return crowd.answers(questions(positions, variant), Watch(stop, progress), _length(positions))


def questions(positions: Positions, variant: Variant = CLASSIC) -> Iterator[Question]:
    """Positions, move strings or an array of bits, as the core sees them."""
    if isinstance(positions, str):
        raise TypeError("many positions are a list or an array; for one there is `solve`")
    try:
        view = memoryview(positions)
    except TypeError:
        return (question_of(item, variant) for item in positions)
    return _rows(view, variant)


def question_of(item: object, variant: Variant = CLASSIC) -> Question:
    """One position or move string; an error says why it is none."""
    if isinstance(item, Position):
        variant = item.variant
        if variant.width > MOST_COLUMNS:
            require_supported(variant)
        return Question(variant, *bits_of(item))
    if isinstance(item, str):
        require_supported(variant)
        bits = _native.bits_after(variant.width, variant.height, variant.run, parse_moves(item, variant))
        return Question(variant, *(bits or bits_of(Position.from_moves(item, variant))))  # which tells what is wrong
    raise NotationError("notation.item", kind=type(item).__name__)


def _rows(view: memoryview, variant: Variant) -> Iterator[Question]:
    """The rows of an array: the bits of the side to move, then those of all discs, in words of 64 bits each."""
    require_supported(variant)
    words = 1 if variant.width * (variant.height + 1) <= 64 else 2
    if view.format not in ("Q", "q", "L", "l") or view.itemsize != 8 or (view.shape or ())[1:] != (2 * words,):
        raise ValueError(f"an array of bits for {variant} has {2 * words} columns of 64-bit whole numbers")
    return _questions_of_rows(memoryview(view.tobytes()) if not view.c_contiguous else view.cast("B"), words, variant)


def _questions_of_rows(view: memoryview, words: int, variant: Variant) -> Iterator[Question]:
    flat = view.cast("Q")
    for start in range(0, len(flat), 2 * words * ROWS):
        numbers = iter(flat[start : start + 2 * words * ROWS].tolist())
        if words == 1:
            yield from (Question(variant, own, everyone) for own, everyone in zip(numbers, numbers, strict=True))
        else:
            parts = zip(numbers, numbers, numbers, numbers, strict=True)
            yield from (Question(variant, a | b << 64, c | d << 64) for a, b, c, d in parts)


def _length(positions: Positions) -> int | None:
    return len(positions) if isinstance(positions, Sized) else None


class Crowd:
    """The threads that answer, and how far they are."""

    def __init__(
        self,
        goal: Goal = "score",
        threads: int | None = None,
        table_mb: float | None = None,
        book: bool | OpeningBook = True,
    ) -> None:
        threads = cores() if threads is None else threads
        if threads < 1:
            raise ValueError("a search needs at least one thread")
        self._goal, self._book = goal, book
        self._only_result = only_result(goal)
        self._core = _native.Crowd(threads, table_bytes(table_mb, threads))
        self._boards: dict[Variant, Board] = {}
        self._variant: Variant | None = None  # of the question before, and its board: most often they stay
        self._board: Board = (0, 0, 0, None)
        self._asked = 0
        self._all_asked = False
        self._bad: BadPosition | None = None

    def answers(self, questions: Iterator[Question | None], watch: Watch, total: int | None = None) -> Iterator[Found]:
        """One for each question. A None among those says that the next may take a while to come."""
        done = 0
        try:
            while not self._all_asked or self._core.open:
                if watch.should_stop():
                    self._all_asked = True
                    self._core.stop()
                asked = self._ask_some(questions)
                for answer in self._core.take(0, 0.0) if asked else self._core.take(AT_ONCE, POLL_SECONDS):
                    done += 1
                    yield Found(*answer, self._goal)
                watch.tell_now_and_then(done, total, self._core.nodes)
        finally:
            self._core.close()
        if self._bad:
            raise self._bad

    def _ask_some(self, questions: Iterator[Question | None]) -> bool:
        """Ask a few; false when there is nothing to ask for now."""
        if self._all_asked or self._core.open >= AHEAD:
            return False
        read = 0
        try:
            for question in islice(questions, AT_ONCE):
                if question is None:
                    return False
                self._ask(question)
                self._asked += 1
                read += 1
            self._all_asked = read < AT_ONCE
        except ConnectkError as error:
            self._bad = BadPosition(self._asked, str(error))
            self._bad.__cause__ = error
            self._all_asked = True
        return True

    def _ask(self, question: Question) -> None:
        variant, own, everyone = question
        if variant is not self._variant:
            self._variant, self._board = variant, self._board_of(variant)
        width, height, run, book = self._board
        if not self._core.ask(width, height, run, own, everyone, book, self._only_result):
            position_of(own, everyone, variant)  # says why no game shows it

    def _board_of(self, variant: Variant) -> Board:
        """The board and its book, which is kept here for as long as the core may ask it."""
        if variant not in self._boards:
            require_supported(variant)
            book = native_book(self._book, variant)
            self._boards[variant] = (variant.width, variant.height, variant.run, book)
        return self._boards[variant]
