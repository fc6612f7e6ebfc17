"""Looks for an explanation of a position, and lets nobody see one that the checker has not accepted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from time import monotonic

from connectk import _native
from connectk.errors import ExplanationRefused, SearchStopped
from connectk.rules import Cell, Position, Side
from connectk.solver import Goal, Solution, Solver
from connectk.solver.bits import bits_of
from connectk.watch import Progress, Stop, Watch, in_stage, stop_after
from connectk.why.checker import check
from connectk.why.explanation import Claim, Explanation, Page, Promise

BOARDS = 15  # at most, unless asked for more
SECONDS = 10.0
SHORTEST = 1e-3  # seconds for one claim
MOST_WORK = 400_000  # steps of the search for one table of answers
CHECKED = 100_000  # positions that the checker plays through at most: some seconds, and most need a hundredth of it


@dataclass(frozen=True, slots=True)
class Why:
    """What is known of a position and why. Without an explanation, `line` is how both would best go on."""

    solution: Solution
    explanation: Explanation | None
    line: tuple[int, ...] = ()
    checked: int = 0  # positions that the checker played through
    seconds: float = 0


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
) -> Explanation | None:
    """An explanation of just this claim, which the solver need not know to be true; what is given was accepted."""
    asked = _Explainer(position, claim.keeper, boards, seconds, stop, progress, solver or Solver(position.variant))
    explanation = asked.propose(claim, seconds)
    return explanation if explanation and asked.accepted(explanation) else None


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
        solution = self.solve("result", self.seconds / 2)
        claims = [] if self.position.outcome else self.claims(solution)
        for tried, claim in enumerate(claims):
            explanation = self.propose(claim, self.left / (len(claims) - tried))
            if explanation and (checked := self.accepted(explanation)):
                return Why(solution, explanation, (), checked, monotonic() - self.start)
        return Why(solution, None, self.best_line(), seconds=monotonic() - self.start)

    def best_line(self) -> tuple[int, ...]:
        """With the soonest win and the longest defence; as much time again, for without it there is nothing to show."""
        return self.solve("score", self.seconds).line

    def solve(self, goal: Goal, seconds: float) -> Solution:
        stop, progress = stop_after(seconds, self.stop), in_stage("solving", self.progress)
        return self.solver.solve(self.position, goal=goal, stop=stop, progress=progress)

    @property
    def left(self) -> float:
        return max(0.0, self.seconds - (monotonic() - self.start))

    def claims(self, solution: Solution) -> list[Claim]:
        """What may be true as far as the solver knows, the strongest first.

        That a winner holds at least a draw is worth saying only to those who asked about that side.
        """
        mover, drawn = self.position.side_to_move, solution.lower <= 0 <= solution.upper
        found = [
            (Claim(mover, Promise.WINS), solution.upper > 0),
            (Claim(mover.other, Promise.WINS), solution.lower < 0),
            (Claim(mover.other, Promise.HOLDS), drawn or (self.side is not None and solution.upper <= 0)),
            (Claim(mover, Promise.HOLDS), drawn or (self.side is not None and solution.lower >= 0)),
        ]
        return [claim for claim, possible in found if possible and self.side in (None, claim.keeper)]

    def propose(self, claim: Claim, seconds: float) -> Explanation | None:
        own, everyone = bits_of(self.position)
        mine = claim.keeper is self.position.side_to_move
        keeper, rival = (own, everyone ^ own) if mine else (everyone ^ own, own)
        search = partial(
            _native.explain,
            keeper=keeper,
            rival=rival,
            keeper_to_move=mine,
            win=claim.promise is Promise.WINS,
            most_boards=self.boards,
            most_work=MOST_WORK,
            seconds=max(seconds, SHORTEST),
        )
        watch = Watch(self.stop, in_stage("explaining", self.progress))
        pages = watch.run(lambda flag, _: self.solver.lend(partial(search, stop=flag)))
        if watch.interrupted:
            raise KeyboardInterrupt
        return None if pages is None else Explanation(self.position, claim, tuple(map(self.page, pages)))

    def accepted(self, explanation: Explanation) -> int:
        """How many positions the checker played; 0 when it refused, or was stopped."""
        try:
            progress = in_stage("checking", self.progress)
            return max(1, check(explanation, CHECKED, stop=self.stop, progress=progress))
        except (ExplanationRefused, SearchStopped):
            return 0

    def page(self, page: _native.Page) -> Page:
        return Page(
            drop=None if page.drop < 0 else page.drop,
            force=tuple(page.force),
            answers={self.cell(cell): tuple(map(self.cell, answers)) for cell, answers in page.answers},
            replies=dict(page.replies),
        )

    def cell(self, bit: int) -> Cell:
        return Cell(*divmod(bit, self.position.variant.height + 1))
