"""`connectk play`: play in the terminal."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import typer

from connectk.commands.completion import complete_player, complete_start, complete_variant
from connectk.commands.console import store_flag, texts_for
from connectk.commands.learn import shows_screen, terminal_settings
from connectk.commands.localized import ScreenCommand

if TYPE_CHECKING:
    from connectk.client.seats import HeldSeat
    from connectk.terminal.form import Preferences
    from connectk.terminal.match import LocalMatch
    from connectk.terminal.online import MemberFactory
    from connectk.terminal.settings import TerminalSettings

EXAMPLES = """
connectk play --level 5 --first computer
connectk play --two-players --variant 9x7x5
connectk play --player mybot.py --start 4453
connectk play --demo --player level:3 --player level:8
connectk play --from game.json
connectk play --resume
connectk play --invite --server http://192.168.1.20:8000
connectk play --join 'http://192.168.1.20:8000/#/join/...'
printf '4\\n4\\n5\\n' | connectk play --plain --two-players
"""


class FirstPlayerOption(StrEnum):
    you = "you"
    computer = "computer"
    friend = "friend"


def register(app: typer.Typer) -> None:
    app.command("play", cls=ScreenCommand, epilog=EXAMPLES)(play)


def play(
    two_players: bool = typer.Option(False, "--two-players"),
    demo: bool = typer.Option(False, "--demo"),
    first: FirstPlayerOption | None = typer.Option(None),
    level: int | None = typer.Option(None, min=1, max=10),
    player: list[str] = typer.Option([], metavar="PLAYER", autocompletion=complete_player),
    variant: str | None = typer.Option(None, metavar="WxHxRUN", autocompletion=complete_variant),
    start: str | None = typer.Option(None, metavar="POSITION", autocompletion=complete_start),
    swap: bool = typer.Option(False, "--swap"),
    load: str | None = typer.Option(None, "--from", metavar="FILE"),
    resume: bool = typer.Option(False, "--resume"),
    join: str | None = typer.Option(None, metavar="LINK"),
    invite: bool = typer.Option(False, "--invite"),
    server: str | None = typer.Option(None, metavar="URL"),
    name: str | None = typer.Option(None, metavar="NAME"),
) -> None:
    from connectk.client.seats import HeldSeats
    from connectk.terminal.form import Preferences
    from connectk.terminal.settings import GameOptions

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
        swap=swap,
    )
    preferences = Preferences.load()
    found = terminal_settings(preferences)
    store_flag("language", found.language)  # so that errors are in this language, too
    room = options.room(server or found.server, name, HeldSeats())
    seat = options.seat(server or found.server, name, HeldSeats()) if options.is_online and not room else None
    is_own = bool(seat and join and seat.link)
    if is_own:
        typer.echo(texts_for()("online.own_invitation"))
    match = options.match(found.autosaves) if options.any_given and not seat and not room else None
    game = LaunchPlan(match, seat, room, is_own, pick_autosave=resume and match is None)
    run = _run_screen if shows_screen(found) else _run_plain
    run(found, preferences, game)


class LaunchPlan(NamedTuple):
    """The first thing that the program shows: a game, a seat or a room on a server, the list of autosaves, or the start
    screen."""

    match: LocalMatch | None
    seat: HeldSeat | None
    room: MemberFactory | None
    is_own_invitation: bool
    pick_autosave: bool


def _run_plain(settings: TerminalSettings, preferences: Preferences, game: LaunchPlan) -> None:
    from connectk.terminal.plain.program import PlainProgram
    from connectk.terminal.thinking import join_background_threads

    try:
        program = PlainProgram(settings, preferences)
        place = game.seat or game.room
        program.run_online(place) if place else program.run(game.match, game.pick_autosave)
    finally:
        join_background_threads()


def _run_screen(settings: TerminalSettings, preferences: Preferences, game: LaunchPlan) -> None:
    from connectk.terminal.screen.app import ConnectkApp
    from connectk.terminal.screen.colours import terminal_theme
    from connectk.terminal.screen.room import RoomScreen
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
        is_own_invitation=game.is_own_invitation,
        terminal_theme=terminal_theme(os.environ),
    )
    if game.room:
        app.start_with(RoomScreen(game.room))
    app.run()
    join_background_threads()
    typer.echo(app.exit_message())
