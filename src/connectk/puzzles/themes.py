"""What there is to see in a puzzle: read off an explanation that the checker has accepted."""

from __future__ import annotations

from connectk.puzzles.judging import PuzzleTask
from connectk.puzzles.puzzle import Aim, Theme
from connectk.rules import Position
from connectk.rules.threats import winning_columns
from connectk.solver import Solver
from connectk.solver.solution import discs_to_win
from connectk.why import CheckedExplanation, Explanation, Promise, explain
from connectk.why.boards import shown_pages

MAX_SOLUTION_BOARDS, SOLUTION_TIMEOUT_SECONDS = (
    5,
    1.0,
)  # a puzzle's solution must be short to tell; most that can be found are found at once

PROMISES = {Aim.WIN: Promise.WINS, Aim.SOONEST: Promise.WINS, Aim.HOLD: Promise.HOLDS}


def explained(
    position: Position, task: PuzzleTask, solver: Solver, seconds: float = SOLUTION_TIMEOUT_SECONDS
) -> CheckedExplanation | None:
    """Why the answer is right: accepted by the checker, beginning with the answer, and as soon as is claimed."""
    why = explain(position, side=position.side_to_move, boards=MAX_SOLUTION_BOARDS, seconds=seconds, solver=solver)
    found = why.explanation
    if found is None or _first_drop(found) != task.answer or found.claim.promise is not PROMISES[task.aim]:
        return None
    return why.found if task.aim is not Aim.SOONEST or _is_soonest(found, solver) else None


def _first_drop(explanation: Explanation) -> int | None:
    page = explanation.pages[0]
    return page.force[0] if page.force else page.drop


def _is_soonest(explanation: Explanation, solver: Solver) -> bool:
    """Whether it is a force that takes no longer than the soonest win."""
    position = explanation.position
    score = solver.find(position).score
    if explanation.kind != "force" or score is None:
        return False
    return drops_in(explanation) == discs_to_win(position.variant, position.ply, score)


def drops_in(explanation: Explanation) -> int:
    """How many drops of the keeper a force takes, the one that wins included."""
    return len(explanation.pages[0].force)


def theme_of(found: CheckedExplanation) -> Theme:
    """The theme of a puzzle that is explained so."""
    explanation = found.explanation
    if explanation.kind == "force":
        return _theme_of_force(explanation)
    if explanation.claim.promise is Promise.HOLDS:
        return Theme.HOLD
    rules = {step.facts.get("rule") for shown in shown_pages(found) for step in shown.steps}
    return Theme.ZUGZWANG if "zugzwang" in rules else Theme.PLAN


def _theme_of_force(explanation: Explanation) -> Theme:
    drops = drops_in(explanation)
    if drops > 2:
        return Theme.TRAP if drops == 3 else Theme.FORCE
    after = explanation.position.drop(explanation.pages[0].force[0])
    return Theme.FORK if len(winning_columns(after, explanation.claim.keeper)) > 1 else Theme.STACK
