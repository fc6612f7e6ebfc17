"""The engine: as deep as its time allows, perfect where the solver finishes in time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from connectk import _native
from connectk.errors import SearchStopped
from connectk.notation import parse_duration
from connectk.players.drops import blocking_drop, centre_first, winning_drop
from connectk.players.player import Choice, Clock, Thought, require_open
from connectk.players.registry import number_in
from connectk.players.view import Core, View
from connectk.rules import Position, Variant
from connectk.solver import Solver
from connectk.solver.solution import plies_to_end, win_score
from connectk.watch import Stop, says_stop

DEFAULT_SECONDS = 1.0
MAX_THREADS = 256
TABLE_BYTES = 1 << 25
MARGIN = 0.004  # seconds kept back for the way from the core to the caller
SHARE_FOR_SOLVER = 0.4  # of the time; the rest is for the search that needs no end of the game
MOST_CELLS_LEFT = 34  # with more the solver is not tried, unless there is a book
GLANCE_NODES, GLANCE_TABLE_BYTES = 3_000, 1 << 18
ESTIMATE_UNIT = 250.0  # an estimate of so much is a clear advantage


class EnginePlayer:
    """Thinks for a set time, or for the clock's when that is shorter."""

    def __init__(self, seconds: float | None = None, threads: int = 1, name: str = "engine") -> None:
        self.name = name
        self._seconds, self._threads = seconds, threads
        self._exact = ExactSearch(threads)
        self._search = CoreSearch(TABLE_BYTES)

    def choose(self, position: Position, clock: Clock) -> Choice:
        require_open(position)
        started, seconds = time.monotonic(), self._time_for(clock)
        solver_ends = started + SHARE_FOR_SOLVER * seconds
        exact = None
        if self._exact.is_promising(position):
            exact = self._exact.choose(position, lambda: clock.stop.is_set() or time.monotonic() >= solver_ends)
        limits = SearchLimits(until=started + seconds, threads=self._threads, stop=clock.stop)
        return exact or self._search.choose(position, limits)

    def _time_for(self, clock: Clock) -> float:
        times = [seconds for seconds in (self._seconds, clock.share) if seconds is not None]
        return max(min(times, default=DEFAULT_SECONDS) - MARGIN, 0.001)

    def new_game(self, seed: int | None = None) -> None:
        """Empty tables, as at the start."""
        self._exact.forget()
        self._search.forget()

    def close(self) -> None:
        """Nothing to give back: tables go with the player."""


class ExactSearch:
    """Best columns by the solver; it keeps what it learned of the variant asked last."""

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._solver: Solver | None = None
        self._search = CoreSearch(GLANCE_TABLE_BYTES)

    def is_promising(self, position: Position) -> bool:
        """Whether the solver may well find an answer in the time of a move."""
        variant = position.variant
        if not _native.solver_supports(variant.width, variant.height, variant.run):
            return False
        return variant.cells - position.ply <= MOST_CELLS_LEFT or self._solver_for(variant).book is not None

    def choose(self, position: Position, stop: Stop) -> Choice | None:
        """A best column; None if a stop came first, `UnsupportedVariant` where the board is too large."""
        found, column = self._solver_for(position.variant).best_column(position, stop=stop)
        if column is None:
            return None
        if found.lower <= 0:
            column = self._hardest_to_meet(position, self._as_good_as(position, column, stop))
        depth = plies_to_end(position.variant, position.ply, found.lower)
        return Choice(column, Thought(found.lower, (column,), depth, found.nodes, proven=True))

    def _as_good_as(self, position: Position, column: int, stop: Stop) -> list[int]:
        """All columns with the score of this one, or this one alone when there is no time to find out."""
        try:
            scores = self._solver_for(position.variant).score_columns(position, stop=stop)
        except SearchStopped:
            return [column]
        return [other for other in centre_first(position) if scores[other] == scores[column]]

    def _hardest_to_meet(self, position: Position, columns: list[int]) -> int:
        """Where perfect play does not win, the column after which the other side looks worst: it may err."""
        return columns[0] if len(columns) == 1 else min(columns, key=lambda column: self._glance(position.drop(column)))

    def _glance(self, position: Position) -> float:
        """How the position looks for its side to move, by a short search of its own."""
        if position.outcome is not None:
            return 0.0
        self._search.forget()
        score = self._search.choose(position, SearchLimits(nodes=GLANCE_NODES)).thought.score or 0.0
        return max(-1.0, min(1.0, score))

    def forget(self) -> None:
        """Empty the solver's table."""
        if self._solver is not None:
            self._solver.forget()

    def _solver_for(self, variant: Variant) -> Solver:
        if self._solver is None or self._solver.variant != variant:
            self._solver = Solver(variant, threads=self._threads)
        return self._solver


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """When the core's search ends; 0 and None are no limit. `until` is a moment of `time.monotonic`."""

    depth: int = 0
    nodes: int = 0
    until: float | None = None
    threads: int = 1
    stop: Stop | None = None

    @property
    def seconds(self) -> float:
        return 0.0 if self.until is None else max(self.until - time.monotonic(), 0.001)

    @property
    def stopped(self) -> Callable[[], bool] | None:
        """The stop as the core asks for it; None when nobody can say so."""
        return None if self.stop is None else partial(says_stop, self.stop)


class CoreSearch:
    """The core's search on any board: on one too large to be seen whole, in a window around the last disc."""

    def __init__(self, table_bytes: int) -> None:
        self._core = Core(table_bytes)

    def choose(self, position: Position, limits: SearchLimits) -> Choice:
        """The column that looks best when the limits are reached."""
        view = View.of(position)
        urgent = None if view.whole else urgent_choice(position)
        if urgent is not None:
            return urgent
        thinker = self._core.thinker(view)
        decision = thinker.think(
            view.own,
            view.everyone,
            depth=limits.depth,
            nodes=limits.nodes,
            seconds=limits.seconds,
            threads=limits.threads,
            stopped=limits.stopped,
        )
        return choice_of(decision, view, position)

    def forget(self) -> None:
        self._core.forget()


def urgent_choice(position: Position) -> Choice | None:
    """A win or a threat, which may lie outside the window."""
    column = winning_drop(position)
    if column is not None:
        return Choice(column, Thought(win_score(position.variant, position.ply + 1), (column,), 1, proven=True))
    column = blocking_drop(position)
    return None if column is None else Choice(column, Thought(line=(column,), depth=1))


def choice_of(decision: _native.Decision, view: View, position: Position) -> Choice:
    """The core's decision in the position's columns; where the window has no room, the centre-most column."""
    if decision.column < 0:
        return Choice(centre_first(position)[0])
    line = tuple(view.first_column + column for column in decision.line)
    proven = decision.proven and view.whole
    return Choice(line[0], Thought(_score(decision, position, proven), line, decision.depth, decision.nodes, proven))


def _score(decision: _native.Decision, position: Position, proven: bool) -> float:
    """Exact when proven, otherwise the expected result between -1 and 1."""
    if proven:
        return decision.result * win_score(position.variant, decision.last_disc)
    return decision.result or math.tanh(decision.estimate / ESTIMATE_UNIT)


def make_engine(name: str, parameter: str, seed: int | None) -> EnginePlayer:
    seconds, threads = None, 1
    for word in filter(None, (part.strip() for part in parameter.split(","))):
        if word.startswith("threads="):
            threads = number_in(name, word.removeprefix("threads="), 1, MAX_THREADS)
        else:
            seconds = parse_duration(word)
    return EnginePlayer(seconds, threads, name)
