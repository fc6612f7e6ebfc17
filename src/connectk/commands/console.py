"""What every command shares: the language and signs of the terminal it writes to, and help in that language."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from connectk.system import can_write
from connectk.texts import Texts, language_of, load_texts

if TYPE_CHECKING:
    from rich.progress import Progress

    from connectk.watch import Report

INTERRUPTED = 130  # what shells expect after Ctrl-C
ROUND, LETTERS = "○●", "xo"
WON = "◎◉"  # discs of a winning line


class Language(StrEnum):
    en = "en"
    fi = "fi"
    sv = "sv"


_asked: list[Language] = []  # by an option; what is refused after it is said in that language too


def _note(language: Language | None) -> Language | None:
    _asked[:] = [language] if language else []
    return language


LANGUAGE = typer.Option(None, envvar="CONNECTK_LANGUAGE", callback=_note)
CLUSTER = typer.Option(None, metavar="WHERE")


def texts_for(language: Language | None = None) -> Texts:
    """The texts in the language asked for, by an option, `CONNECTK_LANGUAGE` or the locale."""
    asked = language or next(iter(_asked), None)
    return load_texts(asked.value if asked else language_of(os.environ))


def discs_here() -> str:
    """The first and the second player's disc: round ones as in the game, letters where the terminal lacks them."""
    return ROUND if can_write(ROUND + WON, sys.stdout.encoding) else LETTERS


class WorkBar:
    """How far a long job is, how fast, and how long it will take; where somebody can see it."""

    def __init__(self, what: str, texts: Texts) -> None:
        self._what, self._texts = what, texts
        self._bar: Progress | None = None

    def __enter__(self) -> WorkBar:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=300)
            self._bar.add_task(self._what, total=None)
            self._bar.start()
        return self

    def name(self, what: str) -> None:
        """What is being done from now on."""
        self._what = what

    def show(self, report: Report) -> None:
        if self._bar is not None:
            rate = report.rows / max(report.seconds, 0.1)
            said = self._texts("work.rate", rows=f"{report.rows:,}", rate=f"{rate:,.0f}") if report.rows else ""
            description = f"{self._what} {said}".rstrip()
            self._bar.update(self._bar.task_ids[0], description=description, completed=report.done, total=report.total)

    def __exit__(self, *exception: object) -> None:
        if self._bar is not None:
            self._bar.stop()


class SpeakingGroup(TyperGroup):
    """The commands, with help in the person's language.

    The text `usage.judge` is the help of that command, `usage.judge.paths` of its argument, and `usage.option.language`
    of that option wherever it has no text of its own. What the catalogue lacks keeps its English.
    """

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if ctx.parent is None:
            _asked.clear()  # here a run begins; what the last one in this process asked for is over
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            path = cmd_name if ctx.parent is None else f"{ctx.info_name}.{cmd_name}"
            _speak(command, ctx, f"usage.{path}", texts_for())
        return command

    def get_help(self, ctx: Any) -> str:
        if ctx.parent is None:
            _speak(self, ctx, "usage.connectk", texts_for())
        return super().get_help(ctx)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _head(texts_for())
        super().format_help(ctx, formatter)


def _speak(command: Any, ctx: Any, key: str, texts: Texts) -> None:
    command.help = _said(texts, key) or command.help
    for parameter in command.params:
        if hasattr(parameter, "help"):
            own, common = f"{key}.{parameter.name}", f"usage.option.{parameter.name}"
            parameter.help = _said(texts, own) or parameter.help or _said(texts, common)
    if option := command.get_help_option(ctx):
        option.help = _said(texts, "usage.option.help")
    if "get_usage" not in vars(command):  # once: a command is looked for several times
        _with_heads(command, texts)


def _head(texts: Texts) -> None:
    """The headings of the help, which Typer keeps in a module."""
    from typer import rich_utils

    rich_utils.ARGUMENTS_PANEL_TITLE = texts("head.arguments")
    rich_utils.OPTIONS_PANEL_TITLE = texts("head.options")
    rich_utils.COMMANDS_PANEL_TITLE = texts("head.commands")
    rich_utils.DEFAULT_STRING = texts("head.default", value="{}")
    rich_utils.ENVVAR_STRING = texts("head.variable", value="{}")
    rich_utils.REQUIRED_LONG_STRING = texts("head.required")


def _with_heads(command: Any, texts: Texts) -> None:
    """Help and usage of one command under headings in the person's language."""
    usage, formatted = command.get_usage, command.format_help

    def format_help(ctx: Any, formatter: Any) -> None:
        _head(texts)
        formatted(ctx, formatter)

    command.get_usage = lambda ctx: usage(ctx).replace("Usage:", texts("head.usage"), 1)
    command.format_help = format_help
    for english, key in (("Examples:", "head.examples"), ("Example:", "head.example")):
        command.epilog = (command.epilog or "").replace(english, texts(key)) or None


def _said(texts: Texts, key: str) -> str | None:
    return texts(key) if key in texts.catalogue else None
