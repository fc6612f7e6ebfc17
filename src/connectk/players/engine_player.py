"""The engine player. It searches as deep as its time allows, and plays perfectly if the solver finishes in time."""

from __future__ import annotations

from functools import partial

from connectk import _native
from connectk.notation import parse_duration
from connectk.players.core_player import CorePlayer, to_choice, to_game_board
from connectk.players.player import Choice, Clock
from connectk.players.registry import number_parameter
from connectk.rules import Position
from connectk.solver.book import native_book
from connectk.watch import Stop, is_stop_requested

DEFAULT_MOVE_SECONDS = 1.0
MAX_THREADS = 256
RETURN_MARGIN_SECONDS = 0.004  # kept in reserve for returning from the core to the caller


class EnginePlayer(CorePlayer):
    """Thinks for a fixed time. If the clock has less time left, it thinks for that time."""

    def __init__(self, seconds: float | None = None, threads: int = 1, name: str = "engine") -> None:
        super().__init__(name)
        self._seconds, self._threads = seconds, threads

    def _ask(self, position: Position, board: _native.GameBoard, clock: Clock) -> _native.Choice:
        seconds = self._time_for(clock)
        self._core.use_book(native_book(True, position.variant))
        return self._core.play_engine(board, seconds, self._threads, clock.stop.is_set)

    def _time_for(self, clock: Clock) -> float:
        times = [seconds for seconds in (self._seconds, clock.share) if seconds is not None]
        return max(min(times, default=DEFAULT_MOVE_SECONDS) - RETURN_MARGIN_SECONDS, 0.001)


class CoreSearch:
    """The engine's search without the solver, for any board. A limit of 0 means that there is no limit."""

    def __init__(self, table_bytes: int) -> None:
        self._core = _native.Chooser(search_table_bytes=table_bytes)

    def choose(
        self,
        position: Position,
        *,
        depth: int = 0,
        nodes: int = 0,
        seconds: float = 0.0,
        threads: int = 1,
        stop: Stop | None = None,
    ) -> Choice:
        """The best column that the search finds before it reaches one of the limits."""
        stopped = None if stop is None else partial(is_stop_requested, stop)
        board = to_game_board(position)
        found = self._core.search(board, depth=depth, nodes=nodes, seconds=seconds, threads=threads, stopped=stopped)
        return to_choice(found)


def make_engine(name: str, parameter: str, seed: int | None) -> EnginePlayer:
    seconds, threads = None, 1
    for word in filter(None, (part.strip() for part in parameter.split(","))):
        if word.startswith("threads="):
            threads = number_parameter(name, word.removeprefix("threads="), 1, MAX_THREADS)
        else:
            seconds = parse_duration(word)
    return EnginePlayer(seconds, threads, name)
