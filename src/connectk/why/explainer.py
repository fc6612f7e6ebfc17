"""Looks for an explanation of a position, and lets nobody see one that the checker has not accepted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from time import monotonic

from connectk import _native
from connectk.errors import ExplanationRefused, SearchStopped
from connectk.rules import Position, Side
from connectk.solver import Goal, Solution, Solver
from connectk.solver.bits import bits_of
from connectk.watch import Progress, Stop, Watch, in_stage, stop_after
from connectk.why.boards import page_of
from connectk.why.checker import CheckedExplanation, play_through
from connectk.why.explanation import Claim, Explanation, Promise

BOARDS = 15  # at most, unless asked for more
SECONDS = 10.0
CHECKED = 100_000  # positions that the checker plays through at most: some seconds, and most need a hundredth of it


@dataclass(frozen=True, slots=True)
class Why:
    """What is known of a position and why. Without an explanation, `line` is how both would best go on."""

    solution: Solution
    found: CheckedExplanation | None
    line: tuple[int, ...] = ()
    seconds: float = 0

    @property
    def explanation(self) -> Explanation | None:
        return self.found.explanation if self.found else None

    @property
    def checked(self) -> int:
        """How many positions the checker played through."""
        return self.found.checked if self.found else 0


def explain(
    position: Position,
    *,
    side: Side | None = None,
    boards: int = BOARDS,
    seconds: float = SECONDS,
    stop: Stop | None = None,
    progress: Progress | None = None,
    solver: Solver | None = None,
) -> Why:
    """Why the winner wins; in a drawn position why one side, or the one that is named, holds it.

    At most so many boards and about so many seconds. Whatever is explained has been accepted by `check`.
    `progress` hears of three stages, "solving", "explaining" and "checking"; each may come more than once.
    """
    return _Explainer(position, side, boards, seconds, stop, progress, solver or Solver(position.variant)).run()


def show(
    position: Position,
    claim: Claim,
    *,
    boards: int = BOARDS,
    seconds: float = SECONDS,
    stop: Stop | None = None,
    progress: Progress | None = None,
    solver: Solver | None = None,
) -> CheckedExplanation | None:
    """An explanation of just this claim, which the solver need not know to be true; what is given was accepted."""
    asked = _Explainer(position, claim.keeper, boards, seconds, stop, progress, solver or Solver(position.variant))
    return asked.accepted(asked.propose(claim, seconds))


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
        plan, mover = _native.ExplanationPlan(self.seconds), self.position.side_to_move
        solution = self.solve("result", plan.solver_seconds)
        if self.position.outcome is None:
            plan.consider(solution.lower, solution.upper, str(mover), self.side and str(self.side))
        while attempt := plan.next():
            claim = Claim(Side[attempt.claim.side.upper()], Promise(attempt.claim.result))
            if found := self.accepted(self.propose(claim, attempt.seconds)):
                return Why(solution, found, (), monotonic() - self.start)
        return Why(solution, None, self.best_line(), monotonic() - self.start)

    def best_line(self) -> tuple[int, ...]:
        """With the soonest win and the longest defence; as much time again, for without it there is nothing to show."""
        return self.solve("score", self.seconds).line

    def solve(self, goal: Goal, seconds: float) -> Solution:
        stop, progress = stop_after(seconds, self.stop), in_stage("solving", self.progress)
        return self.solver.solve(self.position, goal=goal, stop=stop, progress=progress)

    def propose(self, claim: Claim, seconds: float) -> Explanation | None:
        own, everyone = bits_of(self.position)
        search = partial(
            _native.explain,
            own=own,
            all=everyone,
            keeper=str(claim.keeper),
            promise=claim.promise.value,
            max_boards=self.boards,
            seconds=seconds,
        )
        watch = Watch(self.stop, in_stage("explaining", self.progress))
        pages = watch.run(lambda flag, _: self.solver.with_core(partial(search, stop=flag)))
        if watch.interrupted:
            raise KeyboardInterrupt
        return None if pages is None else Explanation(self.position, claim, tuple(map(page_of, pages)))

    def accepted(self, explanation: Explanation | None) -> CheckedExplanation | None:
        """None when the checker refused it, or was stopped."""
        if explanation is None:
            return None
        try:
            return play_through(explanation, CHECKED, stop=self.stop, progress=in_stage("checking", self.progress))
        except (ExplanationRefused, SearchStopped):
            return None
