"""The theme of a puzzle, derived from an explanation that the checker accepted."""

from __future__ import annotations

from connectk.puzzles.puzzle import Aim, Theme
from connectk.puzzles.puzzle_finder import PuzzleTask
from connectk.rules import Position
from connectk.rules.threats import winning_columns
from connectk.solver import Solver
from connectk.solver.solution import discs_to_win
from connectk.why import CheckedExplanation, Explanation, Promise, explain
from connectk.why.steps import shown_pages

MAX_SOLUTION_BOARDS = 5  # the most boards that an explanation may have
SOLUTION_TIMEOUT_SECONDS = 1.0  # the time limit; most explanations are found at once

PROMISE_OF_AIM = {Aim.WIN: Promise.WINS, Aim.SOONEST: Promise.WINS, Aim.HOLD: Promise.HOLDS}


def explain_answer(
    position: Position, task: PuzzleTask, solver: Solver, seconds: float = SOLUTION_TIMEOUT_SECONDS
) -> CheckedExplanation | None:
    """Return a checked explanation that starts with the right drop and claims the result of the task. None if no such
    explanation was found."""
    why = explain(position, side=position.side_to_move, boards=MAX_SOLUTION_BOARDS, seconds=seconds, solver=solver)
    found = why.explanation
    if found is None or _first_drop(found) != task.answer or found.claim.promise is not PROMISE_OF_AIM[task.aim]:
        return None
    return why.found if task.aim is not Aim.SOONEST or _is_fastest_win(found, solver) else None


def _first_drop(explanation: Explanation) -> int | None:
    page = explanation.pages[0]
    return page.force[0] if page.force else page.drop


def _is_fastest_win(explanation: Explanation, solver: Solver) -> bool:
    """Whether the explanation is a forced win, and no win is faster."""
    position = explanation.position
    score = solver.find(position).score
    if explanation.kind != "force" or score is None:
        return False
    return keeper_drops(explanation) == discs_to_win(position.variant, position.ply, score)


def keeper_drops(explanation: Explanation) -> int:
    """The number of drops that the winning side makes in a forced win, including the winning drop."""
    return len(explanation.pages[0].force)


def theme_of(found: CheckedExplanation) -> Theme:
    """Return the theme of a puzzle with this explanation."""
    explanation = found.explanation
    if explanation.kind == "force":
        return _theme_of_force(explanation)
    if explanation.claim.promise is Promise.HOLDS:
        return Theme.HOLD
    return Theme.ZUGZWANG if _ends_in_zugzwang(found) else Theme.PLAN


def _ends_in_zugzwang(found: CheckedExplanation) -> bool:
    """Whether the other side loses by zugzwang in every line: it must finally drop beneath a threat, unless it loses
    earlier."""
    stated = (one for step in shown_pages(found)[0].steps for one in step.statements)
    return any(one["kind"] == "zugzwang" and not one["unless"] for one in stated)


def _theme_of_force(explanation: Explanation) -> Theme:
    drops = keeper_drops(explanation)
    if drops > 2:
        return Theme.TRAP if drops == 3 else Theme.FORCE
    after = explanation.position.drop(explanation.pages[0].force[0])
    return Theme.FORK if len(winning_columns(after, explanation.claim.keeper)) > 1 else Theme.STACK
