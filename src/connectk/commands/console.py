"""Shared by all commands: the settings of this run, its language and characters, JSON, and progress bars."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

from connectk.settings import UserSettings, load_settings
from connectk.system import can_encode
from connectk.texts import LANGUAGES, Texts, load_texts
from connectk.texts.signs import printable_texts

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from connectk.drawing import Picture
    from connectk.rules import Position
    from connectk.watch import Report

EXIT_INTERRUPTED = 130  # the conventional status after Ctrl-C
ROUND_CHARS, LETTER_CHARS = "○●", "xo"
WINNING_CHARS = "◎◉"  # discs of a winning line
BOARD_PICTURE_CHARS, MAX_TERMINAL_PICTURE_CELLS = 32, 400  # in a picture of a larger board the holes would be too small
PIPE_WIDTH_CHARS = 120  # the width of a table that is not printed on a terminal


def stopped(texts: Texts) -> typer.Exit:
    """Print that Ctrl-C has stopped the work. Returns the exception that ends the command."""
    print(texts("report.stopped"), file=sys.stderr)
    return typer.Exit(EXIT_INTERRUPTED)


_flags: dict[str, Any] = {}  # the common options of this run; error messages follow them too


def reset_flags() -> None:
    """Forget the common options that were given. This is needed if one process runs several commands in turn."""
    _flags.clear()


def store_flag(name: str, value: Any) -> None:
    _flags[name] = value


def given_flags() -> Mapping[str, Any]:
    return _flags


def settings() -> UserSettings:
    """The settings of this run: its language, its characters and how it prints."""
    return load_settings(_flags, os.environ)


def texts_for(language: str | None = None) -> Texts:
    """The texts in this language; by default, in the language of the settings. They use only characters that stdout can
    show."""
    from connectk.errors import ConnectkError

    ascii_only = False
    try:
        found = settings()
        language, ascii_only = language or found.language, found.ascii
    except ConnectkError:  # another caller reports this error; only the language is needed here
        language = language or _flags.get("language") or "en"
    encoding = getattr(sys.stdout, "encoding", None)
    texts = load_texts(language if language in LANGUAGES else "en")
    return printable_texts(texts, encoding, ascii_only)


def terminal_discs() -> str:
    """The signs for the discs of both players: round ones, or letters if the terminal cannot show them."""
    shows_round = can_encode(ROUND_CHARS + WINNING_CHARS, sys.stdout.encoding) and not settings().ascii
    return ROUND_CHARS if shows_round else LETTER_CHARS


def print_board(position: Position) -> None:
    """Print the board, as a picture if the terminal can show pictures. With `--no-board`, describe it in words."""
    from connectk.notation import draw_diagram

    if not settings().board:
        from connectk.terminal.plain.speech import describe_board

        print(describe_board(position, texts_for()))
        return
    if not shows_pictures() or position.variant.cells > MAX_TERMINAL_PICTURE_CELLS:
        print(draw_diagram(position, discs=terminal_discs()))
        return
    from connectk.drawing.board import picture_of

    print_picture(picture_of(position, paper=True), BOARD_PICTURE_CHARS)


def shows_pictures() -> bool:
    """Whether this terminal can show pictures and the user wants them."""
    found = settings()
    if found.plain or found.ascii or not found.pictures:
        return False
    from connectk.terminal.pictures import picture_protocol

    return picture_protocol() is not None


def print_picture(picture: Picture, chars: int) -> None:
    """Show a picture that is `chars` characters wide, or as wide as the terminal. Ask `shows_pictures` first."""
    from connectk.terminal.pictures import picture_protocol, show_picture

    protocol = picture_protocol()
    if protocol is not None:
        show_picture(picture, min(chars, shutil.get_terminal_size().columns), protocol)


def print_json(facts: object) -> None:
    print(json.dumps(facts))


def hanging_indent(start: str, text: str) -> str:
    """A line with `start` and then the text. In a narrow terminal the text is wrapped, and its further lines are
    indented. If stdout is not a terminal, everything stays on one line."""
    if not sys.stdout.isatty():
        return f"{start}  {text}"
    indent = " " * (len(start) + 2)
    width = max(len(indent) + 20, shutil.get_terminal_size().columns)
    return textwrap.fill(text, width, initial_indent=f"{start}  ", subsequent_indent=indent, break_on_hyphens=False)


def console(stderr: bool = False) -> Console:
    """Prints tables and progress. It uses no colours if the user does not want them."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else PIPE_WIDTH_CHARS
    plain = settings().plain
    return Console(
        stderr=stderr, highlight=False, width=width, no_color=plain or None, force_terminal=False if plain else None
    )


class ProgressBar:
    """A progress bar for a long job, with its rate and the time that is left. It is silent if stderr is not a
    terminal."""

    def __init__(self, what: str, texts: Texts) -> None:
        self._what, self._texts = what, texts
        self._bar: Progress | None = None

    def __enter__(self) -> ProgressBar:
        if sys.stderr.isatty() and not settings().plain:
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=console(stderr=True), transient=True, speed_estimate_period=300)
            self._bar.add_task(self._what, total=None)
            self._bar.start()
        return self

    def set_label(self, what: str) -> None:
        """Set the label that the next report shows."""
        self._what = what

    def show(self, report: Report) -> None:
        if self._bar is not None:
            rate = report.rows / max(report.seconds, 0.1)
            rate_text = self._texts("work.rate", rows=f"{report.rows:,}", rate=f"{rate:,.0f}") if report.rows else ""
            description = f"{self._what} {rate_text}".rstrip()
            self._bar.update(self._bar.task_ids[0], description=description, completed=report.done, total=report.total)

    def __exit__(self, *exception: object) -> None:
        if self._bar is not None:
            self._bar.stop()
