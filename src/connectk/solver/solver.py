"""Exact scores of one variant's positions: each question is one call into the core, book and all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite
from threading import Lock
from typing import Literal, NamedTuple, TypeVar

from connectk import _native
from connectk.errors import SearchStopped, TableTooLarge, UnsupportedVariant
from connectk.rules import CLASSIC, Position, Variant
from connectk.solver.bits import bits_of
from connectk.solver.book import OpeningBook, native_book, shipped_book
from connectk.solver.solution import Found, Goal, Solution
from connectk.texts import load_texts
from connectk.watch import Progress, Stop, Watch

MB = 2**20
MAX_BOARD_BITS = 128  # of the core's largest word
QUICK_NODES = 40_000  # searched inline, some milliseconds, before a thread is started that can be stopped
UNWATCHED_NODES = 200_000  # the same if only Ctrl-C can stop the search: some dozens of milliseconds
Answer = TypeVar("Answer")


class SearchInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a search; `solution` holds the bounds that were known by then."""

    def __init__(self, solution: Solution) -> None:
        super().__init__()
        self.solution = solution


class Drops(NamedTuple):
    """Columns, whether all of them were found, and the nodes and seconds of the search."""

    columns: tuple[int, ...]
    complete: bool
    nodes: int
    seconds: float


class Solver:
    """Solves positions of one variant; keeps its table, so that similar positions are solved faster.

    `book` is True for the one in the package, False for none, or a book of your own. `table_mb` is the size of the
    table; without it the table starts small and grows with the work. Calls from several threads are serialized.
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
        self.book = shipped_book(variant) if book is True else book or None
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
        """The score or the result; the columns that keep it and a line of best play when they are asked for.

        A stopped search gives the bounds known by then; Ctrl-C raises `SearchInterrupted` with the same.
        """
        return self.answer(position, goal, stop, progress)

    def answer(
        self, position: Position, goal: Goal, stop: Stop | None, progress: Progress | None, forget: bool = False
    ) -> Solution:
        """The same as `solve`; with `forget` it starts with an empty table."""
        found, watch = self._find(position, goal, stop, progress, forget)
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
        """The score or result alone: bounds that meet, unless a stop came first."""
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
        """The score of a drop into each column, for the side to move; None where no disc fits.

        A stop before the end raises `SearchStopped` with the bounds of each column.
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
        """The score of a drop into each column, or bounds of it if the search was stopped."""
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
        """The score and one column that keeps it, which is cheaper than all of them; None when a stop came first."""
        found, watch = self._find(position, "score", stop, progress)
        watch = watch or Watch(stop, progress)
        known = found.exact and position.outcome is None
        drops = self._drops(position, partial(self._core.line, most=1), found, watch) if known else None
        if watch.interrupted:
            raise KeyboardInterrupt
        return found, drops.columns[0] if drops and drops.columns else None

    def drops(self, what: Literal["best_columns", "line"], solution: Solution, watch: Watch | None) -> Drops:
        """The columns that `solution` is asked for."""
        ask = self._core.best_columns if what == "best_columns" else self._core.line
        watch = watch or Watch()
        drops = self._drops(solution.position, ask, solution.found, watch)
        if watch.interrupted:
            raise SearchInterrupted(solution)
        return drops

    def with_core(self, work: Callable[[_native.Solver], Answer]) -> Answer:
        """Run `work` with the core's solver while holding its lock."""
        with self._core_lock:
            return work(self._core)

    def forget(self) -> None:
        """Empty the table."""
        with self._core_lock:
            self._core.forget()

    @property
    def table_bytes(self) -> int:
        """How much of its table is in use."""
        return self._core.table_bytes

    def _find(
        self, position: Position, goal: Goal, stop: Stop | None, progress: Progress | None, forget: bool = False
    ) -> tuple[Found, Watch | None]:
        """The result and its watch. Tries a quick search first: most answers take microseconds."""
        self._require_own(position.variant)
        watch = None if stop is None and progress is None else Watch(stop, progress)
        with self._core_lock:
            quick = self._core.find(position.column_codes(), Found, goal, self._quick_nodes(watch), forget)
            if quick.lower == quick.upper or (watch is not None and watch.should_stop()):
                return quick, watch
            watch = watch or Watch()
            question = partial(self._core.solve, *bits_of(position), result_only=only_result(goal))
            return _merged(quick, self._watched(question, watch)), watch

    def _drops(self, position: Position, ask: Callable[..., _native.Drops], found: Found, watch: Watch) -> Drops:
        question = partial(ask, *self._bits(position), found.lower, result_only=only_result(found.goal))
        answers = self._ask(question, _is_complete, watch)
        nodes, seconds = sum(a.nodes for a in answers), sum(a.seconds for a in answers)
        return Drops(tuple(answers[-1].columns), answers[-1].complete, nodes, seconds)

    def _ask(self, question: Callable[..., Answer], is_done: Callable[[Answer], bool], watch: Watch) -> list[Answer]:
        """The quick answer and, if it is not final, that of a search in a thread that can be stopped."""
        with self._core_lock:
            quick = question(max_nodes=self._quick_nodes(watch))
            if is_done(quick) or watch.should_stop():
                return [quick]
            return [quick, self._watched(question, watch)]

    def _quick_nodes(self, watch: Watch | None) -> int:
        if watch is None:
            return UNWATCHED_NODES if self.threads == 1 else QUICK_NODES
        return 1 if watch.should_stop() else QUICK_NODES

    def _watched(self, question: Callable[..., Answer], watch: Watch) -> Answer:
        return watch.run(lambda flag, state: question(threads=self.threads, stop=flag, progress=state))

    def _bits(self, position: Position) -> tuple[int, int]:
        self._require_own(position.variant)
        return bits_of(position)

    def _require_own(self, variant: Variant) -> None:
        if variant is not self.variant and variant != self.variant:
            raise ValueError(f"this solver is for {self.variant}, the position is of {variant}")


def require_supported(variant: Variant) -> None:
    """Refuse a board that is too large for the solver."""
    if not _native.solver_supports(variant.width, variant.height, variant.run):
        raise UnsupportedVariant(variant, "error.UnsupportedVariant.solver", most=MAX_BOARD_BITS)


def only_result(goal: Goal) -> bool:
    """Whether the goal is the result alone."""
    if goal not in ("score", "result"):
        raise ValueError("the goal is 'score' or 'result'")
    return goal == "result"


def _found(answers: Sequence[_native.Bounds], goal: Goal) -> Found:
    """One answer, or the quick and the watched answer merged."""
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
    """The table size in bytes, 0 for a growing table; raises `TableTooLarge` if the machine has less memory."""
    if table_mb is None:
        return 0
    if not isfinite(table_mb) or table_mb <= 0:
        raise ValueError(load_texts("en")("solve.table"))
    most = _native.available_memory() // tables
    if table_mb * MB > most:
        raise TableTooLarge(table_mb, most // MB, tables)
    return max(1, int(table_mb * MB))
