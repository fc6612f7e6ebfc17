"""`connectk solve`: compute the exact scores of a position, or of many positions from standard input."""

from __future__ import annotations

import sys
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import typer

from connectk.commands.console import EXIT_INTERRUPTED, print_board, print_json, settings, texts_for
from connectk.commands.localized import BoardCommand
from connectk.commands.options import (
    CLUSTER_OPTION,
    JOBS_OPTION,
    OUT_OPTION,
    POSITION_ARGUMENT,
    STANDARD_INPUT,
    VARIANT_OPTION,
    board_of,
    outputs,
    position_or_input,
    variant_of,
)
from connectk.system import wrapped

if TYPE_CHECKING:
    from connectk.rules import Game, Outcome
    from connectk.solver import Found, Report, Solution
    from connectk.texts import Texts

    Columns = tuple[Found | None, ...]

Goal = Literal["score", "result"]  # same as `connectk.solver.Goal`, whose import would load the solver
EPILOG = """
connectk solve 4455
connectk solve 4xo.5x --no-book --jobs 2
connectk solve --variant 5x4x4 --goal result
connectk puzzle --json | connectk solve -
printf '4455\\n445566 18\\n' | connectk solve -
connectk solve --from positions.txt --out scores.jsonl
"""


def register(app: typer.Typer) -> None:
    app.command("solve", cls=BoardCommand, epilog=EPILOG)(solve)


def solve(
    position: str = POSITION_ARGUMENT,
    variant: str | None = VARIANT_OPTION,
    goal: Goal = typer.Option("score"),
    limit: str | None = typer.Option(None, metavar="TIME"),
    jobs: int | None = JOBS_OPTION,
    table: float | None = typer.Option(None, metavar="MB"),
    no_book: bool = typer.Option(False, "--no-book"),
    inputs: list[str] = typer.Option([], "--from", metavar="FILE"),
    out: list[str] = OUT_OPTION,
    cluster: str | None = CLUSTER_OPTION,
    checkpoint: Path | None = typer.Option(None, metavar="FILE"),
) -> None:
    from connectk.notation import read_game

    texts = texts_for()
    if table is not None and not 0 < table < inf:
        raise typer.BadParameter(texts("solve.table"), param_hint="--table")
    is_piped_in = not position and not inputs and position_or_input(position, texts) == STANDARD_INPUT
    if is_piped_in:
        position = STANDARD_INPUT
    if inputs and position not in ("", STANDARD_INPUT):
        raise typer.BadParameter(texts("solve.only_lists"), param_hint="--from")
    order = SolveRequest(variant, goal, jobs, table, not no_book, cluster)
    written = outputs(out, ".jsonl", ".parquet")
    is_list = bool(inputs) or position == STANDARD_INPUT
    if limit is not None and (written or (cluster and is_list)):
        raise typer.BadParameter(texts("solve.no_limit"), param_hint="--limit")
    if checkpoint is not None and (written or is_list):
        raise typer.BadParameter(texts("solve.one_position"), param_hint="--checkpoint")
    try:
        if written:
            _solve_into_files(written, position, inputs, order, texts)
        elif is_list:
            _solve_input(inputs, order, limit, texts, is_piped_in)
        elif checkpoint is not None or cluster is not None:
            _solve_for_hours(read_game(position, variant_of(variant)).game, order, limit, checkpoint, texts)
        else:
            solve_one(read_game(position, variant_of(variant)).game, order, limit, texts)
    except KeyboardInterrupt as interrupt:
        _print_interrupt(interrupt, texts)
        raise typer.Exit(EXIT_INTERRUPTED) from None


class SolveRequest(NamedTuple):
    """The options that determine how positions are solved."""

    variant: str | None
    goal: Goal
    jobs: int | None
    table_mb: float | None
    book: bool
    cluster: str | None


def _solve_into_files(
    written: dict[str, str], position: str, inputs: list[str], order: SolveRequest, texts: Texts
) -> None:
    from connectk.commands.solve_files import solve_files

    if not inputs and position != STANDARD_INPUT:
        raise typer.BadParameter(texts("solve.only_lists"), param_hint="--out")
    if len(written) > 1:
        raise typer.BadParameter(texts("solve.one_form"), param_hint="--out")
    solve_files(next(iter(written.values())), inputs, order, texts)


def _solve_input(
    inputs: list[str], order: SolveRequest, limit: str | None, texts: Texts, is_piped_in: bool = False
) -> None:
    """Solve a list of positions. If the input is a single position, print all facts about it. A single position is
    drawn on several lines or, without `-`, is on one line."""
    from connectk.commands.solve_list import ListInput, solve_list
    from connectk.notation import parse_any, parse_duration
    from connectk.solver.batch_solver import SolverPool
    from connectk.solver.solver import require_supported
    from connectk.watch import stop_after

    lines, board = ListInput(inputs), board_of(order.variant)
    if one := lines.single_position(of_one_line=is_piped_in):
        solve_one(parse_any(one, variant_of(order.variant)).game, order, limit, texts)
        return
    require_supported(board)
    progress = ProgressLine(texts)
    if order.cluster is None:
        pool = SolverPool(order.goal, order.jobs, order.table_mb, order.book)
        stop = None if limit is None else stop_after(parse_duration(limit))
        solve_list(pool, lines, board, order.goal, progress, texts, stop)
        return
    from connectk.cluster import open_pool
    from connectk.solver.distributed import DistributedSolver

    with open_pool(order.cluster) as workers:
        solver = DistributedSolver(workers, order.goal, order.table_mb, order.book)
        solve_list(solver, lines, board, order.goal, progress, texts)


def _solve_for_hours(game: Game, order: SolveRequest, limit: str | None, checkpoint: Path | None, texts: Texts) -> None:
    from connectk.commands.solve_long import solve_on_cluster, solve_with_checkpoint

    if order.cluster is not None:
        solve_on_cluster(game, order, limit, checkpoint, texts)
    elif checkpoint is not None:
        solve_with_checkpoint(game, order, limit, checkpoint, texts)


def solve_one(game: Game, order: SolveRequest, limit: str | None, texts: Texts) -> None:
    from connectk.notation import parse_duration
    from connectk.solver import Solver
    from connectk.watch import stop_after

    position = game.position
    solver = Solver(position.variant, threads=order.jobs or 1, table_mb=order.table_mb, book=order.book)
    stop = None if limit is None else stop_after(parse_duration(limit))
    with ProgressLine(texts) as line:
        solution = solver.solve(position, goal=order.goal, progress=line.show, stop=stop)
        columns = solver.find_columns(position, goal=order.goal, progress=line.show, stop=stop)
    if stop is not None and stop():
        _print_bounds(solution, texts)
        raise typer.Exit(1)
    _ = solution.line  # computed lazily; included in the node and time totals
    if settings().json:
        print_json(source_of(game) | facts(solution, columns))
    else:
        print_solution(solution, columns, texts)


def source_of(game: Game) -> dict[str, str]:
    """The game as JSON that other commands can read."""
    from connectk.notation import write_moves, write_start

    return {"start": write_start(game.start), "moves": write_moves(game.moves, game.variant)}


def _print_bounds(solution: Solution, texts: Texts) -> None:
    """Print the bounds of the score that are known when the time is up."""
    bounds = texts("solve.bounds", lower=solution.lower, upper=solution.upper)
    if settings().json:
        print_json({"variant": str(solution.position.variant), "bounds": [solution.lower, solution.upper]})
    else:
        print(texts("solve.limit"), bounds)


def print_solution(solution: Solution, columns: Columns, texts: Texts) -> None:
    position = solution.position
    print_board(position)
    print()
    if position.outcome is not None:
        print(_outcome_text(position.outcome, texts))
        return
    side, worth = texts(f"board.{position.side_to_move}"), worth_text(solution.lower, solution, texts)
    print(texts("solve.to_move" if solution.lower else "solve.to_move_draw", side=side, worth=worth))
    print()
    for column, found in enumerate(columns):
        words = worth_text(found.lower, solution, texts) if found else texts("solve.full")
        best = f"  {texts('solve.best')}" if found and found.lower == solution.lower else ""
        print(f"  {texts('solve.column', column=f'{column + 1:<3}')}{words:18}{best}".rstrip())
    print()
    moves = " ".join(str(column + 1) for column in solution.line)
    print(wrapped(texts("solve.line", moves=moves), sys.stdout))
    print(_effort_text(solution, columns, texts))


def _outcome_text(outcome: Outcome, texts: Texts) -> str:
    return texts("solve.won", side=texts(f"board.{outcome.winner}")) if outcome.winner else texts("solve.drawn")


def worth_text(score: int, solution: Solution, texts: Texts) -> str:
    from connectk.solver.worth import Worth

    if solution.goal == "result" and score:
        return texts("worth.wins" if score > 0 else "worth.loses")
    return Worth.of(score, solution.position.variant, solution.position.ply).say(texts)


def _effort_text(solution: Solution, columns: Columns, texts: Texts) -> str:
    nodes, seconds = _costs(solution, columns)
    if nodes == 0 and solution.source == "book":
        return texts("solve.book")
    return texts("solve.effort", nodes=nodes, seconds=seconds)


def _costs(solution: Solution, columns: Columns) -> tuple[int, float]:
    """The nodes and seconds spent on the score, the line and the columns together."""
    nodes = solution.nodes + sum(found.nodes for found in columns if found)
    return nodes, solution.seconds + sum(found.seconds for found in columns if found)


def facts(solution: Solution, columns: Columns) -> dict[str, object]:
    nodes, seconds = _costs(solution, columns)
    return {
        "variant": str(solution.position.variant),
        "ply": solution.position.ply,
        "goal": solution.goal,
        "score": solution.score,
        "result": solution.result,
        "plies": solution.plies,
        "bounds": [solution.lower, solution.upper],
        "best_columns": [c for c, found in enumerate(columns) if found and found.lower == solution.lower],
        "line": solution.line,
        "nodes": nodes,
        "seconds": round(seconds, 6),
        "source": solution.source,
        "columns": [found and found.lower for found in columns],
    }


def _print_interrupt(interrupt: KeyboardInterrupt, texts: Texts) -> None:
    from connectk.solver import SearchInterrupted

    known = ""
    if isinstance(interrupt, SearchInterrupted):
        known = texts("solve.bounds", lower=interrupt.solution.lower, upper=interrupt.solution.upper)
    print(f"{texts('report.stopped')} {known}".rstrip(), file=sys.stderr)


class ProgressLine:
    """One line of progress on stderr, which is erased when the search ends. It is silent if stderr is not a
    terminal."""

    def __init__(self, texts: Texts) -> None:
        self._texts, self._shown = texts, False
        self._wanted = sys.stderr.isatty() and not settings().plain

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.clear()

    def show(self, report: Report) -> None:
        self._write("solve.progress", report, lower=report.lower, upper=report.upper, depth=report.depth)

    def show_list(self, report: Report) -> None:
        self._write("solve.list_progress", report, done=report.done)

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
        self._shown = False

    def _write(self, key: str, report: Report, **facts: int) -> None:
        if self._wanted:
            self._shown = True
            text = self._texts(key, millions=report.nodes / 1e6, seconds=report.seconds, **facts)
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()
