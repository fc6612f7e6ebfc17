"""`connectk play`: play in the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from connectk.errors import ConnectkError
from connectk.texts import LanguageName

if TYPE_CHECKING:
    from connectk.client.seats import HeldSeat
    from connectk.terminal.form import Preferences
    from connectk.terminal.match import LocalMatch
    from connectk.terminal.settings import TerminalSettings

EXAMPLES = """
Examples:

connectk play --level 5 --first computer

connectk play --two-players --variant 9x7x5

connectk play --player mybot.py --start 4453

connectk play --demo --player level:3 --player level:8

connectk play --resume

connectk play --invite --server http://192.168.1.20:8000

connectk play --join 'http://192.168.1.20:8000/#/join/...'

printf '4\\n4\\n5\\n' | connectk play --plain --two-players
"""


class First(StrEnum):
    you = "you"
    computer = "computer"
    friend = "friend"


class ColourTheme(StrEnum):
    auto = "auto"
    light = "light"
    dark = "dark"


def register(app: typer.Typer) -> None:
    app.command("play", epilog=EXAMPLES)(play)


def play(
    two_players: bool = typer.Option(False, "--two-players"),
    demo: bool = typer.Option(False, "--demo"),
    first: First | None = typer.Option(None),
    level: int | None = typer.Option(None, min=1, max=10),
    player: list[str] = typer.Option([], metavar="NAME"),
    variant: str | None = typer.Option(None, metavar="WxHxRUN"),
    start: str | None = typer.Option(None, metavar="MOVES"),
    load: Path | None = typer.Option(None, metavar="FILE"),
    resume: bool = typer.Option(False, "--resume"),
    join: str | None = typer.Option(None, metavar="LINK"),
    invite: bool = typer.Option(False, "--invite"),
    server: str | None = typer.Option(None, metavar="URL", envvar="CONNECTK_SERVER"),
    name: str | None = typer.Option(None),
    plain: bool = typer.Option(False, "--plain"),
    ascii_only: bool = typer.Option(False, "--ascii"),
    reduced_motion: bool = typer.Option(False, "--reduced-motion", envvar="CONNECTK_REDUCED_MOTION"),
    theme: ColourTheme | None = typer.Option(None, envvar="CONNECTK_THEME"),
    language: LanguageName | None = typer.Option(None, envvar="CONNECTK_LANGUAGE"),
) -> None:
    from connectk.client.seats import HeldSeats
    from connectk.terminal.form import Preferences
    from connectk.terminal.settings import GameOptions, TerminalSettings
    from connectk.texts import preferred_language

    options = GameOptions(
        two_players=two_players,
        demo=demo,
        first=first and first.value,
        level=level,
        players=tuple(player),
        variant=variant,
        start=start,
        load=load,
        resume=resume,
        join=join,
        invite=invite,
    )
    preferences = Preferences.load()
    settings = TerminalSettings(
        language=language or preferences.language or preferred_language(os.environ),
        theme=theme.value if theme else preferences.theme or "auto",
        ascii_only=ascii_only,
        reduced_motion=reduced_motion or preferences.reduced_motion,
    )
    with _errors_in_language(settings.language):
        seat = options.seat(server, name, HeldSeats()) if options.is_online else None
        match = options.match(settings.autosaves) if options.any_given and not seat else None
    game = LaunchPlan(match, seat, pick_autosave=resume and match is None)
    run = _run_screen if is_interactive_terminal() and not plain else _run_plain
    run(settings, preferences, game)


class LaunchPlan(NamedTuple):
    """What to open first: a local match, a seat on a server, the list of autosaves, or else the start screen."""

    match: LocalMatch | None
    seat: HeldSeat | None
    pick_autosave: bool


@contextmanager
def _errors_in_language(language: str) -> Iterator[None]:
    """Print errors in this language and exit with status 2."""
    from connectk.texts import load_texts

    try:
        yield
    except ConnectkError as error:
        typer.echo(f"connectk: {error.localize(load_texts(language))}", err=True)
        raise typer.Exit(2) from None


def _run_plain(settings: TerminalSettings, preferences: Preferences, game: LaunchPlan) -> None:
    from connectk.terminal.plain.program import PlainProgram
    from connectk.terminal.thinking import join_background_threads

    try:
        program = PlainProgram(settings, preferences)
        program.run_online(game.seat) if game.seat else program.run(game.match, game.pick_autosave)
    except OSError as error:  # stdout is closed or cannot be written
        typer.echo(f"connectk: {error.strerror}", err=True)
        raise typer.Exit(1) from None
    finally:
        join_background_threads()


def is_interactive_terminal() -> bool:
    """Whether all standard streams are a terminal that can move its cursor."""
    streams = (sys.stdin, sys.stdout, sys.stderr)  # Textual draws on the last
    return all(stream.isatty() for stream in streams) and os.environ.get("TERM", "dumb") != "dumb"


def _run_screen(settings: TerminalSettings, preferences: Preferences, game: LaunchPlan) -> None:
    from connectk.terminal.screen.app import ConnectkApp
    from connectk.terminal.screen.colours import terminal_theme
    from connectk.terminal.thinking import join_background_threads
    from connectk.texts import load_texts

    if game.seat and game.seat.link:
        typer.echo(
            load_texts(settings.language)("online.invite", link=game.seat.link)
        )  # stays visible after the full screen closes
    app = ConnectkApp(
        settings,
        game.match,
        preferences=preferences,
        pick_autosave=game.pick_autosave,
        seat=game.seat,
        terminal_theme=terminal_theme(os.environ),
    )
    app.run()
    join_background_threads()
    typer.echo(app.exit_message())
