"""Solves positions of one variant with the C++ core and its opening book."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite
from threading import Lock
from typing import Literal, NamedTuple, TypeVar

from connectk import _native
from connectk.errors import SearchStopped, TableTooLarge, UnsupportedVariant
from connectk.rules import CLASSIC, Position, Variant
from connectk.solver.bitboards import bitboards_of
from connectk.solver.book import OpeningBook, installed_book, native_book
from connectk.solver.solution import Found, Goal, Solution, score_when_over
from connectk.texts import load_texts
from connectk.watch import Progress, Stop, Watch

BYTES_PER_MB = 2**20
MAX_BOARD_BITS = 128  # the size of the core's largest word
MAX_QUICK_SEARCH_NODES = 40_000  # nodes searched inline in some milliseconds, before a stoppable thread is started
MAX_UNWATCHED_SEARCH_NODES = 200_000  # the same if only Ctrl-C can stop the search: some dozens of milliseconds
MIN_QUICK_SEARCH_DISCS = 4  # with fewer discs a short search hardly ever succeeds
Answer = TypeVar("Answer")


class SearchInterrupted(KeyboardInterrupt):
    """Raised if Ctrl-C ends a search. `solution` has the bounds that were known at that time."""

    def __init__(self, solution: Solution) -> None:
        super().__init__()
        self.solution = solution


class Drops(NamedTuple):
    """The columns that a search found, whether the list is complete, and the search's nodes and seconds."""

    columns: tuple[int, ...]
    complete: bool
    nodes: int
    seconds: float


class Solver:
    """Solves positions of one variant and keeps its table between calls, so that similar positions are solved faster.

    `book` is True for the installed book of the board, False for none, or a book of your own. `table_mb` is the size of
    the table; by default it starts small and grows. If several threads call a solver, the calls run one after the
    other.
    """

    def __init__(
        self,
        variant: Variant = CLASSIC,
        *,
        threads: int = 1,
        table_mb: float | None = None,
        book: bool | OpeningBook = True,
    ) -> None:
        require_supported(variant)
        if threads < 1:
            raise ValueError("a search needs at least one thread")
        size = table_bytes(table_mb)
        self.variant = variant
        self.threads = threads
        self.book = installed_book(variant) if book is True else book or None
        shape = (variant.width, variant.height, variant.run)
        self._core = _native.Solver(*shape, size, book=native_book(self.book or False, variant))
        self._core_lock = Lock()

    def solve(
        self,
        position: Position,
        *,
        goal: Goal = "score",
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Solution:
        """The score or the result of a position. The best columns and the line of best play are computed when they are
        first used.

        If the search is stopped, the returned solution has the bounds that are known by then. Ctrl-C raises
        `SearchInterrupted` with these bounds.
        """
        return self.answer(position, goal, stop, progress)

    def answer(
        self, position: Position, goal: Goal, stop: Stop | None, progress: Progress | None, clear_table: bool = False
    ) -> Solution:
        """Solve a position as `solve` does. If `clear_table` is true, empty the table first."""
        found, watch = self._find(position, goal, stop, progress, clear_table)
        solution = Solution(position, found, self, watch)
        if watch is not None and watch.interrupted:
            raise SearchInterrupted(solution)
        return solution

    def find(
        self,
        position: Position,
        *,
        goal: Goal = "score",
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Found:
        """The bounds of the score or of the result, without best columns and a line. The two bounds are equal unless
        the search was stopped."""
        found, watch = self._find(position, goal, stop, progress)
        if watch is not None and watch.interrupted:
            raise KeyboardInterrupt
        return found

    def score_columns(
        self,
        position: Position,
        *,
        goal: Goal = "score",
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> tuple[int | None, ...]:
        """The score of a drop into each column for the side to move; None for a full column.

        If `stop` ends the search, `SearchStopped` is raised with the bounds of each score.
        """
        columns = self.find_columns(position, goal=goal, stop=stop, progress=progress)
        if any(found and not found.exact for found in columns):
            raise SearchStopped(tuple(found and found[:2] for found in columns))
        return tuple(found and found.lower for found in columns)

    def find_columns(
        self,
        position: Position,
        *,
        goal: Goal = "score",
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> tuple[Found | None, ...]:
        """The score of a drop into each column; None for a full column. If the search was stopped, each score may be
        given as bounds."""
        if position.outcome is not None:
            return (None,) * self.variant.width
        watch = Watch(stop, progress)
        question = partial(self._core.score_columns, *self._bits(position), result_only=only_result(goal))
        answers = self._ask(question, _all_exact, watch)
        if watch.interrupted:
            raise KeyboardInterrupt
        return tuple(None if bounds[0] is None else _found(bounds, goal) for bounds in zip(*answers, strict=True))

    def best_column(
        self, position: Position, *, stop: Stop | None = None, progress: Progress | None = None
    ) -> tuple[Found, int | None]:
        """The bounds of the score, and one best column. The column is None if the search was stopped or the game is
        over.

        Finding one best column is faster than finding all of them.
        """
        found, watch = self._find(position, "score", stop, progress)
        watch = watch or Watch(stop, progress)
        known = found.exact and position.outcome is None
        drops = self._drops(position, partial(self._core.line, max_drops=1), found, watch) if known else None
        if watch.interrupted:
            raise KeyboardInterrupt
        return found, drops.columns[0] if drops and drops.columns else None

    def drops(self, what: Literal["best_columns", "line"], solution: Solution, watch: Watch | None) -> Drops:
        """Compute the best columns of `solution` or its line of play."""
        ask = self._core.best_columns if what == "best_columns" else self._core.line
        watch = watch or Watch()
        drops = self._drops(solution.position, ask, solution.found, watch)
        if watch.interrupted:
            raise SearchInterrupted(solution)
        return drops

    def with_core(self, work: Callable[[_native.Solver], Answer]) -> Answer:
        """Call `work` with the core's solver. No other thread can use this solver during the call."""
        with self._core_lock:
            return work(self._core)

    def clear_table(self) -> None:
        """Empty the table."""
        with self._core_lock:
            self._core.clear_table()

    @property
    def table_bytes(self) -> int:
        """The size of the table in memory."""
        return self._core.table_bytes

    def allow_readers(self) -> None:
        """Let other threads call `recorded_bounds`, `table_fill` and `save_positions` during a search. On boards of
        more than 64 bits this makes a search with one thread slower."""
        self._core.allow_readers()

    @property
    def table_fill(self) -> float:
        """The part of the table that is in use, from 0 to 1, estimated from a sample."""
        return self._core.table_fill

    def recorded_bounds(self, position: Position) -> tuple[int, int]:
        """The bounds of the score that the rules or the table know, without a search."""
        if position.outcome is not None:
            score = score_when_over(position)
            return score, score
        return self._core.recorded_bounds(*self._bits(position))

    def save_positions(self, max_count: int) -> bytes:
        """What the table knows of the positions that took the most work, for `load_positions`."""
        return self._core.save_positions(max_count)

    def load_positions(self, saved: bytes) -> int:
        """Put saved positions of the same variant into the table. Returns how many."""
        return self._core.load_positions(saved)

    def _find(
        self, position: Position, goal: Goal, stop: Stop | None, progress: Progress | None, clear_table: bool = False
    ) -> tuple[Found, Watch | None]:
        """The answer, and the watch of the search that found it. If a quick search may succeed, it is tried first,
        because it takes only microseconds."""
        self._require_own(position.variant)
        watch = None if stop is None and progress is None else Watch(stop, progress)
        with self._core_lock:
            quick = None
            if self._may_be_quick(position) or (watch is not None and watch.should_stop()):
                quick = self._core.find(position.column_codes(), Found, goal, self._quick_nodes(watch), clear_table)
                if quick.lower == quick.upper or (watch is not None and watch.should_stop()):
                    return quick, watch
            elif clear_table:
                self._core.clear_table()
            watch = watch or Watch()
            question = partial(self._core.solve, *bitboards_of(position), result_only=only_result(goal))
            full = self._watched(question, watch)
            return _merged(quick, full) if quick else _found([full], goal), watch

    def _may_be_quick(self, position: Position) -> bool:
        """Whether the book, the rules or a short search may give the answer. Otherwise only the full search runs, so
        that its nodes are all nodes."""
        return self.book is not None or position.ply >= MIN_QUICK_SEARCH_DISCS or position.outcome is not None

    def _drops(self, position: Position, ask: Callable[..., _native.Drops], found: Found, watch: Watch) -> Drops:
        question = partial(ask, *self._bits(position), found.lower, result_only=only_result(found.goal))
        answers = self._ask(question, _is_complete, watch)
        nodes, seconds = sum(a.nodes for a in answers), sum(a.seconds for a in answers)
        return Drops(tuple(answers[-1].columns), answers[-1].complete, nodes, seconds)

    def _ask(self, question: Callable[..., Answer], is_done: Callable[[Answer], bool], watch: Watch) -> list[Answer]:
        """The answers of a quick search and, if that is not final, of a full search in another thread, which can be
        stopped."""
        with self._core_lock:
            quick = question(max_nodes=self._quick_nodes(watch))
            if is_done(quick) or watch.should_stop():
                return [quick]
            return [quick, self._watched(question, watch)]

    def _quick_nodes(self, watch: Watch | None) -> int:
        if watch is None:
            return MAX_UNWATCHED_SEARCH_NODES if self.threads == 1 else MAX_QUICK_SEARCH_NODES
        return 1 if watch.should_stop() else MAX_QUICK_SEARCH_NODES

    def _watched(self, question: Callable[..., Answer], watch: Watch) -> Answer:
        return watch.run(lambda flag, state: question(threads=self.threads, stop=flag, progress=state))

    def _bits(self, position: Position) -> tuple[int, int]:
        self._require_own(position.variant)
        return bitboards_of(position)

    def _require_own(self, variant: Variant) -> None:
        if variant is not self.variant and variant != self.variant:
            raise ValueError(f"this solver is for {self.variant}, the position is of {variant}")


def is_supported(variant: Variant) -> bool:
    """Whether the board is small enough for the solver."""
    fits = max(variant.width, variant.height) < MAX_BOARD_BITS  # the core's numbers are too short for any board
    return fits and _native.solver_supports(variant.width, variant.height, variant.run)


def require_supported(variant: Variant) -> None:
    """Raise `UnsupportedVariant` if the board is too large for the solver."""
    if not is_supported(variant):
        raise UnsupportedVariant(variant, "error.UnsupportedVariant.solver", most=MAX_BOARD_BITS)


def only_result(goal: Goal) -> bool:
    """Whether the goal is only the result (win, draw or loss) and not the exact score."""
    if goal not in ("score", "result"):
        raise ValueError("the goal is 'score' or 'result'")
    return goal == "result"


def _found(answers: Sequence[_native.Bounds], goal: Goal) -> Found:
    """The bounds from one search. If there was a quick search and a full search, the bounds of both are merged."""
    first = answers[0]
    found = Found(first.lower, first.upper, first.nodes, first.source, first.seconds, goal)
    return found if len(answers) == 1 else _merged(found, answers[1])


def _merged(quick: Found, watched: _native.Bounds) -> Found:
    lower, upper = max(quick.lower, watched.lower), min(quick.upper, watched.upper)
    nodes, seconds = quick.nodes + watched.nodes, quick.seconds + watched.seconds
    return Found(lower, upper, nodes, watched.source, seconds, quick.goal)


def _is_complete(drops: _native.Drops) -> bool:
    return drops.complete


def _all_exact(columns: list[_native.Bounds | None]) -> bool:
    return all(one is None or one.exact for one in columns)


def table_bytes(table_mb: float | None, tables: int = 1) -> int:
    """The table size in bytes; 0 for a table that grows. Raises `TableTooLarge` if the machine has less memory than
    that."""
    if table_mb is None:
        return 0
    if not isfinite(table_mb) or table_mb <= 0:
        raise ValueError(load_texts("en")("solve.table"))
    most = _native.available_memory() // tables
    if table_mb * BYTES_PER_MB > most:
        raise TableTooLarge(table_mb, most // BYTES_PER_MB, tables)
    return max(1, int(table_mb * BYTES_PER_MB))
