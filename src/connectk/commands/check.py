"""`connectk check`: test a bot before its author hands it in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.arena import GRACE_OPTION, MEMORY_OPTION, PYTHON_OPTION, STARTUP_OPTION, bot_options
from connectk.commands.completion import complete_player
from connectk.commands.console import ProgressBar, console, print_json, settings, stopped, texts_for
from connectk.commands.options import VARIANT_OPTION, board_of

if TYPE_CHECKING:
    from connectk.players.selftest import Check, SelfTest
    from connectk.texts import Texts
    from connectk.watch import Report

EPILOG = """
connectk check mybot.py
connectk check mybot.py --variant 9x7x5 --time 2s --json
"""
STATUS_SIGNS = {"passed": ("✓", "green"), "remark": ("!", "yellow"), "failed": ("✗", "red"), "skipped": ("-", "dim")}
EXIT_FAILED = 1
MAX_PRINTED_CHARS = 60


def register(app: typer.Typer) -> None:
    app.command("check", epilog=EPILOG)(check)


def check(
    bot: str = typer.Argument(metavar="BOT", autocompletion=complete_player),
    variant: str | None = VARIANT_OPTION,
    time: str = typer.Option("1s", metavar="TIME"),
    limit: str = typer.Option("1min", metavar="TIME"),
    seed: int = typer.Option(1),
    python: str | None = PYTHON_OPTION,
    memory: int = MEMORY_OPTION,
    startup: str = STARTUP_OPTION,
    grace: str = GRACE_OPTION,
    no_solver: bool = typer.Option(False, "--no-solver"),
) -> None:
    from connectk.errors import BotUnusable
    from connectk.notation import parse_duration
    from connectk.players.selftest import examine_bot
    from connectk.watch import stop_after

    texts, options = texts_for(), bot_options(python, memory, startup, grace, solver=not no_solver)
    board, seconds = board_of(variant), parse_duration(time)
    if not Path(bot).is_file():  # the name is mistyped; this is not the bot's fault
        raise BotUnusable(bot, "error.BotUnusable.not_a_file")
    try:
        with ProgressBar(bot, texts) as bar:

            def show(report: Report) -> None:
                bar.show(report)

            stop = stop_after(parse_duration(limit))
            report = examine_bot(bot, board, seconds, options, seed=seed, stop=stop, progress=show)
    except KeyboardInterrupt:
        raise stopped(texts) from None
    if settings().json:
        print_json(report.to_json())
    else:
        _print(report, texts)
    if report.verdict == "failed":
        raise typer.Exit(EXIT_FAILED)


def _print(report: SelfTest, texts: Texts) -> None:
    from rich.table import Table
    from rich.text import Text

    from connectk.arena.forfeit_texts import localize_forfeit
    from connectk.texts.signs import is_ascii_only

    paper = console()
    time = f"{1000 * report.seconds:g} ms"
    paper.print(texts("check.title", bot=report.bot, variant=report.variant, time=time), style="bold", markup=False)
    table = Table(box=None, show_header=False, pad_edge=False)
    for one in report.checks.values():
        sign, style = STATUS_SIGNS[one.status]
        if is_ascii_only(paper.encoding, settings().ascii):
            sign = {"✓": "+", "✗": "x"}.get(sign, sign)
        table.add_row(Text(sign, style), texts(f"check.{one.name}"), Text(_found(one, report, texts)))
    paper.print(table)
    for fault in report.faults:
        reason = localize_forfeit(fault.reason, texts)
        paper.print(texts("measure.fault", count=fault.times, reason=reason), style="red", markup=False)
    paper.print(texts(f"check.verdict.{report.verdict}", bot=report.bot), style="bold", markup=False)


def _found(one: Check, report: SelfTest, texts: Texts) -> str:
    """One line of the report: how often the bot passed, how long it took, and a position in which it failed."""
    if not one.of:
        return texts("check.skipped")
    found = [f"{one.done}/{one.of}"] if one.of > 1 else []
    if one.seconds is not None:
        found.append(
            texts("check.slowest" if one.name == "time" else "check.took", time=f"{1000 * one.seconds:.0f} ms")
        )
    if one.example is not None:
        found.append(texts("check.example", moves=one.example) if one.example else texts("check.example_empty"))
    if one.name == "silent" and report.printed:
        found.append(repr(report.printed[:MAX_PRINTED_CHARS]))
    return ", ".join(found)
