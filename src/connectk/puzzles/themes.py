"""The theme of a puzzle, derived from an explanation that the checker accepted."""

from __future__ import annotations

from connectk.puzzles.judging import PuzzleTask
from connectk.puzzles.puzzle import Aim, Theme
from connectk.rules import Position
from connectk.rules.threats import winning_columns
from connectk.solver import Solver
from connectk.solver.solution import discs_to_win
from connectk.why import CheckedExplanation, Explanation, Promise, explain
from connectk.why.boards import shown_pages

MAX_SOLUTION_BOARDS = 5  # of the explanation, which must be short
SOLUTION_TIMEOUT_SECONDS = 1.0  # most explanations are found at once

PROMISES = {Aim.WIN: Promise.WINS, Aim.SOONEST: Promise.WINS, Aim.HOLD: Promise.HOLDS}


def explain_answer(
    position: Position, task: PuzzleTask, solver: Solver, seconds: float = SOLUTION_TIMEOUT_SECONDS
) -> CheckedExplanation | None:
    """Return a checked explanation that starts with the answer and keeps the task's promise; None if not found."""
    why = explain(position, side=position.side_to_move, boards=MAX_SOLUTION_BOARDS, seconds=seconds, solver=solver)
    found = why.explanation
    if found is None or _first_drop(found) != task.answer or found.claim.promise is not PROMISES[task.aim]:
        return None
    return why.found if task.aim is not Aim.SOONEST or _is_soonest(found, solver) else None


def _first_drop(explanation: Explanation) -> int | None:
    page = explanation.pages[0]
    return page.force[0] if page.force else page.drop


def _is_soonest(explanation: Explanation, solver: Solver) -> bool:
    """Whether the explanation is a forced win that is as fast as the soonest win."""
    position = explanation.position
    score = solver.find(position).score
    if explanation.kind != "force" or score is None:
        return False
    return keeper_drops(explanation) == discs_to_win(position.variant, position.ply, score)


def keeper_drops(explanation: Explanation) -> int:
    """The number of drops the keeper makes in a forced win, including the winning one."""
    return len(explanation.pages[0].force)


def theme_of(found: CheckedExplanation) -> Theme:
    """Return the theme of a puzzle with this explanation."""
    explanation = found.explanation
    if explanation.kind == "force":
        return _theme_of_force(explanation)
    if explanation.claim.promise is Promise.HOLDS:
        return Theme.HOLD
    rules = {step.facts.get("rule") for shown in shown_pages(found) for step in shown.steps}
    return Theme.ZUGZWANG if "zugzwang" in rules else Theme.PLAN


def _theme_of_force(explanation: Explanation) -> Theme:
    drops = keeper_drops(explanation)
    if drops > 2:
        return Theme.TRAP if drops == 3 else Theme.FORCE
    after = explanation.position.drop(explanation.pages[0].force[0])
    return Theme.FORK if len(winning_columns(after, explanation.claim.keeper)) > 1 else Theme.STACK
