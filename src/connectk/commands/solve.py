"""`connectk solve`: exact scores of one position, or of many from standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from connectk.rules import Position
    from connectk.solver import Goal, Report, Solution, Solver

INTERRUPTED = 130  # what shells expect after Ctrl-C
EPILOG = (
    "Examples: connectk solve 4455 · connectk solve --no-book --threads 2 4455 · connectk solve --variant 5x5x4 · "
    "connectk solve - < positions.txt (each line: moves, then perhaps the expected score; '-' is the empty board)"
)


def register(app: typer.Typer) -> None:
    app.command("solve", epilog=EPILOG)(solve)


def solve(
    moves: str = typer.Argument("", help="The moves so far, such as 4455; nothing for the empty board, - for a list."),
    variant: str = typer.Option("7x6x4", help="Width, height and run to win."),
    goal: str = typer.Option("score", help="score: who wins and how soon; result: only who wins, which is quicker."),
    threads: int = typer.Option(1, min=1, help="Threads that search together."),
    table: float | None = typer.Option(None, help="Size of the table in MB; without it the table grows with the work."),
    no_book: bool = typer.Option(False, "--no-book", help="Search even where the opening book knows the answer."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object a position; columns count from 0."),
) -> None:
    """Tell the exact score of a position: who wins, how soon, and with which column."""
    from connectk.rules import Position, Variant
    from connectk.solver import Solver

    if goal not in ("score", "result"):
        raise typer.BadParameter("the goal is score or result", param_hint="--goal")
    if table is not None and table <= 0:
        raise typer.BadParameter("a table needs some memory", param_hint="--table")
    wanted: Goal = "score" if goal == "score" else "result"
    solver = Solver(Variant.parse(variant), threads=threads, table_mb=table, book=not no_book)
    try:
        if moves == "-":
            _solve_lines(solver, wanted, as_json)
        else:
            _solve_one(solver, Position.from_moves(moves, solver.variant), wanted, as_json)
    except KeyboardInterrupt as interrupt:
        _tell_interrupt(interrupt)
        raise typer.Exit(INTERRUPTED) from None


def _solve_one(solver: Solver, position: Position, goal: Goal, as_json: bool) -> None:
    with _ProgressLine() as line:
        solution = solver.solve(position, goal=goal, progress=line.show)
        columns = solver.score_columns(position, goal=goal, progress=line.show)
    if as_json:
        _print_json(_facts(solution) | {"columns": columns})
    else:
        _print_solution(solution, columns)


def _print_solution(solution: Solution, columns: tuple[int | None, ...]) -> None:
    from connectk.solver.words import score_in_words

    position = solution.position
    print(position)
    print()
    if position.outcome is not None:
        print(f"The game is over: {position.outcome}.")
        return
    print(f"The {position.side_to_move} player is to move and {_verdict(solution)}.")
    print()
    for column, score in enumerate(columns):
        words = "full" if score is None else score_in_words(score, position.variant, position.ply, solution.goal)
        best = "  best" if column in solution.best_columns else ""
        print(f"  column {column + 1:<3}{words:18}{best}".rstrip())
    print()
    print("Best line:", " ".join(str(column + 1) for column in solution.line))
    print(_effort(solution))


def _verdict(solution: Solution) -> str:
    from connectk.solver.words import score_in_words

    variant, ply = solution.position.variant, solution.position.ply
    words = score_in_words(solution.lower, variant, ply, solution.goal)
    return "draws" if words == "draw" else words


def _effort(solution: Solution) -> str:
    if solution.source == "book":
        return "From the opening book."
    return f"Searched {solution.nodes:,} positions in {solution.seconds:.3f} s."


def _solve_lines(solver: Solver, goal: Goal, as_json: bool) -> None:
    """One line for each line read; what was wrong is counted, told, and makes the exit status 1."""
    from connectk.errors import ConnectkError

    solved = mismatches = bad = 0
    expectations = False
    for number, moves, expected in _lines():
        try:
            solved += 1
            score = _solve_line(solver, moves, expected, goal, as_json)
        except (ConnectkError, _NoScore) as error:
            bad += 1
            print(f"line {number}: {error}", file=sys.stderr)
            continue
        if expected is not None:
            expectations = True
            mismatches += score != _as_goal(int(expected), goal)
    if expectations:
        print(f"{solved - bad} positions, {mismatches} mismatches", file=sys.stderr if as_json else sys.stdout)
    if mismatches or bad:
        raise typer.Exit(1)


def _lines() -> Iterator[tuple[int, str, str | None]]:
    for number, line in enumerate(sys.stdin, start=1):
        words = line.split()
        if words:
            yield number, words[0], words[1] if len(words) > 1 else None


def _solve_line(solver: Solver, moves: str, expected: str | None, goal: Goal, as_json: bool) -> int:
    from time import perf_counter

    from connectk.rules import Position

    wanted = None if expected is None else _as_goal(_whole_number(expected), goal)
    position = Position.from_moves("" if moves == "-" else moves, solver.variant)
    solver.forget()  # so that a line's figures do not depend on the lines before it
    started = perf_counter()
    with _ProgressLine() as line:
        found = solver.find(position, goal=goal, progress=line.show)
    microseconds = round(1e6 * (perf_counter() - started))
    if as_json:
        facts = {"moves": moves, "score": found.lower, "nodes": found.nodes, "microseconds": microseconds}
        _print_json(facts | ({} if wanted is None else {"expected": wanted}))
    else:
        remark = "" if wanted in (None, found.lower) else f"  expected {wanted}"
        print(f"{moves} {found.lower} {found.nodes} {microseconds}{remark}", flush=True)
    return found.lower


class _NoScore(Exception):
    """The word after the moves is no whole number."""


def _whole_number(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise _NoScore(f"{word!r} is not a score; write a whole number after the moves.") from None


def _as_goal(score: int, goal: Goal) -> int:
    return score if goal == "score" else (score > 0) - (score < 0)


def _facts(solution: Solution) -> dict[str, object]:
    return {
        "variant": str(solution.position.variant),
        "ply": solution.position.ply,
        "goal": solution.goal,
        "score": solution.score,
        "result": solution.result,
        "plies": solution.plies,
        "bounds": [solution.lower, solution.upper],
        "best_columns": solution.best_columns,
        "line": solution.line,
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
        "source": solution.source,
    }


def _print_json(facts: dict[str, object]) -> None:
    import json

    print(json.dumps(facts), flush=True)


def _tell_interrupt(interrupt: KeyboardInterrupt) -> None:
    from connectk.solver import SearchInterrupted
    from connectk.solver.words import bounds_in_words

    known = ""
    if isinstance(interrupt, SearchInterrupted):
        known = f" {bounds_in_words(interrupt.solution.lower, interrupt.solution.upper)}".rstrip()
    print(f"Stopped.{known}", file=sys.stderr)


class _ProgressLine:
    """One line on the terminal that says how far a long search is, and is gone when it ends."""

    def __init__(self) -> None:
        self._shown = False
        self._wanted = sys.stderr.isatty()

    def __enter__(self) -> _ProgressLine:
        return self

    def show(self, report: Report) -> None:
        if self._wanted:
            self._shown = True
            sys.stderr.write(
                f"\r\033[Kscore between {report.lower} and {report.upper}, looking {report.depth} discs ahead, "
                f"{report.nodes / 1e6:.1f} million positions, {report.seconds:.1f} s"
            )
            sys.stderr.flush()

    def __exit__(self, *exception: object) -> None:
        if self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
