"""`connectk connect`: let a bot that runs on this computer play in a room on a server."""

from __future__ import annotations

from pathlib import Path

import typer

from connectk.commands.arena import GRACE_OPTION, MEMORY_OPTION, PYTHON_OPTION, STARTUP_OPTION, bot_options
from connectk.commands.completion import complete_player
from connectk.commands.console import print_json, settings, texts_for

EPILOG = "connectk connect mybot.py --room ABC346 --server http://192.168.1.20:8000"

LOCAL_SERVER = "http://127.0.0.1:8000"


def register(app: typer.Typer) -> None:
    app.command("connect", epilog=EPILOG)(connect)


def connect(
    player: str = typer.Argument(metavar="PLAYER", autocompletion=complete_player),
    server: str = typer.Option("", metavar="URL", show_default=LOCAL_SERVER),
    room: str = typer.Option(..., metavar="CODE"),
    name: str | None = typer.Option(None),
    python: str | None = PYTHON_OPTION,
    memory: int = MEMORY_OPTION,
    startup: str = STARTUP_OPTION,
    grace: str = GRACE_OPTION,
) -> None:
    from connectk.client.api import address_of
    from connectk.client.room import RoomBot
    from connectk.client.seats import HeldSeats
    from connectk.play.secrets_and_codes import parse_room_code
    from connectk.players.registry import load_player

    texts, server = texts_for(), server or settings().server or LOCAL_SERVER
    chosen = load_player(player, bots=bot_options(python, memory, startup, grace))

    def report(key: str, **facts: object) -> None:
        if settings().json:
            print_json({"event": key.removeprefix("connect."), **{name: str(fact) for name, fact in facts.items()}})
        else:
            typer.echo(texts(key, **facts))

    seats, own = HeldSeats(), name or _default_name(player)
    code = parse_room_code(room) or room
    held = seats.find(address_of(server), f"room {code} {own}")
    try:
        bot = RoomBot(server, code, own, chosen, report, held and held[0])
        seats.save(bot.seat)  # before joining, so that a restarted bot returns to the same place
        bot.join()
        bot.play()
        report("connect.over")
    except KeyboardInterrupt:
        report("connect.left")
    finally:
        chosen.close()


def _default_name(player: str) -> str:
    """The default name of a bot is the name of its file. A built-in player gets a name that rooms do not reserve."""
    from connectk.players.registry import is_bot

    return Path(player).stem if is_bot(player) else f"{player} bot"
