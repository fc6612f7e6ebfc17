"""Background searches that can be stopped: the review of a game, and the explanation of a position."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from connectk.errors import SearchStopped
from connectk.review import Review, review_game
from connectk.rules import Cell, Game, Position, Side
from connectk.terminal.match import LocalMatch
from connectk.terminal.thinking import run_in_background
from connectk.watch import Report
from connectk.why import Why, explain
from connectk.why.coach import coach_for
from connectk.why.json_views import steps_for
from connectk.why.steps import Step
from connectk.why.wording import disc_label, pair_marks

if TYPE_CHECKING:
    from connectk.why.messages import CoachView


class ReviewSearch:
    """Reviews a game. `on_news` is called with each progress report, and at the end with the review or an error."""

    def __init__(self, match: LocalMatch, on_news: Callable[[Report | Review | Exception], None]) -> None:
        self._game, self._on_news = Game(match.game.start, match.game.moves), on_news
        self._given = match.given
        self._stop = threading.Event()
        run_in_background(self._run)

    def stop(self) -> None:
        self._stop.set()

    def _run(self) -> None:
        try:
            self._on_news(review_game(self._game, given=self._given, stop=self._stop, progress=self._on_news))
        except SearchStopped:
            return
        except Exception as error:
            self._on_news(error)


@dataclass(frozen=True, slots=True)
class ExplanationSteps:
    """An explanation, and the steps that show it."""

    why: Why
    steps: tuple[Step, ...]
    coach: tuple[CoachView, ...] = ()


class WhySearch:
    """Explains a position. `on_result` is called once, with the steps or with an error."""

    def __init__(
        self, position: Position, on_result: Callable[[ExplanationSteps | Exception], object], side: Side | None = None
    ) -> None:
        self._position, self._on_result, self._side = position, on_result, side
        self._stop = threading.Event()
        run_in_background(self._run)

    def stop(self) -> None:
        self._stop.set()

    def _run(self) -> None:
        found: ExplanationSteps | Exception
        try:
            why = explain(self._position, side=self._side, stop=self._stop)
            found = ExplanationSteps(why, steps_for(why), tuple(coach_for(why)))
        except Exception as error:
            found = error
        if not self._stop.is_set():
            self._on_result(found)


def step_board(step: Step) -> tuple[Position, dict[Cell, str]]:
    """The board of a step, and the character in each marked cell: numbers for a line of play, or equal letters for a
    drop and its answer."""
    position = step.position
    for cell in step.played:
        position = position.drop(cell.column)
    if step.played:
        return position, {cell: disc_label(number) for number, cell in enumerate(step.played, start=1)}
    return position, pair_marks(step.pairs, step.threats)
