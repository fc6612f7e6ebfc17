"""Finds an explanation of a position. Only explanations that the checker has accepted are returned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from connectk import _native
from connectk.errors import ExplanationRefused, SearchStopped
from connectk.rules import Position, Side
from connectk.solver import Goal, Solution, Solver
from connectk.solver.bitboards import bitboards_of
from connectk.watch import Progress, Stop, Watch, in_stage, stop_after
from connectk.why.checker import CheckedExplanation, check_and_record
from connectk.why.explanation import Claim, Explanation, Promise
from connectk.why.openings import NearestPage, OpeningPage, nearest_page, opening_page, small_explanation
from connectk.why.steps import from_native_page

if TYPE_CHECKING:
    from connectk.why.messages import CoachView

DEFAULT_MAX_BOARDS = 60
DEFAULT_EXPLAIN_SECONDS = 10.0
QUICK_SEARCH_BELOW_DISCS, QUICK_SEARCH_MIN_CELLS = (
    8,
    42,
)  # with fewer discs on a board this large, the search finds hardly anything
OPENING_SECONDS = 0.5
COACH_SECONDS = 1.0  # for the search of what each column is worth
MAX_POSITIONS_TO_CHECK = 100_000  # takes some seconds; most explanations need a hundredth of that


@dataclass(frozen=True, slots=True)
class Why:
    """The result of `explain`. If there is no explanation, `line` is best play of both sides."""

    solution: Solution
    found: CheckedExplanation | None
    line: tuple[int, ...] = ()
    seconds: float = 0
    columns: tuple[CoachView, ...] = ()  # the coach's sentences about the columns, if there is no explanation
    opening: OpeningPage | None = None  # what a certified strategy does here, if there is no explanation
    nearest: NearestPage | None = None  # what a certified strategy does nearby, if it does not come here

    @property
    def explanation(self) -> Explanation | None:
        return self.found.explanation if self.found else None

    @property
    def checked(self) -> int:
        """The number of positions that the checker visited; 0 if there is no explanation."""
        return self.found.checked if self.found else 0


def explain(
    position: Position,
    *,
    side: Side | None = None,
    boards: int = DEFAULT_MAX_BOARDS,
    seconds: float | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
    solver: Solver | None = None,
) -> Why:
    """Explain why the winner wins or, in a drawn position, why one side holds the draw. If `side` is given, only this
    side is explained.

    The explanation has at most `boards` boards, and `check` has accepted it. The search for it takes about `seconds`.
    The default is 10 seconds, but half a second in the opening, where short explanations are rare. `progress` reports
    the stages "solving", "explaining" and "checking"; each stage may occur more than once.
    """
    seconds = default_seconds(position) if seconds is None else seconds
    return _Explainer(position, side, boards, seconds, stop, progress, solver or Solver(position.variant)).run()


def default_seconds(position: Position) -> float:
    """The default time limit of the search for an explanation. The limit is short in the opening, where the search
    rarely finds an explanation."""
    is_opening = position.ply < QUICK_SEARCH_BELOW_DISCS and position.variant.cells >= QUICK_SEARCH_MIN_CELLS
    return OPENING_SECONDS if is_opening else DEFAULT_EXPLAIN_SECONDS


def explain_claim(
    position: Position,
    claim: Claim,
    *,
    boards: int = DEFAULT_MAX_BOARDS,
    seconds: float = DEFAULT_EXPLAIN_SECONDS,
    stop: Stop | None = None,
    progress: Progress | None = None,
    solver: Solver | None = None,
) -> CheckedExplanation | None:
    """Explain only this claim, without asking the solver whether the claim is true. Returns None if no explanation
    passed the check.
    """
    explainer = _Explainer(position, claim.keeper, boards, seconds, stop, progress, solver or Solver(position.variant))
    return explainer.accepted(explainer.propose(claim, seconds))


class _Explainer:
    def __init__(
        self,
        position: Position,
        side: Side | None,
        boards: int,
        seconds: float,
        stop: Stop | None,
        progress: Progress | None,
        solver: Solver,
    ) -> None:
        self.position, self.side, self.boards, self.solver = position, side, boards, solver
        self.start, self.seconds, self.stop, self.progress = monotonic(), seconds, stop, progress

    def run(self) -> Why:
        if found := self.accepted(small_explanation(self.position, self.boards, self.side)):
            return Why(self.solve("result", self.seconds), found, (), monotonic() - self.start)
        opening = opening_page(self.position, self.side)
        plan, mover = _native.ExplanationPlan(self.seconds), self.position.side_to_move
        solution = self.solve("result", plan.solver_seconds)
        if self.position.outcome is None:
            plan.add_claims(solution.lower, solution.upper, str(mover), self.side and str(self.side))
        if opening and self.seconds <= OPENING_SECONDS:  # the search would find nothing
            return self.without_explanation(solution, opening, ())
        while proposal := self.next_proposal(plan):
            if found := self.accepted(proposal):
                return Why(solution, found, (), monotonic() - self.start)
        return self.without_explanation(solution, opening, () if opening else self.best_line())

    def without_explanation(self, solution: Solution, opening: OpeningPage | None, line: tuple[int, ...]) -> Why:
        columns = self.coach_columns()
        nearest = None if opening else nearest_page(self.position, self.side)
        return Why(solution, None, line, monotonic() - self.start, columns, opening, nearest)

    def coach_columns(self) -> tuple[CoachView, ...]:
        """The coach's sentences for a position without an explanation. They say what each column is worth and which
        drops are forced."""
        if self.position.outcome is not None:
            return ()
        own, everyone = bitboards_of(self.position)
        ask = partial(_native.coach_columns, own=own, all=everyone, seconds=COACH_SECONDS)
        sentences = Watch(self.stop).run(lambda flag, _: self.solver.with_core(partial(ask, stop=flag)))
        return tuple(cast("CoachView", sentence.as_dict()) for sentence in sentences)

    def best_line(self) -> tuple[int, ...]:
        """Best play of both sides: the winner wins as soon as possible, and the loser defends as long as possible.

        This search has the same time limit as the search for an explanation. Without an explanation there is nothing
        else to show.
        """
        return self.solve("score", self.seconds).line

    def solve(self, goal: Goal, seconds: float) -> Solution:
        stop, progress = stop_after(seconds, self.stop), in_stage("solving", self.progress)
        return self.solver.solve(self.position, goal=goal, stop=stop, progress=progress)

    def next_proposal(self, plan: _native.ExplanationPlan) -> Explanation | None:
        """The next explanation that the search finds. The checker has not seen it yet."""
        found = self.search(plan.next)
        if found is None:
            return None
        claim = Claim(Side[found.claim.side.upper()], Promise(found.claim.result))
        return Explanation(self.position, claim, tuple(map(from_native_page, found.pages)))

    def propose(self, claim: Claim, seconds: float) -> Explanation | None:
        keeper, promise = str(claim.keeper), claim.promise.value
        pages = self.search(partial(_native.explain, keeper=keeper, promise=promise, seconds=seconds))
        return None if pages is None else Explanation(self.position, claim, tuple(map(from_native_page, pages)))

    def search(self, ask: Callable[..., Any]) -> Any:
        own, everyone = bitboards_of(self.position)
        asked = partial(ask, own=own, all=everyone, max_boards=self.boards)
        watch = Watch(self.stop, in_stage("explaining", self.progress))
        found = watch.run(lambda flag, _: self.solver.with_core(partial(asked, stop=flag)))
        if watch.interrupted:
            raise KeyboardInterrupt
        return found

    def accepted(self, explanation: Explanation | None) -> CheckedExplanation | None:
        """The explanation with the record of its check. None if the check failed or was stopped, or if there is no
        explanation."""
        if explanation is None:
            return None
        try:
            return check_and_record(
                explanation, MAX_POSITIONS_TO_CHECK, stop=self.stop, progress=in_stage("checking", self.progress)
            )
        except (ExplanationRefused, SearchStopped):
            return None
