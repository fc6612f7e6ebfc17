"""The exact score of one move, one best column chosen by a tie-break, and the bounds that a few discs decide."""

from __future__ import annotations

import random
from typing import Literal, get_args

from connectk.errors import GameAlreadyOver
from connectk.rules import CLASSIC, Position, Variant
from connectk.solver.batch_solver import position_of
from connectk.solver.bitboards import bitboards_of
from connectk.solver.solution import Found, score_when_over, win_score
from connectk.solver.solver import Solver
from connectk.watch import Stop, Watch

TieBreak = Literal["centre", "leftmost", "rightmost", "random"]
TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)


def score_move(
    position: Position | str,
    column: int,
    *,
    variant: Variant = CLASSIC,
    solver: Solver | None = None,
    max_depth: int | None = None,
    stop: Stop | None = None,
) -> Found:
    """The exact score of a drop into one column, for the side to move; bounds of it if `stop` ends the search.

    With `max_depth`, the search looks only that many discs ahead, including the drop itself, and returns bounds of the
    score as `bounds` does. An illegal drop raises the error of the rules.
    """
    start = position_of(position, variant) if isinstance(position, str) else position
    after = start.drop(column)
    solver = solver or Solver(start.variant)
    depth = None if max_depth is None else max_depth - 1
    found = solver.find(after, stop=stop) if depth is None else bounds(after, depth, solver=solver, stop=stop)
    return found._replace(lower=-found.upper, upper=-found.lower)


def best_column(
    position: Position | str,
    tie_break: TieBreak = "centre",
    *,
    variant: Variant = CLASSIC,
    solver: Solver | None = None,
    rng: random.Random | None = None,
) -> int:
    """A column with the best score.

    If several are equally good, `tie_break` chooses the one nearest to the centre (the left one of two), the leftmost,
    the rightmost, or a random one.
    """
    if tie_break not in TIE_BREAKS:
        raise ValueError(f"tie_break is one of {', '.join(TIE_BREAKS)}")
    start = position_of(position, variant) if isinstance(position, str) else position
    if start.outcome is not None:
        raise GameAlreadyOver(start.outcome)
    columns = (solver or Solver(start.variant)).solve(start).best_columns
    if tie_break == "random":
        return (rng or random.Random()).choice(columns)
    if tie_break == "centre":
        return min(columns, key=lambda column: (abs(2 * column - start.variant.width + 1), column))
    return columns[0] if tie_break == "leftmost" else columns[-1]


def bounds(
    position: Position | str,
    max_depth: int,
    *,
    variant: Variant = CLASSIC,
    solver: Solver | None = None,
    stop: Stop | None = None,
) -> Found:
    """The bounds of the score that follow from looking `max_depth` discs ahead.

    If one side can force a win within these discs, the score is exact. Otherwise `lower` and `upper` are the lowest and
    the highest score that are still possible.
    """
    if max_depth < 0:
        raise ValueError("max_depth is a number of discs: 0 or more")
    start = position_of(position, variant) if isinstance(position, str) else position
    if start.outcome is not None:
        score = score_when_over(start)
        return Found(score, score, 0, "rules")
    solver = solver or Solver(start.variant)
    win, loss = soonest_scores(start, max_depth)
    highest = win_score(start.variant, start.ply + 1)
    nothing = Found(-highest, highest, 0, "rules")
    winning = _window(solver, start, win - 1, highest, stop) if win <= highest else nothing
    if winning.lower == winning.upper:
        return winning
    losing = _window(solver, start, -highest, loss + 1, stop) if loss >= -highest else nothing
    lower, upper = max(winning.lower, losing.lower), min(winning.upper, losing.upper)
    return Found(lower, upper, winning.nodes + losing.nodes, "search", winning.seconds + losing.seconds)


def soonest_scores(position: Position, max_depth: int) -> tuple[int, int]:
    """The lowest score of a win within the next `max_depth` discs, and the highest score of a loss within them."""
    variant, ply = position.variant, position.ply
    depth = min(max_depth, variant.cells - ply)
    own, other = ply + depth - (depth + 1) % 2, ply + depth - depth % 2
    highest = win_score(variant, ply + 1)
    win = win_score(variant, own) if depth >= 1 else highest + 1
    loss = -win_score(variant, other) if depth >= 2 else -highest - 1
    return max(1, win), min(-1, loss)


def _window(solver: Solver, position: Position, alpha: int, beta: int, stop: Stop | None) -> Found:
    own, everyone = bitboards_of(position)
    watch = Watch(stop)
    found = watch.run(
        lambda flag, state: solver.with_core(
            lambda core: core.solve_window(own, everyone, alpha, beta, stop=flag, progress=state)
        )
    )
    if watch.interrupted:
        raise KeyboardInterrupt
    return Found(found.lower, found.upper, found.nodes, "search", found.seconds)
