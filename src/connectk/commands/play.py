"""`connectk play`: a game in the terminal."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.errors import ConnectkError

if TYPE_CHECKING:
    from connectk.terminal.match import LocalMatch
    from connectk.terminal.settings import Settings, Wishes

EXAMPLES = """
Without options the game asks; any option about the game starts it at once.

connectk play --level 5 --first computer

connectk play --two-players --variant 9x7x5

connectk play --player mybot.py --start 4453

connectk play --demo --player level:3 --player level:8

connectk play --resume

printf '4\\n4\\n5\\n' | connectk play --plain --two-players
"""


class First(StrEnum):
    you = "you"
    computer = "computer"


class Theme(StrEnum):
    auto = "auto"
    light = "light"
    dark = "dark"


class Language(StrEnum):
    en = "en"
    fi = "fi"
    sv = "sv"


def register(app: typer.Typer) -> None:
    app.command("play", epilog=EXAMPLES)(play)


def play(
    two_players: bool = typer.Option(False, "--two-players", help="Two people at this keyboard."),
    demo: bool = typer.Option(False, "--demo", help="Watch the computer play itself."),
    first: First | None = typer.Option(None, help="Who makes the first move."),
    level: int | None = typer.Option(None, min=1, max=10, help="How strong the computer is."),
    player: list[str] = typer.Option(
        [], metavar="NAME", help="Any player: minimax:5, perfect, mybot.py; two in a demo."
    ),
    variant: str | None = typer.Option(None, metavar="WxHxRUN", help="Width, height and run to win, as in 7x6x4."),
    start: str | None = typer.Option(None, metavar="MOVES", help="Start after these moves, such as 4453."),
    load: Path | None = typer.Option(None, metavar="FILE", help="Open a saved game."),
    resume: bool = typer.Option(False, "--resume", help="Continue the game in progress."),
    plain: bool = typer.Option(False, "--plain", help="Questions and answers instead of a screen."),
    ascii_only: bool = typer.Option(False, "--ascii", help="Use no character beyond ASCII for the board."),
    reduced_motion: bool = typer.Option(
        False, "--reduced-motion", envvar="CONNECTK_REDUCED_MOTION", help="Discs appear instead of falling."
    ),
    theme: Theme = typer.Option(Theme.auto, envvar="CONNECTK_THEME", help="Colours for a light or a dark terminal."),
    language: Language | None = typer.Option(None, envvar="CONNECTK_LANGUAGE", help="English, Finnish or Swedish."),
) -> None:
    """Play against the computer or a friend in the terminal."""
    from connectk.terminal.settings import Settings, Wishes
    from connectk.texts import language_of

    wishes = Wishes(
        two_players=two_players,
        demo=demo,
        first=first and first.value,
        level=level,
        players=tuple(player),
        variant=variant,
        start=start,
        load=load,
        resume=resume,
    )
    settings = Settings(
        language=language.value if language else language_of(os.environ),
        theme=theme.value,
        ascii_only=ascii_only,
        reduced_motion=reduced_motion,
    )
    match = _wished(wishes, settings)
    _run_screen(settings, match) if _has_screen() and not plain else _run_plain(settings, match)


def _wished(wishes: Wishes, settings: Settings) -> LocalMatch | None:
    """The game asked for; what cannot be is told in the player's language."""
    from connectk.terminal.settings import explain
    from connectk.texts import load_texts

    try:
        return wishes.match(settings.autosave) if wishes.say_something else None
    except ConnectkError as error:
        typer.echo(f"connectk: {explain(error, load_texts(settings.language))}", err=True)
        raise typer.Exit(2) from None


def _run_plain(settings: Settings, match: LocalMatch | None) -> None:
    from connectk.terminal.plain.program import PlainProgram
    from connectk.terminal.thinking import let_finish

    try:
        PlainProgram(settings).run(match)
    except OSError as error:  # nobody reads, or nothing can be written
        typer.echo(f"connectk: {error.strerror}", err=True)
        raise typer.Exit(1) from None
    finally:
        let_finish()


def _has_screen() -> bool:
    """Whether a person sits at a terminal that can move its cursor."""
    streams = (sys.stdin, sys.stdout, sys.stderr)  # Textual draws on the last
    return all(stream.isatty() for stream in streams) and os.environ.get("TERM", "dumb") != "dumb"


def _run_screen(settings: Settings, match: LocalMatch | None) -> None:
    from connectk.terminal.screen.app import ConnectkApp
    from connectk.terminal.screen.colours import terminal_theme
    from connectk.terminal.thinking import let_finish

    if settings.theme == "auto":
        settings = replace(settings, theme=terminal_theme(os.environ))
    app = ConnectkApp(settings, match)
    app.run()
    let_finish()
    typer.echo(app.farewell())
