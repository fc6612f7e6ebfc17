"""Alpha-beta for any game of two players who take turns: it knows no Connect Four.

class Nim:                                       # take one to three; who takes the last one wins
    def moves(self, heap): return [n for n in (1, 2, 3) if n <= heap]
    def play(self, heap, taken): return heap - taken
    def result(self, heap): return -1 if heap == 0 else None

search(Nim(), 7, depth=7).line[0]                # 3, which leaves a multiple of four
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from connectk.watch import Progress, Stop, Watch

WIN = 1_000_000_000.0  # a win after n moves is worth WIN - n: a sooner win beats a later one
MAX_DISTANCE = 1_000_000  # moves ahead; a value below WIN - MAX_DISTANCE is an evaluation

State = TypeVar("State")
Move = TypeVar("Move")


class Rules(Protocol[State, Move]):
    """What the search requires of a game."""

    def moves(self, state: State) -> Sequence[Move]:
        """The legal moves of an open game, the most promising first."""
        ...

    def play(self, state: State, move: Move) -> State:
        """The state after a move."""
        ...

    def result(self, state: State) -> int | None:
        """For the side to move: 1 it has won, 0 a draw, -1 it has lost; None while the game is open."""
        ...


@dataclass(frozen=True, slots=True)
class Searched(Generic[Move]):
    """The result of a search: the value for the side to move, the best line, and the number of nodes."""

    value: float
    line: tuple[Move, ...]
    nodes: int
    complete: bool = True

    @property
    def distance(self) -> int | None:
        """After how many moves the game is won or lost; None where the value is an evaluation or a draw."""
        return round(WIN - abs(self.value)) if abs(self.value) >= WIN - MAX_DISTANCE else None


def search(
    rules: Rules[State, Move],
    state: State,
    depth: int,
    evaluate: Callable[[State], float] = lambda state: 0.0,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Searched[Move]:
    """The value and best line of an open game, looking `depth` moves ahead.

    `evaluate` judges an open state for its side to move. After a `stop` the best line so far is returned; `progress`
    reports the nodes.
    """
    return _Search(rules, evaluate, stop, progress).run(state, depth)


class _Stopped(Exception):
    pass


class _Search(Generic[State, Move]):
    def __init__(
        self,
        rules: Rules[State, Move],
        evaluate: Callable[[State], float],
        stop: Stop | None,
        progress: Progress | None,
    ) -> None:
        self._rules, self._evaluate, self._watch = rules, evaluate, Watch(stop, progress)
        self._stop = _stop_check(stop) if progress is None else self._report_and_check  # asked at every node
        self._nodes = 0
        self._best_so_far: tuple[float, tuple[Move, ...]] = (0.0, ())

    def run(self, state: State, depth: int) -> Searched[Move]:
        self._best_so_far = (0.0, tuple(self._rules.moves(state)[:1]))
        try:
            value, line = self._value(state, depth, 0, -math.inf, math.inf)
        except _Stopped:
            return Searched(*self._best_so_far, self._nodes, complete=False)
        return Searched(value, line, self._nodes)

    def _report_and_check(self) -> bool:
        self._watch.report_throttled(0, nodes=self._nodes)
        return self._watch.should_stop()

    def _value(
        self, state: State, depth: int, played: int, alpha: float, beta: float
    ) -> tuple[float, tuple[Move, ...]]:
        """Exact between alpha and beta, and otherwise a bound on the same side of them."""
        self._nodes += 1
        result = self._rules.result(state)
        if result is not None:
            return result * (WIN - played), ()
        if self._stop():
            raise _Stopped
        if depth == 0:
            return _within_limits(self._evaluate(state)), ()
        best: tuple[float, tuple[Move, ...]] = (-math.inf, ())
        for move in self._rules.moves(state):
            value, line = self._value(self._rules.play(state, move), depth - 1, played + 1, -beta, -alpha)
            if -value > best[0]:
                best = (-value, (move, *line))
                if played == 0:
                    self._best_so_far = best
            alpha = max(alpha, best[0])
            if alpha >= beta:
                break
        return best


def _stop_check(stop: Stop | None) -> Callable[[], bool]:
    if stop is None:
        return lambda: False
    return stop if callable(stop) else stop.is_set


def _within_limits(value: float) -> float:
    """No evaluation, not even an infinite one, counts as much as a win."""
    limit = WIN - MAX_DISTANCE - 1
    return max(-limit, min(limit, value))
