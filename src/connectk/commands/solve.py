"""`connectk solve`: compute exact scores of one position, or of many from standard input."""

from __future__ import annotations

import json
import sys
from math import inf
from typing import TYPE_CHECKING, Any

import typer

from connectk.commands.console import CLUSTER, EXIT_INTERRUPTED, LANGUAGE, terminal_discs, texts_for
from connectk.texts import LanguageName

if TYPE_CHECKING:
    from connectk.cluster.tables import Format
    from connectk.rules import Outcome, Variant
    from connectk.solver import Found, Goal, Report, Solution
    from connectk.texts import Texts

    Columns = tuple[Found | None, ...]

EPILOG = (
    "Examples: connectk solve 4455 · connectk solve --no-book --threads 2 4455 · connectk solve --variant 5x5x4 · "
    "connectk solve - < positions.txt · "
    "connectk solve - --in positions.jsonl --parquet scores.parquet --cluster local:4"
)


def register(app: typer.Typer) -> None:
    app.command("solve", epilog=EPILOG)(solve)


def solve(
    moves: str = typer.Argument(""),
    variant: str = typer.Option("7x6x4"),
    goal: str = typer.Option("score"),
    threads: int | None = typer.Option(None, min=1),
    table: float | None = typer.Option(None),
    no_book: bool = typer.Option(False, "--no-book"),
    as_json: bool = typer.Option(False, "--json"),
    inputs: list[str] = typer.Option([], "--in", metavar="FILE"),
    parquet: str = typer.Option("", metavar="OUT"),
    jsonl: str = typer.Option("", metavar="OUT"),
    cluster: str | None = CLUSTER,
    language: LanguageName | None = LANGUAGE,
) -> None:
    from connectk.rules import Variant

    if goal not in ("score", "result"):
        raise typer.BadParameter(texts_for()("solve.goal"), param_hint="--goal")
    if table is not None and not 0 < table < inf:
        raise typer.BadParameter(texts_for()("solve.table"), param_hint="--table")
    if moves != "-" and (inputs or parquet or jsonl):
        raise typer.BadParameter(texts_for()("solve.only_lists"), param_hint="MOVES")
    if (inputs and not (parquet or jsonl)) or (parquet and jsonl):
        raise typer.BadParameter(texts_for()("solve.one_form"), param_hint="--in")
    texts = texts_for(language)
    wanted: Goal = "score" if goal == "score" else "result"
    options = {"threads": threads, "table_mb": table, "book": not no_book}
    try:
        if parquet or jsonl:
            from connectk.commands.solve_files import solve_files

            place: tuple[str, Format] = (parquet, "parquet") if parquet else (jsonl, "jsonl")
            solve_files(place, inputs, Variant.parse(variant), wanted, table, not no_book, threads, cluster, texts)
        elif moves == "-" and cluster:
            _solve_on_cluster(Variant.parse(variant), wanted, as_json, texts, cluster, table, not no_book)
        elif moves == "-":
            _solve_list(Variant.parse(variant), wanted, as_json, texts, **options)
        else:
            _solve_one(moves, Variant.parse(variant), wanted, as_json, texts, **options)
    except KeyboardInterrupt as interrupt:
        _print_interrupt(interrupt, texts)
        raise typer.Exit(EXIT_INTERRUPTED) from None


def _solve_list(variant: Variant, goal: Goal, as_json: bool, texts: Texts, **options: Any) -> None:
    from connectk.commands.solve_list import solve_list
    from connectk.solver.many import SolverPool
    from connectk.solver.solver import require_supported

    require_supported(variant)
    solve_list(SolverPool(goal, **options), variant, goal, as_json, ProgressLine(texts), texts)


def _solve_on_cluster(
    variant: Variant, goal: Goal, as_json: bool, texts: Texts, cluster: str, table: float | None, book: bool
) -> None:
    from connectk.cluster import open_pool
    from connectk.commands.solve_list import solve_list
    from connectk.solver.distributed import DistributedSolver
    from connectk.solver.solver import require_supported

    require_supported(variant)
    with open_pool(cluster) as pool:
        solve_list(DistributedSolver(pool, goal, table, book), variant, goal, as_json, ProgressLine(texts), texts)


def _solve_one(moves: str, variant: Variant, goal: Goal, as_json: bool, texts: Texts, **options: Any) -> None:
    from connectk.rules import Position
    from connectk.solver import Solver

    position = Position.from_moves(moves, variant)
    solver = Solver(variant, **options | {"threads": options["threads"] or 1})
    with ProgressLine(texts) as line:
        solution = solver.solve(position, goal=goal, progress=line.show)
        columns = solver.find_columns(position, goal=goal, progress=line.show)
        _ = solution.line  # computed lazily; included in the node and time totals
    if as_json:
        print(json.dumps(_facts(solution, columns)))
    else:
        _print_solution(solution, columns, texts)


def _print_solution(solution: Solution, columns: Columns, texts: Texts) -> None:
    from connectk.notation import draw_diagram

    position = solution.position
    print(draw_diagram(position, discs=terminal_discs()))
    print()
    if position.outcome is not None:
        print(_outcome_text(position.outcome, texts))
        return
    side, worth = texts(f"board.{position.side_to_move}"), _worth_text(solution.lower, solution, texts)
    print(texts("solve.to_move" if solution.lower else "solve.to_move_draw", side=side, worth=worth))
    print()
    for column, found in enumerate(columns):
        words = _worth_text(found.lower, solution, texts) if found else texts("solve.full")
        best = f"  {texts('solve.best')}" if found and found.lower == solution.lower else ""
        print(f"  {texts('solve.column', column=f'{column + 1:<3}')}{words:18}{best}".rstrip())
    print()
    print(texts("solve.line", moves=" ".join(str(column + 1) for column in solution.line)))
    print(_effort_text(solution, columns, texts))


def _outcome_text(outcome: Outcome, texts: Texts) -> str:
    return texts("solve.won", side=texts(f"board.{outcome.winner}")) if outcome.winner else texts("solve.drawn")


def _worth_text(score: int, solution: Solution, texts: Texts) -> str:
    from connectk.solver.words import Worth

    if solution.goal == "result" and score:
        return texts("worth.wins" if score > 0 else "worth.loses")
    return Worth.of(score, solution.position.variant, solution.position.ply).say(texts)


def _effort_text(solution: Solution, columns: Columns, texts: Texts) -> str:
    nodes, seconds = _costs(solution, columns)
    if nodes == 0 and solution.source == "book":
        return texts("solve.book")
    return texts("solve.effort", nodes=nodes, seconds=seconds)


def _costs(solution: Solution, columns: Columns) -> tuple[int, float]:
    """The total nodes and seconds for the score, the line and the columns."""
    nodes = solution.nodes + sum(found.nodes for found in columns if found)
    return nodes, solution.seconds + sum(found.seconds for found in columns if found)


def _facts(solution: Solution, columns: Columns) -> dict[str, object]:
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
    """A progress line on stderr that is erased when the search ends; silent if stderr is not a terminal."""

    def __init__(self, texts: Texts) -> None:
        self._texts, self._shown = texts, False
        self._wanted = sys.stderr.isatty()

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
