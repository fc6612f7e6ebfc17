"""`connectk learn`: lessons with exercises that the solver judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from connectk.commands.console import LANGUAGE, Language, texts_for

if TYPE_CHECKING:
    from connectk.terminal.practice import KeptPractice
    from connectk.texts import Texts

EPILOG = "Examples: connectk learn · connectk learn 4 · connectk learn --list · connectk learn --plain"


def register(app: typer.Typer) -> None:
    app.command("learn", epilog=EPILOG)(learn)


def learn(
    lesson: int | None = typer.Argument(None),
    show_list: bool = typer.Option(False, "--list"),
    plain: bool = typer.Option(False, "--plain"),
    ascii_only: bool = typer.Option(False, "--ascii"),
    reduced_motion: bool = typer.Option(False, "--reduced-motion", envvar="CONNECTK_REDUCED_MOTION"),
    language: Language | None = LANGUAGE,
) -> None:
    from connectk.commands.learning import run_session
    from connectk.lessons import lessons
    from connectk.terminal.practice import KeptPractice
    from connectk.terminal.sessions import LessonSession, where_left_off

    kept, texts = KeptPractice(), texts_for(language)
    if show_list:
        _print_list(kept, texts)
        return
    if lesson is not None and not 1 <= lesson <= len(lessons()):
        said = texts("lesson.none", name=lesson, count=len(lessons()))
        raise typer.BadParameter(said, param_hint="LESSON")
    number, card = where_left_off(kept) if lesson is None else (lesson - 1, 0)
    run_session(
        lambda spoken: LessonSession(kept, spoken, number, card),
        language,
        plain=plain,
        ascii_only=ascii_only,
        reduced_motion=reduced_motion,
    )


def _print_list(kept: KeptPractice, texts: Texts) -> None:
    from connectk.lessons import lessons

    for number, lesson in enumerate(lessons(), start=1):
        done, title = kept.practice.lessons.get(lesson.name, 0), texts(f"lesson.{lesson.name}.title")
        print(texts("lesson.line", number=number, title=title, done=done, cards=len(lesson.cards)))
