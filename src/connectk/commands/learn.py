"""`connectk learn`: lessons with exercises that the solver judges. Puzzles use the same session runner."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import EXIT_INTERRUPTED, LANGUAGE, texts_for
from connectk.texts import LanguageName

if TYPE_CHECKING:
    from connectk.terminal.sessions import SavedPractice, Session
    from connectk.terminal.settings import TerminalSettings
    from connectk.texts import Texts

    SessionFactory = Callable[[Texts], Session]

EPILOG = "Examples: connectk learn · connectk learn 4 · connectk learn --list · connectk learn --plain"


def register(app: typer.Typer) -> None:
    app.command("learn", epilog=EPILOG)(learn)


def learn(
    lesson: int | None = typer.Argument(None),
    show_list: bool = typer.Option(False, "--list"),
    plain: bool = typer.Option(False, "--plain"),
    ascii_only: bool = typer.Option(False, "--ascii"),
    reduced_motion: bool = typer.Option(False, "--reduced-motion", envvar="CONNECTK_REDUCED_MOTION"),
    language: LanguageName | None = LANGUAGE,
) -> None:
    from connectk.lessons import lessons
    from connectk.terminal.sessions import LessonSession, SavedPractice, next_lesson_card

    kept, texts = SavedPractice(), texts_for(language)
    if show_list:
        _print_list(kept, texts)
        return
    if lesson is not None and not 1 <= lesson <= len(lessons()):
        said = texts("lesson.none", name=lesson, count=len(lessons()))
        raise typer.BadParameter(said, param_hint="LESSON")
    number, card = next_lesson_card(kept) if lesson is None else (lesson - 1, 0)
    run_session(
        lambda spoken: LessonSession(kept, spoken, number, card),
        language,
        plain=plain,
        ascii_only=ascii_only,
        reduced_motion=reduced_motion,
    )


def _print_list(kept: SavedPractice, texts: Texts) -> None:
    from connectk.lessons import lessons

    for number, lesson in enumerate(lessons(), start=1):
        done, title = kept.practice.lessons.get(lesson.name, 0), texts(f"lesson.{lesson.name}.title")
        print(texts("lesson.line", number=number, title=title, done=done, cards=len(lesson.cards)))


def run_session(
    make_session: SessionFactory, language: LanguageName | None, *, plain: bool, ascii_only: bool, reduced_motion: bool
) -> None:
    """Run a session of cards until the user leaves, on the full screen if the terminal supports it."""
    from connectk.commands.play import is_interactive_terminal
    from connectk.terminal.form import Preferences
    from connectk.terminal.settings import TerminalSettings
    from connectk.texts import preferred_language

    preferences = Preferences.load()
    settings = TerminalSettings(
        language=language or preferences.language or preferred_language(os.environ),
        theme=preferences.theme or "auto",
        ascii_only=ascii_only,
        reduced_motion=reduced_motion or preferences.reduced_motion,
    )
    (_run_screen if is_interactive_terminal() and not plain else _run_plain)(settings, make_session)


def _run_plain(settings: TerminalSettings, make_session: SessionFactory) -> None:
    from connectk.terminal.plain.game import Prompter, UserQuit
    from connectk.terminal.plain.sessions import PlainSession
    from connectk.terminal.sentences import discs_for, is_ascii_only, printable_texts
    from connectk.texts import load_texts

    ascii_only = is_ascii_only(sys.stdout.encoding, settings.ascii_only)
    texts = printable_texts(load_texts(settings.language), sys.stdout.encoding, ascii_only)
    try:
        PlainSession(make_session(texts), Prompter(texts), discs_for(ascii_only)).run()
    except (UserQuit, EOFError):
        print(texts("bye.done"))
    except KeyboardInterrupt:
        print(f"\n{texts('bye.done')}")
        raise typer.Exit(EXIT_INTERRUPTED) from None


def _run_screen(settings: TerminalSettings, make_session: SessionFactory) -> None:
    from connectk.terminal.screen.app import ConnectkApp
    from connectk.terminal.screen.colours import terminal_theme
    from connectk.terminal.screen.sessions import SessionScreen
    from connectk.terminal.thinking import join_background_threads

    app = ConnectkApp(settings, terminal_theme=terminal_theme(os.environ))
    app.start_with(SessionScreen(make_session(app.texts)))
    app.run()
    join_background_threads()
    typer.echo(app.texts("bye.done"))
