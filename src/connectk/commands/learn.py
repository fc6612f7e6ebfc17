"""`connectk learn`: lessons with exercises that the solver judges. `connectk puzzle` uses the same functions."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from connectk.commands.console import EXIT_INTERRUPTED, given_flags, print_json, settings, texts_for
from connectk.commands.localized import ScreenCommand
from connectk.commands.options import outputs

if TYPE_CHECKING:
    from connectk.terminal.form import Preferences
    from connectk.terminal.learning_sessions import LearningSession, SavedPractice
    from connectk.terminal.settings import TerminalSettings
    from connectk.texts import Texts

    SessionFactory = Callable[[Texts], LearningSession]

EPILOG = """
connectk learn
connectk learn 4
connectk learn --list
connectk learn --plain
connectk learn --certificate "Aino" --out certificate.pdf
"""


class LearnCommand(ScreenCommand):
    """A command that shows cards on the full screen or as text, and can print its list as JSON."""

    common = (*ScreenCommand.common, "json")


def register(app: typer.Typer) -> None:
    app.command("learn", cls=LearnCommand, epilog=EPILOG)(learn)


def learn(
    lesson: int | None = typer.Argument(None),
    show_list: bool = typer.Option(False, "--list"),
    certificate: str | None = typer.Option(None, metavar="NAME"),
    out: Path = typer.Option(Path("certificate.pdf"), metavar="FILE"),
) -> None:
    from connectk.lessons import lessons
    from connectk.terminal.learning_sessions import LessonSession, SavedPractice, next_lesson_card

    kept, texts = SavedPractice(), texts_for()
    if certificate is not None:
        _write_certificate(kept, certificate, out, texts)
        return
    if show_list:
        _print_list(kept, texts)
        return
    if lesson is not None and not 1 <= lesson <= len(lessons()):
        raise typer.BadParameter(texts("lesson.none", name=lesson, count=len(lessons())))
    number, card = next_lesson_card(kept) if lesson is None else (lesson - 1, 0)
    run_session(lambda spoken: LessonSession(kept, spoken, number, card))


def _write_certificate(kept: SavedPractice, name: str, out: Path, texts: Texts) -> None:
    """Write the certificate, if the user has solved every question of the test on this computer."""
    from connectk.drawing import to_pdf, to_svg
    from connectk.files import write_file
    from connectk.lessons.certificate import draw_certificate, final_test

    kind = next(iter(outputs([str(out)], ".pdf", ".svg")))
    number, test = final_test()
    if kept.practice.lessons.get(test.name, 0) < len(test.cards):
        print(texts("learn.certificate.not_yet", number=number), file=sys.stderr)
        raise typer.Exit(1)
    picture = draw_certificate(name, date.today(), texts)
    write_file(out, to_pdf([picture]) if kind == ".pdf" else to_svg(picture))
    if settings().json:
        print_json({"file": str(out)})
    else:
        print(texts("learn.certificate.written", out=out))


def _print_list(kept: SavedPractice, texts: Texts) -> None:
    from connectk.lessons import lessons

    rows = []
    for number, lesson in enumerate(lessons(), start=1):
        done, title = kept.practice.lessons.get(lesson.name, 0), texts(f"lesson.{lesson.name}.title")
        rows.append({"number": number, "title": title, "done": done, "cards": len(lesson.cards)})
    if settings().json:
        print_json(rows)
        return
    for row in rows:
        print(texts("lesson.line", **row))


def run_session(make_session: SessionFactory) -> None:
    """Show the cards of a session until the user leaves, on the full screen if the terminal can show it."""
    from connectk.terminal.form import Preferences

    found = terminal_settings(Preferences.load())
    (_run_screen if shows_screen(found) else _run_plain)(found, make_session)


def terminal_settings(preferences: Preferences) -> TerminalSettings:
    """The settings of this run. Settings that are not configured have the values that the user last chose in the
    game."""
    from connectk.settings import explain_settings
    from connectk.terminal.settings import TerminalSettings

    chosen = {name: getattr(preferences, name) for name in ("language", "theme", "reduced_motion")}
    values: dict[str, Any] = {
        name: chosen.get(name) or value if source == "default" else value
        for name, (value, source) in explain_settings(given_flags()).items()
    }
    return TerminalSettings(**values)


def shows_screen(found: TerminalSettings) -> bool:
    """Whether to use the full screen. All standard streams must be a terminal that can move its cursor, and the user
    must not have chosen plain text."""
    streams = (sys.stdin, sys.stdout, sys.stderr)  # Textual draws on stderr
    able = all(stream is not None and stream.isatty() for stream in streams)
    return able and not found.plain and found.board and os.environ.get("TERM", "dumb") != "dumb"


def _run_plain(found: TerminalSettings, make_session: SessionFactory) -> None:
    from connectk.terminal.plain.game import Prompter, UserQuit
    from connectk.terminal.plain.learning_session import PlainLearningSession
    from connectk.terminal.plain.speech import BoardDescriber
    from connectk.terminal.sentences import discs_for, terminal_texts
    from connectk.texts.signs import is_ascii_only

    ascii_only = is_ascii_only(sys.stdout.encoding, found.ascii)
    texts = terminal_texts(found, sys.stdout.encoding)
    try:
        PlainLearningSession(
            make_session(texts), Prompter(texts), BoardDescriber(texts, discs_for(ascii_only), found.board)
        ).run()
    except (UserQuit, EOFError):
        print(texts("bye.done"))
    except KeyboardInterrupt:
        print(f"\n{texts('bye.done')}")
        raise typer.Exit(EXIT_INTERRUPTED) from None


def _run_screen(found: TerminalSettings, make_session: SessionFactory) -> None:
    from connectk.terminal.screen.app import ConnectkApp
    from connectk.terminal.screen.colours import terminal_theme
    from connectk.terminal.screen.learning_screen import LearningScreen
    from connectk.terminal.thinking import join_background_threads

    app = ConnectkApp(found, terminal_theme=terminal_theme(os.environ))
    app.start_with(LearningScreen(make_session(app.texts)))
    app.run()
    join_background_threads()
    typer.echo(app.texts("bye.done"))
