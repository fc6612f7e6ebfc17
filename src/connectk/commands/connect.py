"""`connectk connect`: run a bot on this machine that plays in a room on a server."""

from __future__ import annotations

from pathlib import Path

import typer

from connectk.commands.console import texts_for

EPILOG = "Example: connectk connect mybot.py --server http://192.168.1.20:8000 --room ABC346 --name Robo"


def register(app: typer.Typer) -> None:
    app.command("connect", epilog=EPILOG)(connect)


def connect(
    player: str = typer.Argument(metavar="PLAYER"),
    server: str = typer.Option("http://127.0.0.1:8000"),
    room: str = typer.Option(..., metavar="CODE"),
    name: str | None = typer.Option(None),
    python: str | None = typer.Option(None, metavar="PATH"),
    memory: int = typer.Option(1024, min=16, metavar="MB"),
    start: str = typer.Option("10s"),
    grace: str = typer.Option("250ms"),
) -> None:
    from connectk.client.api import address_of
    from connectk.client.room import RoomBot
    from connectk.client.seats import HeldSeats
    from connectk.commands.arena import bot_options
    from connectk.play.keys import read_code
    from connectk.players.registry import load_player

    texts = texts_for()
    chosen = load_player(player, bots=bot_options(python, memory, start, grace))

    def report(key: str, **facts: object) -> None:
        typer.echo(texts(key, **facts))

    seats, own = HeldSeats(), name or Path(player).stem
    code = read_code(room) or room
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
