"""`connectk solve` for hours, with `--checkpoint` or `--cluster`: work that can be interrupted and continued."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import print_board, print_json, settings
from connectk.commands.solve import SolveRequest, facts, print_solution, solve_one, source_of, worth_text
from connectk.notation import parse_duration
from connectk.solver.bitboards import bitboards_of
from connectk.solver.checkpoint import Checkpoint
from connectk.solver.long_search import LongSearch, SearchStatus
from connectk.solver.solution import Found, Goal, Solution
from connectk.solver.solver import MAX_QUICK_SEARCH_NODES, Solver, only_result
from connectk.solver.split_search import SplitSearch, sign
from connectk.watch import stop_after

if TYPE_CHECKING:
    from connectk.rules import Game
    from connectk.texts import Texts

TERMINAL_INTERVAL_SECONDS, LOG_INTERVAL_SECONDS = 0.5, 60.0  # between two lines of progress
BYTES_PER_MB = 2**20


def solve_with_checkpoint(game: Game, order: SolveRequest, limit: str | None, path: Path, texts: Texts) -> None:
    """Solve one position on this computer."""
    position, stop = game.position, stop_from(limit)
    with said_to_continue(path, texts), StatusLine(texts) as line:
        search = LongSearch(
            position,
            path,
            goal=order.goal,
            threads=order.jobs or 1,
            table_mb=order.table_mb,
            book=order.book,
            progress=line.show,
        )
        with search:
            line.show(search.status())
            solution = search.solve(stop)
            columns = search.find_columns(stop)
            if stop is not None and stop():
                line.clear()
                print_known(game, solution.found, search.status(), texts)
                raise typer.Exit(1)
            _ = solution.line  # computed lazily; included in the node and time totals
            line.clear()
            if settings().json:
                print_json(source_of(game) | facts(solution, columns))
            else:
                print_solution(solution, columns, texts)


def solve_on_cluster(game: Game, order: SolveRequest, limit: str | None, path: Path | None, texts: Texts) -> None:
    """Solve one position with the workers of a cluster, unless it is solved in a moment here."""
    from connectk.cluster import open_pool

    if is_easy(game, order):
        solve_one(game, order, limit, texts)
        return
    checkpoint = Checkpoint(path, game.position) if path is not None else None
    try:
        with said_to_continue(path, texts), StatusLine(texts) as line, open_pool(order.cluster) as pool:
            search = SplitSearch(
                game.position,
                pool,
                goal=order.goal,
                table_mb=order.table_mb,
                checkpoint=checkpoint,
                progress=line.show,
            )
            line.show(search.status())
            found = search.solve(stop_from(limit))
            line.clear()
            print_known(game, found, search.status(), texts)
    finally:
        if checkpoint is not None:
            checkpoint.close()
    if not found.exact:
        raise typer.Exit(1)


def is_easy(game: Game, order: SolveRequest) -> bool:
    """Whether the rules, the book or a short search solve the position."""
    if game.position.outcome is not None:
        return True
    solver = Solver(game.position.variant, table_mb=order.table_mb, book=order.book)
    own, everyone = bitboards_of(game.position)
    result_only = only_result(order.goal)
    found = solver.with_core(
        lambda core: core.solve(own, everyone, result_only=result_only, max_nodes=MAX_QUICK_SEARCH_NODES)
    )
    return found.exact


def stop_from(limit: str | None) -> Callable[[], bool] | None:
    return None if limit is None else stop_after(parse_duration(limit))


@contextmanager
def said_to_continue(path: Path | None, texts: Texts) -> Iterator[None]:
    """After Ctrl-C or the time limit, say how the search can be continued."""
    try:
        yield
    except (KeyboardInterrupt, typer.Exit):
        if path is not None:
            print(texts("solve.kept", file=path), file=sys.stderr)
        raise


def print_known(game: Game, found: Found, status: SearchStatus, texts: Texts) -> None:
    """Print the score or its bounds, and the bounds of each column."""
    columns = [known and signed(known, found.goal) for known in status.columns]
    lower, upper = signed((status.lower, status.upper), found.goal)
    found = found._replace(lower=max(found.lower, lower), upper=min(found.upper, upper))
    solution = Solution(game.position, found, None, None)
    if settings().json:
        known_facts = {
            "variant": str(game.variant),
            "ply": game.position.ply,
            "goal": found.goal,
            "score": found.score,
            "result": found.result,
            "bounds": [found.lower, found.upper],
            "column_bounds": columns,
            "nodes": status.nodes,
            "seconds": round(status.seconds, 3),
        }
        print_json(source_of(game) | known_facts)
        return
    print_board(game.position)
    print()
    if found.exact:
        side = texts(f"board.{game.position.side_to_move}")
        key = "solve.to_move" if found.lower else "solve.to_move_draw"
        print(texts(key, side=side, worth=worth_text(found.lower, solution, texts)))
    else:
        print(texts("solve.limit"), texts("solve.bounds", lower=found.lower, upper=found.upper))
    print()
    for number, known in enumerate(columns, 1):
        print(f"  {texts('solve.column', column=f'{number:<3}')}{column_text(known, solution, texts)}")
    print()
    print(texts("solve.effort", nodes=status.nodes, seconds=status.seconds))


def column_text(known: tuple[int, int] | None, solution: Solution, texts: Texts) -> str:
    if known is None:
        return texts("solve.full")
    lower, upper = known
    if lower == upper:
        return worth_text(lower, solution, texts)
    return texts("solve.from_to", lower=lower, upper=upper)


def signed(known: tuple[int, int], goal: Goal) -> tuple[int, int]:
    return known if goal == "score" else (sign(known[0]), sign(known[1]))


class StatusLine:
    """The progress on stderr. On a terminal it is one line that is erased at the end; otherwise, and in plain mode, a
    line is added every minute. With `--json` these lines are JSON objects."""

    def __init__(self, texts: Texts) -> None:
        self._texts, self._is_shown = texts, False
        self._is_rewritten = sys.stderr.isatty() and not settings().plain and not settings().json
        self._interval = TERMINAL_INTERVAL_SECONDS if self._is_rewritten else LOG_INTERVAL_SECONDS
        self._shown_at = time.monotonic() - self._interval

    def __enter__(self) -> StatusLine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.clear()

    def show(self, status: SearchStatus) -> None:
        now = time.monotonic()
        if now - self._shown_at < self._interval:
            return
        self._shown_at = now
        text = json.dumps(status_facts(status)) if settings().json else status_text(status, self._texts)
        if self._is_rewritten:
            self._is_shown = True
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write(f"\r\033[K{text[:width]}")
        else:
            sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    def clear(self) -> None:
        if self._is_shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
        self._is_shown = False


def status_text(status: SearchStatus, texts: Texts) -> str:
    """The progress in one line."""
    open_columns = sum(known is not None for known in status.columns)
    parts = [
        texts("solve.status_score", lower=status.lower, upper=status.upper),
        texts("solve.status_columns", settled=status.settled_columns, all=open_columns),
        " ".join(f"{number}:{bounds_text(known)}" for number, known in enumerate(status.columns, 1) if known),
        texts("solve.status_rate", rate=status.nodes_per_second / 1e6, millions=status.nodes / 1e6),
    ]
    if status.tasks is None:
        table = round(status.table_bytes / BYTES_PER_MB)
        parts.append(texts("solve.status_table", percent=round(100 * status.table_fill), table=table))
    else:
        parts.append(texts("solve.status_tasks", tasks=status.tasks))
    parts.append(time_text(status.seconds))
    if status.save_error is not None:
        parts.append(status.save_error.localize(texts))
    elif status.saved_seconds_ago is not None:
        parts.append(texts("solve.status_saved", time=time_text(status.saved_seconds_ago)))
    return ", ".join(parts)


def bounds_text(known: tuple[int, int]) -> str:
    lower, upper = known
    return f"{lower}" if lower == upper else f"{lower}..{upper}"


def time_text(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def status_facts(status: SearchStatus) -> dict[str, object]:
    """The progress as JSON."""
    return {
        "bounds": [status.lower, status.upper],
        "column_bounds": status.columns,
        "settled_columns": status.settled_columns,
        "nodes": status.nodes,
        "nodes_per_second": round(status.nodes_per_second),
        "seconds": round(status.seconds, 1),
        "table_fill": round(status.table_fill, 4),
        "table_bytes": status.table_bytes,
        "tasks": status.tasks,
        "saved_seconds_ago": status.saved_seconds_ago and round(status.saved_seconds_ago, 1),
        "save_error": status.save_error and str(status.save_error),
    }
