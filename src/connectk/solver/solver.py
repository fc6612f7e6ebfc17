"""Exact scores: the book where it reaches, the core's search everywhere else."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from threading import Lock
from typing import NamedTuple

from connectk import _native
from connectk.errors import SearchStopped, UnsupportedVariant
from connectk.rules import CLASSIC, Position, Variant
from connectk.solver.bits import bits_of
from connectk.solver.book import OpeningBook, shipped_book
from connectk.solver.solution import Goal, Solution, Source, score_when_over, win_score
from connectk.watch import Progress, Stop, Watch

QUICK_NODES = 20_000  # so many are searched before a thread is started to watch over the rest: some milliseconds
ANY_LOSS = -1000  # worse than any score
FIRST_GLANCE = 500  # nodes for a column when looking for one that keeps the score; eight times more in each round


class SearchInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a search; `solution` holds the bounds that were known by then."""

    def __init__(self, solution: Solution) -> None:
        super().__init__()
        self.solution = solution


class Found(NamedTuple):
    """What is known of a score, and what it took."""

    lower: int
    upper: int
    nodes: int
    source: Source

    @property
    def exact(self) -> bool:
        return self.lower == self.upper


class Solver:
    """Answers for positions of one variant; keeps its table, so that neighbouring positions help each other.

    `book` is True for the one that comes with the package, False for none, or a book of your own. `table_mb` is the
    size of the table; without it the table starts small and grows with the work. Questions from several threads wait
    for each other.
    """

    def __init__(
        self,
        variant: Variant = CLASSIC,
        *,
        threads: int = 1,
        table_mb: float | None = None,
        book: bool | OpeningBook = True,
    ) -> None:
        if not _native.solver_supports(variant.width, variant.height, variant.run):
            raise UnsupportedVariant(variant, "the solver takes boards of up to 128 bits, width * (height + 1).")
        if threads < 1:
            raise ValueError("a search needs at least one thread")
        if table_mb is not None and table_mb <= 0:
            raise ValueError("a table needs some memory")
        self.variant = variant
        self.threads = threads
        self.book = shipped_book(variant) if book is True else book or None
        self._table_bytes = 0 if table_mb is None else max(1, int(table_mb * 2**20))
        self._core: _native.Solver | None = None  # made when the book has no answer
        self._core_is_free = Lock()

    def solve(
        self,
        position: Position,
        *,
        goal: Goal = "score",
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Solution:
        """The score or the result, the columns that keep it, and a line of best play.

        A stopped search gives the bounds known by then; Ctrl-C raises `SearchInterrupted` with the same.
        """
        watch = Watch(stop, progress)
        started = time.perf_counter()
        found = self._find(position, goal, watch)
        seconds = time.perf_counter() - started
        best = self._best_columns(position, goal, found, watch)
        line = self._line(position, goal, found, watch)
        solution = Solution(position, goal, found.lower, found.upper, best, line, found.nodes, seconds, found.source)
        if watch.interrupted:
            raise SearchInterrupted(solution)
        return solution

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
        watch = Watch(stop, progress)
        columns = [
            self._after_drop(position, column, goal, watch) if position.can_drop(column) else None
            for column in range(self.variant.width)
        ]
        if watch.interrupted:
            raise KeyboardInterrupt
        if any(found is not None and not found.exact for found in columns):
            raise SearchStopped(tuple(found and (found.lower, found.upper) for found in columns))
        return tuple(found and found.lower for found in columns)

    def best_column(self, position: Position, *, stop: Stop | None = None) -> tuple[Found, int | None]:
        """The score and one column that keeps it, which is cheaper than all of them; None when a stop came first."""
        watch = Watch(stop, None)
        found = self._find(position, "score", watch)
        column = self._one_that_keeps(position, found.lower, watch) if found.exact else None
        if watch.interrupted:
            raise KeyboardInterrupt
        return found, column

    def forget(self) -> None:
        """Empty the table."""
        with self._core_is_free:
            if self._core is not None:
                self._core.forget()

    def find(
        self,
        position: Position,
        *,
        goal: Goal = "score",
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Found:
        """The score or result alone: bounds that meet, unless a stop came first."""
        watch = Watch(stop, progress)
        found = self._find(position, goal, watch)
        if watch.interrupted:
            raise KeyboardInterrupt
        return found

    def _find(self, position: Position, goal: Goal, watch: Watch) -> Found:
        if goal not in ("score", "result"):
            raise ValueError("the goal is 'score' or 'result'")
        if position.variant != self.variant:
            raise ValueError(f"this solver is for {self.variant}, the position is of {position.variant}")
        known = self._without_search(position)
        if known is None:
            highest = win_score(self.variant, position.ply + 1)
            window = (-1, 1) if goal == "result" else (-highest, highest)
            known = self._search(position, *window, watch)
        if goal == "result":
            known = known._replace(lower=_sign(known.lower), upper=_sign(known.upper))
        return known

    def _after_drop(self, position: Position, column: int, goal: Goal, watch: Watch) -> Found:
        found = self._find(position.drop(column), goal, watch)
        return found._replace(lower=-found.upper, upper=-found.lower)

    def _without_search(self, position: Position) -> Found | None:
        if position.outcome is not None:
            score = score_when_over(position)
            return Found(score, score, 0, "rules")
        score_in_book = self.book.score(position) if self.book else None
        return None if score_in_book is None else Found(score_in_book, score_in_book, 0, "book")

    def _search(self, position: Position, alpha: int, beta: int, watch: Watch, max_nodes: int = 0) -> Found:
        """Closes the gap inside [alpha, beta], unless stopped or out of nodes."""
        floor = self._floor_from_book(position)
        if floor is None or floor < alpha:
            return self._search_window(position, alpha, beta, watch, max_nodes)
        if floor >= beta:
            return Found(floor, win_score(self.variant, position.ply + 1), 0, "book")
        found = self._search_window(position, floor, floor + 1, watch, max_nodes)  # most often the floor is the score
        if floor < found.lower < beta and not found.exact:
            more = self._search_window(position, found.lower, beta, watch, max_nodes)
            lower, upper = max(found.lower, more.lower), min(found.upper, more.upper)
            return Found(lower, upper, found.nodes + more.nodes, "search")
        return found._replace(lower=max(floor, found.lower))

    def _search_window(self, position: Position, alpha: int, beta: int, watch: Watch, max_nodes: int) -> Found:
        with self._core_is_free:
            return self._ask_core(position, alpha, beta, watch, max_nodes)

    def _ask_core(self, position: Position, alpha: int, beta: int, watch: Watch, max_nodes: int) -> Found:
        if self._core is None:
            self._core = _native.Solver(
                self.variant.width, self.variant.height, self.variant.run, table_bytes=self._table_bytes
            )
        search = partial(self._core.solve_window, *bits_of(position), alpha, beta)
        most = 1 if watch.should_stop() else max_nodes or QUICK_NODES  # once stopped, only what the table knows
        quick = search(threads=1, max_nodes=most)
        closed = quick.lower >= beta or quick.upper <= alpha or quick.exact
        if closed or max_nodes or watch.should_stop():
            return Found(quick.lower, quick.upper, quick.nodes, "search")
        watched = partial(search, threads=self.threads)
        found = watch.run(lambda flag, state: watched(stop=flag, progress=state))
        lower, upper = max(quick.lower, found.lower), min(quick.upper, found.upper)
        return Found(lower, upper, quick.nodes + found.nodes, "search")

    def _floor_from_book(self, position: Position) -> int | None:
        """One disc beyond the book: whoever played that disc could have had no more than the book's score."""
        if self.book is None or position.ply != self.book.discs + 1:
            return None
        before = (self.book.score_bits(*bits) for bits in _positions_before(position))
        return max((-score for score in before if score is not None), default=None)

    def _best_columns(self, position: Position, goal: Goal, found: Found, watch: Watch) -> tuple[int, ...]:
        """Every column that keeps what was found; none when that is not settled."""
        if not found.exact or position.outcome is not None:
            return ()
        worth = _worth_keeping(goal, found.lower)
        keeps = {column: self._keeps(position, column, worth, watch) for column in position.legal_columns}
        return () if watch.stopped else tuple(column for column, kept in keeps.items() if kept)

    def _line(self, position: Position, goal: Goal, found: Found, watch: Watch) -> tuple[int, ...]:
        """Best play for both sides to the end, or as far as was found before a stop."""
        line: list[int] = []
        score = found.lower
        while found.exact and position.outcome is None:
            column = self._one_that_keeps(position, _worth_keeping(goal, score), watch)
            if column is None:
                break
            line.append(column)
            position, score = position.drop(column), -score
        return tuple(line)

    def _one_that_keeps(self, position: Position, score: int, watch: Watch) -> int | None:
        """Some best column. The table often knows one, so short looks at all columns come before long ones."""
        candidates = sorted(position.legal_columns, key=lambda c: abs(2 * c - self.variant.width + 1))
        budget = FIRST_GLANCE
        while len(candidates) > 1 and not watch.should_stop():
            verdicts = {column: self._keeps(position, column, score, watch, budget) for column in candidates}
            kept = [column for column, verdict in verdicts.items() if verdict]
            if kept:
                return kept[0]
            candidates = [column for column, verdict in verdicts.items() if verdict is None]
            budget *= 8
        return candidates[0] if candidates and not watch.stopped else None

    def _keeps(self, position: Position, column: int, score: int, watch: Watch, max_nodes: int = 0) -> bool | None:
        """Whether a drop there is worth `score`; None when the search ended before it was clear."""
        after = position.drop(column)
        found = self._without_search(after) or self._search(after, -score, -score + 1, watch, max_nodes)
        if found.upper <= -score:
            return True
        return False if found.lower > -score else None


def _positions_before(position: Position) -> Iterator[tuple[int, int]]:
    """The bits of the positions that one disc less of the side that moved last may have been."""
    own, everyone = bits_of(position)
    stride = position.variant.height + 1
    for column in range(position.variant.width):
        top = 1 << column * stride + position.height_of(column) - 1 if position.height_of(column) else 0
        if top & (everyone & ~own):
            yield everyone & ~own & ~top, everyone & ~top


def _worth_keeping(goal: Goal, score: int) -> int:
    """The least a drop must be worth to count as best; when only the result matters, one loss is like another."""
    return score if goal == "score" or score >= 0 else ANY_LOSS


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
