"""Shared by all commands: the language, disc characters and progress bar of the terminal."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import typer

from connectk.system import can_encode
from connectk.texts import LanguageName, Texts, load_texts, preferred_language

if TYPE_CHECKING:
    from rich.progress import Progress

    from connectk.watch import Report

EXIT_INTERRUPTED = 130  # the conventional status after Ctrl-C
ROUND_CHARS, LETTER_CHARS = "○●", "xo"
WINNING_CHARS = "◎◉"  # discs of a winning line


_language_option: list[LanguageName] = []  # of the --language option, empty without it; errors are shown in it too


def _store_language(language: LanguageName | None) -> LanguageName | None:
    _language_option[:] = [language] if language else []
    return language


def reset_language() -> None:
    """Clear the language option of the previous run in this process."""
    _language_option.clear()


LANGUAGE = typer.Option(None, envvar="CONNECTK_LANGUAGE", callback=_store_language)
CLUSTER = typer.Option(None, metavar="WHERE")


def texts_for(language: LanguageName | None = None) -> Texts:
    """Return the texts in the language given by an option, `CONNECTK_LANGUAGE` or the locale."""
    return load_texts(language or next(iter(_language_option), None) or preferred_language(os.environ))


def terminal_discs() -> str:
    """Return the first and the second player's disc: round, or letters if the terminal cannot show round ones."""
    return ROUND_CHARS if can_encode(ROUND_CHARS + WINNING_CHARS, sys.stdout.encoding) else LETTER_CHARS


class ProgressBar:
    """A progress bar with rate and remaining time for a long job; silent if stderr is not a terminal."""

    def __init__(self, what: str, texts: Texts) -> None:
        self._what, self._texts = what, texts
        self._bar: Progress | None = None

    def __enter__(self) -> ProgressBar:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=300)
            self._bar.add_task(self._what, total=None)
            self._bar.start()
        return self

    def set_label(self, what: str) -> None:
        """Change the label shown from the next report on."""
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
