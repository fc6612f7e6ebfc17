"""Alpha-beta search for any game of two players who take turns. Nothing here is specific to Connect Four.

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

WIN_VALUE = 1_000_000_000.0  # a win after n moves is worth WIN_VALUE - n: a sooner win beats a later one
MAX_DISTANCE = 1_000_000  # moves ahead; a value below WIN_VALUE - MAX_DISTANCE is an evaluation

State = TypeVar("State")
Move = TypeVar("Move")


class Rules(Protocol[State, Move]):
    """The rules of a game, as `search` needs them."""

    def moves(self, state: State) -> Sequence[Move]:
        """The legal moves of an open game. The most promising moves come first."""
        ...

    def play(self, state: State, move: Move) -> State:
        """The state after a move."""
        ...

    def result(self, state: State) -> int | None:
        """The result for the side to move: 1 for a win, 0 for a draw, -1 for a loss. None while the game is open."""
        ...


@dataclass(frozen=True, slots=True)
class SearchResult(Generic[Move]):
    """The result of a search: the value for the side to move, the best line, and the number of nodes."""

    value: float
    line: tuple[Move, ...]
    nodes: int
    complete: bool = True

    @property
    def distance(self) -> int | None:
        """The number of moves until the game is won or lost. None if the value is a draw or only an evaluation."""
        return round(WIN_VALUE - abs(self.value)) if abs(self.value) >= WIN_VALUE - MAX_DISTANCE else None


def search(
    rules: Rules[State, Move],
    state: State,
    depth: int,
    evaluate: Callable[[State], float] = lambda state: 0.0,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> SearchResult[Move]:
    """The value and the best line of an open game, found by looking `depth` moves ahead.

    `evaluate` judges an open state for the side to move. If `stop` ends the search, the best line found so far is
    returned. `progress` reports the number of nodes.
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

    def run(self, state: State, depth: int) -> SearchResult[Move]:
        self._best_so_far = (0.0, tuple(self._rules.moves(state)[:1]))
        try:
            value, line = self._value(state, depth, 0, -math.inf, math.inf)
        except _Stopped:
            return SearchResult(*self._best_so_far, self._nodes, complete=False)
        return SearchResult(value, line, self._nodes)

    def _report_and_check(self) -> bool:
        self._watch.report_throttled(0, nodes=self._nodes)
        return self._watch.should_stop()

    def _value(
        self, state: State, depth: int, played: int, alpha: float, beta: float
    ) -> tuple[float, tuple[Move, ...]]:
        """The value and the best line of a state. A value between alpha and beta is exact. Any other value is only a
        bound."""
        self._nodes += 1
        result = self._rules.result(state)
        if result is not None:
            return result * (WIN_VALUE - played), ()
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
    """Keep an evaluation, which may be infinite, below the value of a win."""
    limit = WIN_VALUE - MAX_DISTANCE - 1
    return max(-limit, min(limit, value))
