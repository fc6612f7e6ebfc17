"""What `connectk puzzle` and `connectk learn` share: cards on a full screen, or in sentences."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import INTERRUPTED, Language

if TYPE_CHECKING:
    from connectk.terminal.sessions import Session
    from connectk.terminal.settings import TerminalSettings
    from connectk.texts import Texts

    Begin = Callable[[Texts], Session]


def run_session(
    begin: Begin, language: Language | None, *, plain: bool, ascii_only: bool, reduced_motion: bool
) -> None:
    """The cards of a session until the person leaves."""
    from connectk.commands.play import has_screen
    from connectk.terminal.form import Remembered
    from connectk.terminal.settings import TerminalSettings
    from connectk.texts import language_of

    remembered = Remembered.load()
    settings = TerminalSettings(
        language=language.value if language else remembered.language or language_of(os.environ),
        theme=remembered.theme or "auto",
        ascii_only=ascii_only,
        reduced_motion=reduced_motion or remembered.reduced_motion,
    )
    (_run_screen if has_screen() and not plain else _run_plain)(settings, begin)


def _run_plain(settings: TerminalSettings, begin: Begin) -> None:
    from connectk.terminal.plain.game import PersonLeft, Talk
    from connectk.terminal.plain.sessions import PlainSession
    from connectk.terminal.sentences import discs_for, is_ascii_only, writable
    from connectk.texts import load_texts

    ascii_only = is_ascii_only(sys.stdout.encoding, settings.ascii_only)
    texts = writable(load_texts(settings.language), sys.stdout.encoding, ascii_only)
    try:
        PlainSession(begin(texts), Talk(texts), discs_for(ascii_only)).run()
    except (PersonLeft, EOFError):
        print(texts("bye.done"))
    except KeyboardInterrupt:
        print(f"\n{texts('bye.done')}")
        raise typer.Exit(INTERRUPTED) from None


def _run_screen(settings: TerminalSettings, begin: Begin) -> None:
    from connectk.terminal.screen.app import ConnectkApp
    from connectk.terminal.screen.colours import terminal_theme
    from connectk.terminal.screen.sessions import SessionScreen
    from connectk.terminal.thinking import let_finish

    app = ConnectkApp(settings, terminal_theme=terminal_theme(os.environ))
    app.begin_with(SessionScreen(begin(app.texts)))
    app.run()
    let_finish()
    typer.echo(app.texts("bye.done"))
