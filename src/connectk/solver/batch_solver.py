"""Solves many positions on all cores and returns their exact scores in the order of the positions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence, Sized
from contextlib import closing
from itertools import islice
from typing import Any, NamedTuple

from connectk import _native
from connectk.errors import BadPosition, ConnectkError, NotationError
from connectk.notation.moves import parse_moves
from connectk.notation.start import parse_start
from connectk.rules import CLASSIC, Position, Variant
from connectk.solver.bitboards import bitboards_of, position_from_bitboards, words_view
from connectk.solver.book import OpeningBook, native_book
from connectk.solver.solution import Found, Goal
from connectk.solver.solver import only_result, require_supported, table_bytes
from connectk.system import cores
from connectk.watch import STOP_POLL_INTERVAL_SECONDS, Progress, Stop, Watch

MAX_OPEN_QUESTIONS = 1 << 16  # questions queued in the core, so that one long search leaves no other thread idle
QUESTION_BATCH_SIZE = 256  # questions queued at a time, and answers taken at a time
Positions = Any  # an iterable of positions and move strings, or an array of bits: buffer protocol or DLPack
Batches = Generator[list[Found], None, None]
Board = tuple[int, int, int, _native.Book | None, bool]  # width, height, run, book, and whether `only_result`


class ManyInterrupted(KeyboardInterrupt):
    """Raised if Ctrl-C ends `solve_many`. `answers` are the results for the first positions, in order, as far as they
    were solved."""

    def __init__(self, answers: Sequence[Found]) -> None:
        super().__init__()
        self.answers = answers


class CoreBoard(NamedTuple):
    """A position in the core's format: the bits of the discs of the side to move, and the bits of all discs."""

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
    """Solve many positions and return their answers in order.

    An invalid position raises `BadPosition`, and Ctrl-C raises `ManyInterrupted`. Both errors have the answers so far.
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
    """Solve many positions and yield their answers in order.

    Some positions are read before the earlier answers are ready. Neither positions nor answers are kept in memory.
    """
    pool = SolverPool(goal, threads, table_mb, book)
    return _one_by_one(pool.solve(positions, variant, Watch(stop, progress)))


def question_of(item: object, variant: Variant = CLASSIC) -> CoreBoard:
    """The bits of one item: a position, a move string, or a board such as `4xo.5x`. Raises an error if the item is not
    valid."""
    if isinstance(item, str) and _is_board(item):
        item = parse_start(item, variant)
    if isinstance(item, Position):
        require_supported(item.variant)
        return CoreBoard(item.variant, *bitboards_of(item))
    if isinstance(item, str):
        require_supported(variant)
        bits = _native.bits_after(variant.width, variant.height, variant.run, parse_moves(item, variant))
        return CoreBoard(
            variant, *(bits or bitboards_of(Position.from_moves(item, variant)))
        )  # from_moves raises the error
    raise NotationError("notation.item", kind=type(item).__name__)


def position_of(text: str, variant: Variant = CLASSIC) -> Position:
    """The position after moves such as "4455", or the position of a board such as `4xo.5x`."""
    return parse_start(text, variant) if _is_board(text) else Position.from_moves(text, variant)


def _is_board(text: str) -> bool:
    return "x" in text or "o" in text


class SolverPool:
    """A pool of core threads that solve positions, with a queue of unanswered questions."""

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
        self._core = _native.SolverPool(threads, table_bytes(table_mb, threads))
        self._boards: dict[Variant, Board] = {}
        self._variant: Variant | None = None  # the variant of the previous question, which rarely changes
        self._board: Board = (0, 0, 0, None, False)
        self._asked = 0
        self._all_asked = False
        self._bad: BadPosition | None = None

    def solve(self, positions: Positions, variant: Variant, watch: Watch) -> Batches:
        """Yields the answers for positions, for move strings or for an array of bits, in batches."""
        if isinstance(positions, str):
            raise TypeError("many positions are a list or an array; for one there is `solve`")
        total = len(positions) if isinstance(positions, Sized) else None
        try:
            view = words_view(positions)
        except TypeError:
            items = iter(positions)
            return self._answers(lambda: self._ask_items(items, variant), watch, total)
        rows = _rows(view, variant)
        return self._answers(lambda: self._ask_rows(rows, len(view), variant), watch, total)

    def answers(self, questions: Iterator[CoreBoard | None], watch: Watch, total: int | None = None) -> Iterator[Found]:
        """Yields one answer for each question, in order. A None in `questions` means that the next question is not
        ready yet; it gets no answer."""
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
            self._take(some, QUESTION_BATCH_SIZE, STOP_POLL_INTERVAL_SECONDS)

    def _take(self, answers: list[Found], enough: int, seconds: float) -> None:
        """Append the finished answers to the caller's list. The caller has the answers in this list even if Ctrl-C
        interrupts this method."""
        self._core.take(answers, Found, self._goal, enough, seconds)

    def _ask(self, ask_some: Callable[[], bool]) -> bool:
        """Queue a batch of questions. Returns False if no question was ready."""
        try:
            return ask_some()
        except ConnectkError as error:
            self._bad = BadPosition(self._asked, error)
            self._bad.__cause__ = error
            self._all_asked = True
            return True

    def _ask_items(self, items: Iterator[object], variant: Variant) -> bool:
        """Queue a batch of positions and move strings."""
        some: list[object] = []
        try:
            some.extend(islice(items, QUESTION_BATCH_SIZE))
        finally:  # if the iterator raises, the items it already yielded are still solved
            self._ask_all(some, variant)
        self._all_asked = len(some) < QUESTION_BATCH_SIZE
        return True

    def _ask_rows(self, rows: memoryview, count: int, variant: Variant) -> bool:
        """Queue a batch of rows of 64-bit words. Each row holds the bits of the discs of the side to move, then the
        bits of all discs."""
        self._use(variant)
        wanted = min(QUESTION_BATCH_SIZE, count - self._asked)
        read = self._core.submit_rows(rows, self._asked, wanted, *self._board)
        self._asked += read
        self._all_asked = self._asked == count
        if read < wanted:
            own, everyone = _bits_in_row(rows, self._asked, len(rows) // count // 16)
            position_from_bitboards(own, everyone, variant)  # raises the error: no game reaches this position
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
        """Queue positions and move strings; the moves are played on `variant`. The core parses the items that have the
        same board as the previous question."""
        at = 0
        while at < len(items):
            if self._variant is not None:
                strings = self._variant == variant
                read = self._core.submit_items(items, at, Position, self._variant, strings, *self._board)
                at, self._asked = at + read, self._asked + read
            if at < len(items):
                item = items[at]
                self._ask_question(item if isinstance(item, CoreBoard) else question_of(item, variant))
                at += 1

    def _ask_question(self, question: CoreBoard) -> None:
        variant, own, everyone = question
        self._use(variant)
        if not self._core.submit(own, everyone, *self._board):
            position_from_bitboards(own, everyone, variant)  # raises the error: no game reaches this position
        self._asked += 1

    def _use(self, variant: Variant) -> None:
        """Switch to the board of the next questions. `_boards` keeps each board's opening book in memory, because the
        core may still use it."""
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
    """The bytes of an array of bits. Raises `ValueError` if the array does not have the right shape for `variant`."""
    require_supported(variant)
    words = 1 if variant.width * (variant.height + 1) <= 64 else 2
    if view.format not in ("Q", "q", "L", "l") or view.itemsize != 8 or (view.shape or ())[1:] != (2 * words,):
        raise ValueError(f"an array of bits for {variant} has {2 * words} columns of 64-bit whole numbers")
    return memoryview(view.tobytes()) if not view.c_contiguous else view.cast("B")


def _bits_in_row(rows: memoryview, row: int, words: int) -> tuple[int, int]:
    numbers = rows[16 * words * row : 16 * words * (row + 1)].cast("Q").tolist()
    own, everyone = (sum(word << 64 * i for i, word in enumerate(half)) for half in (numbers[:words], numbers[words:]))
    return own, everyone
