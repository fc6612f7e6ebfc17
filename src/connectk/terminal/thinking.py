"""Runs computer players and searches for hints in the background, so that the keyboard stays responsive."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from time import monotonic
from typing import TypeAlias

from connectk.errors import ConnectkError, UnsupportedVariant
from connectk.players import Choice, Clock, Player
from connectk.players.registry import load_player
from connectk.players.swapping import SwapTurn, choose_or_swap
from connectk.rules import Position
from connectk.solver import Report, Solver
from connectk.solver.solution import discs_to_win, win_score
from connectk.texts import Texts

_background_threads: set[threading.Thread] = set()


def run_in_background(task: Callable[[], None]) -> None:
    """Run a task in a background thread. The thread does not keep the program from ending."""

    def run() -> None:
        try:
            task()
        finally:
            _background_threads.discard(threading.current_thread())

    thread = threading.Thread(target=run, daemon=True)
    _background_threads.add(thread)
    thread.start()


def join_background_threads(seconds: float = 1.0) -> None:
    """Wait until the background threads have ended, but at most `seconds`. They must have been asked to stop before."""
    until = monotonic() + seconds
    for thread in list(_background_threads):
        thread.join(max(0.0, until - monotonic()))


Answer: TypeAlias = Choice | Exception | None  # None if the player swaps sides instead of dropping a disc
OnChoice: TypeAlias = "Callable[[PendingChoice, Answer], None]"


class PendingChoice:
    """Lets a player choose a column in a background thread. `on_choice` is called once, with the choice or an error."""

    def __init__(self, player: Player, position: Position, on_choice: OnChoice, turn: SwapTurn = SwapTurn.NONE) -> None:
        self.position, self._turn = position, turn
        self._player, self._on_choice = player, on_choice
        self._clock = Clock()
        run_in_background(self._think)

    def _think(self) -> None:
        answer: Answer
        try:
            answer = choose_or_swap(self._player, self.position, self._clock, self._turn)
        except Exception as error:
            answer = error
        if not self._clock.stop.is_set():
            self._on_choice(self, answer)

    def stop(self) -> None:
        """Stop the player. After this, `on_choice` is not called."""
        self._clock.stop.set()


class ComputerPlayers:
    """The computer players of one match. Only one of them thinks at a time."""

    def __init__(self, on_choice: OnChoice) -> None:
        self._on_choice = on_choice
        self._players: dict[str, Player] = {}
        self._thinking: PendingChoice | None = None

    def think(self, name: str, position: Position, turn: SwapTurn = SwapTurn.NONE) -> None:
        """Let a player choose a column. If the player cannot be loaded, `on_choice` is called with the error."""
        self.stop()
        try:
            if name not in self._players:
                self._players[name] = load_player(name)
            self._thinking = PendingChoice(self._players[name], position, self._on_choice, turn)
        except ConnectkError as error:
            self._thinking = PendingChoice(_UnavailablePlayer(error), position, self._on_choice)

    def is_current(self, thinking: PendingChoice) -> bool:
        """Whether this choice is the one that was started last, and was not stopped."""
        return thinking is self._thinking

    def stop(self) -> None:
        if self._thinking:
            self._thinking.stop()
        self._thinking = None

    def close(self) -> None:
        self.stop()
        for player in self._players.values():
            player.close()


@dataclass(frozen=True)
class _UnavailablePlayer:
    """Replaces a player that cannot be loaded. When it has to choose, it raises the error."""

    error: ConnectkError
    name: str = "absent"

    def choose(self, position: Position, clock: Clock) -> Choice:
        raise self.error

    def close(self) -> None:
        """Does nothing, because there is nothing to close."""


FIRST_HINT_ROUND_SECONDS = 0.3  # for all columns, and as much for an estimate; each round takes four times longer
MAX_ESTIMATE_SECONDS = 20.0  # on boards too large for the solver, the estimate stops after this
TERMINAL_HINT_PLAYER = "engine"
MIN_GOOD_EXPECTATION = 0.25  # expected scores from -1 to 1 above this are 'good', below its negative 'hard'


@dataclass(frozen=True, slots=True)
class ColumnWorth:
    """The known bounds of the score of a drop into this column, for the side to move: at least `lower` and at most
    `upper`."""

    position: Position
    lower: int
    upper: int

    @property
    def is_known(self) -> bool:
        return self.lower == self.upper

    @property
    def is_informative(self) -> bool:
        return self.lower >= 0 or self.upper <= 0

    @property
    def wins_at_once(self) -> bool:
        return self.lower == win_score(self.position.variant, self.position.ply + 1)

    def narrowed(self, lower: int, upper: int) -> ColumnWorth:
        return replace(self, lower=max(lower, self.lower), upper=min(upper, self.upper))

    def describe(self, texts: Texts) -> str:
        """A text such as 'wins in 7', 'draw' or 'loses in 12'. It states only what the bounds prove."""
        if self.is_known and self.lower:
            discs = discs_to_win(self.position.variant, self.position.ply, self.lower)
            return texts("worth.wins_in" if self.lower > 0 else "worth.loses_in", count=discs)
        if self.lower > 0:
            return texts("worth.wins")
        if self.upper < 0:
            return texts("worth.loses")
        if self.lower == 0:
            return texts("worth.draw" if self.upper == 0 else "worth.draw_or_better")
        return texts("worth.draw_or_worse" if self.upper == 0 else "worth.open")


@dataclass(frozen=True, slots=True)
class HintProgress:
    """The results so far of a search for a hint. `advice` is the column that the engine prefers. `expected` is the
    result that the engine expects, from -1 (loss) to 1 (win)."""

    worths: dict[int, ColumnWorth]
    positions_seen: int = 0
    seconds: float = 0.0
    advice: int | None = None
    expected: float = 0.0
    is_finished: bool = False

    @property
    def proven_columns(self) -> tuple[int, ...]:
        """The columns that are proven to be the best or, until these are known, the columns that are proven to win."""
        most = max((worth.lower for worth in self.worths.values()), default=0)
        if self._all_columns_searched and all(worth.upper <= most for worth in self.worths.values()):
            return tuple(column for column, worth in self.worths.items() if worth.lower == most)
        return tuple(column for column, worth in self.worths.items() if worth.lower > 0)

    @property
    def _all_columns_searched(self) -> bool:
        return any(len(self.worths) == len(worth.position.legal_columns) for worth in self.worths.values())

    @property
    def estimated_column(self) -> int | None:
        """The column that the engine prefers. None if there are proven columns, or if another column is proven to be
        better."""
        if self.advice is None or self.proven_columns:
            return None
        worth = self.worths.get(self.advice)
        return None if worth and worth.upper < max(known.lower for known in self.worths.values()) else self.advice

    def sentence(self, texts: Texts) -> str:
        """A sentence such as 'Column 6 keeps you winning.' It is empty while nothing is known."""
        sure = sorted(self.proven_columns)
        if sure:
            return texts(self._advice_key(), count=len(sure), columns=format_columns(sure, texts))
        if self.estimated_column is None:
            return ""
        outlook = (
            "good"
            if self.expected > MIN_GOOD_EXPECTATION
            else "hard"
            if self.expected < -MIN_GOOD_EXPECTATION
            else "even"
        )
        return texts("hint.looks_best", column=self.estimated_column + 1, outlook=texts(f"hint.outlook.{outlook}"))

    def _advice_key(self) -> str:
        worths = [self.worths[column] for column in self.proven_columns]
        if all(worth.wins_at_once for worth in worths):
            return "hint.wins_now"
        if worths[0].lower > 0:
            others = (worth for column, worth in self.worths.items() if column not in self.proven_columns)
            return "hint.wins_soonest" if any(worth.lower > 0 for worth in others) else "hint.keeps_win"
        if worths[0].lower < 0:
            return "hint.longest"
        return "hint.all_draw" if len(worths) == len(self.worths) else "hint.keeps_draw"


def format_columns(columns: Sequence[int], texts: Texts) -> str:
    """The numbers of columns as a list in words: 3, 4 and 6."""
    *most, last = (str(column + 1) for column in columns)
    return texts("reason.and", most=", ".join(most), last=last) if most else last


class HintSearch:
    """Searches one position until all scores are exact or `stop` is called. `on_update` is called with each new result.

    Within a second the engine gives an estimate, on any board. On boards that the solver supports, exact scores follow.
    Estimate and scores improve until the search ends."""

    def __init__(self, position: Position, on_update: Callable[[HintSearch, HintProgress], None]) -> None:
        self.position = position
        self._on_update = on_update
        self._stop = threading.Event()
        self._started = time.monotonic()
        self._hint = HintProgress({})
        run_in_background(self._run)

    def stop(self) -> None:
        self._stop.set()

    def _run(self) -> None:
        solver, adviser = self._solver(), load_player(TERMINAL_HINT_PLAYER)
        for round_number in count():
            seconds = FIRST_HINT_ROUND_SECONDS * 4**round_number
            if solver and self._prove(solver, seconds):
                break
            self._estimate(adviser, seconds)
            if self._stop.is_set() or (solver is None and seconds * 4 > MAX_ESTIMATE_SECONDS):
                break
        adviser.close()
        self._update(is_finished=True)

    def _solver(self) -> Solver | None:
        try:
            return Solver(self.position.variant)
        except UnsupportedVariant:
            return None

    def _prove(self, solver: Solver, seconds: float) -> bool:
        """Search each open column for an equal share of the time. Returns True if all scores are exact or the search
        was stopped."""
        columns = self.position.legal_columns
        for column in _centre_first(self.position):
            worth = self._hint.worths.get(column)
            if not self._stop.is_set() and not (worth and worth.is_known):
                self._search_column(solver, column, seconds / len(columns))
        return self._stop.is_set() or all(worth.is_known for worth in self._hint.worths.values())

    def _search_column(self, solver: Solver, column: int, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        found = solver.find(
            self.position.drop(column),
            stop=lambda: self._stop.is_set() or time.monotonic() > deadline,
            progress=self._report,
        )
        max_score = self.position.variant.cells
        worth = self._hint.worths.get(column, ColumnWorth(self.position, -max_score, max_score))
        worths = {**self._hint.worths, column: worth.narrowed(-found.upper, -found.lower)}
        self._update(worths=worths, positions_seen=self._hint.positions_seen + found.nodes)

    def _report(self, report: Report) -> None:
        seen = self._hint.positions_seen + report.nodes
        self._on_update(self, replace(self._hint, positions_seen=seen, seconds=time.monotonic() - self._started))

    def _estimate(self, adviser: Player, seconds: float) -> None:
        """Ask the engine which column it prefers. If the engine has proved a win, this sets a lower bound of the
        score."""
        choice = adviser.choose(self.position, Clock(seconds, self._stop))
        thought = choice.thought
        score = thought.score or 0.0
        seen = self._hint.positions_seen + (thought.nodes or 0)
        if thought.proven and score > 0:
            max_score = self.position.variant.cells
            worth = self._hint.worths.get(choice.column, ColumnWorth(self.position, -max_score, max_score)).narrowed(
                1, max_score
            )
            self._update(worths={**self._hint.worths, choice.column: worth})
        expected = max(-1.0, min(1.0, score))
        self._update(advice=choice.column, expected=expected, positions_seen=seen)

    def _update(self, **known: object) -> None:
        self._hint = replace(self._hint, seconds=time.monotonic() - self._started, **known)  # type: ignore[arg-type]
        if not self._stop.is_set():
            self._on_update(self, self._hint)


def _centre_first(position: Position) -> list[int]:
    """The columns that are not full, starting from the middle."""
    middle = (position.variant.width - 1) / 2
    return sorted(position.legal_columns, key=lambda column: abs(column - middle))
