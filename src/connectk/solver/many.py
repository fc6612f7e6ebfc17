"""Exact scores of many positions, on all cores, in the order of the questions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence, Sized
from contextlib import closing
from itertools import islice
from typing import Any, NamedTuple

from connectk import _native
from connectk.errors import BadPosition, ConnectkError, NotationError
from connectk.notation.moves import parse_moves
from connectk.rules import CLASSIC, Position, Variant
from connectk.solver.bits import bits_of, position_of
from connectk.solver.book import OpeningBook, native_book
from connectk.solver.solution import Found, Goal
from connectk.solver.solver import only_result, require_supported, table_bytes
from connectk.system import cores
from connectk.watch import POLL_SECONDS, Progress, Stop, Watch

MAX_OPEN_QUESTIONS = 1 << 16  # queued in the core: one long search must not leave the other threads idle
QUESTION_BATCH_SIZE = 256  # questions queued, or answers taken, before it switches between the two
Positions = Any  # an iterable of positions and move strings, or an array of bits: anything with Python's buffers
Batches = Generator[list[Found], None, None]
Board = tuple[int, int, int, _native.Book | None, bool]  # width, height, run, its book, and whether for the result only


class ManyInterrupted(KeyboardInterrupt):
    """Ctrl-C ended `solve_many`; `answers` holds the results of the first positions, in their order."""

    def __init__(self, answers: Sequence[Found]) -> None:
        super().__init__()
        self.answers = answers


class CoreBoard(NamedTuple):
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
    """What each position is worth, in order.

    An unreadable position raises `BadPosition` and Ctrl-C raises `ManyInterrupted`; both carry the answers so far.
    """
    answers: list[Found] = []
    pool = SolverPool(goal, threads, table_mb, book)
    try:
        for some in pool.solve(positions, variant, Watch(stop, progress)):
            answers += some
    except BadPosition as bad:
        bad.answers = answers
        raise
    except KeyboardInterrupt:
        raise ManyInterrupted(answers) from None
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
    """The same as an iterator. Positions are read ahead of the answers; neither are stored."""
    pool = SolverPool(goal, threads, table_mb, book)
    return _one_by_one(pool.solve(positions, variant, Watch(stop, progress)))


def question_of(item: object, variant: Variant = CLASSIC) -> CoreBoard:
    """The bits of one position or move string; raises an error if it is not valid."""
    if isinstance(item, Position):
        require_supported(item.variant)
        return CoreBoard(item.variant, *bits_of(item))
    if isinstance(item, str):
        require_supported(variant)
        bits = _native.bits_after(variant.width, variant.height, variant.run, parse_moves(item, variant))
        return CoreBoard(variant, *(bits or bits_of(Position.from_moves(item, variant))))  # which tells what is wrong
    raise NotationError("notation.item", kind=type(item).__name__)


class SolverPool:
    """A pool of core threads that solve positions, with the queue of open questions."""

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
        self._variant: Variant | None = None  # of the previous question, and its board; usually they do not change
        self._board: Board = (0, 0, 0, None, False)
        self._asked = 0
        self._all_asked = False
        self._bad: BadPosition | None = None

    def solve(self, positions: Positions, variant: Variant, watch: Watch) -> Batches:
        """The answers for positions, move strings or an array of bits, in batches."""
        if isinstance(positions, str):
            raise TypeError("many positions are a list or an array; for one there is `solve`")
        total = len(positions) if isinstance(positions, Sized) else None
        try:
            view = memoryview(positions)
        except TypeError:
            items = iter(positions)
            return self._answers(lambda: self._ask_items(items, variant), watch, total)
        rows = _rows(view, variant)
        return self._answers(lambda: self._ask_rows(rows, len(view), variant), watch, total)

    def answers(self, questions: Iterator[CoreBoard | None], watch: Watch, total: int | None = None) -> Iterator[Found]:
        """One answer for each question, in order. A None in `questions` means that the next one is not ready yet."""
        return _one_by_one(self._answers(lambda: self._ask_questions(questions), watch, total))

    def _answers(self, ask_some: Callable[[], bool], watch: Watch, total: int | None = None) -> Batches:
        done, interrupt = 0, None
        try:
            while interrupt is None and (not self._all_asked or self._core.open):
                some: list[Found] = []
                try:
                    self._ask_and_take(ask_some, some, watch)
                except KeyboardInterrupt as error:
                    interrupt = error
                    self._take(some, 0, 0.0)
                done += len(some)
                yield some
                watch.report_throttled(done, total, self._core.nodes)
        finally:
            self._core.close()
        if interrupt or self._bad:
            raise interrupt or self._bad  # type: ignore[misc]

    def _ask_and_take(self, ask_some: Callable[[], bool], some: list[Found], watch: Watch) -> None:
        if watch.should_stop():
            self._all_asked = True
            self._core.stop()
        if not self._all_asked and self._core.open < MAX_OPEN_QUESTIONS and self._ask(ask_some):
            self._take(some, 0, 0.0)
        else:
            self._take(some, QUESTION_BATCH_SIZE, POLL_SECONDS)

    def _take(self, answers: list[Found], enough: int, seconds: float) -> None:
        """Append to the caller's list, so that Ctrl-C during the call loses no answers."""
        self._core.take(answers, Found, self._goal, enough, seconds)

    def _ask(self, ask_some: Callable[[], bool]) -> bool:
        """Queue a batch of questions; false if none is ready."""
        try:
            return ask_some()
        except ConnectkError as error:
            self._bad = BadPosition(self._asked, error)
            self._bad.__cause__ = error
            self._all_asked = True
            return True

    def _ask_items(self, items: Iterator[object], variant: Variant) -> bool:
        """Positions and move strings."""
        some: list[object] = []
        try:
            some.extend(islice(items, QUESTION_BATCH_SIZE))
        finally:  # if the iterator raises, the items it already yielded are still solved
            self._ask_all(some, variant)
        self._all_asked = len(some) < QUESTION_BATCH_SIZE
        return True

    def _ask_rows(self, rows: memoryview, count: int, variant: Variant) -> bool:
        """An array: the bits of the side to move, then those of all discs, in words of 64 bits each."""
        self._use(variant)
        wanted = min(QUESTION_BATCH_SIZE, count - self._asked)
        read = self._core.ask_rows(rows, self._asked, wanted, *self._board)
        self._asked += read
        self._all_asked = self._asked == count
        if read < wanted:
            own, everyone = _bits_in_row(rows, self._asked, len(rows) // count // 16)
            position_of(own, everyone, variant)  # says why no game shows it
        return True

    def _ask_questions(self, questions: Iterator[CoreBoard | None]) -> bool:
        some: list[object] = []
        try:
            for question in islice(questions, QUESTION_BATCH_SIZE):
                if question is None:
                    break
                some.append(question)
            else:
                self._all_asked = len(some) < QUESTION_BATCH_SIZE
        finally:
            self._ask_all(some)
        return bool(some)

    def _ask_all(self, items: list[object], variant: Variant = CLASSIC) -> None:
        """Queue items; strings are moves of `variant`. The core parses items of the current board itself."""
        at = 0
        while at < len(items):
            if self._variant is not None:
                strings = self._variant == variant
                read = self._core.ask_items(items, at, Position, self._variant, strings, *self._board)
                at, self._asked = at + read, self._asked + read
            if at < len(items):
                item = items[at]
                self._ask_question(item if isinstance(item, CoreBoard) else question_of(item, variant))
                at += 1

    def _ask_question(self, question: CoreBoard) -> None:
        variant, own, everyone = question
        self._use(variant)
        if not self._core.ask(own, everyone, *self._board):
            position_of(own, everyone, variant)  # says why no game shows it
        self._asked += 1

    def _use(self, variant: Variant) -> None:
        """Switch the board of the next questions. The reference to its book is kept while the core may use it."""
        if variant is self._variant:
            return
        if variant not in self._boards:
            require_supported(variant)
            book = native_book(self._book, variant)
            self._boards[variant] = (variant.width, variant.height, variant.run, book, self._only_result)
        self._variant, self._board = variant, self._boards[variant]


def _one_by_one(batches: Batches) -> Iterator[Found]:
    with closing(batches):
        for some in batches:
            yield from some


def _rows(view: memoryview, variant: Variant) -> memoryview:
    """The bytes of an array of bits."""
    require_supported(variant)
    words = 1 if variant.width * (variant.height + 1) <= 64 else 2
    if view.format not in ("Q", "q", "L", "l") or view.itemsize != 8 or (view.shape or ())[1:] != (2 * words,):
        raise ValueError(f"an array of bits for {variant} has {2 * words} columns of 64-bit whole numbers")
    return memoryview(view.tobytes()) if not view.c_contiguous else view.cast("B")


def _bits_in_row(rows: memoryview, row: int, words: int) -> tuple[int, int]:
    numbers = rows[16 * words * row : 16 * words * (row + 1)].cast("Q").tolist()
    own, everyone = (sum(word << 64 * i for i, word in enumerate(half)) for half in (numbers[:words], numbers[words:]))
    return own, everyone
