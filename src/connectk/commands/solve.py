"""`connectk solve`: exact scores of one position, or of many from standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import INTERRUPTED, LANGUAGE, Language, discs_here, texts_for

if TYPE_CHECKING:
    from connectk.rules import Outcome, Position
    from connectk.solver import Goal, Report, Solution, Solver
    from connectk.texts import Texts

EPILOG = (
    "Examples: connectk solve 4455 · connectk solve --no-book --threads 2 4455 · connectk solve --variant 5x5x4 · "
    "connectk solve - < positions.txt (each line: moves, then perhaps the expected score; '-' is the empty board)"
)


def register(app: typer.Typer) -> None:
    app.command("solve", epilog=EPILOG)(solve)


def solve(
    moves: str = typer.Argument(""),
    variant: str = typer.Option("7x6x4"),
    goal: str = typer.Option("score"),
    threads: int = typer.Option(1, min=1),
    table: float | None = typer.Option(None),
    no_book: bool = typer.Option(False, "--no-book"),
    as_json: bool = typer.Option(False, "--json"),
    language: Language | None = LANGUAGE,
) -> None:
    from connectk.rules import Position, Variant
    from connectk.solver import Solver

    if goal not in ("score", "result"):
        raise typer.BadParameter("the goal is score or result", param_hint="--goal")
    if table is not None and table <= 0:
        raise typer.BadParameter("a table needs some memory", param_hint="--table")
    texts = texts_for(language)
    wanted: Goal = "score" if goal == "score" else "result"
    solver = Solver(Variant.parse(variant), threads=threads, table_mb=table, book=not no_book)
    try:
        if moves == "-":
            _solve_lines(solver, wanted, as_json, texts)
        else:
            _solve_one(solver, Position.from_moves(moves, solver.variant), wanted, as_json, texts)
    except KeyboardInterrupt as interrupt:
        _tell_interrupt(interrupt, texts)
        raise typer.Exit(INTERRUPTED) from None


def _solve_one(solver: Solver, position: Position, goal: Goal, as_json: bool, texts: Texts) -> None:
    with _ProgressLine(texts) as line:
        solution = solver.solve(position, goal=goal, progress=line.show)
        columns = solver.score_columns(position, goal=goal, progress=line.show)
    if as_json:
        _print_json(_facts(solution) | {"columns": columns})
    else:
        _print_solution(solution, columns, texts)


def _print_solution(solution: Solution, columns: tuple[int | None, ...], texts: Texts) -> None:
    from connectk.notation import draw_diagram

    position = solution.position
    print(draw_diagram(position, discs=discs_here()))
    print()
    if position.outcome is not None:
        print(_ending(position.outcome, texts))
        return
    side, worth = texts(f"board.{position.side_to_move}"), _worth(solution.lower, solution, texts)
    print(texts("solve.to_move" if solution.lower else "solve.to_move_draw", side=side, worth=worth))
    print()
    for column, score in enumerate(columns):
        words = texts("solve.full") if score is None else _worth(score, solution, texts)
        best = f"  {texts('solve.best')}" if column in solution.best_columns else ""
        print(f"  {texts('solve.column', column=f'{column + 1:<3}')}{words:18}{best}".rstrip())
    print()
    print(texts("solve.line", moves=" ".join(str(column + 1) for column in solution.line)))
    print(_effort(solution, texts))


def _ending(outcome: Outcome, texts: Texts) -> str:
    return texts("solve.won", side=texts(f"board.{outcome.winner}")) if outcome.winner else texts("solve.drawn")


def _worth(score: int, solution: Solution, texts: Texts) -> str:
    from connectk.solver.words import Worth

    if solution.goal == "result" and score:
        return texts("worth.wins" if score > 0 else "worth.loses")
    return Worth.of(score, solution.position.variant, solution.position.ply).say(texts)


def _effort(solution: Solution, texts: Texts) -> str:
    if solution.source == "book":
        return texts("solve.book")
    return texts("solve.effort", nodes=solution.nodes, seconds=solution.seconds)


def _solve_lines(solver: Solver, goal: Goal, as_json: bool, texts: Texts) -> None:
    """One line for each line read; what was wrong is counted, told, and makes the exit status 1."""
    from connectk.errors import ConnectkError

    solved = mismatches = bad = 0
    expectations = False
    for number, moves, expected in _lines():
        try:
            solved += 1
            score = _solve_line(solver, moves, expected, goal, as_json, texts)
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


def _solve_line(solver: Solver, moves: str, expected: str | None, goal: Goal, as_json: bool, texts: Texts) -> int:
    from time import perf_counter

    from connectk.rules import Position

    wanted = None if expected is None else _as_goal(_whole_number(expected), goal)
    position = Position.from_moves("" if moves == "-" else moves, solver.variant)
    solver.forget()  # so that a line's figures do not depend on the lines before it
    started = perf_counter()
    with _ProgressLine(texts) as line:
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


def _tell_interrupt(interrupt: KeyboardInterrupt, texts: Texts) -> None:
    from connectk.solver import SearchInterrupted

    known = ""
    if isinstance(interrupt, SearchInterrupted):
        known = texts("solve.bounds", lower=interrupt.solution.lower, upper=interrupt.solution.upper)
    print(f"{texts('report.stopped')} {known}".rstrip(), file=sys.stderr)


class _ProgressLine:
    """One line on the terminal that says how far a long search is, and is gone when it ends."""

    def __init__(self, texts: Texts) -> None:
        self._texts, self._shown = texts, False
        self._wanted = sys.stderr.isatty()

    def __enter__(self) -> _ProgressLine:
        return self

    def show(self, report: Report) -> None:
        if self._wanted:
            self._shown = True
            facts = {"lower": report.lower, "upper": report.upper, "depth": report.depth, "seconds": report.seconds}
            sys.stderr.write(f"\r\033[K{self._texts('solve.progress', millions=report.nodes / 1e6, **facts)}")
            sys.stderr.flush()

    def __exit__(self, *exception: object) -> None:
        if self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
