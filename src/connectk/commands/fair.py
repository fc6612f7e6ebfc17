"""`connectk fair`: say which first discs of a board make a fair game."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from connectk.commands.completion import complete_board_or_start
from connectk.commands.console import ProgressBar, console, print_json, settings, stopped, texts_for
from connectk.commands.options import JOBS_OPTION, board_of
from connectk.system import wrapped

if TYPE_CHECKING:
    from rich.table import Table

    from connectk.fairness import Start
    from connectk.rules import Variant
    from connectk.texts import Texts

EPILOG = """
connectk fair
connectk fair 6x5x4 --discs 3
connectk fair 8x7x4 --limit 5s --json
connectk fair handicap-2
"""
MAX_LISTED_STARTS = 20  # more starts are counted, and only the fair ones are named


def register(app: typer.Typer) -> None:
    app.command("fair", epilog=EPILOG)(fair)


def fair(
    variant: str = typer.Argument("", metavar="BOARD|START", autocompletion=complete_board_or_start),
    discs: int = typer.Option(1, min=1, max=3),
    limit: str = typer.Option("1min", metavar="TIME"),
    jobs: int | None = JOBS_OPTION,
) -> None:
    from connectk.notation.named_starts import is_named_start

    texts = texts_for()
    if is_named_start(variant):
        _tell_named(variant, limit, texts)
        return
    board = board_of(variant or None)
    try:
        starts = _judge(board, discs, limit, jobs, texts)
    except KeyboardInterrupt:
        raise stopped(texts) from None
    if settings().json:
        print_json({"variant": str(board), "discs": discs, "starts": [start.to_json() for start in starts]})
    elif len(starts) > MAX_LISTED_STARTS:
        _print_counts(starts, texts)
    else:
        console().print(_table(starts, texts))
        _say(_fair_ones(starts, texts))
    _warn_of_estimates(starts, texts)


def _tell_named(name: str, limit: str, texts: Texts) -> None:
    """Print who wins a named start, and between which levels it was measured to be even."""
    from connectk.fairness import judge_start
    from connectk.notation import parse_duration, write_moves
    from connectk.notation.named_starts import named_start
    from connectk.watch import stop_after

    start = named_start(name)
    with ProgressBar(str(start.variant), texts):
        judged = judge_start(start.variant, start.moves, stop=stop_after(parse_duration(limit)))
    if settings().json:
        print_json({"name": start.name, "variant": str(start.variant), **judged.to_json(), "even": start.even_levels})
        return
    moves = write_moves(start.moves, start.variant)
    _say(texts("fair.named", name=start.name, board=start.variant, moves=moves, result=_result(judged, texts)))
    if start.even_levels:
        pairs = ", ".join(texts("fair.pair", one=one, other=other) for one, other in start.even_levels)
        _say(texts("fair.even", pairs=pairs))


def _judge(board: Variant, discs: int, limit: str, jobs: int | None, texts: Texts) -> list[Start]:
    from connectk.fairness import judge_starts
    from connectk.notation import parse_duration
    from connectk.watch import stop_after

    stop = stop_after(parse_duration(limit))
    with ProgressBar(str(board), texts) as bar:
        return list(judge_starts(board, discs, threads=jobs, stop=stop, progress=bar.show))


def _table(starts: list[Start], texts: Texts) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(texts("fair.start"))
    table.add_column(texts("fair.result"))
    for start in starts:
        table.add_row(_name(start, texts), _result(start, texts))
    return table


def _name(start: Start, texts: Texts) -> str:
    """The first columns of a start and of its mirror image, such as '3 or 5'."""
    from connectk.notation import write_moves

    variant = start.position.variant
    moves = write_moves(start.moves, variant)
    mirrored = write_moves([variant.width - 1 - column for column in start.moves], variant)
    return moves if moves == mirrored else texts("fair.or", start=moves, mirrored=mirrored)


def _result(start: Start, texts: Texts) -> str:
    if start.score is None:
        return texts("fair.estimate", score=f"{start.estimate or 0:+.2f}")
    if start.winner is None:
        return texts("fair.draw")
    return texts(f"fair.wins.{start.winner}", disc=start.last_disc)


def _print_counts(starts: list[Start], texts: Texts) -> None:
    for key, count in _counts(starts).items():
        if count:
            _say(texts(f"fair.count.{key}", count=count))
    _say(_fair_ones(starts, texts))


def _counts(starts: list[Start]) -> dict[str, int]:
    winners = [str(start.winner) for start in starts if start.winner]
    return {
        "first": winners.count("first"),
        "second": winners.count("second"),
        "draw": sum(start.is_fair for start in starts),
        "open": sum(start.score is None for start in starts),
    }


def _fair_ones(starts: list[Start], texts: Texts) -> str:
    names = [_name(start, texts) for start in starts if start.is_fair]
    return texts("fair.fair", starts=", ".join(names)) if names else texts("fair.none")


def _warn_of_estimates(starts: list[Start], texts: Texts) -> None:
    estimates = sum(start.score is None for start in starts)
    if estimates:
        print(wrapped(texts("fair.estimates", count=estimates, total=len(starts)), sys.stderr), file=sys.stderr)


def _say(sentence: str) -> None:
    print(wrapped(sentence, sys.stdout))
